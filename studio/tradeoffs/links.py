"""Ways from a point to the page that says more about its runs."""

from collections import Counter
from collections.abc import Sequence

from studio.link import page_link
from studio.tradeoffs.sentences import Point
from studio.tradeoffs.subject import Subject


def compare_link(label: str, runs: Sequence[str], subject: Subject) -> None:
    """Draws a link that opens runs on the Compare page."""
    page_link(
        "pages/4_Compare.py",
        label,
        icon=":material/compare:",
        sweep=list(dict.fromkeys(subject.sweep_of(run) for run in runs)),
        run=list(runs),
    )


def tested_alike(subject: Subject, points: Sequence[Point]) -> list[str]:
    """One run of each point, all of the seed that most of them have: seeds split the rows."""
    seeds = subject.runs.set_index("id")["seed"]
    own = [{int(seeds[run]): str(run) for run in point["runs"]} for point in points]
    counts = Counter(seed for runs in own for seed in runs)
    common = max(counts, key=lambda seed: (counts[seed], -seed))
    return [runs.get(common, next(iter(runs.values()))) for runs in own]
