"""The audit of any model's predictions for a continuous sensitive attribute."""

from collections.abc import Callable
from math import inf
from typing import Any, Final

import pandas as pd
from numpy.typing import ArrayLike

from frem_core.audit.cells import Cells, Scale
from frem_core.audit.chances import GAMMA, Chances
from frem_core.audit.cuts import Cuts
from frem_core.audit.dependence import rank_dependence
from frem_core.audit.error_curves import are_in_other_units, error_values
from frem_core.audit.factors import AdjustedCurve, Strata
from frem_core.audit.given import Given, drawn_rows, factor_table, name_of
from frem_core.audit.joint import JointTable
from frem_core.audit.regions import curve_table, silent_rows, worst_region
from frem_core.audit.result import AuditResult
from frem_core.metrics import gdp, geo
from frem_core.metrics.inputs import check_rows, number_table
from frem_core.metrics.repeats import check_repeats, check_share
from frem_core.types import Floats
from frem_core.words import in_units

_ANY: Final = (-inf, inf)
_COLUMNS: Final = ("score", "value", "low", "high", "chance", "p_value")

Progress = Callable[[str, float], None]


def audit(
    y_true: ArrayLike | None,
    y_pred: ArrayLike,
    *,
    sensitive_features: ArrayLike | pd.Series | pd.DataFrame,
    sample_weight: ArrayLike | None = None,
    factors: ArrayLike | pd.Series | pd.DataFrame | None = None,
    representation: ArrayLike | None = None,
    features: pd.DataFrame | None = None,
    sensitive_range: tuple[float, float] | None = None,
    threshold: float = 0.5,
    positive_label: Any = 1,
    n_resamples: int = 200,
    n_permutations: int = 199,
    confidence: float = 0.95,
    eipm_noise: str = "kept",
    random_state: int = 0,
    prediction_name: str = "",
    sensitive_name: str = "",
    notes: tuple[str, ...] = (),
    progress: Progress | None = None,
) -> AuditResult:
    """Says how far predictions follow a continuous attribute, how sure that is, and where.

    No groups are made: E[ŷ | S] is estimated along S with a band that holds everywhere at once.
    S is scaled to [0, 1] once, by its smallest and largest value or by ``sensitive_range``, and
    every score sees that scale.

    Args:
        y_true: true outcomes, (n,), or None. Two classes give error rates and calibration along
            S, numbers give errors.
        y_pred: probabilities, decisions (0 and 1, -1 and 1, or two classes) or numbers, (n,).
        sensitive_features: S in its own units, (n,); dates become years.
        sample_weight: what each row counts, (n,). MI and EIPM compare pairs of rows; they look at
            rows drawn in proportion to their weight.
        factors: columns in which people may legitimately differ, (n, k): what is left between
            people alike in them is shown beside the raw dependence.
        representation: (n, m), what EIPM is taken of instead of the predictions.
        features: columns the model saw, (n, k): ranked by how much each tells about S.
        sensitive_range: the values that stand for 0 and 1.
        threshold: from which a probability is a positive decision, for error rates.
        positive_label: of y_true, and of y_pred where it holds classes in words.
        n_resamples: resamples behind each interval.
        n_permutations: shuffles behind chance levels and p-values, whose smallest possible value
            is 1 / (n_permutations + 1).
        confidence: of intervals and bands.
        eipm_noise: ``"removed"`` takes off EIPM what chance alone gives.
        random_state: seed; the same one gives the same numbers.
        prediction_name: what the prediction is called; the name of a Series by default.
        sensitive_name: what S is called; the name of a Series by default.
        notes: sentences to be handed on.
        progress: called with what is being done and the share that is done.

    Returns:
        Tables, sentences and documents.

    Raises:
        DataError: rows do not match, are missing or too few, or S does not vary.
        ConfigError: a setting is not allowed.

    Example:
        >>> import numpy as np
        >>> random = np.random.default_rng(0)
        >>> age = random.integers(18, 90, 500)
        >>> result = audit(None, age / 100, sensitive_features=age, n_permutations=19)
        >>> list(result.scores.columns)
        ['score', 'value', 'low', 'high', 'chance', 'p_value']
        >>> result.check("range<=0.05").decision
        'broken'
    """
    check_repeats("n_resamples", n_resamples)
    check_repeats("n_permutations", n_permutations)
    check_share("confidence", confidence)
    say = progress or (lambda what, share: None)
    given = Given.read(y_true, y_pred, sensitive_features, sample_weight, positive_label)
    scale = Scale.of(given.s, sensitive_range)
    unit, weights = scale.to_unit(given.s), given.weights
    own_weight = None if sample_weight is None else weights
    chances = Chances(n_resamples, n_permutations, confidence, random_state)
    say("Curve", 0.02)
    cells = Cells.along(unit, weights)
    fit = chances.curve(given.p, cells, weights)
    limits = _ANY if given.kind == "number" else (0.0, 1.0)
    even = sample_weight is None
    rows = chances.of_curve(fit, given.p, cells, weights, even_spread=even)
    exact = gdp(None, given.p, sensitive_features=unit, sample_weight=own_weight)
    table = JointTable(given.p, unit, weights)
    rows["gdp"] = (exact, *rows["gdp"][1:])
    say("Maximal correlation", 0.25)
    rows["hgr"] = chances.of_hgr(table, given.p, unit, own_weight)
    say("Information", 0.4)
    some = drawn_rows(weights, sample_weight is not None, random_state)
    rows["mutual_information"] = chances.of_information(given.p[some], unit[some])
    say("Whole distribution", 0.6)
    z = given.p[:, None]
    if representation is not None:
        z = number_table(representation, "representation")
        check_rows({"y_pred": len(given.kept), "representation": len(z)})
        z = z[given.kept]
    sigma: float | str = "median" if representation is None else 1.0
    rows["eipm"] = chances.of_eipm(z[some], unit[some], sigma, eipm_noise)
    say("Errors", 0.75)
    errors = {}
    for name, (values, kept) in error_values(given.y, given.p, given.kind, threshold).items():
        part = Cells.along(unit[kept], weights[kept])
        offset = given.p[kept] if name == "calibration" else None
        own = chances.curve(values, part, weights[kept], offset)
        possible = (0.0, 1.0) if name.endswith("_rate") else _ANY
        errors[name] = curve_table(own, own.band(), scale, part, possible)
        found = chances.of_curve(
            own,
            values,
            part,
            weights[kept],
            even_spread=even and name.endswith("_rate"),
            wanted=("range",),
        )
        rows[name] = found["range"]
        if name == "true_positive_rate" and given.y is not None:
            held = errors[name]
            errors["false_negative_rate"] = held.assign(
                mean=1 - held["mean"], low=1 - held["high"], high=1 - held["low"]
            )
            rows["false_negative_rate"] = rows[name]
            positive = chances.curve(given.p[kept], part, weights[kept])
            of_positive = chances.of_curve(
                positive, given.p[kept], part, weights[kept], even_spread=even, wanted=("gdp",)
            )
            value = geo(given.y, given.p, sensitive_features=unit, sample_weight=own_weight)
            rows["geo"] = (value, *of_positive["gdp"][1:])
    say("Factors", 0.9)
    adjusted = adjusted_scores = None
    more: tuple[str, ...] = ()
    if are_in_other_units(given.y, given.p):
        more = (
            f"Predictions run from {in_units(given.p.min())} to {in_units(given.p.max())} and "
            "outcomes are 0 or 1, so errors along the attribute are left out. Give probabilities "
            "between 0 and 1 (per cent divided by 100) to see them.",
        )
    if factors is not None:
        columns = factor_table(factors, len(given.kept))[given.kept]
        strata = Strata.of(columns)
        alike = AdjustedCurve(given.p, cells, weights, strata, fit)
        adjusted = curve_table(fit, alike.band(), scale, cells, limits)
        adjusted_scores = alike.scores(given.p, n_permutations, random_state)
        names = ", ".join(map(str, columns.columns))
        more = (*more, f"Compared between people alike in {names}.", *strata.remarks)
    say("Done", 1.0)
    differences = curve_table(fit, fit.band(of_difference=True), scale, cells)
    return AuditResult(
        scores=pd.DataFrame(
            [(name, *row[:5]) for name, row in rows.items()], columns=list(_COLUMNS)
        ),
        curve=curve_table(fit, fit.band(), scale, cells, limits),
        differences=differences,
        errors=errors,
        fit=fit,
        cuts=Cuts(given.p, given.s, weights, confidence),
        kind=given.kind,
        rows=len(given.p),
        overall=fit.overall,
        sensitive_name=sensitive_name or name_of(sensitive_features, "sensitive attribute"),
        prediction_name=prediction_name or name_of(y_pred, "prediction"),
        worst=worst_region(differences, cells, fit),
        silent=silent_rows(fit, cells, scale),
        smallest_effect=fit.smallest_effect(),
        adjusted=adjusted,
        adjusted_scores=adjusted_scores,
        features=None if features is None else _ranked(features, unit, given),
        settings={
            "sensitive_range": [scale.low, scale.high],
            "confidence": confidence,
            "n_resamples": n_resamples,
            "n_permutations": n_permutations,
            "smallest_p_value": 1 / (n_permutations + 1),
            "threshold": threshold,
            "weighted": sample_weight is not None,
            "smoothed": fit.is_smooth,
            "eipm": {"gamma": GAMMA, "sigma": sigma, "noise": eipm_noise},
            "random_state": random_state,
        },
        notes=(*notes, *more),
        nulls={name: (row[5], row[3]) for name, row in rows.items()},
    )


def _ranked(features: pd.DataFrame, unit: Floats, given: Given) -> pd.DataFrame:
    table = pd.DataFrame(features)
    check_rows({"y_pred": len(given.kept), "features": len(table)})
    return rank_dependence(table[given.kept].reset_index(drop=True), unit)
