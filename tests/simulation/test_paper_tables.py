import pytest

from frem_core.simulation import paper_values
from frem_core.simulation.paper_tables import _GAUSSIAN, _MULTIVARIATE


def test_every_printed_number_is_there_once():
    table = paper_values()
    keys = ["design", "case", "n", "estimator", "setting", "error"]
    assert table["design"].value_counts().to_dict() == {"multivariate": 162, "gaussian": 54}
    assert not table.duplicated(keys).any()
    assert table["paper"].notna().all()


def value(design, case, n, estimator, setting, error):
    table = paper_values()
    row = table.query(
        "design == @design and case == @case and n == @n and estimator == @estimator"
        " and setting == @setting and error == @error"
    )
    return row["paper"].item()


def test_units_are_those_of_eipm():
    assert value("gaussian", "w1²=0.2, ρ=0.4", 100, "binning", 2, "bias") == 0.0116
    assert value("gaussian", "w1²=0.8, ρ=0.4", 100, "proposed", 0.7, "bias") == -0.0298
    assert value("multivariate", "m=3, ρ=0.19245", 180, "nadaraya-watson", 0.7, "rmse") == 0.061
    assert value("multivariate", "m=10, ρ=0.105409", 300, "proposed", 0.7, "rmse") == 0.006


# The paper sets the best value of each row in bold; the typed numbers must agree with that.
BOLD_GAMMA = {1: (0.5, 0.5, 0.5, 0.5, 0.3, 0.3), 3: (0.7,) * 3 + (0.5,) * 3, 10: (0.7,) * 6}


@pytest.mark.parametrize("m", BOLD_GAMMA)
def test_best_rmse_of_every_row_is_the_one_in_bold(m):
    rows = [values for (dimension, _), values in _MULTIVARIATE.items() if dimension == m]
    best = [(0.3, 0.5, 0.7)[row.index(min(row)) - 6] for row in rows]
    assert tuple(best) == BOLD_GAMMA[m]


def test_smallest_errors_of_the_first_table_are_the_emphasised_ones():
    bold = {0.2: 2, 0.5: 1, 0.8: 1}
    for (w1_squared, _), values in _GAUSSIAN.items():
        sizes = [abs(value) for value in values]
        assert sizes[:3].index(min(sizes[:3])) == 0  # underlined: 2 bins
        assert sizes[3:].index(min(sizes[3:])) == bold[w1_squared]


def test_mean_absolute_error_lies_between_bias_and_rmse():
    for w1_squared in (0.2, 0.5, 0.8):
        bias, mae, rmse = (_GAUSSIAN[w1_squared, error] for error in ("bias", "mae", "rmse"))
        for low, middle, high in zip(bias, mae, rmse, strict=True):
            assert abs(low) <= middle <= high
