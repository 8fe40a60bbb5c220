"""From what users hand to an estimator to a trained model with its way in and out."""

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from joblib import effective_n_jobs
from numpy.typing import ArrayLike, NDArray
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_consistent_length
from torch import Tensor

from frem_core.datasets import AttributeScales, Part
from frem_core.errors import ConfigError, DataError
from frem_core.estimators.features import fitted_encoding, further_rows, training_rows
from frem_core.estimators.sensitive import (
    check_same_order,
    column_name,
    sensitive_attributes,
)
from frem_core.estimators.settings import settings_of
from frem_core.estimators.table_predictor import TablePredictor
from frem_core.methods import Method
from frem_core.metrics.inputs import check_rows, number_column
from frem_core.training import (
    Callback,
    Components,
    Continuation,
    EarlyStopping,
    Member,
    TrainedModel,
    TrainingConfig,
    hold_out,
    select_bandwidth,
    train,
)
from frem_core.types import Floats

if TYPE_CHECKING:
    from frem_core.estimators.fair_estimator import FairEstimator
    from frem_core.limits import LimitReport


@dataclass(frozen=True, eq=False)
class Outcome:
    """What a training gave.

    Attributes:
        predictor: the networks with their way in and out.
        gamma_choice: the table behind a chosen γ, or None.
        left: all that training changed, to go on from.
        limit_report: whether rows that were held out keep the limit, where there was one.
    """

    predictor: TablePredictor
    gamma_choice: pd.DataFrame | None
    left: dict[str, Tensor] | None
    limit_report: "LimitReport | None" = None


def learn(
    estimator: "FairEstimator",
    X: Any,
    y: ArrayLike,
    sensitive_features: ArrayLike | None,
    sample_weight: ArrayLike | None,
    *,
    start: dict[str, Tensor] | None = None,
    known: TablePredictor | None = None,
    classes: ArrayLike | None = None,
    once: bool = False,
) -> Outcome:
    """Reads what users hand over and trains with the settings of an estimator.

    Args:
        estimator: whose settings they are.
        X: features.
        y: target.
        sensitive_features: sensitive attribute.
        sample_weight: how much a row counts, or None.
        start: networks to go on from; None draws new ones.
        known: how rows were read before, and with which method; None decides it anew.
        classes: all labels, where y need not hold each of them.
        once: whether one epoch is trained, on all rows, whatever the settings say.
    """
    target = estimator._read_target(y, known, classes)
    features = (
        training_rows(estimator, X) if known is None else further_rows(estimator, X, known.encoding)
    )
    check_consistent_length(features, target.values)
    check_same_order(X, sensitive_features)
    attributes = sensitive_attributes(
        sensitive_features,
        rows=len(features),
        estimator=type(estimator).__name__,
        may_be_constant=known is not None,
    )
    weight, kept = row_weights(sample_weight, len(features))
    encoding = known.encoding if known else fitted_encoding(X, features, kept)
    scales = known.scales if known else AttributeScales.fit(attributes.of(kept))
    scaled = scales.transform(attributes.of(kept))
    part = Part(
        x=encoding.transform(features.iloc[kept]),
        y=target.values[kept],
        s=scaled.values[:, scaled.numbers[0]],
        rows=kept,
        attributes=scaled if len(scaled.names) > 1 else None,
        weight=None if weight is None else weight[kept],
        classes=2 if target.classes is None else len(target.classes),
    )
    training = _Training(estimator, None if target.classes is None else len(target.classes), once)
    method, table = training.method(part) if known is None else (known.model.method, None)
    continuation = Continuation(start)
    if once or (estimator.limit is None and estimator.keep is None):
        model, report = training.run(part, method, continuation), None
    else:
        model, report = training.run_within(part, method, column_name(sensitive_features))
    if known is not None:
        history = pd.concat([known.model.history, model.history], ignore_index=True)
        model = replace(model, history=history.assign(epoch=history.index + 1))
    predictor = TablePredictor(
        model=model,
        encoding=encoding,
        sensitive_scale=scales.leading,
        target_scale=target.scale,
        attribute_scales=scales if len(scales.names) > 1 else None,
        classes=target.classes,
        named_columns=hasattr(estimator, "feature_names_in_"),
    )
    return Outcome(predictor, table, continuation.state, report)


