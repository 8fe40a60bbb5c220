"""The Compare page over a store of really trained runs."""

import json
import threading
from collections.abc import Callable, Iterator
from html import unescape
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

from frem_core.audit import box_statistics, conditional_mean, quantile_groups
from frem_core.eipm import eipm_profile
from frem_core.figures import plain_text
from frem_core.figures.run_titles import run_titles
from frem_core.store import Store, open_store
from frem_core.sweeps import example_sweep, load_predictions, load_representations, submit
from studio.compare import probe_job
from studio.compare.catalogue import usual_prediction
from studio.compare.comparable import (
    along_weight,
    comparable_instead,
    first_picks,
    matched_picks,
    why_not_comparable,
)
from studio.compare.scores import conclusions, score_table
from studio.store import close_store
from tools.trained_sweeps import train_sweep

PAGE = str(Path(__file__).resolve().parents[2] / "pages" / "4_Compare.py")
CRIME = """
name = "Crime <b>small</b>"
seeds = [0, 1]
[dataset]
name = "crime"
[training]
epochs = 3
hidden = [6, 4]
[[methods]]
method = "unfair"
[[methods]]
method = "frem"
fairness_weights = [0.1, 1.0, 3.0]
[[methods]]
method = "reg_gdp"
fairness_weights = [1.0, 10.0]
"""
CLINIC = """
name = "Clinic"
fairness = "eo"
seeds = [0]
[dataset]
path = "{path}"
target = "recovered"
sensitive = "<b>age</b>"
[training]
epochs = 3
hidden = [4, 3]
[[methods]]
method = "unfair"
[[methods]]
method = "frem"
fairness_weights = [1.0]
"""
Opened = Callable[..., AppTest]


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    """A store with a regression and an equal-opportunity classification of a user's table."""
    home = tmp_path_factory.mktemp("compare-home")
    rng = np.random.default_rng(0)
    age = rng.integers(20, 90, 400)
    clinic = pd.DataFrame(
        {
            "<b>age</b>": age,
            "dose": age / 10 + rng.normal(size=400),
            "weight": rng.normal(70, 9, 400),
            "recovered": np.where(rng.random(400) < age / 100, "yes", "no"),
        }
    )
    clinic.to_csv(home / "clinic.csv", index=False)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("FREM_HOME", str(home))
        patch.setenv("FREM_STORE", "")
        patch.setenv("FREM_EXAMPLES", "off")
        opened = open_store()
        train_sweep(opened, CLINIC.format(path=home / "clinic.csv"))
        train_sweep(opened, CRIME)
        _forget_caches()
        yield opened
        opened.close()
    _forget_caches()


def _forget_caches() -> None:
    close_store()


@pytest.fixture
def crime(store: Store) -> pd.DataFrame:
    sweep = store.sweeps.find("Crime <b>small</b>")
    return store.runs.frame(sweep).assign(sweep=sweep)


def open_page(**address: str | list[str]) -> AppTest:
    app = AppTest.from_file(PAGE, default_timeout=240)
    for name, value in address.items():
        app.query_params[name] = value
    return _checked(app.run())


def _checked(app: AppTest) -> AppTest:
    assert not app.exception
    assert not [error for error in app.error if "not foreseen" in str(error)]
    return app


def asked(app: AppTest, name: str) -> list[str]:
    """A parameter of the address; the test frame unpacks single values."""
    value = app.query_params[name]
    return [value] if isinstance(value, str) else list(value)


def figures(app: AppTest) -> list[dict[str, Any]]:
    return [json.loads(chart.proto.spec) for chart in app.get("plotly_chart")]


def profile_of(app: AppTest) -> dict[str, Any]:
    return next(spec for spec in figures(app) if "IPM" in spec["layout"]["yaxis"]["title"]["text"])


def lines(figure: dict[str, Any]) -> dict[str, Any]:
    return {
        unescape(trace["name"]): trace
        for trace in figure["data"]
        if trace.get("mode") == "lines+markers" and "name" in trace
    }


def numbers(values: Any) -> np.ndarray:
    if isinstance(values, dict):  # plotly packs arrays
        import base64

        return np.frombuffer(base64.b64decode(values["bdata"]), dtype=values["dtype"])
    return np.array(values, dtype=float)


def picked(crime: pd.DataFrame, method: str, weight: float = 0.0, seed: int = 0) -> str:
    rows = crime[(crime["method"] == method) & (crime["seed"] == seed)]
    return str(rows.loc[rows["config.fairness_weight"] == weight, "id"].iloc[0])


