"""What pages call things and say about scores, so that every page says it alike.

A column is called by its name, unless its dataset says it in words: then sentences speak of "the
share of Black residents" and axes are titled "share of Black residents".
"""

import math
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any, Final

from frem_core.datasets import Dataset, column_words
from frem_core.figures import plain_text, shown_text
from frem_core.metrics import Metric
from frem_core.words import decimals, per_cent

Point = Mapping[Any, Any]
_EQUAL: Final = 0.005  # differences in accuracy that nobody would notice
_SAME_SHARE: Final = 0.05


def target_title(dataset: Dataset) -> str:
    """The target as an axis names it."""
    return column_words(dataset.preset, dataset.target_name)


def sensitive_title(dataset: Dataset) -> str:
    """The sensitive attribute as an axis names it."""
    return column_words(dataset.preset, dataset.sensitive_name)


def the_target(dataset: Dataset) -> str:
    """The target within a sentence."""
    return _in_sentence(target_title(dataset), dataset.target_name)


def the_sensitive(dataset: Dataset) -> str:
    """The sensitive attribute within a sentence."""
    return _in_sentence(sensitive_title(dataset), dataset.sensitive_name)


def with_column(words: str, column: str) -> str:
    """Words with the name of the column behind them, where that is another one."""
    return words if words == column else f"{words} ({column})"


def duration_words(seconds: float) -> str:
    """A duration as people say it.

    >>> duration_words(8), duration_words(140), duration_words(9000)
    ('10 seconds', '2 minutes', '2½ hours')
    """
    if seconds < 55:
        return f"{max(5, math.ceil(seconds / 5) * 5)} seconds"
    if seconds < 55 * 60:
        minutes = round(seconds / 60)
        return f"{minutes} minute{'s' if minutes != 1 else ''}"
    halves = round(seconds / 1800)
    whole, half = divmod(halves, 2)
    number = f"{whole or ''}{'½' if half else ''}"
    return f"{number} hour{'s' if halves > 2 else ''}"


def moment_words(seconds: float) -> str:
    """A moment of the store's clock, e.g. "16 Nov 2026, 06:03 UTC"."""
    return f"{datetime.fromtimestamp(seconds, UTC):%-d %b %Y, %H:%M} UTC"


def sweep_title(row: Any, size: str) -> str:
    """A sweep in a list of sweeps.

    Args:
        row: its row in the table of sweeps.
        size: how much there is of it, e.g. "12 runs"; may be empty.
    """
    when = datetime.fromtimestamp(row.created_at, UTC)
    parts = (shown_text(row.name, longest=60), size, f"{when:%-d %b %Y}")
    return " · ".join(part for part in parts if part)


def _in_sentence(title: str, column: str) -> str:
    return column if title == column else f"the {title}"


def choice_sentence(
    point: Point,
    reference: Point | None,
    *,
    prediction: Metric,
    fairness: Metric,
    sensitive: str = "the sensitive attribute",
    target: str = "",
    chance: float | None = None,
) -> str:
    """What one setting gives and what it costs, to be read after the method's name.

    Args:
        point: ``prediction`` and ``fairness`` as charts show them.
        reference: the same for the model without fairness, if there is one.
        prediction: the prediction score.
        fairness: the fairness score.
        sensitive: what the attribute is called; shown as it is given.
        target: what is predicted, to speak of errors in its own units.
        chance: fairness scores up to here are no more than chance, if known.

    Example:
        >>> from frem_core.metrics import get_metric
        >>> choice_sentence({"prediction": 0.841, "fairness": 0.2},
        ...                 {"prediction": 0.847, "fairness": 0.4},
        ...                 prediction=get_metric("accuracy"), fairness=get_metric("gdp"))
        'is right in 84.1 % of cases, 0.6 points less than without fairness. The demographic \
parity gap (ΔGDP) is 0.200, 50 % below the 0.400 without fairness.'
    """
    return (
        prediction_words(point, reference, prediction, target=target)
        + ". The "
        + fairness_words(point, reference, fairness, sensitive=sensitive, chance=chance)
        + "."
    )


def comparison_sentence(
    point: Point, other: Point, *, prediction: Metric, fairness: Metric, sensitive: str
) -> str:
    """How one run differs from another in both scores.

    Args:
        point: its ``title``, and ``prediction`` and ``fairness`` as charts show them.
        other: the same for the run it is compared with.
        prediction: the prediction score.
        fairness: the fairness score.
        sensitive: what the attribute is called.
    """
    quality, its_quality = float(point["prediction"]), float(other["prediction"])
    gap, its_gap = float(point["fairness"]), float(other["fairness"])
    digits = decimals(max(gap, its_gap), digits=2)
    among = " among people with a positive outcome" if fairness.given_label else ""
    return (
        f"**{plain_text(point['title'])}** {_quality_words(quality - its_quality)} "
        f"**{plain_text(other['title'])}** ({prediction.axis_symbol} {quality:.3f} against "
        f"{its_quality:.3f}), and its predictions follow {plain_text(sensitive)}{among} "
        f"{_gap_words(gap, its_gap)} ({fairness.symbol} {gap:.{digits}f} against "
        f"{its_gap:.{digits}f})."
    )


