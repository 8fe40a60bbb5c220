import base64
import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

from frem_core.datasets import prepare, split_dataset
from frem_core.metrics import get_metric
from frem_core.store import Store
from frem_core.sweeps import RunConfig, SweepSpec, load_predictions, submit
from frem_core.sweeps.progress import BundleProgress
from frem_core.sweeps.run_floor import run_resamples
from frem_core.sweeps.train_bundle import train_bundle
from studio.store import close_store, forget_sweeps, the_store
from studio.tradeoffs.chance import _measure
from studio.tradeoffs.decision import order_words
from studio.words import choice_sentence
from tests import finished_sweeps
from tests.finished_sweeps import OWNER, SCORES, add_crime, claimed_runs, finish_next
from tests.pages.conftest import ROOT

HOSTILE = "<b>a</b> $x$ **b**"


@pytest.fixture
def store(home: Path) -> Store:
    forget()
    return the_store()


def forget() -> None:
    close_store()


def open_page(**address: str | list[str]) -> AppTest:
    forget_sweeps()
    app = AppTest.from_file(str(ROOT / "pages" / "3_Trade-offs.py"), default_timeout=240)
    for name, value in address.items():
        app.query_params[name] = value
    return checked(app.run())


def checked(app: AppTest) -> AppTest:
    assert not app.exception
    return app


def figure(app: AppTest) -> dict:
    return json.loads(app.get("plotly_chart")[0].proto.spec)


def points(app: AppTest, name: str) -> list[tuple[float, float]]:
    own = [trace for trace in figure(app)["data"] if trace["name"] == name]
    return sorted((x, y) for trace in own for x, y in zip(*axes(trace), strict=True))


def axes(trace: dict) -> tuple[list[float], list[float]]:
    return numbers(trace["x"]), numbers(trace["y"])


def numbers(values: object) -> list[float]:
    if isinstance(values, dict):  # Plotly packs arrays
        raw = base64.b64decode(values["bdata"])
        return np.frombuffer(raw, dtype=values["dtype"]).tolist()
    return list(values)


def words(app: AppTest) -> str:
    parts = [*app.markdown, *app.caption, *app.info, *app.subheader]
    return " ".join(str(part.value) for part in parts).replace("&#45;", "-")


def select(app: AppTest, label: str):
    return next(box for box in app.selectbox if box.label == label)


def slider(app: AppTest, label: str):
    return next(one for one in app.slider if one.label.startswith(label))


def test_an_empty_store_explains_itself(store: Store) -> None:
    app = open_page()
    assert "Nothing has been trained yet" in [header.value for header in app.header]
    assert not app.selectbox
    assert not app.error


def test_before_the_first_run_is_done(store: Store) -> None:
    add_crime(store)
    app = open_page()
    assert "still under way" in words(app)
    assert not app.get("plotly_chart")
    assert "0 of 12 runs are done" in words(app)


def test_an_engine_that_died_is_replaced_while_points_are_waited_for(
    store: Store, started_engines: list[Store]
) -> None:
    add_crime(store)
    finish_next(store, runs=4)
    open_page()
    assert [one.url for one in started_engines] == [store.url]


def test_finished_sweeps_need_no_engine(store: Store, started_engines: list[Store]) -> None:
    add_crime(store)
    finish_next(store)
    open_page()
    assert not started_engines


def test_nothing_finished_and_nothing_under_way(store: Store) -> None:
    sweep = add_crime(store)
    store.sweeps.cancel(sweep)
    app = open_page()
    assert "No run of this sweep has finished" in words(app)
    assert any("12 cancelled" in box.label for box in app.expander)


def test_points_are_the_means_of_finished_runs(store: Store) -> None:
    add_crime(store)
    finish_next(store)
    app = open_page(fairness="hgr")
    for method, title in (("frem", "FREM"), ("mmd", "MMD"), ("unfair", "Unfair")):
        expected = sorted(
            (hgr, 1 - mae) for (name, _), (mae, hgr) in SCORES.items() if name == method
        )
        assert np.array(points(app, title)) == pytest.approx(np.array(expected))
    layout = figure(app)["layout"]
    assert "1 − MAE (higher is better)" in layout["yaxis"]["title"]["text"]
    title = layout["xaxis"]["title"]["text"].replace("<br>", " ")  # long ones take two lines
    assert "ΔHGR (lower is fairer)" in title