def test_without_runs_it_says_what_to_do(home: Path) -> None:
    _forget_caches()
    app = open_page()
    assert app.subheader[0].value == "Nothing to compare yet"
    assert not app.get("plotly_chart")
    _forget_caches()


def test_an_example_opens_on_runs_that_have_all_files(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("FREM_EXAMPLES")
    _forget_caches()
    app = open_page()
    assert not app.warning
    assert len(figures(app)) == 5
    assert len(lines(profile_of(app))) == len(asked(app, "run")) >= 2
    notes = [note.value for note in app.info]
    assert any(note.startswith("An example that comes with") for note in notes)
    assert not any("scores only" in note for note in notes)
    _forget_caches()


def test_a_sweep_without_a_finished_run_is_waited_for(
    home: Path, started_engines: list[Store]
) -> None:
    _forget_caches()
    store = open_store()
    sweep = submit(store, example_sweep())
    app = open_page(sweep=sweep)
    assert "still under way" in app.info[0].value
    assert not app.get("plotly_chart")
    assert [one.url for one in started_engines] == [store.url]  # one that died is replaced
    store.sweeps.cancel(sweep)
    _forget_caches()
    assert "has finished. Resume it" in open_page(sweep=sweep).info[0].value
    store.close()
    _forget_caches()


def test_an_unknown_sweep_is_named_and_another_one_shown(crime: pd.DataFrame) -> None:
    app = open_page(sweep="long-gone")
    assert "There is no sweep" in app.error[0].value
    assert "long-gone" in app.error[0].value.replace("&#45;", "-")
    assert app.get("plotly_chart")


def test_a_sweep_opens_on_unfair_frem_and_the_best_baseline(crime: pd.DataFrame) -> None:
    app = open_page(sweep=crime["sweep"][0])
    shown = asked(app, "run")
    methods = [crime.set_index("id")["method"].filter(like=run).iloc[0] for run in shown]
    assert methods == ["unfair", "frem", "reg_gdp"]
    assert not app.error
    titles = list(app.table[0].value.columns)
    assert titles[:2] == ["Direction", "Unfair"]
    assert len(figures(app)) == 5
    assert "&#60;b&#62;" not in app.selectbox(key="compare-sweep").options[0]


def test_two_runs_by_address_have_the_numbers_of_the_library(
    store: Store, crime: pd.DataFrame
) -> None:
    chosen = [picked(crime, "unfair"), picked(crime, "frem", 3.0)]
    app = open_page(run=chosen, gamma="0.1", sigma="0.5", smoothing="0.1", groups="4")
    front, curves, boxes, dimensions, profile = figures(app)
    assert len(dimensions["data"]) == 6
    for run, name in zip(chosen, ("Unfair", "FREM, λ 3"), strict=True):
        table, (_, z) = load_predictions(store, run), load_representations(store, run)
        curve = conditional_mean(table["p"], table["s"], bandwidth=0.1)
        assert numbers(lines(curves)[name]["y"]) == pytest.approx(curve["mean"].to_numpy())
        box = next(trace for trace in boxes["data"] if unescape(trace["name"]) == name)
        expected = box_statistics(table["p"], quantile_groups(table["s"], 4))
        assert numbers(box["median"]) == pytest.approx(expected["median"].to_numpy())
        ipm = eipm_profile(z, table["s"], gamma=0.1, sigma=0.5)
        assert numbers(lines(profile)[name]["y"]) == pytest.approx(ipm["ipm"], rel=1e-3, abs=1e-4)
        assert numbers(lines(profile)[name]["x"]) == pytest.approx(ipm["s"])
    assert front["layout"]["yaxis"]["title"]["text"] == "1 − MAE (higher is better)"


def test_sliders_change_the_profile_and_the_address(crime: pd.DataFrame) -> None:
    app = open_page(run=[picked(crime, "unfair"), picked(crime, "frem", 0.1)])
    before = numbers(lines(profile_of(app))["Unfair"]["y"])
    _checked(app.select_slider(key="compare-sigma").set_value(0.1).run())
    assert asked(app, "sigma") == ["0.1"]
    smaller_scale = numbers(lines(profile_of(app))["Unfair"]["y"])
    assert not np.allclose(before, smaller_scale)
    _checked(app.select_slider(key="compare-gamma").set_value(0.3).run())
    wider = numbers(lines(profile_of(app))["Unfair"]["y"])
    assert np.ptp(wider) < np.ptp(smaller_scale)
    _checked(app.toggle(key="compare-scale").set_value(True).run())
    assert asked(app, "scale") == ["own"]
    assert app.select_slider(key="compare-sigma").disabled


def test_the_weight_slider_walks_along_the_front_and_moves_all_charts(crime: pd.DataFrame) -> None:
    app = open_page(run=[picked(crime, "unfair"), picked(crime, "frem", 0.1)])
    slider = app.select_slider(key="compare-weight")
    assert slider.options == ["0.1", "1", "3"]
    before = [lines(spec).keys() for spec in figures(app)[1:]]
    _checked(slider.set_value(3.0).run())
    assert asked(app, "run")[1] == picked(crime, "frem", 3.0)[:16]
    for spec, names in zip(figures(app)[1:], before, strict=True):
        assert {name.replace("0.1", "3") for name in names} == lines(spec).keys()
    assert "FREM&#44; λ 3" in app.table[0].value.columns


def test_another_run_can_be_the_one_that_walks(crime: pd.DataFrame) -> None:
    chosen = [picked(crime, "frem", 0.1), picked(crime, "reg_gdp", 1.0)]
    app = open_page(run=chosen, walk="1")
    assert app.select_slider(key="compare-weight").options == ["1", "10"]
    _checked(app.select_slider(key="compare-weight").set_value(10.0).run())
    assert asked(app, "run") == [chosen[0][:16], picked(crime, "reg_gdp", 10.0)[:16]]


def test_at_equal_accuracy_the_others_follow_the_reference(crime: pd.DataFrame) -> None:
    app = open_page(match=picked(crime, "frem", 0.1))
    first = list(app.table[0].value.columns)
    assert first[1].startswith("FREM")
    assert len(first) >= 4
    _checked(app.select_slider(key="compare-weight").set_value(3.0).run())
    assert asked(app, "match") == [picked(crime, "frem", 3.0)[:16]]
    _checked(app.selectbox(key="compare-score").set_value("mse").run())
    assert asked(app, "score") == ["mse"]


def test_modes_hand_the_shown_runs_to_each_other(crime: pd.DataFrame) -> None:
    app = open_page(run=[picked(crime, "unfair"), picked(crime, "frem", 1.0)])
    _checked(app.segmented_control(key="compare-mode").set_value("matched").run())
    assert asked(app, "match") == [picked(crime, "frem", 1.0)[:16]]
    _checked(app.segmented_control(key="compare-mode").set_value("own").run())
    assert asked(app, "run")[0] == picked(crime, "frem", 1.0)[:16]
    assert "match" not in app.query_params


def test_runs_of_different_splits_are_refused_with_a_way_on(crime: pd.DataFrame) -> None:
    chosen = [picked(crime, "unfair", seed=0), picked(crime, "frem", 1.0, seed=1)]
    app = open_page(run=chosen)
    assert "another split" in app.error[0].value
    assert not app.get("plotly_chart")
    _checked(app.button(key="compare-instead").click().run())
    assert not app.error
    assert asked(app, "run")[1] == picked(crime, "frem", 1.0, seed=0)[:16]


def test_runs_on_different_datasets_are_refused(store: Store, crime: pd.DataFrame) -> None:
    clinic = store.runs.frame(store.sweeps.find("Clinic"))
    app = open_page(run=[picked(crime, "unfair"), clinic["id"][0]])
    assert "another dataset" in app.error[0].value


def test_equal_opportunity_looks_at_positive_rows_only(store: Store) -> None:
    runs = store.runs.frame(store.sweeps.find("Clinic"))
    app = open_page(run=list(runs["id"]), gamma="0.05")
    assert app.toggle(key="compare-people").value is True
    frem = runs.loc[runs["method"] == "frem", "id"].iloc[0]
    table, (_, z) = load_predictions(store, frem), load_representations(store, frem)
    expected = eipm_profile(z, table["s"], gamma=0.05, labels=table["y"].to_list())
    drawn = lines(profile_of(app))["FREM, λ 1"]
    assert numbers(drawn["y"]) == pytest.approx(expected["ipm"], rel=1e-3, abs=1e-4)
    own_units = numbers(drawn["x"])
    assert own_units.min() >= 20
    assert own_units.max() <= 89
    assert "&#60;b&#62;age" in profile_of(app)["layout"]["xaxis"]["title"]["text"]
    _checked(app.toggle(key="compare-people").set_value(False).run())
    everybody = eipm_profile(z, table["s"], gamma=0.05)
    drawn = lines(profile_of(app))["FREM, λ 1"]
    assert numbers(drawn["y"]) == pytest.approx(everybody["ipm"], rel=1e-3, abs=1e-4)


def test_deleted_files_are_named_and_the_rest_is_shown(store: Store, crime: pd.DataFrame) -> None:
    kept, lost = picked(crime, "frem", 1.0, seed=1), picked(crime, "reg_gdp", 10.0, seed=1)
    name = store.artefacts.of_run(lost)["predictions"].hash
    (store.artefacts.folder / name[:2] / name).unlink()
    app = open_page(run=[kept, lost])
    assert "is missing" in app.warning[0].value
    assert set(lines(profile_of(app))) == {"FREM, λ 1"}
    assert len(app.table[0].value.columns) >= 3


def test_an_address_that_names_nothing_falls_back_to_the_sweep(crime: pd.DataFrame) -> None:
    app = open_page(
        run=["<b>nothing</b>", "0" * 64], sweep=crime["sweep"][0], gamma="x", groups="z"
    )
    assert "<b>" not in app.warning[0].value
    assert len(asked(app, "run")) == 3


def test_the_probe_runs_beside_the_page_and_stands_beside_the_features(
    crime: pd.DataFrame,
) -> None:
    chosen = [picked(crime, "unfair"), picked(crime, "frem", 1.0)]
    app = open_page(run=chosen)
    _checked(app.button(key="compare-probe").click().run())
    assert asked(app, "probe") == ["1"]
    _wait_for_probes()
    _checked(app.run())
    table = app.table[1].value
    assert [str(name) for name in table.index] == [
        "the features themselves",
        "Unfair",
        "FREM, λ 1",
    ]
    scores = app.table[0].value
    [eipm] = [name for name in scores.index if "EIPM" in name]
    for run in ("Unfair", "FREM, λ 1"):  # one number for one thing
        assert (
            scores.loc[eipm, plain_text(run)].strip("*★\N{NO-BREAK SPACE}")
            == table.loc[run, "EIPM"]
        )
    outcome = probe_job.outcome_of(chosen[1])
    assert outcome is not None
    assert outcome.error == ""
    assert 0 < outcome.probe["features"]["linear_r2"] < 1


def _wait_for_probes() -> None:
    for thread in threading.enumerate():
        if thread.name == probe_job.ProbeJob.what:
            thread.join(240)


def test_a_low_eipm_with_a_high_probe_is_warned_of(crime: pd.DataFrame) -> None:
    chosen = [picked(crime, "unfair"), picked(crime, "frem", 3.0)]
    scores = {"linear_r2": 0.7, "linear_rank": 0.8, "boosted_r2": 0.6, "boosted_rank": 0.8}
    probe = {
        "representation": scores,
        "features": scores,
        "kept_share": 1.0,
        "eipm": 0.01,
        "warning": "EIPM is low, but …",
    }
    for run in chosen:
        probe_job._keep(run, probe_job.Outcome(probe=probe))
    app = open_page(run=chosen, probe="1")
    assert len(app.warning) == 2
    assert "EIPM is low" in app.warning[0].value
    # One number for one thing: the run's own score, whatever the probe measured again.
    scores, probed = (one.value for one in app.table[:2])
    [eipm] = [name for name in scores.index if "EIPM" in name]
    shown = scores.loc[eipm, "Unfair"].strip("*★\N{NO-BREAK SPACE}")
    assert probed.loc["Unfair", "EIPM"] == shown != "0.010"


def test_the_first_picks_show_what_half_the_unfairness_costs(crime: pd.DataFrame) -> None:
    known = crime[crime["seed"] == 0].reset_index(drop=True)
    frem, other = known["method"] == "frem", known["method"] == "reg_gdp"
    weights = known["config.fairness_weight"]
    known["test.mae"] = 0.1 + 0.02 * weights
    known["test.gdp"] = 0.05 / (1 + weights)
    known["test.r2"], known["facts.constant.test.mae.value"] = 0.5, 0.9
    enough = weights[frem & (weights >= 1)].min()  # the smallest weight that halves it
    assert first_picks(known)["config.fairness_weight"].iloc[1] == enough
    useless = known.assign(**{"test.r2": 0.5 - (frem & (weights == enough))})
    assert first_picks(useless)["config.fairness_weight"].iloc[1] != enough
    known.loc[frem, "test.gdp"] = 0.05 - 0.001 * weights[frem]  # none halves it: the fairest
    assert first_picks(known)["config.fairness_weight"].iloc[1] == weights[frem].max()
    known.loc[other, "test.mae"] = 0.9  # none predicts as well: the nearest
    known.loc[other & (weights == weights[other].min()), "test.mae"] = 0.8
    assert first_picks(known)["config.fairness_weight"].iloc[2] == weights[other].min()
    only = first_picks(known[other])
    assert len(only) == 2


def test_the_matched_run_of_each_method_is_the_nearest(crime: pd.DataFrame) -> None:
    known = crime[crime["seed"] == 0].reset_index(drop=True)
    metric = usual_prediction(known)
    for _, reference in known.iterrows():
        matched = matched_picks(known, reference, metric)
        assert matched["id"][0] == reference["id"]
        assert sorted(matched["method"]) == ["frem", "reg_gdp", "unfair"]
        for _, other in matched.iloc[1:].iterrows():
            same = known[known["method"] == other["method"]]
            gaps = (same["test.mae"] - reference["test.mae"]).abs()
            assert abs(other["test.mae"] - reference["test.mae"]) == gaps.min()


def test_titles_name_what_differs(crime: pd.DataFrame) -> None:
    assert run_titles(crime[crime["seed"] == 0])[:2] == ["Unfair", "FREM, λ 0.1"]
    assert run_titles(crime)[0] == "Unfair, seed 0"
    wide = crime[crime["method"] == "frem"].copy()
    wide["config.method.gamma"] = np.linspace(0.01, 0.06, len(wide))
    assert "γ 0.01" in run_titles(wide)[0]


def test_paths_and_replacements_keep_everything_else(crime: pd.DataFrame) -> None:
    run = crime[crime["id"] == picked(crime, "frem", 1.0, seed=1)].iloc[0]
    path = along_weight(crime, run)
    assert path["config.fairness_weight"].tolist() == [0.1, 1.0, 3.0]
    assert set(path["seed"]) == {1}
    mixed = crime[crime["id"].isin([picked(crime, "unfair"), run["id"]])]
    assert why_not_comparable(mixed, ["a", "b"]) is not None
    instead = comparable_instead(mixed, crime)
    assert instead["id"].tolist() == [picked(crime, "unfair"), picked(crime, "frem", 1.0)]
    assert why_not_comparable(instead, ["a", "b"]) is None


def test_the_best_of_each_score_is_marked_by_its_direction(crime: pd.DataFrame) -> None:
    runs = crime[crime["seed"] == 0].head(2).copy()
    runs["test.mae"], runs["test.hgr"] = [0.1, 0.2], [0.3, 0.1]
    runs["test.gdp"] = [0.05, 0.05]
    metrics = [usual_prediction(runs)]
    from frem_core.evaluation import get_score

    metrics += [get_score("hgr"), get_score("gdp")]
    table = score_table(runs, ["a", "b"], metrics, 399)
    assert table.loc["1 − mean absolute error (1 − MAE)", "a"] == "**0.900**\N{NO-BREAK SPACE}★"
    hgr = table[table.index.str.contains("HGR")].iloc[0]
    assert (hgr["a"], hgr["b"], hgr["By chance"]) == (
        "0.300",
        "**0.100**\N{NO-BREAK SPACE}★",
        "0.102",
    )
    gdp = table[table.index.str.contains("GDP")].iloc[0]
    assert gdp["a"] == gdp["b"] == "**0.050**\N{NO-BREAK SPACE}★"


def test_sentences_say_better_worse_and_how_much(crime: pd.DataFrame) -> None:
    runs = crime[crime["seed"] == 0].head(3).copy()
    runs["test.mae"], runs["test.gdp"] = [0.1, 0.103, 0.2], [0.08, 0.02, 0.2]
    first, second = conclusions(runs, ["Unfair", "FREM", "Worse"], "age")
    assert "**FREM** predicts as well as **Unfair** (1 − MAE 0.897 against 0.900)" in first
    assert "follow age 75 % less (ΔGDP 0.020 against 0.080)" in first
    assert "predicts worse than" in second
    assert "2.5 times as much" in second
    runs["test.gdp"] = [0.0025, 0.0019, 0.0025]
    assert "24 % less (ΔGDP 0.0019 against 0.0025)" in conclusions(runs, ["U", "F", "W"], "age")[0]
