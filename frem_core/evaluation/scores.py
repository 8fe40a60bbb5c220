"""Every score an evaluation can give: the metrics, and EIPM, which the metrics know nothing of."""

from dataclasses import replace
from typing import Any, Literal

from numpy.typing import ArrayLike

from frem_core.attributes import ALL_TOGETHER
from frem_core.eipm import eipm
from frem_core.errors import ConfigError, did_you_mean
from frem_core.metrics import Metric, available_metrics, get_metric
from frem_core.types import Task


def _eipm_of_representation(
    z: ArrayLike, *, sensitive_features: ArrayLike, **settings: Any
) -> float:
    return float(eipm(z, sensitive_features, **settings))


EIPM_SCORE = Metric(
    name="eipm",
    function=_eipm_of_representation,
    label="Dependence of the representation on the sensitive attribute",
    symbol="EIPM",
    formula="E_S MMD( P(Z | S), P(Z) )",
    help=(
        "Average distance between the distribution of the representation at one value of the "
        "sensitive attribute and its overall distribution; 0 = the same everywhere. It depends "
        "on the scale of the representation (σ): a shrunken one looks fair. The leakage probe "
        "tells."
    ),
    purpose="fairness",
    higher_is_better=False,
    measures="representation",
    has_noise_floor=True,
    slow_on_many_rows=True,
)


_ORDER = {"prediction": 0, "description": 1, "fairness": 2}


def available_scores(
    task: Task | None = None,
    purpose: Literal["fairness", "prediction", "description"] | None = None,
) -> list[str]:
    """Names of all scores, prediction quality first, or of those of one task or purpose.

    Example:
        >>> available_scores("regression")[:2]
        ['mae', 'mse']
    """
    scores = [*map(get_metric, available_metrics()), EIPM_SCORE]
    scores.sort(key=lambda score: (_ORDER[score.purpose], score.measures, score.name))
    return [
        score.name
        for score in scores
        if (task is None or task in score.tasks) and purpose in (None, score.purpose)
    ]


def get_score(name: str) -> Metric:
    """Returns the description of a score; an unknown name raises a ConfigError.

    A score of one of several attributes, or of all together, is named as in ``"gdp@sex"``.
    """
    of_all, _, attribute = name.partition("@")
    if attribute:
        score = get_score(of_all)
        whom = "all attributes together" if attribute == ALL_TOGETHER else attribute
        return replace(
            score,
            name=name,
            label=f"{score.label}: {whom}",
            symbol=f"{score.symbol} of {'all' if attribute == ALL_TOGETHER else attribute}",
            has_noise_floor=False,  # what is known of one attribute is not so of another
            usual_for=(),
        )
    if name == EIPM_SCORE.name:
        return EIPM_SCORE
    known = available_scores()
    if name not in known:
        raise ConfigError(
            f"There is no score called '{name}'; choose one of {', '.join(known)}."
            + did_you_mean(str(name), known)
        )
    return get_metric(name)
