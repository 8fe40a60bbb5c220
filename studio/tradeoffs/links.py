"""Ways from a point to the page that says more about its runs."""

from collections.abc import Sequence

from studio.link import page_link
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
