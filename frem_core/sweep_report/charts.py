"""The charts of a report, each with its table and its main point in words."""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from frem_core.audit import (
    between_group_share,
    box_statistics,
    conditional_mean,
    dimension_boxes,
    histogram,
    level_shares,
    quantile_groups,
    rank_dependence,
)
from frem_core.errors import FremError
from frem_core.figures import (
    group_boxes,
    group_shares,
    method_looks,
    pareto_fronts_figure,
    sensitive_histogram,
)
from frem_core.figures.front_points import constant_of
from frem_core.figures.looks import RunLook, run_looks
from frem_core.figures.predictions import conditional_mean_curves, prediction_boxes
from frem_core.figures.representations import representation_boxes
from frem_core.metrics import Metric
from frem_core.report import Chart
from frem_core.sweep_report.subject import Outputs, Subject
from frem_core.words import in_units, per_cent

_GROUPS = 5
_HEIGHT = 340  # two on a sheet
# What the table behind a front shows, and what readers of a report call it.
_FRONT_COLUMNS = {
    "method": "method",
    "words": "setting",
    "prediction": "prediction score",
    "prediction.se": "its standard error",
    "fairness": "unfairness score",
    "fairness.se": "standard error of that",
    "seeds": "seeds",
    "on_front": "on the front",
    "constant": "best constant",
    "no_better": "no better than a constant",
}
_FEATURES = 4
_DIMENSIONS = 3
_SMOOTHING = 0.05


def front_chart(
    subject: Subject,
    fairness: Metric,
    points: pd.DataFrame,
    *,
    marked: str = "",
    noise_floor: float | None = None,
) -> Chart:
    """Every setting of every method: unfairness along x, prediction along y."""
    figure = pareto_fronts_figure(
        points,
        prediction="prediction",
        fairness="fairness",
        # The caption has the words; on paper there is room for the symbol only.
        prediction_title=subject.prediction.short_axis_title,
        fairness_title=fairness.short_axis_title,
        marked=[marked] if marked else [],
        mark_title="recommended",
        noise_floor=noise_floor,
        constant=constant_of(points),
        height=_HEIGHT,
    )
    titles = {name: look.title for name, look in method_looks(points["method"]).items()}
    table = points.assign(method=points["method"].map(titles))
    table = table[[name for name in _FRONT_COLUMNS if name in table]].rename(columns=_FRONT_COLUMNS)
    on_front = points[points["on_front"]]
    return Chart(
        figure,
        f"{subject.prediction.axis_full_name} against {_lower(fairness.full_name)}",
        f"{len(points)} settings of {len(titles)} methods; {len(on_front)} are on their method's "
        f"front. {fairness.full_name} runs from {points['fairness'].min():.3g} to "
        f"{points['fairness'].max():.3g}.",
        table,
        "The upper left corner is best; bars are standard errors over seeds.",
    )


def curves_chart(subject: Subject, outputs: Sequence[Outputs]) -> Chart:
    """The mean prediction along S with its band, one line per run."""
    looks = _looks(outputs)
    curves = []
    for one, look in zip(outputs, looks, strict=True):
        span = float(np.ptp(one.s)) / max(float(np.ptp(one.s_scaled)), 1e-12)
        curves.append((look, conditional_mean(one.p, one.s, bandwidth=_SMOOTHING * span)))
    first = outputs[0]
    span = float(np.ptp(first.s)) / max(float(np.ptp(first.s_scaled)), 1e-12)
    outcome = conditional_mean(first.y, first.s, bandwidth=_SMOOTHING * span)
    figure = conditional_mean_curves(
        curves,
        sensitive_name=subject.sensitive,
        prediction_title=_predicted(subject),
        outcome=outcome if subject.notion == "dp" else None,
        height=_HEIGHT,
    )
    spans = ", ".join(
        f"{one.title}: {in_units(np.ptp(table['mean']))}"
        for one, (_, table) in zip(outputs, curves, strict=True)
    )
    return Chart(
        figure,
        f"Mean prediction along {subject.sensitive}",
        f"Mean prediction along {subject.sensitive} with 95 % bands. Largest minus smallest "
        f"mean: {spans}.",
        _stacked(outputs, [table for _, table in curves]),
        "A flat line treats everybody alike. Bands hold 95 % of bootstrap resamples of the test "
        f"rows; smoothing is {_SMOOTHING:g} of the range.",
    )


