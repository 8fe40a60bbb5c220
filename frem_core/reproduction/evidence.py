"""Sentences that say in numbers why a verdict is what it is."""

from collections.abc import Callable, Sequence

from frem_core.reproduction.front_comparison import FrontComparison
from frem_core.reproduction.series import series_title


def of_comparisons(
    comparisons: Sequence[FrontComparison], title: Callable[[str], str] = series_title
) -> str:
    """Who is beaten, who is not, and by how much."""
    if not comparisons:
        return "No runs yet."
    if any(one.seeds < 2 for one in comparisons):
        return "Fewer than two seeds are trained, so there is no interval yet."
    seeds = min(one.seeds for one in comparisons)
    parts = []
    for outcome, words in (
        ("better", "better than"),
        ("open", "undecided against"),
        ("worse", "worse than"),
    ):
        some = [one for one in comparisons if one.outcome == outcome]
        if some:
            parts.append(f"{words} {', '.join(_named(one, title) for one in some)}")
    return f"Hypervolume, 95 % bootstrap over {seeds} seeds: {'; '.join(parts)}."


def of_equivalence(
    comparisons: Sequence[FrontComparison], title: Callable[[str], str] = series_title
) -> str:
    """How far each is from the one it is compared with."""
    if not comparisons or any(one.seeds < 2 for one in comparisons):
        return "Fewer than two seeds are trained, so there is no interval yet."
    parts = [
        f"{title(one.ours)} {_percent(one, one.difference)} "
        f"[{_percent(one, one.low)}, {_percent(one, one.high)}]"
        for one in comparisons
    ]
    other = title(comparisons[0].other)
    return f"Hypervolume relative to {other}, 95 % bootstrap over seeds: {', '.join(parts)}."


def _named(one: FrontComparison, title: Callable[[str], str]) -> str:
    return f"{title(one.other)} ({_percent(one, one.difference)})"


def _percent(one: FrontComparison, value: float) -> str:
    return f"{100 * one.relative(value):+.0f} %"
