"""What chance alone gives, drawn without walking through the rows, against closed forms."""

import numpy as np
import pytest

from frem_core.audit.cells import Cells
from frem_core.audit.curve import Curve
from frem_core.audit.joint import JointTable

RANDOM = np.random.default_rng(5)
ROWS, DRAWS = 400, 4_000
S = RANDOM.random(ROWS) ** 2
CELLS = Cells.along(S, np.ones(ROWS), 12)


@pytest.mark.parametrize(
    "values",
    [
        RANDOM.random(ROWS),
        RANDOM.choice([0.0, 1.0], ROWS, p=[0.7, 0.3]),
        RANDOM.choice([-2, 5.0], ROWS),
    ],
    ids=["numbers", "decisions", "two numbers"],
)
def test_shuffled_sums_are_draws_without_replacement(values):
    drawn = CELLS.shuffled_sums(values, DRAWS, np.random.default_rng(0))
    np.testing.assert_allclose(drawn.sum(axis=1), values.sum())
    rows = CELLS.rows
    variance = rows * (1 - rows / ROWS) * values.var(ddof=1)
    error = np.sqrt(variance / DRAWS)
    assert (np.abs(drawn.mean(axis=0) - rows * values.mean()) < 4.5 * error).all()
    np.testing.assert_allclose(drawn.var(axis=0), variance, rtol=0.12)


def test_signed_sums_keep_every_row_in_its_cell():
    values = RANDOM.random(ROWS)
    drawn = CELLS.signed_sums(values, DRAWS, np.random.default_rng(0))
    variance = CELLS.sums(values**2)
    assert (np.abs(drawn.mean(axis=0)) < 4.5 * np.sqrt(variance / DRAWS)).all()
    np.testing.assert_allclose(drawn.var(axis=0), variance, rtol=0.12)


@pytest.mark.parametrize("weighted", [False, True])
def test_shuffled_tables_are_those_of_shuffled_rows(weighted):
    random = np.random.default_rng(6)
    p = random.random(ROWS)
    weights = random.random(ROWS) + 0.5 if weighted else np.ones(ROWS)
    table = JointTable(p, S, weights)
    drawn = table.shuffled(300, random)
    along, across = table.codes
    rows = np.array([table.count(along, random.permutation(across)) for _ in range(300)])
    np.testing.assert_allclose(drawn.sum(axis=2), rows.sum(axis=2))  # S keeps its weights
    one, other = table.hgr(drawn), table.hgr(rows)
    assert abs(one.mean() - other.mean()) < 4.5 * np.hypot(one.std(), other.std()) / np.sqrt(300)
    assert one.std() == pytest.approx(other.std(), rel=0.3)


def test_samples_of_decisions_scatter_as_shares_do():
    """Near 0 they scatter less than around a half, and never below 0."""
    values = np.where(RANDOM.random(ROWS) < 0.1, 1.0, 0.0)
    fit = Curve(values, CELLS, np.ones(ROWS))
    wanted = np.linspace(0.01, 0.5, len(CELLS))
    drawn = fit._drawn_means(wanted, (DRAWS, len(CELLS)), np.random.default_rng(0))
    assert drawn.min() >= 0
    variance = wanted * (1 - wanted) / CELLS.rows
    assert (np.abs(drawn.mean(axis=0) - wanted) < 4.5 * np.sqrt(variance / DRAWS)).all()
    np.testing.assert_allclose(drawn.var(axis=0), variance, rtol=0.15)