def prediction_chart(subject: Subject, outputs: Sequence[Outputs]) -> Chart:
    """Predictions in groups along S."""
    groups = quantile_groups(outputs[0].s, _GROUPS)
    tables = [box_statistics(one.p, groups) for one in outputs]
    figure = prediction_boxes(
        list(zip(_looks(outputs), tables, strict=True)),
        sensitive_name=subject.sensitive,
        prediction_title=_predicted(subject),
        height=_HEIGHT,
    )
    return Chart(
        figure,
        f"Predictions by group of {subject.sensitive}",
        f"Box plots of predictions in {len(groups.labels)} groups along {subject.sensitive}.",
        _stacked(outputs, tables),
        "Groups are only a way to look; nothing is trained or scored on groups.",
    )


def representation_chart(subject: Subject, outputs: Sequence[Outputs]) -> Chart:
    """The dimensions of each representation that differ most between groups along S."""
    groups = quantile_groups(outputs[0].s, _GROUPS)
    tables = []
    for one in outputs:
        order = np.argsort(-between_group_share(one.z, groups), kind="stable")
        strongest = [int(number) for number in order[:_DIMENSIONS]]
        tables.append(dimension_boxes(one.z, groups, strongest, standardise=True))
    figure = representation_boxes(
        list(zip(_looks(outputs), tables, strict=True)),
        sensitive_name=subject.sensitive,
        value_title="standard deviations",
    )
    shares = ", ".join(
        f"{one.title}: {per_cent(table['between_groups'].max())}"
        for one, table in zip(outputs, tables, strict=True)
    )
    return Chart(
        figure,
        f"Representation (Z) by group of {subject.sensitive}",
        f"The dimensions that differ most, in groups along {subject.sensitive}. Largest share of "
        f"a dimension's variance between groups: {shares}.",
        _stacked(outputs, tables),
        "In a fair representation the boxes of all groups are alike. Each run has dimensions of "
        "its own.",
    )


def sensitive_chart(subject: Subject) -> Chart | None:
    """How many rows there are along S."""
    dataset = subject.dataset
    if dataset is None:
        return None
    bars = histogram(dataset.sensitive)
    low, high = dataset.sensitive.min(), dataset.sensitive.max()
    return Chart(
        sensitive_histogram(bars, sensitive_name=subject.sensitive),
        f"Rows along {subject.sensitive}",
        f"{dataset.n_rows:,} rows with {subject.sensitive} from {in_units(low, 4)} to "
        f"{in_units(high, 4)}.",
        bars,
    )


def feature_charts(subject: Subject) -> list[Chart]:
    """The features that tell most about S, in groups along it."""
    dataset = subject.dataset
    if dataset is None:
        return []
    features, s = dataset.features, dataset.sensitive
    try:
        ranking = rank_dependence(features, s).head(_FEATURES)
    except FremError:
        return []
    groups = quantile_groups(s, _GROUPS)
    charts = []
    for entry in ranking.to_dict("records"):
        name, column = str(entry["feature"]), features[entry["feature"]]
        if pd.api.types.is_numeric_dtype(column.dtype):
            table = box_statistics(column, groups, are_days=dataset.kinds.get(name) == "date")
            figure = group_boxes(table, feature_name=name, sensitive_name=subject.sensitive)
        else:
            table = level_shares(column, groups)
            figure = group_shares(table, feature_name=name, sensitive_name=subject.sensitive)
        charts.append(
            Chart(
                figure,
                f"{name} by group of {subject.sensitive}",
                f"{name} in groups along {subject.sensitive}; strength of the dependence "
                f"{float(entry['strength']):.2f} of 1.",
                table,
            )
        )
    return charts


def _lower(name: str) -> str:
    return name[0].lower() + name[1:]


def _looks(outputs: Sequence[Outputs]) -> list[RunLook]:
    return run_looks((one.method, one.title) for one in outputs)


def _stacked(outputs: Sequence[Outputs], tables: Sequence[pd.DataFrame]) -> pd.DataFrame:
    named = [table.assign(run=one.title) for one, table in zip(outputs, tables, strict=True)]
    whole = pd.concat(named, ignore_index=True)
    return whole[["run", *(name for name in whole if name != "run")]]


def _predicted(subject: Subject) -> str:
    dataset = subject.dataset
    if subject.task == "classification":
        names = dataset.class_names if dataset is not None else None
        return f"predicted probability of {subject.target}{f' {names[1]}' if names else ''}"
    return f"predicted {subject.target}"
