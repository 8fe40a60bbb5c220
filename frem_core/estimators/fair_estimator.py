"""What all estimators share: settings, fitting, going on with a fit, representations, saving."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np
import pandas as pd
from numpy.random import RandomState
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.utils import Tags
from sklearn.utils.validation import check_is_fitted

from frem_core.errors import DataError
from frem_core.estimators.features import further_rows, set_columns
from frem_core.estimators.scoring import score_predictor
from frem_core.estimators.sensitive import check_same_order
from frem_core.estimators.settings import AUTO, named_method, settings_for
from frem_core.estimators.target import Target
from frem_core.methods import Method
from frem_core.methods.frem import Frem
from frem_core.training import Member, TrainingConfig
from frem_core.types import Task

if TYPE_CHECKING:  # what needs torch comes with the first fit
    from frem_core.estimators.table_predictor import TablePredictor
    from frem_core.limits import LimitReport
    from frem_core.networks.own import MakeNetwork
    from frem_core.training import Callback
    from frem_core.training.components import Loss


@dataclass(kw_only=True, eq=False, repr=False)
class FairEstimator(ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator, ABC):  # type: ignore[misc]
    """Trains on any table and predicts without the sensitive attribute.

    Settings are kept as given. Defaults and ranges come from `frem_core.methods` and
    `frem_core.training`; wrong values raise a ConfigError at fit, as scikit-learn wants it.

    Args:
        epochs: how often every training row is seen.
        batch_size: rows per step; fairness is measured within a batch.
        learning_rate: of Adam.
        weight_decay: of Adam, coupled.
        encoder: "mlp", or a function of your own from the number of inputs d to a
            ``torch.nn.Module`` that maps (n, d) to (n, m), the representation.
        hidden: units of each layer of the "mlp"; the last is the size of the representation.
        activation: of the "mlp": "selu", "relu" or "tanh".
        loss: of each row from predictions in [0, 1] and targets, ``loss(p, y)`` → (n,), with
            more than two classes p is (n, classes); cross-entropy or squared error if None.
        early_stopping: holds rows back and ends when L + λ · penalty on them has not fallen
            for ``patience`` epochs; the best epoch's networks stay.
        validation_fraction: share of the rows held back by early stopping.
        patience: epochs to wait for a better one.
        callbacks: watch the training, see `frem_core.training.Callback`.
        warm_start: whether a further fit starts from the networks of the last.
        device: where the encoder computes: "cpu", "cuda", "mps" or "auto".
        n_jobs: processor threads, one if None, all with -1; they pay for large networks only.
        random_state: seed; a number is the ``Member(seed=number)`` of `frem_core.training`.
        limit: largest allowed value of fairness scores on new rows, ``{"hgr": 0.2}`` (or
            "gdp", "mi", "eipm", "geo") or, of several attributes, ``{"age:hgr": 0.2,
            "sex:gdp": 0.05}``; ``fairness_weight`` is then found while training.
        keep: the same as a share of what a model without fairness has, ``0.5`` for half of
            its ΔHGR or ``{"gdp": 0.5}``.
    """

    _task: ClassVar[Task]
    _reads: ClassVar[type[Method]] = Method
    _reads_title: ClassVar[str] = "any method"
    """The methods whose models `load` reads."""

    epochs: int = TrainingConfig.epochs
    batch_size: int = TrainingConfig.batch_size
    learning_rate: float = TrainingConfig.learning_rate
    weight_decay: float = TrainingConfig.weight_decay
    encoder: "str | MakeNetwork" = TrainingConfig.encoder
    hidden: tuple[int, ...] = TrainingConfig.hidden
    activation: str = TrainingConfig.activation
    loss: "Loss | None" = None
    early_stopping: bool = False
    validation_fraction: float = 0.1
    patience: int = 10
    callbacks: "Sequence[Callback]" = ()
    warm_start: bool = False
    device: str = "cpu"
    n_jobs: int | None = None
    random_state: int | RandomState | None = None
    limit: Mapping[str, float] | None = None
    keep: float | Mapping[str, float] | None = None

    @abstractmethod
    def _read_target(
        self, y: ArrayLike, known: "TablePredictor | None" = None, classes: ArrayLike | None = None
    ) -> Target:
        """Checks y and brings it to [0, 1] or class numbers, as at first when that is known."""

    @abstractmethod
    def _build_method(self) -> tuple[Method, bool]:
        """Returns the method and whether its γ is to be chosen on held-out rows."""

    def fit(
        self,
        X: Any,
        y: ArrayLike,
        *,
        sensitive_features: ArrayLike | None = None,
        sample_weight: ArrayLike | None = None,
    ) -> Self:
        """Trains on rows with a target and a sensitive attribute.

        Args:
            X: (n, d) features: a DataFrame with numbers and categories, or an array of numbers;
                both are scaled, and missing values are fine. A ``torch.Tensor`` (pixels, token
                numbers) reaches an encoder of your own as it is, (n, d) in float32.
            y: (n,) target.
            sensitive_features: (n,) the continuous attribute in its own units, or several: a
                DataFrame, (n, k) or a list of columns, in which text counts as categories.
                Required; leaving it out gets an error that helps.
            sample_weight: (n,) how much a row counts in the prediction loss; rows with weight 0
                are left out. Fairness counts every other row once.
        """
        from frem_core.estimators.trainer import learn, networks_of

        known = getattr(self, "predictor_", None) if self.warm_start else None
        outcome = learn(self, X, y, sensitive_features, sample_weight, start=networks_of(known))
        return self._adopt(outcome.predictor, outcome.gamma_choice, outcome.limit_report)

    def partial_fit(
        self,
        X: Any,
        y: ArrayLike,
        classes: ArrayLike | None = None,
        *,
        sensitive_features: ArrayLike | None = None,
        sample_weight: ArrayLike | None = None,
    ) -> Self:
        """Trains one epoch more, on these rows.

        The first call decides about columns, categories, ranges and classes; later rows are brought
        onto them: unknown categories count as none, values of S and y outside are clipped.

        Args:
            X: as for `fit`, like y, sensitive_features and sample_weight.
            y: see there.
            classes: all labels, for a classifier whose first rows do not hold each of them.
            sensitive_features: see there.
            sample_weight: see there.
        """
        from frem_core.estimators.trainer import learn, networks_of

        known: TablePredictor | None = getattr(self, "predictor_", None)
        outcome = learn(
            self,
            X,
            y,
            sensitive_features,
            sample_weight,
            start=getattr(self, "_left", None) or networks_of(known),
            known=known,
            classes=classes,
            once=True,
        )
        self._left = outcome.left
        return self._adopt(outcome.predictor, outcome.gamma_choice)

    def transform(self, X: Any) -> NDArray[np.float64]:
        """Returns the fair representations Z, (n, m)."""
        return self._predictor().transform(self._further_rows(X))

    def score_fairness(
        self,
        X: Any,
        y: ArrayLike | None = None,
        sensitive_features: ArrayLike | None = None,
        *,
        by_class: bool = False,
    ) -> "pd.Series | pd.DataFrame":
        """Returns how much predictions follow the sensitive attribute; 0 is best everywhere.

        Args:
            X: rows, as for `predict`.
            y: (n,) their target; equal opportunity (geo) needs it, the others do not.
            sensitive_features: in their own units; scaled by the range seen at fit, clipped. Of a
                model fitted with several, all of them or the first number among them.
            by_class: with more than two classes, a column for each against all others too.

        Returns:
            A value for each score: gdp, hgr, mutual_information and, for two classes, geo. Of
            several attributes these are along the first number; ``gdp@sex``, ``hgr@income`` and
            ``gdp@joint`` (all together) follow.
        """
        check_same_order(X, sensitive_features)
        rows, name = self._further_rows(X), f"{type(self).__name__}.score_fairness"
        table = score_predictor(self._predictor(), rows, y, sensitive_features, name=name)
        return table if by_class else table["mean"]

    def save(self, directory: Path | str) -> None:
        """Writes the fitted model into a folder: safetensors and JSON, no pickle."""
        self._predictor().save(directory)

    @classmethod
    def load(cls, directory: Path | str, *, encoder: "MakeNetwork | None" = None) -> Self:
        """Reads a fitted model; nothing in the folder can have code imported.

        Settings are those of its training: a drawn seed is ``random_state``, a chosen γ ``gamma``.

        Args:
            directory: the folder that `save` wrote.
            encoder: for a model with a network of your own, the function that makes it. Without
                it, it is looked for in the modules that your program has imported already.

        Raises:
            DataError: the folder is missing, foreign or damaged, or holds another kind of model.
        """
        from frem_core.estimators.table_predictor import TablePredictor

        predictor = TablePredictor.load(directory, encoder=encoder)
        model = predictor.model
        if model.task != cls._task or not isinstance(model.method, cls._reads):
            raise DataError(
                f"{directory} holds a {model.task} model trained with {model.method.title}; "
                f"{cls.__name__} reads {cls._task} models of {cls._reads_title}. "
                "frem_core.estimators.TablePredictor.load reads any."
            )
        estimator = cls(**settings_for(cls, model))
        set_columns(estimator, predictor.encoding, named=predictor.named_columns)
        return estimator._adopt(predictor)

    def _adopt(
        self,
        predictor: "TablePredictor",
        gamma_choice: pd.DataFrame | None = None,
        limit_report: "LimitReport | None" = None,
    ) -> Self:
        """Sets everything that fitting gives."""
        model, scale = predictor.model, predictor.sensitive_scale
        self.predictor_ = predictor
        self.history_ = model.history
        self.n_iter_ = len(model.history)
        self.fairness_weight_ = model.member.fairness_weight
        self.limit_report_ = limit_report
        self.sensitive_range_ = (scale.low, scale.high)
        if isinstance(model.method, Frem):
            self.gamma_ = model.method.gamma
            self.gamma_choice_ = gamma_choice
        if predictor.classes is not None:
            self.classes_ = predictor.classes
        return self

    def _predictor(self) -> "TablePredictor":
        check_is_fitted(self, "predictor_")
        return self.predictor_

    def _further_rows(self, X: Any) -> pd.DataFrame:
        return further_rows(self, X, self._predictor().encoding)

    @property
    def _n_features_out(self) -> int:
        return self.predictor_.model.encoder.representation_size

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.categorical = True
        return tags


@dataclass(eq=False, repr=False)
class NamedMethodEstimator(FairEstimator):
    """Trains the method that is named.

    Args:
        method: one of `frem_core.methods.available_methods()`, e.g. "frem", "mmd" or "adv", or
            a method with its settings, e.g. ``get_method("mmd")(cut="mean")``.
        fairness_weight: λ, how much fairness counts beside prediction; 0 ignores it.
        fairness: "dp" (demographic parity) or, for two classes, "eo" (equal opportunity among
            the rows of the positive class, ``classes_[1]``); of a method given by name.
        method_settings: settings of a method given by name, e.g. ``{"gamma": 0.1}``.
    """

    method: str | Method = Frem.name
    fairness_weight: float = Member.fairness_weight
    fairness: str = Method.fairness
    method_settings: Mapping[str, Any] | None = None

    def _build_method(self) -> tuple[Method, bool]:
        if isinstance(self.method, Method):
            return self.method, False
        settings = {"fairness": self.fairness, **(self.method_settings or {})}
        choose = settings.get("gamma") == AUTO
        if choose:
            del settings["gamma"]
        return named_method(self.method, settings), choose