def _quality_words(gain: float) -> str:
    if abs(gain) <= _EQUAL:
        return "predicts as well as"
    return "predicts better than" if gain > 0 else "predicts worse than"


def _gap_words(gap: float, base: float) -> str:
    if base <= 0 or abs(gap / base - 1) <= _SAME_SHARE:
        return "about as much"
    share = gap / base - 1
    if share > 1:
        return f"{gap / base:.1f} times as much"
    return f"{per_cent(abs(share))} {'more' if share > 0 else 'less'}"


def prediction_words(
    point: Point, reference: Point | None, metric: Metric, *, target: str = ""
) -> str:
    """How well a setting predicts, and how far that is from the reference.

    Args:
        point: ``prediction`` as charts show it and, where known, ``target_span``.
        reference: the same for the model without fairness, if there is one.
        metric: the prediction score.
        target: what is predicted, to speak of errors in its own units.
    """
    value = float(point["prediction"])
    before = math.nan if reference is None else float(reference["prediction"])
    if metric.name == "accuracy":
        words = f"is right in {per_cent(value, 1)} of cases"
        change = _change(100 * (value - before), 1, "points ")
    elif metric.shown_as_complement:
        error, span = 1 - value, _span(point)
        digits = 3 if metric.name == "mae" else 4
        if span is not None:
            words = f"is {own_units(metric, value, point, target)}"
            change = _change_of_error(metric, error, 1 - before, span)
        else:
            words = (
                f"is off by {error:.3f} on average"
                if metric.name == "mae"
                else f"has a {_lower(metric.label)} of {error:.4f}"
            )
            change = _change(before - value, digits)
    else:
        words = f"reaches {'an' if metric.label[0] in 'AEIOU' else 'a'} {_lower(metric.label)}"
        words += f" of {value:.3f}"
        change = _change(value - before, 3)
    return words + change


def own_units(metric: Metric, value: float, point: Point, target: str) -> str:
    """An error as charts show it (1 − MAE), in the target's own units; "" where there is none.

    >>> from frem_core.metrics import get_metric
    >>> own_units(get_metric("mae"), 0.9, {"target_span": 2000.0}, "income")
    'off by 200 (income) on average'
    """
    span = _span(point)
    if span is None or not metric.shown_as_complement:
        return ""
    what = f" ({plain_text(target)})" if target else ""
    if metric.name == "mae":
        return f"off by {_three_digits((1 - value) * span)}{what} on average"
    return f"off by {_three_digits(math.sqrt(max(1 - value, 0.0)) * span)}{what}, root mean square"


def _change_of_error(metric: Metric, error: float, before: float, span: float) -> str:
    if math.isnan(before):
        return ""
    sizes = [error, before] if metric.name == "mae" else [error**0.5, max(before, 0.0) ** 0.5]
    difference = span * (sizes[0] - sizes[1])
    if abs(difference) < 5e-4 * span:
        return ", the same as without fairness"
    side = "more" if difference > 0 else "less"
    return f", {_three_digits(abs(difference))} {side} than without fairness"


def _span(point: Point) -> float | None:
    """The range of a target in its own units; None where that is unknown, or from 0 to 1 anyway."""
    span = float(point.get("target_span", math.nan))
    return None if math.isnan(span) or span == 1 else span


def _three_digits(size: float) -> str:
    """A number with three digits that count, and thousands apart."""
    if size <= 0:
        return "0"
    places = max(0, 2 - math.floor(math.log10(size)))
    return (
        f"{size:,.{places}f}" if places else f"{round(size, 2 - math.floor(math.log10(size))):,.0f}"
    )


def constant_words(value: float, metric: Metric, point: Point, *, target: str = "") -> str:
    """What the best constant reaches, as a sentence without its end.

    Args:
        value: its prediction score as charts show it.
        metric: the score.
        point: any point of the chart, for the target's units.
        target: what is predicted.
    """
    same = {"prediction": value, "target_span": point.get("target_span", math.nan)}
    return (
        "predicting the same for everybody "
        + prediction_words(same, None, metric, target=target)
        + " and depends on nothing"
    )


def fairness_words(
    point: Point,
    reference: Point | None,
    metric: Metric,
    *,
    sensitive: str = "the sensitive attribute",
    chance: float | None = None,
) -> str:
    """How unfair a setting is, beside the reference and beside chance."""
    value = float(point["fairness"])
    label = _lower(metric.label).replace("the sensitive attribute", sensitive)
    before = value if reference is None else float(reference["fairness"])
    digits = decimals(max(value, before))
    words = f"{label} ({metric.symbol}) is {value:.{digits}f}"
    if reference is not None and before > 0:
        share = per_cent(abs(1 - value / before))
        side = "below" if value < before else "above"
        words += (
            f", {share} {side} the {before:.{digits}f} without fairness"
            if share != "0 %"
            else ", the same as without fairness"
        )
    if chance is not None and value <= chance:
        words += "; that is no more than chance would give"
    return words


def _change(difference: float, digits: int, unit: str = "") -> str:
    if math.isnan(difference):
        return ""
    shown = f"{abs(difference):.{digits}f}"
    if float(shown) == 0:
        return ", the same as without fairness"
    return f", {shown} {unit}{'more' if difference > 0 else 'less'} than without fairness"


def _lower(label: str) -> str:
    return label[0].lower() + label[1:]