def test_points_come_in_while_the_sweep_runs(store: Store) -> None:
    add_crime(store)
    finish_next(store, 2)
    app = open_page(fairness="hgr")
    assert len(points(app, "FREM")) == 2
    assert "2 of 12 runs are done" in words(app)
    finish_next(store)
    forget_sweeps()
    assert len(points(checked(app.run()), "FREM")) == 3
    assert "12 of 12 runs are done" in words(app)


def test_chance_is_measured_in_the_background(store: Store) -> None:
    sweep = add_crime(store)
    finish_next(store)
    app = open_page(fairness="hgr")
    fairest = store.runs.frame(sweep).query("method == 'frem'")
    run = fairest[fairest["config.fairness_weight"] == 0.1]["id"].iloc[0]
    floor = _measure(run, "hgr", sweep).result(timeout=240)
    checked(app.run())
    band = figure(app)["layout"]["shapes"][0]
    assert band["x1"] == pytest.approx(floor.upper)
    assert "what chance alone gives" in words(app)
    train = open_page(fairness="hgr", split="train")
    assert "measured on test rows only" in words(train)


def test_limits_choose_and_say_what_they_cost(store: Store) -> None:
    add_crime(store)
    finish_next(store)
    app = open_page(fairness="hgr")
    # At first half of the 0.5 without fairness: only FREM's 0.2 and 0.22 keep it.
    assert slider(app, "At most").value == 0.25
    assert "**FREM** is off by 0.130 on average, 0.030 more than without fairness" in words(app)
    assert "is 0.200, 60 % below the 0.500 without fairness" in words(app)
    assert "No setting is that fair: ΔHGR is 0.300 at best" in words(app)
    slider(app, "At most").set_value(0.42)
    checked(app.run())
    assert "**FREM** is off by 0.110" in words(app)
    assert "**MMD** is off by 0.160" in words(app)
    assert float(app.query_params["at_most"]) == 0.42
    slider(app, "At least").set_value(0.86)
    checked(app.run())
    assert "best prediction score is 0.840" in words(app)
    again = open_page(fairness="hgr", at_most="0.42", at_least="0.86", goal="fairness")
    assert "**FREM** is off by 0.130" in words(again)  # the fairest within the limits


def _best(method: str, prediction: float, error: float) -> dict[str, object]:
    return {"method": method, "prediction": prediction, "prediction.se": error}


def test_who_is_first_is_said_with_its_doubt() -> None:
    none = order_words([], "prediction")
    assert none.startswith("**No useful model keeps these limits.**")
    alone = order_words([_best("frem", 0.9, 0.01)], "prediction")
    assert alone == "**Within these limits FREM predicts best; no other method keeps them.**"
    sure = order_words([_best("frem", 0.9, 0.01), _best("mmd", 0.8, 0.01)], "prediction")
    assert sure == "**Within these limits FREM predicts best, MMD comes next.**"
    close = order_words([_best("frem", 0.9, 0.08), _best("mmd", 0.8, 0.08)], "prediction")
    assert "no larger than the error over seeds" in close
    once = order_words([_best("frem", 0.9, np.nan), _best("mmd", 0.8, 0.01)], "prediction")
    assert "the order may be chance" in once


