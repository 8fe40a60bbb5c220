"""What every registered network must fulfil; a new one is tested here by itself."""

import numpy as np
import pytest
import torch
from numpy.typing import ArrayLike

from frem_core.datasets import NodeFeatures
from frem_core.errors import ConfigError
from frem_core.methods import get_method
from frem_core.networks import (
    ENCODERS,
    Encoder,
    available_encoders,
    check_reads,
    member_state,
)
from frem_core.training import TrainingConfig, train
from tests.networks.graphs import node_features
from tests.training.problems import small_part

every_network = pytest.mark.parametrize("name", available_encoders())
every_size = pytest.mark.parametrize("hidden", [(6,), (6, 4), (5, 5)], ids=str)

ROWS = torch.tensor([[0, 3, 11, 3], [5, 2, 1, 11], [7, 7, 8, 9]])


def built(
    name: str, hidden: tuple[int, ...] = (6, 4), seeds: tuple[int, ...] = (0, 1, 2)
) -> Encoder:
    generators = [torch.Generator().manual_seed(seed) for seed in seeds]
    return ENCODERS.get(name)(5, hidden=hidden, activation="tanh", generators=generators)


def features(name: str) -> ArrayLike | NodeFeatures:
    """Twelve rows with five features, as part of a graph where the network needs one."""
    x = node_features()
    return x if ENCODERS.get(name).needs_graph else np.asarray(x)


@every_network
def test_it_describes_itself(name: str) -> None:
    builder = ENCODERS.get(name)
    assert builder.title
    TrainingConfig(encoder=name, **builder.suggested)
    assert isinstance(builder.walks_graph((6, 4)), bool)
    assert builder.needs_graph or not builder.walks_graph((6, 4))


def test_networks_can_be_told_apart() -> None:
    titles = {ENCODERS.get(name).title for name in available_encoders()}
    assert len(titles) == len(available_encoders())


@every_network
@every_size
def test_it_gives_a_representation_of_the_stated_size(name: str, hidden: tuple[int, ...]) -> None:
    network = built(name, hidden)
    z = network(network.read(features(name)), ROWS)
    assert network.representation_size == hidden[-1]
    assert z.shape == (3, 4, hidden[-1])
    assert torch.isfinite(z).all()
    torch.testing.assert_close(z[0, 1], z[0, 3])  # the same row twice


@every_network
@every_size
def test_a_member_is_the_same_alone_and_in_company(name: str, hidden: tuple[int, ...]) -> None:
    x = features(name)
    together = built(name, hidden)
    z = together(together.read(x), ROWS)
    for member in range(3):
        alone = built(name, hidden, seeds=(member,))
        torch.testing.assert_close(alone(alone.read(x), ROWS[member : member + 1])[0], z[member])
        taken = built(name, hidden, seeds=(99,))
        taken.load_state_dict(member_state(together, member))
        torch.testing.assert_close(taken(taken.read(x), ROWS[member : member + 1])[0], z[member])


@every_network
@every_size
def test_no_member_is_taught_by_another(name: str, hidden: tuple[int, ...]) -> None:
    network = built(name, hidden)
    network(network.read(features(name)), ROWS)[1].square().sum().backward()
    for parameter in network.parameters():
        assert parameter.grad is not None
        assert torch.isfinite(parameter.grad).all()
        assert not parameter.grad[[0, 2]].any()
        assert parameter.grad[1].any()


@every_network
def test_it_leaves_its_inputs_alone(name: str) -> None:
    x = features(name)
    network = built(name)
    network(network.read(x), ROWS).sum().backward()
    np.testing.assert_array_equal(np.asarray(x), np.asarray(features(name)))


@every_network
def test_a_table_is_read_or_refused_clearly(name: str) -> None:
    builder = ENCODERS.get(name)
    check_reads(name, graph=True)
    if builder.needs_graph:
        with pytest.raises(
            ConfigError, match=f"{builder.title} reads the edges.*'mlp'.*load_graph"
        ):
            built(name).read(np.zeros((6, 5), dtype=np.float32))
        with pytest.raises(ConfigError, match="table without any"):
            check_reads(name, graph=False)
    else:
        check_reads(name, graph=False)
        assert built(name).read(np.zeros((6, 5), dtype=np.float32)).features.shape == (6, 5)


@every_network
def test_it_learns(name: str) -> None:
    if ENCODERS.get(name).needs_graph:
        pytest.skip("trained on graphs in tests/training/test_graphs.py")
    config = TrainingConfig(
        epochs=30, batch_size=40, hidden=(6, 4), learning_rate=0.01, encoder=name
    )
    (model,) = train(
        small_part(), task="classification", method=get_method("unfair")(), config=config
    )
    loss = model.history["task_loss"]
    assert loss.iloc[-1] < 0.8 * loss.iloc[0]
