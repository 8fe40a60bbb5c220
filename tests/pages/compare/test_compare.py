"""The Compare page over a store of really trained runs."""

import threading
from html import unescape

import numpy as np
import pandas as pd
import pytest

from frem_core.audit import box_statistics, conditional_mean, quantile_groups
from frem_core.eipm import eipm_profile
from frem_core.figures import plain_text
from frem_core.store import Store
from frem_core.sweeps import load_predictions, load_representations
from studio.compare import probe_job
from tests.pages.compare.page import (
    asked,
    checked,
    figures,
    lines,
    numbers,
    open_page,
    picked,
    profile_of,
)


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
    checked(app.select_slider(key="compare-sigma").set_value(0.1).run())
    assert asked(app, "sigma") == ["0.1"]
    smaller_scale = numbers(lines(profile_of(app))["Unfair"]["y"])
    assert not np.allclose(before, smaller_scale)
    checked(app.select_slider(key="compare-gamma").set_value(0.3).run())
    wider = numbers(lines(profile_of(app))["Unfair"]["y"])
    assert np.ptp(wider) < np.ptp(smaller_scale)
    checked(app.toggle(key="compare-scale").set_value(True).run())
    assert asked(app, "scale") == ["own"]
    assert app.select_slider(key="compare-sigma").disabled


def test_the_weight_slider_walks_along_the_front_and_moves_all_charts(crime: pd.DataFrame) -> None:
    app = open_page(run=[picked(crime, "unfair"), picked(crime, "frem", 0.1)])
    slider = app.select_slider(key="compare-weight")
    assert slider.options == ["0.1", "1", "3"]
    before = [lines(spec).keys() for spec in figures(app)[1:]]
    checked(slider.set_value(3.0).run())
    assert asked(app, "run")[1] == picked(crime, "frem", 3.0)[:16]
    for spec, names in zip(figures(app)[1:], before, strict=True):
        assert {name.replace("0.1", "3") for name in names} == lines(spec).keys()
    assert "FREM&#44; λ 3" in app.table[0].value.columns


def test_another_run_can_be_the_one_that_walks(crime: pd.DataFrame) -> None:
    chosen = [picked(crime, "frem", 0.1), picked(crime, "reg_gdp", 1.0)]
    app = open_page(run=chosen, walk="1")
    assert app.select_slider(key="compare-weight").options == ["1", "10"]
    checked(app.select_slider(key="compare-weight").set_value(10.0).run())
    assert asked(app, "run") == [chosen[0][:16], picked(crime, "reg_gdp", 10.0)[:16]]


def test_at_equal_accuracy_the_others_follow_the_reference(crime: pd.DataFrame) -> None:
    app = open_page(match=picked(crime, "frem", 0.1))
    first = list(app.table[0].value.columns)
    assert first[1].startswith("FREM")
    assert len(first) >= 4
    checked(app.select_slider(key="compare-weight").set_value(3.0).run())
    assert asked(app, "match") == [picked(crime, "frem", 3.0)[:16]]
    checked(app.selectbox(key="compare-score").set_value("mse").run())
    assert asked(app, "score") == ["mse"]


def test_modes_hand_the_shown_runs_to_each_other(crime: pd.DataFrame) -> None:
    app = open_page(run=[picked(crime, "unfair"), picked(crime, "frem", 1.0)])
    checked(app.segmented_control(key="compare-mode").set_value("matched").run())
    assert asked(app, "match") == [picked(crime, "frem", 1.0)[:16]]
    checked(app.segmented_control(key="compare-mode").set_value("own").run())
    assert asked(app, "run")[0] == picked(crime, "frem", 1.0)[:16]
    assert "match" not in app.query_params


def test_runs_of_different_splits_are_refused_with_a_way_on(crime: pd.DataFrame) -> None:
    chosen = [picked(crime, "unfair", seed=0), picked(crime, "frem", 1.0, seed=1)]
    app = open_page(run=chosen)
    assert "another split" in app.error[0].value
    assert not app.get("plotly_chart")
    checked(app.button(key="compare-instead").click().run())
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
    checked(app.toggle(key="compare-people").set_value(False).run())
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
    checked(app.button(key="compare-probe").click().run())
    assert asked(app, "probe") == ["1"]
    _wait_for_probes()
    checked(app.run())
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