def test_an_example_shows_chance_from_a_setting_that_has_predictions(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("FREM_EXAMPLES")
    app = open_page()
    assert not app.error
    assert "could not be measured" not in words(app)
    assert "what chance alone gives" in words(app) or "Measuring what chance" in words(app)


def test_another_score_drops_the_limits_and_goes_into_the_address(store: Store) -> None:
    add_crime(store)
    finish_next(store)
    app = open_page(fairness="hgr", at_most="0.3")
    select(app, "Unfairness score").set_value("eipm")
    checked(app.run())
    assert app.query_params["fairness"] == "eipm"
    assert "at_most" not in app.query_params
    assert "EIPM (lower is fairer)" in figure(app)["layout"]["xaxis"]["title"]["text"]
    assert any("E_S MMD" in code.value for code in app.code)


def test_a_run_in_the_address_is_opened(store: Store) -> None:
    sweep = add_crime(store, name=HOSTILE)
    finish_next(store)
    runs = store.runs.frame(sweep)
    second = runs[(runs["method"] == "frem") & (runs["seed"] == 1)].iloc[0]
    store.runs.write_note(second["id"], HOSTILE)
    app = open_page(run=second["id"])  # the whole id of another seed than the point's first
    assert "FREM: fairness weight (λ) 0.03" in select_label(app)
    assert "Note on seed 1" in words(app)
    assert "<b>" not in words(app)
    scores = next(frame.value for frame in app.dataframe if "Score" in frame.value)
    test_mae = scores[(scores["Score"] == "Mean absolute error (MAE)")].iloc[0]
    assert test_mae[["Mean", "Seed 0", "Seed 1"]].tolist() == pytest.approx([0.11, 0.108, 0.112])
    files = next(frame.value for frame in app.dataframe if "SHA-256" in frame.value)
    assert len(files) == 6
    box = select(app, "Look into a setting")
    box.select_index(1)
    checked(app.run())
    assert select_label(app) == "FREM: fairness weight (λ) 0.1"
    app.button(key="tradeoffs-close").click()
    checked(app.run())
    assert "run" not in app.query_params
    assert select(app, "Look into a setting").value is None


def select_label(app: AppTest) -> str:
    box = select(app, "Look into a setting")
    return str(box.format_func(box.value)) if box.value is not None else ""


def test_hypervolumes_are_those_by_hand(store: Store) -> None:
    add_crime(store)
    finish_next(store)
    app = open_page(fairness="hgr")
    share = "Share of the possible area"
    table = next(frame.value for frame in app.dataframe if share in frame.value)
    # From the constant's MAE 0.2 and Unfair's HGR 0.5, to Unfair's MAE 0.1 without unfairness.
    assert "prediction 0.800 (of the best constant)" in words(app)
    assert "unfairness 0.500 (of the model without fairness)" in words(app)
    frem = 0.09 * (0.5 - 0.4) + 0.07 * (0.4 - 0.2)
    by_method = table.set_index("Method")[share]
    assert by_method["FREM"] == pytest.approx(100 * frem / (0.1 * 0.5))
    assert by_method["Unfair"] == by_method["Best constant"] == 0
    trained = table[table["Method"] != "Best constant"]
    assert trained["Seeds"].eq(2).all()
    assert (trained["95 % from"] <= trained[share] + 1e-12).all()


def test_the_unfairness_limit_survives_another_prediction_score(store: Store) -> None:
    add_crime(store)
    finish_next(store)
    app = open_page(fairness="hgr", at_most="0.3", at_least="0.85")
    select(app, "Prediction score").set_value("mse")
    checked(app.run())
    assert app.query_params["at_most"] == "0.3"
    assert "at_least" not in app.query_params


def test_the_best_constant_is_in_chart_words_and_tables(store: Store) -> None:
    add_crime(store)
    finish_next(store)
    app = open_page(fairness="hgr")
    constant = next(one for one in figure(app)["data"] if one["name"] == "Best constant")
    assert (*constant["x"], *constant["y"]) == pytest.approx((0.0, 0.8))
    assert "Predicting the same for everybody is off by 0.200 on average" in words(app)


def test_a_model_no_better_than_a_constant_is_marked_and_never_recommended(
    store: Store, started_engines: list[Store], monkeypatch: pytest.MonkeyPatch
) -> None:
    # Of all settings within the limit the collapsed one has the best score, but it is no model.
    collapsed = {("frem", 0.1): (0.2, 0.05), ("frem", 0.3): (0.197, 0.02), ("mmd", 0.1): (0.3, 0.3)}
    monkeypatch.setattr(finished_sweeps, "SCORES", {**finished_sweeps.SCORES, **collapsed})
    add_crime(store)
    finish_next(store)
    app = open_page(fairness="hgr", at_most="0.3")
    crossed = next(
        one for one in figure(app)["data"] if one["name"] == "predicts no better than a constant"
    )
    assert sorted(numbers(crossed["x"])) == pytest.approx([0.02, 0.05, 0.3])
    said = words(app)
    assert "Within these limits MMD predicts best" in said  # with λ 0.4, the only useful one
    assert "**FREM**: Every setting that is fair enough predicts no better than a constant" in said
    assert any("3 of 5 settings predict no better" in one.value for one in app.warning)
    app.button(key="tradeoffs-refine").click()
    checked(app.run())
    assert len(app.query_params["sweep"]) == 2
    refined = store.sweeps.frame().iloc[0]
    assert refined["name"] == "Crime by hand, refined"
    spec = SweepSpec.from_toml(store.sweeps.spec(refined["id"]))
    weights = {one.method: one.fairness_weights for one in spec.methods}
    assert all(0.03 < weight < 0.1 for weight in weights["frem"])
    assert all(weight < 0.1 for weight in weights["mmd"])  # its smallest has collapsed


def test_the_papers_numbers_only_where_it_prints_them(store: Store) -> None:
    add_crime(store)
    finish_next(store)
    app = open_page(fairness="hgr", paper="1")
    assert any("printed in the paper" in trace["name"] for trace in figure(app)["data"])
    app.toggle(key="tradeoffs-paper").set_value(False)
    checked(app.run())
    assert "paper" not in app.query_params
    assert not any("paper" in trace["name"] for trace in figure(app)["data"])
    other = open_page(fairness="gdp", paper="1").toggle(key="tradeoffs-no-paper")
    assert other.disabled
    assert not other.value
    assert "1 − MAE, ΔHGR, MI(Ŷ, S)" in other.help


def test_failed_runs_are_counted_and_explained(store: Store) -> None:
    add_crime(store)
    first, *rest = claimed_runs(store)
    store.queue.fail(OWNER, first.id, "The loss became infinite <b>here</b>.")
    store.queue.put_back(OWNER, [run.id for run in rest])
    finish_next(store)
    app = open_page(fairness="hgr")
    assert any(box.label == "1 run without a result: 1 failed" for box in app.expander)
    lost = next(frame.value for frame in app.dataframe if "Reason" in frame.value)
    assert lost["Reason"].item() == "The loss became infinite <b>here</b>."
    assert "11 of 12 runs are done" in words(app)


def test_only_one_method_without_reference(store: Store) -> None:
    spec = SweepSpec.from_toml(
        'name = "one"\nseeds = [0]\n[dataset]\nname = "crime"\n[training]\nepochs = 3\n'
        '[[methods]]\nmethod = "frem"\nfairness_weights = [0.1]\n'
    )
    submit(store, spec)
    finish_next(store)
    app = open_page(fairness="hgr")
    assert "There is no model without fairness" in words(app)
    assert "without fairness." not in words(app).replace("model without fairness.", "")
    assert "With one seed there is no interval" in words(app)
    assert "there is one run each" in words(app)


def test_unknown_sweeps_and_wrong_values_in_the_address(store: Store) -> None:
    add_crime(store)
    finish_next(store)
    app = open_page(
        sweep="<i>gone", prediction="accuracy", fairness="nonsense", at_most="nan", run="zzzzzzzz"
    )
    assert len(app.error) == 1
    assert "<i>" not in app.error[0].value
    assert select(app, "Prediction score").value == "mae"
    assert select(app, "Unfairness score").value == "gdp"
    assert select(app, "Look into a setting").value is None


def test_without_a_sweep_the_page_asks_for_one(store: Store) -> None:
    add_crime(store)
    finish_next(store)
    app = open_page()
    app.multiselect[0].set_value([])
    checked(app.run())
    assert not app.error


@pytest.fixture
def clinic_sweep(store: Store, clinic: pd.DataFrame, tmp_path: Path) -> str:
    """Two methods for equal opportunity, trained for real on a small table."""
    path = tmp_path / f"{HOSTILE.replace('/', '')}.csv"
    clinic.to_csv(path, index=False)
    spec = SweepSpec.from_dict(
        {
            "name": HOSTILE,
            "fairness": "eo",
            "seeds": [0, 1],
            "dataset": {"path": str(path), "target": "recovered", "sensitive": "age"},
            "training": {"epochs": 3, "hidden": [8, 4]},
            "methods": [
                {"method": "frem", "fairness_weights": [0.1, 1.0]},
                {"method": "unfair"},
            ],
        }
    )
    data = spec.dataset.load(store.tables)
    sweep = submit(store, spec, data)
    for run in claimed_runs(store):
        config = RunConfig.from_dict(run.config)
        prepared = prepare(data, split_dataset(data, **config.split))
        (result,) = train_bundle(
            [config],
            prepared,
            progress=BundleProgress(1, lambda _: None),
            should_stop=lambda: False,
        )
        store.results.finish(OWNER, run.id, result)
    return sweep


def test_equal_opportunity_beside_another_dataset(store: Store, clinic_sweep: str) -> None:
    app = open_page()
    assert select(app, "Unfairness score").value == "geo"
    assert select(app, "Prediction score").value == "accuracy"
    assert "equal opportunity" in words(app)
    assert "is right in" in words(app)
    assert len(points(app, "FREM")) == 2
    crime = add_crime(store)
    finish_next(store)
    both = open_page(sweep=[clinic_sweep, crime])
    assert "cannot be compared" in words(both)
    assert select(both, "Prediction score").value == "accuracy"  # the first one
    question = next(one for one in both.get("button_group") if one.label == "Question")
    assert len(question.options) == 2
    other = open_page(
        sweep=[clinic_sweep, crime], subject=f"{store.runs.frame(crime)['dataset'][0][:8]}-dp"
    )
    assert select(other, "Prediction score").value == "mae"


@pytest.mark.parametrize(
    ("prediction", "fairness", "reference", "expected"),
    [
        ("accuracy", "gdp", (0.847, 0.4), "is right in 84.1 % of cases, 0.6 points less than"),
        ("accuracy", "gdp", (0.841, 0.4), "of cases, the same as without fairness. The"),
        ("accuracy", "gdp", None, "is right in 84.1 % of cases. The demographic parity gap"),
        ("mae", "hgr", (0.86, 0.2), "is off by 0.159 on average, 0.019 more than"),
        ("mae", "hgr", (0.86, 0.1), "(ΔHGR) is 0.200, 100 % above the 0.100 without"),
        ("mse", "hgr", (0.85, 0.2), "has a mean squared error of 0.1590, 0.0090 more"),
        ("average_precision", "hgr", (0.8, 0.2), "an average precision of 0.841, 0.041 more"),
    ],
)
def test_sentences(prediction, fairness, reference, expected) -> None:
    names = ("prediction", "fairness")
    sentence = choice_sentence(
        dict(zip(names, (0.841, 0.2), strict=True)),
        None if reference is None else dict(zip(names, reference, strict=True)),
        prediction=get_metric(prediction),
        fairness=get_metric(fairness),
    )
    assert expected in sentence


def test_a_score_within_chance_is_said_to_be() -> None:
    point = {"prediction": 0.8, "fairness": 0.1}
    metrics = {"prediction": get_metric("accuracy"), "fairness": get_metric("hgr")}
    assert "no more than chance" in choice_sentence(point, None, **metrics, chance=0.12)
    assert "chance" not in choice_sentence(point, None, **metrics, chance=0.08)
    assert "correlation with age" in choice_sentence(point, None, **metrics, sensitive="age")


def test_small_scores_keep_three_digits() -> None:
    small, large = ({"prediction": 0.8, "fairness": value} for value in (0.0005, 0.0045))
    metrics = {"prediction": get_metric("accuracy"), "fairness": get_metric("geo")}
    sentence = choice_sentence(small, large, **metrics)
    assert "is 0.00050, 89 % below the 0.00450 without fairness" in sentence


def test_fronts_have_bands_over_seeds_and_a_better_model_is_named(store: Store) -> None:
    add_crime(store)
    finish_next(store)
    app = open_page(fairness="hgr", at_most="0.45")
    bands = [one["name"] for one in figure(app)["data"] if "95 % band" in one["name"]]
    assert bands == ["FREM, 95 % band", "MMD, 95 % band"]
    assert "when seeds are drawn anew" in words(app)
    # FREM at λ 0.1 (0.13, 0.20) beats MMD at λ 0.4 (0.16, 0.30) whatever the seeds.
    runs = store.runs.frame(app.query_params["sweep"][0] if "sweep" in app.query_params else None)
    mmd = runs[(runs["method"] == "mmd") & (runs["config.fairness_weight"] == 0.4)].iloc[0]
    said = words(open_page(fairness="hgr", run=mmd["id"]))
    assert (
        "Yes: FREM at fairness weight (λ) 0.1, in 100\N{NO-BREAK SPACE}% of draws of seeds" in said
    )


def test_one_seed_has_bands_over_test_rows(store: Store) -> None:
    sweep = add_crime(store)
    finish_next(store)
    first = store.runs.frame(sweep)
    runs = [str(run) for run in first.loc[first["seed"] == 0, "id"]]
    drawn = run_resamples(store, runs, "mae", "hgr", resamples=8)
    assert drawn.shape == (8, len(runs), 2)
    table = load_predictions(store, runs[0])
    whole = 1 - (table["y"] - table["p"]).abs().mean()
    assert drawn[:, 0, 0].mean() == pytest.approx(whole, abs=0.02)
    assert (drawn[:, :, 1] <= 0).all()
