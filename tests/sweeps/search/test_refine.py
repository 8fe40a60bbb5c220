import pandas as pd
import pytest

from frem_core.errors import ConfigError
from frem_core.sweeps import SweepSpec
from frem_core.sweeps.search.refine import refined_sweep, refinement


def _points(*rows: tuple[float, float, float], collapsed: tuple[float, ...] = ()) -> pd.DataFrame:
    table = pd.DataFrame(rows, columns=["fairness_weight", "prediction", "fairness"])
    return table.assign(no_better=table["fairness_weight"].isin(collapsed))


FRONT = _points((0.1, 0.90, 0.50), (1.0, 0.88, 0.40), (10.0, 0.70, 0.10), (100.0, 0.69, 0.09))


def test_next_to_a_limit_the_weights_lie_between_the_two_that_bracket_it() -> None:
    found = refinement(FRONT, at_most=0.2)
    assert found is not None
    assert all(1.0 < weight < 10.0 for weight in found.weights)
    assert list(found.weights) == sorted(found.weights)
    assert len(found.weights) == 4


def test_a_limit_that_nothing_keeps_is_looked_for_beyond() -> None:
    found = refinement(FRONT, at_most=0.05)
    assert found is not None
    assert min(found.weights) > 100


def test_a_limit_that_everything_keeps_is_looked_for_below() -> None:
    found = refinement(FRONT, at_most=0.6)
    assert found is not None
    assert max(found.weights) < 0.1


def test_without_a_limit_the_largest_gap_is_filled() -> None:
    found = refinement(FRONT)
    assert found is not None
    assert all(1.0 < weight < 10.0 for weight in found.weights)


@pytest.mark.parametrize("limit", [None, 0.2])
def test_where_everything_collapsed_smaller_weights_are_tried(limit) -> None:
    flat = _points((0.5, 0.6, 0.01), (5.0, 0.6, 0.0), collapsed=(0.5, 5.0))
    found = refinement(flat, at_most=limit)
    assert found is not None
    assert max(found.weights) < 0.5


def test_a_gap_between_two_collapsed_settings_is_no_gap() -> None:
    points = _points(
        (0.1, 0.9, 0.5), (1.0, 0.85, 0.4), (10.0, 0.6, 0.38), (100.0, 0.6, 0.0),
        collapsed=(10.0, 100.0),
    )  # fmt: skip
    found = refinement(points)
    assert found is not None
    assert max(found.weights) < 10


def test_methods_without_a_weight_cannot_be_refined() -> None:
    assert refinement(_points((0.0, 0.9, 0.5))) is None


def test_the_refined_sweep_differs_in_weights_and_name_only() -> None:
    spec = SweepSpec.from_toml(
        'name = "A"\nseeds = [3]\n[dataset]\nname = "crime"\n[[methods]]\nmethod = "frem"\n'
        'gamma = 0.1\n[[methods]]\nmethod = "unfair"\n'
    )
    again = refined_sweep(spec, {"frem": (0.2, 0.3)})
    assert again.name == "A, refined"
    assert refined_sweep(again, {"frem": (0.4,)}).name == "A, refined"
    assert [one.method for one in again.methods] == ["frem"]
    assert again.methods[0].fairness_weights == (0.2, 0.3)
    assert again.methods[0].settings == spec.methods[0].settings
    assert (again.seeds, again.dataset) == (spec.seeds, spec.dataset)
    with pytest.raises(ConfigError, match="nothing to refine"):
        refined_sweep(spec, {"mmd": (0.1,)})
