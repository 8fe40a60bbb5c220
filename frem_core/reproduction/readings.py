"""Two readings of the paper's protocol, and every claim judged under both.

The paper prints a weight decay of 0.01 and does not say whether age is among Adult's features. With
that decay, without age and on random splits its own unfair model does not come out; with 0.001,
age among the features and the partition of its table it does (`frem reproduce open-points`). So
claims are judged by this nearest reading, and the printed one stands beside it.
"""

import tomllib
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from importlib.resources import files
from typing import Final, Literal

from frem_core.datasets import DatasetSpec
from frem_core.reproduction.report import Finding, Picture, Report, Section, Verdict
from frem_core.reproduction.specs import load_spec, sections_of
from frem_core.sweeps import GammaPolicy, MethodSpec, SplitSpec, SweepSpec

Reading = Literal["nearest", "printed"]
READINGS: Final[Mapping[Reading, str]] = {
    "nearest": "nearest reading (weight decay 0.001; Adult with age among the features and the "
    "partition of the paper's table; fairness weights of all methods by one rule)",
    "printed": "settings as printed (weight decay 0.01; Adult without age, random splits)",
}
# How a page marks what is about the settings as printed.
BESIDE: Final = "The column beside it: "
AS_PRINTED: Final = "As printed: "
_NEAREST: Final = "Nearest reading: "
_NO_RUNS: Final = "No runs under this reading yet."
_WEIGHT_DECAY: Final = 0.001
_WITH_AGE: Final = "adult_with_age"


def nearest_version(spec: str) -> SweepSpec:
    """Returns a committed sweep by the nearest reading; γ is fixed, since choosing it costs most.

    Args:
        spec: its name, as `load_spec` takes it.

    Example:
        >>> sweep = nearest_version("pareto_adult")
        >>> sweep.dataset.name, sweep.split.kind, sweep.training["weight_decay"]
        ('adult_with_age', 'paper_table', 0.001)
    """
    printed = load_spec(spec)
    changed = replace(
        printed,
        name=f"{printed.name} (nearest reading)",
        training={**printed.training, "weight_decay": _WEIGHT_DECAY},
        gamma=GammaPolicy(),
    )
    if printed.dataset.name == "adult":
        changed = replace(
            changed, dataset=DatasetSpec(name=_WITH_AGE), split=SplitSpec(kind="paper_table")
        )
    known = _fairness_weights()
    of_dataset, own = known.get(str(changed.dataset.name), {}), known.get(spec, {})
    return replace(
        changed,
        methods=tuple(
            _with_weights(one, own.get(series) or of_dataset.get(one.method))
            for one, series in zip(changed.methods, sections_of(spec), strict=True)
        ),
    )


@cache
def _fairness_weights() -> Mapping[str, Mapping[str, list[float]]]:
    """Weights by dataset and method, and by sweep and series."""
    table = files("frem_core.reproduction").joinpath("nearest_weights.toml")
    return tomllib.loads(table.read_text(encoding="utf-8"))


def _with_weights(method: MethodSpec, known: list[float] | None) -> MethodSpec:
    return method if known is None else replace(method, fairness_weights=tuple(known))


def both_readings(
    nearest: Report, printed: Report, runs: tuple[str, ...], shorter: Mapping[str, str]
) -> Report:
    """Puts the verdicts of the printed settings beside those of the nearest reading.

    Args:
        nearest: by the nearest reading.
        printed: with the settings as printed.
        runs: sentences on the runs behind the first.
        shorter: how long these were trained, by the dataset as claims name it, where that is less
            than the paper says.
    """
    judged = {one.claim.text: one for one in nearest.findings}
    second = {one.claim.text: one for one in printed.findings}
    findings = []
    for text in dict.fromkeys([*second, *judged]):
        claim = (judged.get(text) or second[text]).claim
        first = judged.get(text) or Finding(claim, Verdict.OPEN, _NO_RUNS)
        first = _with_lengths(first, shorter)
        other = second.get(text) or Finding(claim, Verdict.OPEN, _NO_RUNS)
        findings.append(
            replace(first, printed_verdict=other.verdict, printed_evidence=other.evidence)
        )
    protocol = (
        f"Judged by the {READINGS['nearest']}; γ of FREM fixed at .05.",
        *(f"Nearest reading, {name}: trained for {length}." for name, length in shorter.items()),
        *(f"Nearest reading, {sentence}" for sentence in runs),
        f"{BESIDE}{READINGS['printed']}. What follows is about these.",
        *printed.protocol,
    )
    return replace(
        nearest,
        protocol=protocol,
        findings=tuple(findings),
        sections=(
            *(_under(one, _NEAREST, "nearest-") for one in nearest.sections),
            *(_under(one, AS_PRINTED, "") for one in printed.sections),
        ),
    )


def _with_lengths(finding: Finding, shorter: Mapping[str, str]) -> Finding:
    """Names the datasets with shorter trainings that the evidence rests on."""
    if finding.verdict is Verdict.OPEN:
        return finding
    shown = f"{finding.claim.text} {finding.evidence}"
    words = [f"{name}: {length}." for name, length in shorter.items() if name in shown]
    return replace(finding, evidence=" ".join([finding.evidence, *words]))


def _under(section: Section, heading: str, prefix: str) -> Section:
    pictures = tuple(_renamed(picture, prefix) for picture in section.pictures)
    return replace(section, heading=f"{heading}{section.heading}", pictures=pictures)


def _renamed(picture: Picture, prefix: str) -> Picture:
    return replace(picture, name=f"{prefix}{picture.name}")
