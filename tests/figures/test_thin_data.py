import numpy as np
import plotly.graph_objects as go
import pytest

from frem_core.audit import effective_rows
from frem_core.audit.reliability import FEWEST_ROWS
from frem_core.figures.thin_data import FEWEST, effective_rows_figure, shade_thin_data


def test_enough_means_the_same_everywhere() -> None:
    assert FEWEST == FEWEST_ROWS


def test_the_line_is_the_table_and_thin_stretches_are_shaded() -> None:
    s = np.repeat([10.0, 20.0, 30.0, 40.0], [50, 50, 50, 5])
    table = effective_rows(s, gamma=0.02)
    figure = effective_rows_figure(table, sensitive_name="<b>age</b>")
    assert list(figure.data[0].x) == [10, 20, 30, 40]
    assert list(figure.data[0].y) == pytest.approx([50, 50, 50, 5])
    [stretch] = [shape for shape in figure.layout.shapes if shape.type == "rect"]
    assert (stretch.x0, stretch.x1) == (35, 40)
    assert "too little data here" in [note.text for note in figure.layout.annotations]
    assert "<b>" not in figure.layout.xaxis.title.text
    plenty = effective_rows_figure(effective_rows(s, gamma=5.0), sensitive_name="age")
    assert all(shape.type == "line" for shape in plenty.layout.shapes)


def test_two_thin_ends_are_named_once_and_never_new_text() -> None:
    figure = shade_thin_data(go.Figure(), [0.0, 1.0, 2.0, 3.0, 4.0], [5, 100, 100, 100, 5])
    assert [note.text for note in figure.layout.annotations] == ["too little data here"]
    assert len(figure.layout.shapes) == 2
