"""Every page over a graph: one that is built in, and one of a user's own."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from frem_core.store import Store, open_store
from frem_core.sweeps import SweepSpec
from studio.store import close_store
from tests.datasets.graphs.people import friendships, people
from tests.pages.conftest import ROOT
from tools.trained_sweeps import train_sweep

METHODS = """
[training]
epochs = 3
encoder = "{encoder}"
hidden = [6]
[[methods]]
method = "unfair"
[[methods]]
method = "frem"
fairness_weights = [0.5, 3.0]
[[methods]]
method = "adv"
fairness_weights = [0.5]
"""
GERMAN = """
name = "German"
seeds = [0, 1]
[dataset]
name = "german"
"""
FRIENDS = """
name = "Friends"
seeds = [0]
[dataset]
path = "{folder}/people.csv"
edges = "{folder}/friends.csv"
id = "who"
target = "joined"
sensitive = "age"
"""


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    """German credit with SGC, and friends with GCN, some of whom are neighbours only."""
    folder = tmp_path_factory.mktemp("graph-pages")
    nodes = people(240)
    nodes["joined"] = nodes["joined"].where(nodes.index % 6 != 0)
    nodes.to_csv(folder / "people.csv", index=False)
    friendships(240).to_csv(folder / "friends.csv", index=False)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("FREM_HOME", str(folder / "home"))
        patch.setenv("FREM_STORE", "")
        patch.setenv("FREM_EXAMPLES", "off")
        opened = open_store()
        train_sweep(opened, GERMAN + METHODS.format(encoder="sgc"))
        train_sweep(opened, FRIENDS.format(folder=folder) + METHODS.format(encoder="gcn"))
        _forget_caches()
        yield opened
        opened.close()
    _forget_caches()


def _forget_caches() -> None:
    close_store()


def address(store: Store, name: str) -> dict[str, str]:
    """How pages find the data of a sweep."""
    if name == "German":
        return {"dataset": "german"}
    spec = SweepSpec.from_toml(store.sweeps.spec(store.sweeps.find(name)))
    kept = spec.dataset
    return {
        "dataset": f"table-{kept.table}",
        "target": "joined",
        "sensitive": "age",
        "edges": str(kept.edge_table),
        "node_id": "who",
    }


def open_page(script: str, **parameters: str) -> AppTest:
    app = AppTest.from_file(str(ROOT / script), default_timeout=240)
    for name, value in parameters.items():
        app.query_params[name] = value
    app.run()
    assert not app.exception
    assert not app.error
    return app


def figures(app: AppTest) -> list[dict[str, Any]]:
    return [json.loads(chart.proto.spec) for chart in app.get("plotly_chart")]


def texts(app: AppTest) -> str:
    shown = [*app.header, *app.subheader, *app.markdown, *app.caption, *app.info]
    return "\n".join(str(element.value) for element in shown)


@pytest.mark.parametrize(
    ("name", "rows", "edges"), [("German", "1,000", "36,562"), ("Friends", "200", "299")]
)
def test_data_counts_rows_and_edges(store: Store, name: str, rows: str, edges: str) -> None:
    app = open_page("pages/1_Data.py", **address(store, name))
    metrics = {metric.label: metric.value for metric in app.metric}
    assert metrics["Rows"] == rows
    assert metrics["Edges"] == edges
    assert len(figures(app)) >= 5
    if name == "Friends":
        assert "40 of 240 rows without joined or age are neighbours only" in texts(app)


def described(app: AppTest) -> SweepSpec:
    """The sweep that the form of the Train page stands for."""
    return SweepSpec.from_toml(next(code.value for code in app.code if "[dataset]" in code.value))


def test_train_takes_the_edges_along(store: Store) -> None:
    given = address(store, "Friends")
    app = open_page("pages/2_Train.py", **given)
    dataset = described(app).dataset
    assert (dataset.edge_table, dataset.id) == (given["edges"], "who")
    encoder = next(one for one in app.get("button_group") if str(one.key).endswith("-encoder"))
    assert encoder.value == "gcn"
    encoder.set_value("sgc").run()
    assert not app.exception
    assert described(app).training["encoder"] == "sgc"


@pytest.mark.parametrize("name", ["German", "Friends"])
def test_trade_offs_draw_the_front(store: Store, name: str) -> None:
    app = open_page("pages/3_Trade-offs.py", sweep=store.sweeps.find(name))
    names = {trace["name"] for trace in figures(app)[0]["data"] if "name" in trace}
    assert {"FREM", "ADV", "Unfair"} <= names


@pytest.mark.parametrize("name", ["German", "Friends"])
def test_compare_draws_predictions_representations_and_profiles(store: Store, name: str) -> None:
    app = open_page("pages/4_Compare.py", sweep=store.sweeps.find(name))
    assert len(figures(app)) == 5
    columns = list(app.table[0].value.columns)
    assert "Unfair" in columns
    assert any(column.startswith("FREM") for column in columns)


def test_ablations_can_be_asked_of_a_graph(store: Store) -> None:
    app = open_page("pages/6_Ablations.py", ablation="sigma", **address(store, "Friends"))
    assert app.button(key="launch-ablation")
    app.button(key="launch-ablation").click().run()
    assert not app.exception
    assert not app.error
    newest = SweepSpec.from_toml(store.sweeps.spec(store.sweeps.frame()["id"].iloc[0]))
    assert newest.dataset.is_graph
    assert newest.training["encoder"] == "gcn"


def test_start_shows_the_sweeps(store: Store) -> None:
    app = open_page("app.py")
    assert "Friends" in texts(app)
