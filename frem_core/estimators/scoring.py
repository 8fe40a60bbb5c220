"""Fairness as a score of fitted models, for searches and cross-validation."""

from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
import sklearn
from numpy.typing import ArrayLike, NDArray

from frem_core.attributes import ALL_TOGETHER, Attributes
from frem_core.datasets import AttributeScales
from frem_core.errors import ConfigError, DataError
from frem_core.estimators.sensitive import sensitive_attributes
from frem_core.methods.frem import Frem
from frem_core.metrics import available_metrics, get_metric, scale_sensitive
from frem_core.metrics.inputs import check_rows
from frem_core.types import Floats

if TYPE_CHECKING:
    from frem_core.estimators.table_predictor import TablePredictor


def scores_of_fairness() -> list[str]:
    """Names of the scores that judge how predictions follow the sensitive attribute."""
    found = map(get_metric, available_metrics())
    return [
        one.name for one in found if one.purpose == "fairness" and one.measures == "predictions"
    ]


def fairness_scores(
    predictions: Floats,
    sensitive: Attributes,
    *,
    labels: NDArray[Any] | None = None,
    classes: NDArray[Any] | None = None,
) -> pd.DataFrame:
    """All fairness scores of predictions, one row each.

    Args:
        predictions: (n,) in [0, 1], or the probabilities (n, C) of more than two classes.
        sensitive: one attribute or several, numbers in [0, 1].
        labels: (n,) the true labels; equal opportunity needs them.
        classes: (C,) the labels there are, or None for numbers.

    Returns:
        A row per score with its ``mean``; with more than two classes also a column for each of them
        against all others. Of several attributes the first number has the plain names, and names
        such as ``gdp@sex`` follow.
    """
    leading = sensitive.values[:, sensitive.numbers[0]]
    columns = {"mean": predictions}
    if predictions.ndim == 2:
        assert classes is not None
        columns = dict(zip(classes.tolist(), predictions.T, strict=True))
    table = {}
    for name in scores_of_fairness():
        metric = get_metric(name)
        if metric.given_label:
            if labels is None or classes is None or len(classes) != 2:
                continue
            y = (labels == classes[1]).astype(np.int64)
        else:
            y = None
        table[name] = {
            column: metric(y, values, sensitive_features=leading)
            for column, values in columns.items()
        }
    if len(sensitive.names) > 1:
        each = {column: _along_each(values, sensitive) for column, values in columns.items()}
        names = next(iter(each.values()))
        table |= {name: {column: each[column][name] for column in each} for name in names}
    found = pd.DataFrame.from_dict(table, orient="index").rename_axis("score")
    if predictions.ndim == 2:
        found.insert(0, "mean", found.mean(axis=1))
    return found


def _along_each(p: Floats, attributes: Attributes) -> dict[str, float]:
    """Scores along each of several attributes and, as ΔGDP, along all of them together."""
    # Here, because one attribute does without it.
    from frem_core.evaluation.evaluate import MAX_ROWS
    from frem_core.evaluation.several import attribute_score, gap_of_all, gaps_along
    from frem_core.evaluation.subset import random_rows

    scores = gaps_along(p, attributes)
    for place in attributes.numbers:
        for name in ("hgr", "mutual_information"):
            scores[attribute_score(name, attributes.names[place])] = get_metric(name)(
                None, p, sensitive_features=attributes.values[:, place]
            )
    rows = random_rows(len(p), MAX_ROWS, 0)
    together = gap_of_all(p[rows], attributes.of(rows), gamma=Frem.gamma)
    return scores | {attribute_score("gdp", ALL_TOGETHER): together}


def score_predictor(
    predictor: "TablePredictor",
    rows: pd.DataFrame,
    y: ArrayLike | None,
    sensitive_features: ArrayLike | None,
    *,
    name: str,
) -> pd.DataFrame:
    """`fairness_scores` of a trained model; S is scaled with the range seen at fit."""
    if sensitive_features is None:
        raise DataError(
            f"{name} needs sensitive_features, one number per row of X, in the units of the fit."
        )
    given = sensitive_attributes(
        sensitive_features, rows=len(rows), estimator=name, may_be_constant=True
    )
    scales = predictor.scales
    if len(given.names) == 1 and len(scales.names) > 1:
        scales = AttributeScales(given.names, (scales.leading,), (None,))
    scaled = scales.transform(given)
    for attribute, scale in zip(scales.names, scales.ranges, strict=True):
        if scale is not None:  # refuses other units
            column = given.values[:, given.names.index(attribute)]
            scale_sensitive(column, (scale.low, scale.high))
    return fairness_scores(
        predictor.target_scale.transform(predictor.score(rows)),
        scaled,
        labels=None if y is None or predictor.classes is None else np.asarray(y),
        classes=predictor.classes,
    )