class _Training:
    """An estimator's settings as the training loop wants them."""

    def __init__(self, estimator: "FairEstimator", classes: int | None, once: bool) -> None:
        self._estimator, self._task, self._once = estimator, estimator._task, once
        self._config = settings_of(estimator, TrainingConfig, **({"epochs": 1} if once else {}))
        self._members = [settings_of(estimator, Member, seed=_seed(estimator.random_state))]
        self._components = Components(
            encoder=estimator.encoder if callable(estimator.encoder) else None,
            loss=estimator.loss,
            classes=classes,
            device=estimator.device,
        )

    def method(self, part: Part) -> tuple[Method, pd.DataFrame | None]:
        """The method and, where its γ was to be chosen, the table behind the choice."""
        method, choose = self._estimator._build_method()
        if not choose:
            return method, None
        if (self._estimator.limit, self._estimator.keep) != (None, None):
            raise ConfigError(
                'gamma = "auto" compares bandwidths at one fairness weight, and a limit finds that '
                "weight; give gamma a number."
            )
        choice = select_bandwidth(
            part,
            task=self._task,
            method=method,
            config=self._config,
            members=self._members,
            seed=self._members[0].seed,
            components=self._components,
        )
        return choice.method, choice.table

    def run(self, part: Part, method: Method, continuation: Continuation) -> TrainedModel:
        """Trains; rows are held back when early stopping is asked for."""
        estimator = self._estimator
        watching: list[Callback] = [continuation]
        if estimator.early_stopping and not self._once:
            seed = self._members[0].seed
            part, held_out = _held_back(part, estimator.validation_fraction, seed)
            watching.append(EarlyStopping(held_out, patience=_whole(estimator.patience)))
        (model,) = train(
            part,
            task=self._task,
            method=method,
            config=self._config,
            members=self._members,
            callbacks=[*watching, *estimator.callbacks],
            threads=effective_n_jobs(estimator.n_jobs),
            components=self._components,
        )
        return model

    def run_within(
        self, part: Part, method: Method, sensitive_name: str
    ) -> "tuple[TrainedModel, LimitReport]":
        """Trains with a limit instead of a fairness weight; also says how it is kept."""
        # Here, because a training with a weight does without all that measures a limit.
        from frem_core.limits import Limit, held_out_report, train_within

        own = self._components
        estimator = self._estimator
        limit = Limit.of_settings(estimator.limit, estimator.keep)
        assert limit is not None
        limit.check_attributes(part.attributes, only=sensitive_name)
        if own.encoder or own.loss or estimator.early_stopping:
            raise ConfigError(
                "A limit is kept by training several models side by side, which is there with the "
                "built-in encoders and losses and without early stopping. Give a fairness_weight "
                "instead of a limit."
            )
        (found,) = train_within(
            part,
            task=self._task,
            method=method,
            config=self._config,
            limits=[limit],
            seed=self._members[0].seed,
            callbacks=estimator.callbacks,
            threads=effective_n_jobs(estimator.n_jobs),
        )
        return found.model, held_out_report(found)


def row_weights(given: ArrayLike | None, rows: int) -> tuple[Floats | None, NDArray[np.int64]]:
    """Returns weights (n,), 1 on average, and which rows count at all."""
    if given is None:
        return None, np.arange(rows)
    weight = number_column(given, "sample_weight")
    check_rows({"X": rows, "sample_weight": len(weight)})
    if weight.min() < 0:
        raise DataError(f"sample_weight has a negative value, {weight.min():g}.")
    if not weight.any():
        raise DataError("sample_weight is zero in every row; nothing is left to learn from.")
    kept = np.flatnonzero(weight)
    return weight / weight[kept].mean(), kept


def networks_of(known: TablePredictor | None) -> dict[str, Tensor] | None:
    """The networks of a fitted model as something to start from; None when there is none."""
    if known is None:
        return None
    networks = {"encoder": known.model.encoder, "head": known.model.head}
    return {
        f"network/{name}/{key}": value.detach().clone()
        for name, network in networks.items()
        for key, value in network.state_dict().items()
    }


def _held_back(part: Part, share: float, seed: int) -> tuple[Part, Part]:
    kept, held_out = hold_out(part, share, seed)
    if len(held_out) < 3:
        raise ConfigError(
            f"validation_fraction = {share:g} of {len(part)} rows leaves {len(held_out)} to watch; "
            "give a larger share, or early_stopping=False."
        )
    return kept, held_out


def _whole(patience: Any) -> int:
    if isinstance(patience, bool) or not isinstance(patience, int | np.integer) or patience < 1:
        raise ConfigError(f"patience = {patience!r} must be a whole number of epochs from 1.")
    return int(patience)


def _seed(random_state: Any) -> int:
    if isinstance(random_state, int | np.integer):
        return int(random_state)
    return int(check_random_state(random_state).randint(2**31 - 1))
