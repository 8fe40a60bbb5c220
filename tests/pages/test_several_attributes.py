"""Data, Trade-offs and Compare with two numbers and a category as sensitive attributes."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

from frem_core.attributes import read_attributes
from frem_core.crossing import association, crossing
from frem_core.datasets import load_table
from frem_core.store import Store, open_store
from frem_core.sweeps import SweepSpec
from studio.store import close_store
from tools.trained_sweeps import train_sweep

PAGES = Path(__file__).resolve().parents[2] / "pages"
SWEEP = """
name = "People"
seeds = [0]
[dataset]
path = "{path}"
target = "paid"
sensitive = ["age", "sex", "income"]
[training]
epochs = 2
hidden = [4, 3]
[[methods]]
method = "unfair"
[[methods]]
method = "frem"
fairness_weights = [1.0]
"""


@pytest.fixture(scope="module")
def people() -> pd.DataFrame:
    rng = np.random.default_rng(0)
    age = rng.uniform(18, 80, 500)
    sex = rng.choice(["Female", "Male"], 500)
    sex[age > 70] = "Female"  # an empty corner
    income = age + rng.gamma(2.0, 10.0, 500)
    return pd.DataFrame(
        {
            "age": age,
            "sex": sex,
            "income": income,
            "skill": rng.normal(size=500),
            "paid": (rng.random(500) < 0.5).astype(int),
        }
    )


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory, people: pd.DataFrame) -> Iterator[Store]:
    home = tmp_path_factory.mktemp("several-home")
    file = home / "people.csv"
    people.to_csv(file, index=False)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("FREM_HOME", str(home))
        patch.setenv("FREM_STORE", "")
        patch.setenv("FREM_EXAMPLES", "off")
        opened = open_store()
        train_sweep(opened, SWEEP.format(path=file))
        _forget_caches()
        yield opened
        opened.close()
    _forget_caches()


def _forget_caches() -> None:
    close_store()


@pytest.fixture
def open_page(store: Store) -> Callable[..., AppTest]:
    def opened(script: str, **address: str | list[str]) -> AppTest:
        app = AppTest.from_file(str(PAGES / script), default_timeout=240)
        for name, value in address.items():
            app.query_params[name] = value
        app.run()
        assert not app.exception
        return app

    return opened


def titles(app: AppTest) -> list[str]:
    return [one.value for one in app.header]


def chart_of(app: AppTest, kind: str) -> list[dict]:
    specs = [json.loads(one.proto.spec) for one in app.get("plotly_chart")]
    return [spec for spec in specs if any(trace["type"] == kind for trace in spec["data"])]


def test_data_shows_how_they_hang_together(open_page, store: Store, people) -> None:
    table = store.tables.keep(people, table_id="a" * 20, name="people.csv")
    app = open_page(
        "1_Data.py", dataset=f"table-{table.id}", target="paid", sensitive=["age", "sex", "income"]
    )
    assert "How age, sex and income hang together" in titles(app)
    assert len(chart_of(app, "heatmap")) == 1
    rows = app.dataframe[0].value
    assert list(rows.columns) == ["paid", "age", "sex", "income", "skill"]
    assert rows["sex"].tolist()[:5] == people["sex"].tolist()[:5]
    further = next(one for one in app.multiselect if one.label == "Further sensitive attributes")
    assert further.value == ["sex", "income"]
    app.selectbox(key="crossing-pair").select_index(2).run()
    assert not app.exception


def test_tradeoffs_show_a_front_for_each_and_for_all(open_page) -> None:
    app = open_page("3_Trade-offs.py")
    assert "Each attribute, and all together" in titles(app)
    assert any("should not follow **age&#44; sex and income**" in one.value for one in app.markdown)
    fairness = next(one for one in app.selectbox if one.label == "Unfairness score")
    offered = " ".join(fairness.options)
    assert "ΔGDP of sex" in offered
    assert "EIPM of all" in offered
    chosen = open_page("3_Trade-offs.py", fairness="gdp@sex")
    axes = [
        json.loads(one.proto.spec)["layout"]["xaxis"]["title"]["text"]
        for one in chosen.get("plotly_chart")
    ]
    assert "ΔGDP of sex" in axes[0]
    assert sum("ΔGDP of" in axis for axis in axes) == 5  # that chart, three attributes, and all


def test_compare_shows_curves_and_a_map(open_page) -> None:
    app = open_page("4_Compare.py")
    assert "Where age, sex and income meet" in titles(app)
    assert len(chart_of(app, "heatmap")) == 1
    assert any("differs most from everybody's" in one.value for one in app.markdown)


def test_combinations_are_counted(people: pd.DataFrame) -> None:
    attributes = read_attributes(people[["age", "sex"]], len(people))
    outcome = people["paid"].to_numpy(float)
    table = crossing(attributes, 1, 0, outcome, parts=3)
    assert table["rows"].sum() == len(people)
    female = table[table["first"] == "Female"]
    cut = float(female["second"].iloc[0].removeprefix("age under "))
    mine = (people["sex"] == "Female") & (people["age"] < cut)
    assert female["rows"].iloc[0] == mine.sum()
    assert female["mean"].iloc[0] == pytest.approx(outcome[mine].mean())


def test_association_is_1_for_copies_and_small_for_strangers() -> None:
    rng = np.random.default_rng(0)
    number, other = rng.normal(size=400), rng.normal(size=400)
    group = rng.choice(["a", "b", "c"], 400)
    table = pd.DataFrame(
        {
            "x": number,
            "copy": np.exp(number),
            "other": other,
            "group": group,
            "same": np.char.add(group, "!"),
            "sorted": np.where(number > 0, "up", "down"),
        }
    )
    attributes = read_attributes(table, 400)
    assert association(attributes, 0, 1) == pytest.approx(1.0)
    assert association(attributes, 3, 4) == pytest.approx(1.0)
    assert association(attributes, 0, 2) < 0.15
    assert association(attributes, 0, 3) < 0.15
    assert association(attributes, 0, 5) == pytest.approx(association(attributes, 5, 0))
    assert association(attributes, 0, 5) > 0.8


def test_the_address_and_the_file_carry_all_columns(people: pd.DataFrame, tmp_path) -> None:
    spec = SweepSpec.from_toml(SWEEP.format(path="people.csv")).dataset
    assert spec.to_dict()["sensitive"] == ["age", "sex", "income"]
    assert type(spec).from_dict(spec.to_dict()) == spec
    kept = type(spec)(table="abc", target="paid", sensitive=["age", "sex"])
    address = kept.to_address()
    assert address["sensitive"] == ["age", "sex"]
    given = {name: [one] if isinstance(one, str) else one for name, one in address.items()}
    assert type(spec).from_address(given) == kept
    one = load_table(people, target="paid", sensitive="age")
    assert one.attributes is None
