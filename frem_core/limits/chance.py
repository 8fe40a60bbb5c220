"""What so many rows can tell of a limit: nothing below chance, and the rest so precisely."""

from frem_core.limits.limit import Limit
from frem_core.metrics import Metric
from frem_core.words import per_cent

_MOST_ROWS = 10**8  # nobody has more; what would take more is not said in rows


def words_before_training(limit: Limit, test_rows: int) -> str:
    """What a user should know before training for a limit; "" where nothing speaks against it.

    Only a limit that is a value can be judged so early, and only for a score whose level by
    chance is known for any number of rows.

    >>> words_before_training(Limit(at_most=0.05), 60)[:57]
    'A ΔHGR of 0.05 is below what chance alone shows on 60 tes'
    >>> words_before_training(Limit(at_most=0.05), 60_000)
    ''
    """
    return " ".join(filter(None, (_words(one, test_rows) for one in limit.every)))


def _words(limit: Limit, test_rows: int) -> str:
    floor = limit.metric.typical_floor
    if limit.at_most is None or floor is None or test_rows < 1:
        return ""
    level = floor(test_rows)
    if limit.at_most > level:
        return ""
    takes = words_on_rows(limit.metric, test_rows, level, limit.at_most)
    return (
        f"A {limit.symbol} of {limit.at_most:g} is below what chance alone shows on {test_rows:,} "
        f"test rows (about {level:.2g}): they cannot test this limit{takes}."
    )


def words_on_rows(metric: Metric, rows: int, chance: float, value: float) -> str:
    """How many rows it takes, as the end of a sentence; "" where that is not known."""
    needed = rows_needed(metric, rows, chance, value)
    return "" if needed is None else f"; that takes about {float(f'{needed:.2g}'):,.0f}"


def words_on_precision(rows: int, precision: float, asked: float) -> str:
    """How precisely rows tell a score, and how many tell it as precisely as asked.

    Errors fall with the root of the number of rows.

    >>> words_on_precision(399, 0.26, 0.15)
    '399 rows tell it only to ±26 %, and ±15 % takes about 1,200'
    """
    needed = float(f"{rows * (precision / asked) ** 2:.2g}")
    return (
        f"{rows:,} rows tell it only to ±{per_cent(precision)}, "
        f"and ±{per_cent(asked)} takes about {needed:,.0f}"
    )


def rows_needed(metric: Metric, rows: int, chance: float, value: float) -> int | None:
    """About how many rows show less than ``value`` by chance, if ``rows`` show ``chance``.

    Returns:
        None where it is not known how the score's level by chance falls with the rows.
    """
    floor = metric.typical_floor
    if floor is None or not value > 0:
        return None
    asked = floor(rows) * value / chance
    few, many = rows, rows
    while floor(many) > asked and many < _MOST_ROWS:
        few, many = many, 2 * many
    while many - few > 1:
        middle = (few + many) // 2
        few, many = (middle, many) if floor(middle) > asked else (few, middle)
    return many if many < _MOST_ROWS else None
