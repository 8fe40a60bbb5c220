import numpy as np
import pandas as pd

from frem_core.figures.looks import DARK_GROUND, contrast
from frem_core.figures.training_curves import curve_table, training_curves_figure


def history(epochs: int, **columns: list[float]) -> pd.DataFrame:
    values = {"task_loss": np.linspace(1, 0.5, epochs), "penalty": np.linspace(0.2, 0.1, epochs)}
    index = pd.RangeIndex(1, epochs + 1, name="epoch")
    return pd.DataFrame({**values, **columns}, index=index)


RUNS = {"a": history(5), "b": history(3, validation_loss=[3.0, 2.0, 1.0]), "c": history(0)}
NAMES = {"a": "FREM, λ 1", "b": "FREM, <b>λ</b> 2", "c": "Unfair"}
METHODS = {"a": "frem", "b": "frem", "c": "unfair"}


def test_each_run_is_drawn_in_both_panels_and_runs_of_a_method_differ_in_dash():
    figure = training_curves_figure(RUNS, names=NAMES, methods=METHODS)
    assert [trace.line.dash for trace in figure.data] == ["solid", "solid", "dash", "dash"]
    assert {trace.line.color for trace in figure.data} == {"#007580"}
    assert list(figure.data[1].y) == list(RUNS["a"]["penalty"])
    assert list(figure.data[0].x) == [1, 2, 3, 4, 5]
    assert sum(bool(trace.showlegend) for trace in figure.data) == 2
    assert not any("<b>" in trace.name for trace in figure.data)


def test_lines_stand_out_from_dark_ground():
    figure = training_curves_figure({"c": history(2)}, names=NAMES, methods=METHODS, dark=True)
    assert contrast(figure.data[0].line.color, DARK_GROUND) >= 3


def test_the_table_holds_every_epoch_of_every_run():
    table = curve_table(RUNS, NAMES)
    assert table.groupby("run").size().to_dict() == {"FREM, λ 1": 5, "FREM, <b>λ</b> 2": 3}
    assert list(table.columns) == ["run", "epoch", "task_loss", "penalty", "validation_loss"]
    assert curve_table({}, {}).empty
