"""Limits on tables that nobody has seen: they are drawn anew every time.

What is asserted must hold for any draw, so a failure is no bad luck: it says with which number the
same tables come again (``FREM_DRAW``).
"""

import numpy as np
import pytest

from benchmarks.fronts.limit_outcomes import score_on_further_rows
from benchmarks.fronts.limit_tables import KINDS, VARIABLE, DrawnTable, new_draw
from frem_core.datasets import PreparedData, prepare, split_dataset
from frem_core.limits import Limit, LimitReport, WithinLimit, check_limit, train_within
from frem_core.limits.constant import gain_over_constant
from frem_core.methods import get_method
from frem_core.training import TrainingConfig

METHODS = ("frem", "reg_hgr", "mmd")
CLOSE = 0.15
CONFIG = TrainingConfig(epochs=40, batch_size=500, hidden=(16, 8), learning_rate=5e-3)


@pytest.fixture(scope="module")
def draw() -> int:
    return new_draw()


def test_the_same_number_draws_the_same_table_and_another_one_another(monkeypatch) -> None:
    for kind in KINDS:
        first, again, other = (DrawnTable(kind, number).table() for number in (7, 7, 8))
        assert first.features.equals(again.features)
        assert np.array_equal(first.target, again.target)
        assert np.array_equal(first.sensitive, again.sensitive)
        assert first.n_rows != other.n_rows
        further = DrawnTable(kind, 7).further(100)
        assert not np.isin(further.sensitive, first.sensitive).all() or kind == "loans"
        # The same units and the same kind of dependence.
        assert 0.5 < further.sensitive.std() / first.sensitive.std() < 2
        assert 0.5 < further.target.std() / first.target.std() < 2
    monkeypatch.setenv(VARIABLE, "7")
    assert new_draw() == 7
    monkeypatch.delenv(VARIABLE)
    assert new_draw() != new_draw() or new_draw() != new_draw()


def trained(table: DrawnTable, method: str) -> tuple[PreparedData, list[WithinLimit]]:
    dataset = table.table()
    data = prepare(dataset, split_dataset(dataset, seed=table.draw))
    found = train_within(
        data.train,
        task=data.task,
        method=get_method(method)(),
        limits=[Limit(keep=0.5), Limit(keep=0.2)],
        config=CONFIG,
        seed=table.draw,
    )
    return data, found


def is_told(report: LimitReport) -> bool:
    """Whether a user learns that a model is not where it was asked to be, or cannot be shown to."""
    return (
        report.verdict in ("not reached", "fairer than asked")
        or report.collapsed
        or report.explanation != ""
    )


@pytest.mark.parametrize("kind", list(KINDS))
def test_every_limit_is_met_or_the_user_is_told(kind: str, draw: int) -> None:
    table = DrawnTable(kind, draw, rows=1_500)
    method = METHODS[(draw + list(KINDS).index(kind)) % len(METHODS)]
    data, found = trained(table, method)
    for one in found:
        report = check_limit(one, data)
        where = f"{VARIABLE}={draw}, {kind}, {method}: {report.sentence}"
        if abs(report.score / report.value - 1) > CLOSE:
            assert is_told(report), where
