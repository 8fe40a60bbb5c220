import pytest
import torch
from torch import nn

from frem_core.errors import ConfigError
from frem_core.networks import ENCODERS, MLP, member_state


def generators(count: int) -> list[torch.Generator]:
    return [torch.Generator().manual_seed(seed) for seed in range(count)]


def test_it_is_the_paper_encoder() -> None:
    mlp = MLP(6, hidden=(50, 50), activation="selu", generators=generators(1))
    alone = nn.Sequential(nn.Linear(6, 50), nn.SELU(), nn.Linear(50, 50), nn.SELU())
    with torch.no_grad():
        for stacked, plain in zip(mlp.layers, (alone[0], alone[2]), strict=True):
            plain.weight.copy_(stacked.weight[0].T)
            plain.bias.copy_(stacked.bias[0, 0])
    features = torch.rand(20, 6)
    rows = torch.tensor([[3, 3, 17]])
    torch.testing.assert_close(mlp(mlp.read(features), rows)[0], alone(features[rows[0]]))
    assert mlp.representation_size == 50


def test_every_member_reads_its_own_rows() -> None:
    mlp = MLP(6, hidden=(5,), activation="tanh", generators=generators(2))
    features = mlp.read(torch.rand(9, 6))
    rows = torch.tensor([[0, 1, 2], [8, 7, 6]])
    z = mlp(features, rows)
    swapped = mlp(features, rows.flip(0))
    assert z.shape == (2, 3, 5)
    assert not torch.equal(z[0], swapped[0])
    torch.testing.assert_close(z[0], mlp(features, rows[:1].expand(2, -1))[0])


def test_a_member_taken_out_encodes_as_it_did_inside() -> None:
    mlp = MLP(6, hidden=(5, 4), activation="relu", generators=generators(3))
    one = MLP(6, hidden=(5, 4), activation="relu", generators=generators(1))
    one.load_state_dict(member_state(mlp, 2))
    features, rows = mlp.read(torch.rand(9, 6)), torch.arange(9)
    inside = mlp(features, rows.expand(3, -1))[2]
    torch.testing.assert_close(one(features, rows.unsqueeze(0))[0], inside)


def test_it_is_registered_and_names_its_activations() -> None:
    assert "mlp" in list(ENCODERS)
    with pytest.raises(ConfigError, match="Did you mean 'selu'"):
        MLP(6, hidden=(5,), activation="sellu", generators=generators(1))
