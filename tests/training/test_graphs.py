from dataclasses import replace

import numpy as np
import pytest

from frem_core.datasets import Part, PreparedData, prepare, social_graph_dataset, split_dataset
from frem_core.errors import ConfigError
from frem_core.evaluation import evaluate_split
from frem_core.methods import available_methods, get_method
from frem_core.training import (
    Callback,
    TrainedModel,
    TrainingConfig,
    grid,
    select_bandwidth,
    suggested_config,
    train,
)
from frem_core.training.stack_size import nodes_of, step_rows
from tests.training.problems import small_part, weights_of

NETWORKS = {
    "sgc": TrainingConfig(encoder="sgc", hidden=(8,), activation="linear", epochs=4, batch_size=64),
    "gcn": TrainingConfig(encoder="gcn", hidden=(8,), activation="relu", epochs=4, batch_size=64),
    "deep gcn": TrainingConfig(
        encoder="gcn", hidden=(8, 6), activation="relu", epochs=4, batch_size=64
    ),
}
FREM = get_method("frem")(gamma=0.1)


@pytest.fixture(scope="module")
def data() -> PreparedData:
    network = social_graph_dataset(240, n_edges=700, n_features=8, seed=1)
    return prepare(network, split_dataset(network, validation_size=0.25))


@pytest.fixture(params=NETWORKS)
def config(request) -> TrainingConfig:
    return NETWORKS[request.param]


@pytest.mark.parametrize("method", available_methods())
def test_every_method_learns_on_every_graph_network(data, config, method):
    (model,) = train(
        data.train,
        task=data.task,
        method=get_method(method)(),
        config=config,
        members=grid([0.5]),
        validation=data.validation,
    )
    p = model.predict(data.test.x)
    assert p.shape == data.test.y.shape
    assert np.isfinite(p).all()
    assert np.isfinite(model.history["validation_loss"]).all()


def test_a_model_uses_the_neighbours(data, config):
    (model,) = train(data.train, task=data.task, method=FREM, config=config)
    whole = data.test.x.whole
    nodes = whole.nodes.copy()
    nodes[data.train.rows] = 1 - nodes[data.train.rows]
    changed = replace(data.test.x, whole=replace(whole, nodes=nodes))
    assert np.abs(model.transform(changed) - model.transform(data.test.x)).max() > 1e-3


def test_members_side_by_side_end_as_they_do_alone(data, config):
    members = grid([0.0, 2.0], seeds=[0, 1])
    settings = {"task": data.task, "method": FREM, "config": config, "members": members}
    together = train(data.train, **settings, stack_size=4)
    alone = train(data.train, **settings, stack_size=1)
    for one, other in zip(together, alone, strict=True):
        np.testing.assert_array_equal(weights_of(one), weights_of(other))


class StopAfter(Callback):
    def __init__(self, epoch: int) -> None:
        self.epoch, self.reached = epoch, False

    def on_epoch_end(self, stack, record) -> None:
        self.reached = record.epoch >= self.epoch


@pytest.mark.parametrize("method", ["frem", "adv"])
def test_a_resumed_training_ends_to_the_bit_where_it_would_have(data, config, method, tmp_path):
    settings = {
        "task": data.task,
        "method": get_method(method)(),
        "config": config,
        "members": grid([0.5], seeds=[0, 1]),
        "validation": data.validation,
    }
    whole = train(data.train, **settings)
    stop = StopAfter(2)
    with pytest.raises(Exception, match="stopped on request"):
        train(
            data.train,
            **settings,
            callbacks=[stop],
            should_stop=lambda: stop.reached,
            checkpoints=tmp_path,
            checkpoint_every=1,
        )
    resumed = train(data.train, **settings, checkpoints=tmp_path)
    for one, other in zip(whole, resumed, strict=True):
        np.testing.assert_array_equal(weights_of(one), weights_of(other))
        assert one.history.equals(other.history)


def test_a_checkpoint_of_another_graph_is_refused(data, config, tmp_path):
    settings = {"task": data.task, "method": FREM, "config": config}
    train(data.train, **settings, checkpoints=tmp_path)
    other = social_graph_dataset(240, n_edges=600, n_features=8, seed=1)
    elsewhere = prepare(other, data.split)
    with pytest.raises(ConfigError, match="another training"):
        train(elsewhere.train, **settings, checkpoints=tmp_path)


def test_a_saved_model_needs_the_graph_again_and_predicts_the_same(data, config, tmp_path):
    (model,) = train(data.train, task=data.task, method=FREM, config=config)
    model.save(tmp_path)
    assert sum(file.stat().st_size for file in tmp_path.iterdir()) < 10_000
    loaded = TrainedModel.load(tmp_path)
    np.testing.assert_array_equal(loaded.predict(data.test.x), model.predict(data.test.x))
    with pytest.raises(ConfigError, match="reads the edges"):
        loaded.predict(np.asarray(data.test.x))


def test_bandwidth_and_scores_work_on_graphs(data, config):
    choice = select_bandwidth(data.train, task=data.task, method=FREM, config=config)
    assert choice.table["criterion"].notna().all()
    (model,) = train(data.train, task=data.task, method=choice.method, config=config)
    scores = evaluate_split(model, data)
    assert 0 <= scores["test"]["accuracy"] <= 1
    assert scores["test"]["eipm"] >= 0


def test_a_graph_network_refuses_a_table(config):
    with pytest.raises(ConfigError, match="reads the edges of a graph"):
        train(small_part(), task="classification", method=FREM, config=config)


def test_a_network_that_walks_a_large_graph_trains_alone(data):
    assert nodes_of(data.train) == 240
    assert nodes_of(small_part()) is None
    for name, rows in {"sgc": 64, "gcn": 64, "deep gcn": 67_000}.items():
        assert step_rows(NETWORKS[name], 50_000, 67_000) == rows


def test_suggested_settings_of_graphs():
    plain = suggested_config("mine", 5_000, graph=True)
    assert (plain.encoder, plain.hidden, plain.activation) == ("gcn", (64,), "relu")
    assert plain.batch_size == 512
    simple = suggested_config("mine", 5_000, graph=True, encoder="sgc", epochs=3)
    assert (simple.hidden, simple.activation, simple.epochs) == ((64,), "linear", 3)
    flat = suggested_config("mine", 5_000, graph=True, encoder="mlp")
    assert (flat.hidden, flat.activation) == ((50, 50), "selu")
    assert suggested_config("mine", 5_000, graph=True, hidden=(32,)).hidden == (32,)


def test_fairness_lowers_dependence_on_a_graph():
    network = social_graph_dataset(800, n_features=20, dependence=1.0, seed=2)
    data = prepare(network, split_dataset(network))
    config = TrainingConfig(
        encoder="sgc",
        hidden=(16,),
        activation="linear",
        batch_size=320,
        epochs=40,
        learning_rate=0.02,
        weight_decay=1e-3,
    )
    free, fair = train(
        data.train, task=data.task, method=FREM, config=config, members=grid([0.0, 5.0])
    )
    links = [
        abs(np.corrcoef(model.predict(data.test.x), data.test.s)[0, 1]) for model in (free, fair)
    ]
    assert links[1] < 0.5 * links[0]


def test_parts_keep_their_own_features(data):
    assert isinstance(data.train, Part)
    assert np.asarray(data.train.x).shape == data.train.x.shape == (len(data.train), 8)
