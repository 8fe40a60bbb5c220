"""How large the fairness score of a setting is by chance alone."""

from concurrent.futures import Future
from dataclasses import dataclass

from frem_core.figures import method_looks
from frem_core.metrics import NoiseFloor
from studio.run_files import has_files
from studio.tradeoffs.noise import chance_level
from studio.tradeoffs.sentences import Point
from studio.tradeoffs.subject import Subject
from studio.tradeoffs.view import View


@dataclass(frozen=True)
class Chance:
    """What chance gives for one setting.

    Attributes:
        level: 95 % of rearranged rows stay below; None while unknown.
        is_pending: whether it is being measured.
        words: what to say about it.
    """

    level: float | None
    is_pending: bool
    words: str


def chance_of(subject: Subject, view: View, point: Point) -> Chance:
    """Chance on the test rows of a setting's first run; unknown where only scores are kept.

    Every setting has its own: a gap between mean predictions is smaller by chance, too, when
    predictions hardly differ.
    """
    if not view.fairness.has_noise_floor:
        return Chance(None, False, "")
    if view.split != "test":
        return Chance(None, False, "What chance alone would give is measured on test rows only.")
    readable = readable_runs(subject, point)
    if not readable:
        return Chance(None, False, "")
    run = readable[0]
    job = chance_level(subject.sweep_of(run), run, view.fairness.name)
    if not job.done():
        return Chance(None, True, "Measuring what chance alone would give …")
    return _known(job, point)


def readable_runs(subject: Subject, point: Point) -> list[str]:
    """The runs of a setting whose predictions can be read."""
    return [str(run) for run in point["runs"] if has_files(subject.sweep_of(run), run)]


def _known(job: "Future[NoiseFloor]", point: Point) -> Chance:
    if job.exception() is not None:
        return Chance(None, False, "What chance alone would give could not be measured.")
    floor = job.result()
    title = method_looks([point["method"]])[point["method"]].title
    setting = f" at {point['words']}" if point["words"] else ""
    share = f"{100 * floor.share:.0f} %"
    return Chance(
        floor.upper,
        False,
        "The grey band is what chance alone gives: with sensitive values dealt out at random, "
        f"{share} of {floor.n_permutations} trials stay below {floor.upper:.3g} (for "
        f"{title}{setting}; other settings have their own).",
    )
