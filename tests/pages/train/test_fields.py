"""Fields of the form: a slider and a number for one value, words for choices."""

from itertools import pairwise

import pytest

from studio.train.fields import choice_words, log_grid, log_stops, nearest_stop
from tests.pages.train.form import KEY, form, labelled, section

pytestmark = pytest.mark.usefixtures("store")


def test_slider_and_number_stay_in_step_and_reach_the_sweep():
    app = form()
    label = "Bandwidth on the sensitive attribute (γ)"
    labelled(app.select_slider, label).set_value(0.2).run()
    assert labelled(app.number_input, f"{label}, typed").value == 0.2
    assert section(app, "frem").settings["gamma"] == (0.2,)
    labelled(app.number_input, f"{label}, typed").set_value(0.0345).run()
    assert labelled(app.select_slider, label).value == 0.03
    assert section(app, "frem").settings["gamma"] == (0.0345,)


def test_fields_say_their_value_every_time_they_are_drawn():
    """A browser that is busy may see only the second of two quick drawings."""
    app = form()
    label = "Bandwidth on the sensitive attribute (γ)"
    labelled(app.number_input, f"{label}, typed").set_value(0.2).run()
    app.run()
    slider = labelled(app.select_slider, label).proto
    assert [float(slider.options[int(stop)]) for stop in slider.default] == [0.2]
    start = form().run()
    assert labelled(start.number_input, f"{label}, typed").proto.default == 0.05
    assert start.slider(key=f"{KEY}-seeds").proto.default == [5]
    assert start.checkbox(key=f"{KEY}-use-frem").proto.default


def test_choices_are_offered_in_words():
    assert choice_words("rbf") == "Gaussian (RBF)"
    assert choice_words("median") == "Median"
    assert choice_words("selu") == "selu"
    kernels = form().get("button_group")
    assert any(
        "Epanechnikov" in [option.content for option in one.proto.options] for one in kernels
    )


def test_log_stops_cover_their_range_with_round_numbers():
    stops = log_stops(0.001, 10)
    assert stops[0] == 0.001
    assert stops[-1] == 10
    assert all(after / before <= 2 for before, after in pairwise(stops))
    assert nearest_stop(stops, 0.0) == 0.001
    assert nearest_stop(stops, 1e9) == 10
    for stop in stops:
        assert nearest_stop(stops, stop) == stop


@pytest.mark.parametrize("count", [1, 2, 7, 30])
def test_a_log_grid_has_equal_ratios_and_both_ends(count):
    grid = log_grid(0.003, 40.0, count)
    assert len(grid) == count
    assert grid[0] == 0.003
    if count > 1:
        assert grid[-1] == 40.0
        wanted = (40.0 / 0.003) ** (1 / (count - 1))
        for before, after in pairwise(grid):
            assert after / before == pytest.approx(wanted, rel=0.02)
