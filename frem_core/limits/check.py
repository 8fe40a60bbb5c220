"""Whether a model keeps its limit, measured on rows that it was not trained on."""

from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike, NDArray

from frem_core.datasets import PreparedData
from frem_core.evaluation.evaluate import MAX_ROWS
from frem_core.evaluation.subset import random_rows
from frem_core.limits.constant import gain_over_constant, words_beside_constant
from frem_core.limits.limit import Limit
from frem_core.limits.measure import Measure
from frem_core.limits.report import CONFIDENCE, LimitReport
from frem_core.limits.train_within import WithinLimit
from frem_core.metrics import bootstrap, noise_floor
from frem_core.training import TrainedModel

_RESAMPLES, _SLOW_RESAMPLES = 200, 60
_MOST_ROWS_OF_SLOW_SCORES = 2_000


def check_limit(found: WithinLimit, data: PreparedData) -> LimitReport:
    """Checks a limit on the test rows, which training never saw.

    A share is one of what the unfair model has on the same rows. Of several limits the report is
    about the one that is kept least, with the others beside it.
    """
    report = _of_all([_check_one(one, found, data) for one in found.limit.every])
    collapsed, unfair_collapsed = (
        gain_over_constant(data.test.y, model.predict(data.test.x), data.task).is_none
        for model in (found.model, found.unfair)
    )
    return replace(
        report,
        collapsed=collapsed,
        unfair_collapsed=unfair_collapsed,
        prediction=words_beside_constant(data, found.model, found.unfair),
    )


def _of_all(reports: "list[LimitReport]") -> LimitReport:
    """The report on the limit that is kept least, with those on the others."""
    worst, *others = sorted(reports, key=lambda one: (one.reached, -one.ratio))
    return replace(worst, others=tuple(others))


def _check_one(limit: Limit, found: WithinLimit, data: PreparedData) -> LimitReport:
    test, metric = data.test, limit.metric
    measure = Measure.of(limit, test.attributes, found.held_out.p[0, 0])
    s = measure.column(test.s, test.attributes)
    everyone = random_rows(len(test), MAX_ROWS if metric.slow_on_many_rows else None, 0)
    some = everyone[: _MOST_ROWS_OF_SLOW_SCORES if metric.slow_on_many_rows else None]

    def columns(model: TrainedModel, rows: NDArray[np.intp]) -> tuple[ArrayLike, ...]:
        z = model.transform(test.x)
        p = model.predict_from_representation(z)
        return measure.arrays(test.y[rows], p[rows], z[rows].astype(np.float64))

    unfair, score = (
        measure.function(
            *columns(model, everyone), sensitive_features=s[everyone], **measure.options
        )
        for model in (found.unfair, found.model)
    )
    spread = bootstrap(
        measure.function,
        *columns(found.model, some),
        sensitive_features=s[some],
        n_resamples=_SLOW_RESAMPLES if metric.slow_on_many_rows else _RESAMPLES,
        confidence=CONFIDENCE,
        **measure.options,
    )
    chance = noise_floor(
        measure.function,
        *columns(found.model, some),
        sensitive_features=s[some],
        n_permutations=_SLOW_RESAMPLES if metric.slow_on_many_rows else _RESAMPLES // 2,
        **measure.options,
    )
    # Around the score itself: repeated rows raise the score of every resample alike.
    share = float(np.sqrt(len(some) / len(everyone)))
    set_aside = limit.value(found.held_out_unfair.score(limit, 0))
    return LimitReport(
        limit=limit,
        value=limit.value(unfair),
        unfair=unfair,
        score=score,
        low=max(score + share * (spread.low - spread.mean), 0.0),
        high=score + share * (spread.high - spread.mean),
        rows=len(everyone),
        fairness_weight=found.model.member.fairness_weight,
        collapsed=False,
        method=found.model.method.title,
        chance=chance.upper,
        set_aside=found.held_out.score(limit, 0) / set_aside if set_aside > 0 else None,
    )


def held_out_report(found: WithinLimit) -> LimitReport:
    """Checks a limit on the rows that the model's shadows have not seen; needs no test rows.

    The fairness weight was found on these very rows, but it is one number for all of them.
    """
    held_out = found.held_out
    report = _of_all([_check_held_out(one, found) for one in found.limit.every])
    collapsed, unfair_collapsed = (
        gain_over_constant(one.y, one.p[:, 0], found.model.task).is_none
        for one in (held_out, found.held_out_unfair)
    )
    return replace(report, collapsed=collapsed, unfair_collapsed=unfair_collapsed)


def _check_held_out(limit: Limit, found: WithinLimit) -> LimitReport:
    held_out = found.held_out
    score, unfair = held_out.score(limit, 0), found.held_out_unfair.score(limit, 0)
    half = 1.96 * held_out.standard_error(limit)
    is_slow = limit.metric.slow_on_many_rows
    return LimitReport(
        limit=limit,
        value=limit.value(unfair),
        unfair=unfair,
        score=score,
        low=max(score - half, 0.0),
        high=score + half,
        rows=held_out.y.size,
        fairness_weight=found.model.member.fairness_weight,
        collapsed=False,
        method=found.model.method.title,
        chance=None if is_slow else held_out.chance(limit, 0),
    )