def make_fairness_scorer(
    metric: str = "hgr", *, sensitive_features: "pd.Series | pd.DataFrame | None" = None
) -> Any:
    """A scorer for ``GridSearchCV`` and ``cross_validate``: higher (nearer 0) is fairer.

    Two ways to give it the sensitive attribute:

    * ``make_fairness_scorer("hgr", sensitive_features=age)``, a Series whose index names the rows
      of X: works everywhere, whatever the configuration.
    * ``make_fairness_scorer("hgr")`` and scikit-learn's metadata routing
      (``sklearn.set_config(enable_metadata_routing=True)``); the search then gets
      ``search.fit(X, y, sensitive_features=age)`` and hands each fold its rows.

    With more than two classes the score is the mean over each class against all others. Of several
    attributes, a DataFrame, the score is along the first number among them; ``"gdp@sex"`` is along
    another one and ``"gdp@joint"`` along all together.

    Args:
        metric: a fairness score, e.g. "hgr", "gdp", "mutual_information" or, for two classes,
            "geo".
        sensitive_features: the attributes of all rows, found by X's index.

    Raises:
        ConfigError: there is no such score, or it does not measure fairness.

    Example:
        >>> from sklearn.model_selection import GridSearchCV
        >>> from frem_core import FairRegressor
        >>> from frem_core.datasets import make_gaussian
        >>> data = make_gaussian(n_samples=120, seed=0)
        >>> search = GridSearchCV(
        ...     FairRegressor(epochs=3, random_state=0), {"fairness_weight": [0.0, 1.0]}, cv=2,
        ...     scoring=make_fairness_scorer("hgr", sensitive_features=data.sensitive_features))
        >>> search = search.fit(data.data, data.target, sensitive_features=data.sensitive_features)
        >>> bool(search.best_score_ <= 0)
        True
    """
    if get_metric(metric.partition("@")[0]).name not in scores_of_fairness():
        raise ConfigError(
            f"'{metric}' does not measure the fairness of predictions; use one of "
            f"{', '.join(scores_of_fairness())}."
        )
    if sensitive_features is not None:
        return _IndexedScorer(metric, sensitive_features)
    from sklearn.metrics import make_scorer  # here, because a training does without it

    with sklearn.config_context(enable_metadata_routing=True):
        return make_scorer(
            _unfairness,
            greater_is_better=False,
            response_method=("predict_proba", "predict"),
            metric=metric,
        ).set_score_request(sensitive_features=True)


def _unfairness(
    y_true: ArrayLike, y_pred: Floats, *, metric: str, sensitive_features: ArrayLike
) -> float:
    labels = np.asarray(y_true)
    predictions = np.asarray(y_pred, dtype=np.float64)
    classes = np.unique(labels) if get_metric(metric.partition("@")[0]).given_label else None
    if predictions.ndim == 2:
        classes = np.arange(predictions.shape[1])
    given = sensitive_attributes(
        sensitive_features, rows=len(labels), estimator="make_fairness_scorer", may_be_constant=True
    )
    scaled = AttributeScales.fit(given).transform(given)
    table = fairness_scores(predictions, scaled, labels=labels, classes=classes)
    if metric not in table.index:
        raise DataError(
            f"'{metric}' is not defined here; there are {', '.join(map(str, table.index))}."
        )
    return float(table["mean"].to_numpy()[table.index == metric][0])


class _IndexedScorer:
    """Finds the sensitive values of the rows it is given by their index."""

    def __init__(self, metric: str, sensitive_features: "pd.Series | pd.DataFrame") -> None:
        indexed = isinstance(sensitive_features, pd.Series | pd.DataFrame)
        if not indexed or not sensitive_features.index.is_unique:
            raise DataError(
                "sensitive_features must be a pandas Series or DataFrame with the index of X, each "
                "row once."
            )
        self.metric = metric
        self.sensitive_features = sensitive_features

    def __call__(self, estimator: Any, X: Any, y: ArrayLike) -> float:
        if not isinstance(X, pd.DataFrame) or not X.index.isin(self.sensitive_features.index).all():
            raise DataError(
                "The rows of X are not found in sensitive_features; give X as a DataFrame whose "
                "index is that of the Series."
            )
        s = self.sensitive_features.loc[X.index]
        check_rows({"X": len(X), "sensitive_features": len(s)})
        classifier = hasattr(estimator, "predict_proba")
        p = estimator.predict_proba(X) if classifier else estimator.predict(X)
        if classifier and p.shape[1] == 2:
            p = p[:, 1]
        return -_unfairness(y, p, metric=self.metric, sensitive_features=s)
