"""An audit in sentences."""

from typing import Final

from frem_core.audit.curve import FEWEST_ROWS
from frem_core.audit.regions import Region, middle
from frem_core.audit.result import AuditResult, row_of
from frem_core.words import counted, in_units, listed, per_cent, rounded, with_interval

_SHOWN_PLACES: Final = 3
_MIDDLE: Final = 0.9
_LONG_RANGE: Final = 0.5


def sentences(result: AuditResult) -> tuple[str, ...]:
    """What was found, the most important first."""
    name, confidence = result.sensitive_name, result.settings["confidence"]
    gap, spread = result.score("gap"), result.score("range")
    what = "share of positive decisions" if result.kind == "decision" else "mean prediction"
    lead = (
        f"Predictions follow {name}: on average the {what} at a person's {name} lies "
        f"{with_interval(gap)} from that of all (p = {_p(result, gap['p_value'])})."
        if gap["p_value"] <= 0.05
        else f"No dependence of the {what} on {name} was found "
        f"(mean gap {rounded(gap['value'])}, by chance {rounded(gap['chance'])}, "
        f"p = {_p(result, gap['p_value'])})."
    )
    told = [lead]
    if result.worst is not None:
        told.append(_worst_in_words(result, result.worst))
    else:
        told.append(
            f"Nowhere along {name} does the band ({per_cent(confidence)}, everywhere at once) "
            "leave the overall mean."
        )
    told.append(
        f"Between the two values of {name} that differ most, means differ by "
        f"{with_interval(spread)}."
    )
    told.append(_power_in_words(result))
    if result.silent["rows"]:
        told.append(_silence_in_words(result))
    if result.adjusted_scores is not None:
        left = row_of(result.adjusted_scores, "gap")
        told.append(
            f"Between people alike in the given factors a mean gap of "
            f"{with_interval(left)} is left (p = {_p(result, left['p_value'])})."
        )
    return tuple(told)


def _silence_in_words(result: AuditResult) -> str:
    """Where too few rows speak; everywhere, in a small table."""
    name, rows = result.sensitive_name, result.silent["rows"]
    if rows == result.rows:
        return (
            f"At no value of {name} do {FEWEST_ROWS} of the {counted(rows, 'row')} speak: take all "
            "of this as a first look, and bring more rows."
        )
    places = [
        in_units(start, 4) if start == end else f"{in_units(start, 4)} to {in_units(end, 4)}"
        for start, end in result.silent["where"][:_SHOWN_PLACES]
    ]
    if len(result.silent["where"]) > _SHOWN_PLACES:
        places.append("further places")
    return (
        f"{counted(rows, 'row')} ({per_cent(result.silent['share'], 1)}) "
        f"{'lies' if rows == 1 else 'lie'} where too few are alike in {name} to say anything: "
        f"{listed(places)}."
    )


def _worst_in_words(result: AuditResult, worst: Region) -> str:
    """Where the mean is off most surely, in units of the prediction."""
    low, high = (rounded(one) for one in sorted((abs(worst.low), abs(worst.high))))
    size = f"{rounded(abs(worst.difference))} [{low}, {high}]"
    up = worst.difference > 0
    if result.kind == "decision":
        off = f"the share of positive decisions is {size} {'higher' if up else 'lower'}"
    else:
        off = f"people get {size} {'more' if up else 'less'}"
    start, end = in_units(worst.start, 4), in_units(worst.end, 4)
    where = "there" if start == end else f"between {start} and {end}"
    rows = "of the weight is" if result.settings["weighted"] else "of the rows are"
    return (
        f"At {result.sensitive_name} {in_units(worst.at, 4)} {off} than average; the mean is "
        f"surely off {where}, where {per_cent(worst.share)} {rows}."
    )


def _power_in_words(result: AuditResult) -> str:
    """The smallest effect; where a few extreme values of S make its range long, also without them.

    A steady rise changes as much per unit of S everywhere.
    """
    name, effect = result.sensitive_name, result.smallest_effect
    if effect == 0:
        return f"All predictions are the same, {rounded(result.overall, 4)}: they follow nothing."
    first, last, share = middle(result.curve, _MIDDLE)
    part = (
        f", which is {rounded(effect * share)} between {in_units(first, 4)} and "
        f"{in_units(last, 4)}, where {per_cent(_MIDDLE)} of the rows are,"
        if share < _LONG_RANGE
        else ""
    )
    return (
        f"A steady rise or fall of {rounded(effect)} over the whole range of {name}{part} would "
        "have been found with 80 % probability."
    )


def _p(result: AuditResult, p_value: float) -> str:
    floor = result.settings["smallest_p_value"]
    note = ", the smallest that so many shuffles allow" if p_value <= floor else ""
    return f"{p_value:.3g}{note}"
