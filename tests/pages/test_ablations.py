import json

import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

from frem_core.ablations import get_ablation
from frem_core.store import Store, open_store
from frem_core.sweeps import DatasetSpec, submit_once
from studio.ablations.experiment import ORDER, ablation_names
from studio.ablations.stability_job import stability_job
from studio.tables import the_tables
from tests.pages.ablation_runs import finish
from tests.pages.conftest import OpenPage


def _texts(app: AppTest) -> str:
    shown = [*app.header, *app.subheader, *app.markdown, *app.caption, *app.success, *app.info]
    return "\n".join(str(element.value) for element in shown)


def _address(app: AppTest, name: str) -> str | None:
    value = app.query_params.get(name)
    return value[0] if isinstance(value, list) else value


def _series(app: AppTest, key: str) -> set[str]:
    chart = next(one for one in app.get("plotly_chart") if one.key == key)
    return {trace["name"] for trace in json.loads(chart.proto.spec)["data"]}


def _trained(name: str, bundles: int = 10**6) -> Store:
    store = open_store()
    submit_once(store, get_ablation(name).spec(DatasetSpec(name="crime")))
    finish(store, bundles=bundles)
    return store


def test_every_question_is_a_card_that_opens_it(open_ablations: OpenPage) -> None:
    app = open_ablations()
    assert not app.exception
    assert set(ORDER) == set(ablation_names())
    for name in ORDER:
        assert get_ablation(name).question in _texts(app)
    assert "Not started · 48 models" in _texts(app)
    app.button(key="ablation-sigma").click().run()
    assert _address(app, "ablation") == "sigma"
    assert get_ablation("sigma").title in app.header[0].value


@pytest.mark.parametrize("address", [{"ablation": "no-such"}, {"dataset": "table-gone"}])
def test_nonsense_in_the_address_falls_back(
    open_ablations: OpenPage, address: dict[str, str]
) -> None:
    app = open_ablations(**address)
    assert not app.exception
    assert not app.error
    assert app.button(key="ablation-sigma")


def test_one_click_queues_the_sweep_of_the_preset_and_a_second_one_nothing(
    open_ablations: OpenPage,
) -> None:
    app = open_ablations(ablation="mi-stability", dataset="crime")
    assert "**4 models**" in _texts(app)
    app.button(key="launch-ablation").click().run()
    assert not app.exception
    store = open_store()
    spec = get_ablation("mi-stability").spec(DatasetSpec(name="crime"))
    assert store.sweeps.frame()["name"].tolist() == [spec.name]
    assert store.sweeps.frame()["queued"].tolist() == [4]
    again = open_ablations(ablation="mi-stability", dataset="crime")
    assert "0 of 4 models trained" in "".join(bar.text for bar in again.get("progress"))
    assert not any(button.key == "launch-ablation" for button in again.button)
    thorough = open_ablations(ablation="mi-stability", dataset="crime", effort="paper")
    assert thorough.button(key="launch-ablation")
    store.close()


def test_a_table_of_ones_own_can_be_asked(open_ablations: OpenPage, clinic: pd.DataFrame) -> None:
    table = "0123456789abcdef0123"
    the_tables().keep(clinic, table_id=table, name="<b>clinic</b>.csv")
    app = open_ablations(
        ablation="mi-stability",
        dataset=f"table-{table}",
        target="recovered",
        sensitive="age",
        leave_out=["patient_id"],
    )
    assert not app.exception
    app.button(key="launch-ablation").click().run()
    assert not app.exception
    store = open_store()
    [name] = store.sweeps.frame()["name"]
    assert "<b>clinic</b>.csv" in name
    assert "positive_class" not in store.sweeps.spec(store.sweeps.frame()["id"][0])
    assert "<b>" not in _texts(app)
    store.close()


def test_results_are_drawn_concluded_and_told_in_a_table(open_ablations: OpenPage) -> None:
    store = _trained("kernels-s")
    app = open_ablations(ablation="kernels-s", dataset="crime")
    assert not app.exception
    assert not app.error
    titles = {variant.title for variant in get_ablation("kernels-s").all_variants}
    drawn = {
        name.replace("&#40;", "(").replace("&#41;", ")")
        for name in _series(app, "ablation-fronts-test")
    }
    assert titles <= drawn
    [conclusion] = app.success
    assert "Gaussian (RBF) kernel" in conclusion.value
    table = next(one for one in app.dataframe if "Area" in one.value.columns).value
    assert table["Seeds"].tolist() == [3, 3, 3]
    app.selectbox(key="ablation-fairness-score-gdp").set_value("hgr").run()
    assert not app.exception
    assert _address(app, "fairness-score") == "hgr"
    assert "Trained: 48 of 48 models" in _texts(open_ablations(dataset="crime"))
    store.close()


def test_while_it_trains_there_is_a_front_but_no_conclusion(open_ablations: OpenPage) -> None:
    store = _trained("sigma", bundles=4)
    app = open_ablations(ablation="sigma", dataset="crime")
    assert not app.exception
    assert "of 63 models trained" in "".join(bar.text for bar in app.get("progress"))
    assert not app.success
    assert "said when all models are trained" in _texts(app)
    assert app.get("plotly_chart")
    store.close()


def test_what_was_cancelled_can_be_taken_up_again(open_ablations: OpenPage) -> None:
    store = _trained("train-vs-test", bundles=3)
    sweep = store.sweeps.frame()["id"][0]
    store.sweeps.cancel(sweep)
    app = open_ablations(ablation="train-vs-test", dataset="crime")
    assert not app.exception
    app.button(key="resume-ablation").click().run()
    assert store.sweeps.frame(sweep)["queued"][0] > 0
    store.close()


def test_train_and_test_stand_side_by_side(open_ablations: OpenPage) -> None:
    store = _trained("train-vs-test")
    app = open_ablations(ablation="train-vs-test", dataset="crime")
    assert not app.exception
    for split in ("train", "test"):
        assert {"FREM", "Reg-GDP"} <= _series(app, f"ablation-fronts-{split}")
    [conclusion] = app.success
    assert "On the training rows" in conclusion.value
    assert "On the test rows" in conclusion.value
    store.close()


def test_the_bootstrap_runs_beside_the_page_and_stands_beside_the_paper(
    open_ablations: OpenPage,
) -> None:
    store = _trained("mi-stability")
    app = open_ablations(ablation="mi-stability", dataset="crime", resamples="100")
    assert not app.exception
    runs = store.runs.frame(store.sweeps.frame()["id"][0])
    variants = get_ablation("mi-stability").variant_of(runs)
    job = stability_job(tuple(zip(runs["id"], variants, strict=True)), 100)
    job.wait(timeout=240)
    table = job.table()
    assert job.error == ""
    assert set(table["variant"]) == {"frem", "reg_gdp", "mmd", "unfair"}
    assert table["cv"].to_numpy() == pytest.approx((table["sd"] / table["mean"]).to_numpy())
    app.run()
    assert not app.exception
    [conclusion] = app.success
    assert "standard deviation between resamples" in conclusion.value
    numbers = next(one for one in app.dataframe if "Mean, paper" in one.value.columns).value
    paper = dict(zip(numbers["Model"], numbers["Mean, paper"], strict=True))
    assert paper["FREM"] == 0.076
    stability_job.clear()
    store.close()
