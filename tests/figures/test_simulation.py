import numpy as np
import pandas as pd
import plotly.graph_objects as go
import pytest

from frem_core.figures.simulation import box_table, error_boxes, error_by_sample_size
from frem_core.simulation import (
    ESTIMATORS,
    Cell,
    EstimatorGrid,
    GaussianDesign,
    MultivariateDesign,
    collect,
    compare_with_paper,
    simulate,
    summarise,
)

GRID = EstimatorGrid()


def run(design, sizes, replicates=12):
    cells = [Cell(design, n) for n in sizes]
    return collect(simulate(cells, GRID, replicates=replicates))


GAUSSIAN = run(GaussianDesign(0.2), [40])
GROWING = compare_with_paper(summarise(run(MultivariateDesign(3), [100, 140], replicates=4)))


def boxes(figure):
    return [trace for trace in figure.data if isinstance(trace, go.Box)]


def test_a_box_for_every_estimator_and_setting():
    figure = error_boxes(GAUSSIAN)
    assert [trace.name for trace in boxes(figure)] == ["Binning", "Nadaraya–Watson", "Proposed"]
    labels = [label for trace in boxes(figure) for label in trace.x]
    assert labels[0] == "Binning, 2 bins"
    assert labels[-1] == "Proposed, γ=0.7"
    shown = dict(zip(figure.layout.xaxis.tickvals, figure.layout.xaxis.ticktext, strict=True))
    assert [shown[label] for label in labels] == ["2 bins", "3 bins", "4 bins"] + 2 * [
        "γ=0.3",
        "γ=0.5",
        "γ=0.7",
    ]
    assert len(labels) == len(set(labels)) == 9


def test_boxes_hold_the_quartiles_of_estimate_minus_truth():
    row = box_table(GAUSSIAN).query("estimator == 'proposed' and setting == 0.5").iloc[0]
    chosen = GAUSSIAN.query("estimator == 'proposed' and setting == 0.5")
    errors = chosen["estimate"] - chosen["truth"]
    assert row["median"] == pytest.approx(errors.median())
    assert row["q1"] == pytest.approx(errors.quantile(0.25))
    assert row["mean"] == pytest.approx(errors.mean())
    assert row["replicates"] == 12
    drawn = boxes(error_boxes(GAUSSIAN))[2]
    assert drawn.median[1] == pytest.approx(errors.median())


def test_whiskers_leave_outliers_out():
    errors = np.array([0.0, 0.01, 0.02, 0.03, 0.04, 5.0])
    table = box_table(
        pd.DataFrame({"estimator": "binning", "setting": 2.0, "estimate": errors, "truth": 0.0})
    )
    assert table["upper_whisker"].item() == 0.04
    assert table["lower_whisker"].item() == 0.0


def test_zero_is_a_dashed_line_and_the_proposed_estimator_has_its_colour():
    figure = error_boxes(GAUSSIAN)
    line = figure.layout.shapes[0]
    assert line.y0 == line.y1 == 0
    assert line.line.dash == "dash"
    assert boxes(figure)[2].line.color == "#007580"


def test_colour_is_never_the_only_cue():
    figure = error_boxes(GAUSSIAN)
    symbols = [trace.marker.symbol for trace in figure.data if isinstance(trace, go.Scatter)]
    assert len(set(symbols)) == 3
    lines = [trace for trace in error_by_sample_size(GROWING).data if trace.mode == "lines+markers"]
    assert len({(trace.marker.symbol, trace.line.dash) for trace in lines}) == 9


def test_the_noise_free_estimator_has_a_look_of_its_own():
    grid = EstimatorGrid(estimators=ESTIMATORS)
    estimates = collect(simulate([Cell(GaussianDesign(0.2), 20)], grid, replicates=4))
    figure = error_boxes(estimates)
    drawn = boxes(figure)
    assert drawn[-1].name == "Proposed, noise removed"
    assert drawn[-1].x[0] == "Proposed, noise removed, γ=0.3"
    assert len({trace.line.color for trace in drawn}) == 4
    marks = [trace for trace in figure.data if isinstance(trace, go.Scatter)]
    assert len({trace.marker.symbol for trace in marks}) == 4
    growth = error_by_sample_size(compare_with_paper(summarise(estimates)), error="bias")
    assert growth.data[-1].name == "Proposed, noise removed, γ=0.7"


def test_one_replicate_is_drawn_too():
    assert len(boxes(error_boxes(GAUSSIAN[GAUSSIAN["replicate"] == 0]))) == 3


@pytest.mark.parametrize("error", ["bias", "mae", "rmse"])
def test_lines_run_over_the_sample_sizes(error):
    figure = error_by_sample_size(GROWING, error=error)
    lines = {trace.name: trace for trace in figure.data if trace.mode == "lines+markers"}
    line = lines["Proposed, γ=0.7"]
    expected = GROWING.query("error == @error and estimator == 'proposed' and setting == 0.7")
    assert list(line.x) == [100, 140]
    assert list(line.y) == pytest.approx(expected["ours"].tolist())
    assert list(line.error_y.array) == pytest.approx(expected["se"].tolist())
    assert "best" in figure.layout.yaxis.title.text or "better" in figure.layout.yaxis.title.text


def test_the_papers_values_are_hollow_markers():
    paper = [trace for trace in error_by_sample_size(GROWING).data if trace.mode == "markers"]
    assert [trace.name for trace in paper] == [
        "Binning, paper",
        "Nadaraya–Watson, paper",
        "Proposed, paper",
    ]
    assert all(trace.marker.symbol.endswith("-open") for trace in paper)
    assert sorted(paper[2].y) == [0.016, 0.017, 0.026, 0.03, 0.057, 0.066]
    biases = error_by_sample_size(GROWING, error="bias")
    assert not [trace for trace in biases.data if trace.mode == "markers"]
