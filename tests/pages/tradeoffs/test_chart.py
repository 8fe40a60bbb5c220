"""What is drawn of finished runs, and what is said while there are none."""

import numpy as np
import pytest

from frem_core.store import Store
from frem_core.sweeps import SweepSpec, load_predictions, submit
from frem_core.sweeps.run_floor import run_resamples
from studio.store import forget_sweeps
from studio.tradeoffs.chance import _measure
from tests.finished_sweeps import OWNER, SCORES, add_crime, claimed_runs, finish_next
from tests.pages.tradeoffs.page import checked, figure, open_page, points, words


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


def test_an_example_shows_chance_from_a_setting_that_has_predictions(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("FREM_EXAMPLES")
    app = open_page()
    assert not app.error
    assert "could not be measured" not in words(app)
    assert "what chance alone gives" in words(app) or "Measuring what chance" in words(app)


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


def test_the_best_constant_is_in_chart_words_and_tables(store: Store) -> None:
    add_crime(store)
    finish_next(store)
    app = open_page(fairness="hgr")
    constant = next(one for one in figure(app)["data"] if one["name"] == "Best constant")
    assert (*constant["x"], *constant["y"]) == pytest.approx((0.0, 0.8))
    assert "Predicting the same for everybody is off by 0.200 on average" in words(app)


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


def test_what_a_table_does_not_know_is_a_dash(store: Store) -> None:
    """The best constant has no setting and no run; "None" would be a word of the program."""
    add_crime(store)
    finish_next(store)
    behind = next(one for one in open_page().dataframe if "Best constant" in str(one.value))
    assert behind.value.isna().any(axis=None)
    assert behind.proto.placeholder == "–"
