"""Sweeps over graphs: from files on disk to models in the store."""

from pathlib import Path

import numpy as np
import pytest

from frem_core.datasets import load_graph
from frem_core.errors import ConfigError
from frem_core.store import Store, open_store
from frem_core.sweeps import DatasetSpec, SweepSpec, submit
from frem_core.sweeps.bundles import new_runs
from frem_core.sweeps.data_source import TableElsewhereError, prepared_data, remember_table
from frem_core.sweeps.progress import BundleProgress
from frem_core.sweeps.run_config import RunConfig
from frem_core.sweeps.submission import keep_files
from frem_core.sweeps.train_bundle import train_bundle
from frem_core.sweeps.worker import BundleTask
from tests.datasets.graphs.people import friendships, people

TOML = """
name = "friends"
seeds = [0]
[dataset]
path = "people.csv"
edges = "friends.tsv"
id = "who"
target = "joined"
sensitive = "age"
[training]
epochs = 3
{training}
[[methods]]
method = "frem"
fairness_weights = [0.1, 0.5]
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    people().to_csv(tmp_path / "people.csv", index=False)
    friendships().to_csv(tmp_path / "friends.tsv", index=False, sep="\t")
    return tmp_path


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Store:
    monkeypatch.setenv("FREM_HOME", str(tmp_path / "home"))
    monkeypatch.delenv("FREM_STORE", raising=False)
    return open_store()


def spec(folder: Path, training: str = "") -> SweepSpec:
    return SweepSpec.from_toml(TOML.format(training=training), folder)


def test_a_graph_is_kept_with_its_edges(folder: Path, store: Store) -> None:
    sweep = submit(store, spec(folder))
    kinds = {table.name: table.kind for table in store.tables.list()}
    assert kinds == {"people.csv": "table", "friends.tsv": "edges"}
    for file in folder.glob("*.?sv"):
        file.unlink()
    again = SweepSpec.from_toml(store.sweeps.spec(sweep))
    assert again.dataset.edges is None
    graph = again.dataset.load(store.tables).graph
    expected = load_graph(people(), friendships(), target="joined", sensitive="age", id="who")
    assert graph is not None
    assert expected.graph is not None
    np.testing.assert_array_equal(graph.edges, expected.graph.edges)
    assert again.training["encoder"] == "gcn"
    assert again.training["hidden"] == [64]


@pytest.mark.parametrize("encoder", ["gcn", "sgc", "mlp"])
def test_a_bundle_of_a_graph_is_trained_and_scored(
    folder: Path, store: Store, encoder: str
) -> None:
    given = spec(folder, f'encoder = "{encoder}"')
    kept = keep_files(given.dataset, store.tables)
    runs = given.expand(kept.load(store.tables))
    data = prepared_data(runs[0], kept.to_dict(), store.tables.folder)
    results = train_bundle(
        runs, data, progress=BundleProgress(2, lambda report: None), should_stop=lambda: False
    )
    assert len(results) == 2
    for result in results:
        assert 0 <= result.scores["test"]["accuracy"] <= 1
        kinds = {"weights", "model", "encoder", "predictions", "representations"}
        assert set(result.files) == kinds
        assert len(result.files["weights"]) < 100_000  # the graph is not stored with each model


def test_a_graph_elsewhere_is_sent_with_its_edges(folder: Path, store: Store) -> None:
    people(seed=5).to_csv(folder / "people.csv", index=False)  # not one a test has loaded before
    given = spec(folder)
    source = keep_files(given.dataset, store.tables).to_dict()
    (run, _) = given.expand()
    with pytest.raises(TableElsewhereError):
        prepared_data(run, source, None)
    task = BundleTask(key="k", engine="e", runs=(), source=source, folder="", checkpoints="")
    assert task.table_ids == [source["table"], source["edge_table"]]
    sent = folder / "sent"
    sent.mkdir()
    for one in task.table_ids:
        content = (store.tables.folder / f"{one}.parquet").read_bytes()
        (sent / f"{one}.parquet").write_bytes(content)
    remember_table(run.dataset, source, sent)
    assert len(prepared_data(run, source, None).train) == 96


def runs_of(folder: Path, training: str) -> list[RunConfig]:
    return spec(folder, training).expand()


def test_members_that_walk_a_large_graph_are_bundled_one_by_one(folder: Path) -> None:
    flat = new_runs(runs_of(folder, "hidden = [64]"), 30_000, 67_000)
    deep = new_runs(runs_of(folder, "hidden = [64, 64]"), 30_000, 67_000)
    assert len({run.bundle for run in flat}) == 1
    assert len({run.bundle for run in deep}) == 2


ROLES = {"target": "joined", "sensitive": "age"}


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ({"path": "a.csv", **ROLES, "id": "who"}, "give edges as well"),
        ({"path": "a.csv", **ROLES, "edges": "e", "edge_table": "t"}, "leave out one of them"),
        ({"name": "german", "edges": "e.csv"}, "are fixed"),
    ],
)
def test_mistakes_in_the_description_of_a_graph(values: dict[str, str], words: str) -> None:
    with pytest.raises(ConfigError, match=words):
        DatasetSpec.from_dict(values)


def test_a_graph_network_on_a_table_is_refused_before_anything_is_queued(
    folder: Path, store: Store
) -> None:
    content = TOML.format(training='encoder = "sgc"')
    table = content.replace('edges = "friends.tsv"\nid = "who"\n', "")
    with pytest.raises(ConfigError, match="SGC reads the edges of a graph"):
        submit(store, SweepSpec.from_toml(table, folder))
    assert store.sweeps.frame().empty


def test_the_built_in_graph_trains_with_a_graph_network(store: Store) -> None:
    content = 'name = "g"\nseeds = [0]\n[dataset]\nname = "german"\n[[methods]]\nmethod = "unfair"'
    sweep = submit(store, SweepSpec.from_toml(content))
    assert SweepSpec.from_toml(store.sweeps.spec(sweep)).training["encoder"] == "gcn"
