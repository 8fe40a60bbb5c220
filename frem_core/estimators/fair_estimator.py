"""What FREMClassifier and FREMRegressor share: settings, fitting, representations, saving."""

from abc import ABC, abstractmethod
from pathlib import Path
from typing import Any, ClassVar, Self, TypeVar

import numpy as np
import pandas as pd
from numpy.random import RandomState
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.utils import Tags, check_random_state
from sklearn.utils.validation import check_consistent_length, check_is_fitted

from frem_core.datasets import FeatureEncoding, MinMax, Part
from frem_core.errors import DataError
from frem_core.estimators.features import further_rows, training_rows
from frem_core.estimators.sensitive import sensitive_values
from frem_core.estimators.table_predictor import TablePredictor
from frem_core.estimators.target import Target
from frem_core.methods import Settings
from frem_core.methods.frem import Frem
from frem_core.training import Member, TrainedModel, TrainingConfig, select_bandwidth, train
from frem_core.types import Task

S = TypeVar("S", bound=Settings)
AUTO = "auto"


class FairEstimator(ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator, ABC):  # type: ignore[misc]
    """Trains FREM on any table and predicts without the sensitive attribute.

    The settings' defaults, ranges and meaning come from `frem_core.methods.frem` and
    `frem_core.training`; wrong values raise a ConfigError at fit, as scikit-learn wants it.
    """

    _task: ClassVar[Task]

    def __init__(
        self,
        fairness_weight: float = Member.fairness_weight,
        gamma: float | str = Frem.gamma,
        sigma: float | str = Frem.sigma,
        sensitive_kernel: str = Frem.sensitive_kernel,
        representation_kernel: str = Frem.representation_kernel,
        fairness: str = Frem.fairness,
        computation: str = Frem.computation,
        judges: str = Frem.judges,
        units: str = Frem.units,
        form: str = Frem.form,
        noise: str = Frem.noise,
        epochs: int = TrainingConfig.epochs,
        batch_size: int = TrainingConfig.batch_size,
        learning_rate: float = TrainingConfig.learning_rate,
        weight_decay: float = TrainingConfig.weight_decay,
        hidden: tuple[int, ...] = TrainingConfig.hidden,
        activation: str = TrainingConfig.activation,
        random_state: int | RandomState | None = None,
    ) -> None:
        """Keeps the settings as given.

        Args:
            fairness_weight: λ, how much fairness counts beside prediction; 0 ignores it.
            gamma: γ, bandwidth on the sensitive attribute scaled to [0, 1]; "auto" chooses among
                0.02, 0.05 and 0.1 on a fifth of the training rows, as in the paper.
            sigma: σ, scale of the kernel on representations, or "median".
            sensitive_kernel: "rbf", "triangular" or "epanechnikov".
            representation_kernel: the same for representations.
            fairness: "dp" (demographic parity) or, for classifiers, "eo" (equal opportunity
                among the rows of the positive class, ``classes_[1]``).
            computation: of the penalty: "exact", "linear" (random features) or "auto".
            judges: what the penalty looks at, "representation" or
                "representation_and_prediction".
            units: of the representation: "as_is", "scale", "standardised" or "whitened".
            form: of the penalty, "root" or "square".
            noise: of small batches, "kept" or "removed"; goes with the square.
            epochs: how often every training row is seen.
            batch_size: rows per step; fairness is measured within a batch.
            learning_rate: of Adam.
            weight_decay: of Adam, coupled.
            hidden: units of each encoder layer; the last is the size of the representation.
            activation: "selu", "relu" or "tanh".
            random_state: seed; a number gives the same networks as ``Member(seed=number)`` of
                `frem_core.training`.
        """
        self.fairness_weight = fairness_weight
        self.gamma = gamma
        self.sigma = sigma
        self.sensitive_kernel = sensitive_kernel
        self.representation_kernel = representation_kernel
        self.fairness = fairness
        self.computation = computation
        self.judges = judges
        self.units = units
        self.form = form
        self.noise = noise
        self.epochs = epochs
        self.batch_size = batch_size
        self.learning_rate = learning_rate
        self.weight_decay = weight_decay
        self.hidden = hidden
        self.activation = activation
        self.random_state = random_state

    @abstractmethod
    def _read_target(self, y: ArrayLike) -> Target:
        """Checks y and scales it to [0, 1]."""

    def fit(self, X: Any, y: ArrayLike, *, sensitive_features: ArrayLike | None = None) -> Self:
        """Trains on rows with a target and a sensitive attribute.

        Args:
            X: (n, d) numbers, or a DataFrame with numbers, categories (text) and dates. Numbers
                are min-max scaled, missing ones become the median.
            y: (n,) target.
            sensitive_features: (n,) the continuous attribute in its own units. Required: it has
                a default only so that leaving it out gets an error that helps.
        """
        # y first: scikit-learn's check of y alone forgets the column names that X's check sets.
        target = self._read_target(y)
        features = training_rows(self, X)
        check_consistent_length(features, target.values)
        s = sensitive_values(sensitive_features, rows=len(features), estimator=type(self).__name__)
        rows = np.arange(len(features))
        encoding, scale = FeatureEncoding.fit(features, rows), MinMax.fit(s)
        part = Part(
            x=encoding.transform(features), y=target.values, s=scale.transform(s), rows=rows
        )
        model, gamma_choice = self._train(part)
        predictor = TablePredictor(
            model=model,
            encoding=encoding,
            sensitive_scale=scale,
            target_scale=target.scale,
            classes=target.classes,
            named_columns=hasattr(self, "feature_names_in_"),
        )
        return self._adopt(predictor, gamma_choice)

    def transform(self, X: Any) -> NDArray[np.float64]:
        """Returns the fair representations Z, (n, m)."""
        return self._predictor().transform(self._further_rows(X))

    def save(self, directory: Path | str) -> None:
        """Writes the fitted model into a folder: safetensors and JSON, no pickle."""
        self._predictor().save(directory)

    @classmethod
    def load(cls, directory: Path | str) -> Self:
        """Reads a fitted model; nothing in the folder can execute code.

        Settings are those the model was trained with: a drawn seed becomes ``random_state`` and
        a chosen γ becomes ``gamma``.

        Raises:
            DataError: the folder is missing, foreign or damaged, or holds another kind of model.
        """
        predictor = TablePredictor.load(directory)
        model = predictor.model
        if model.task != cls._task or not isinstance(model.method, Frem):
            raise DataError(
                f"{directory} holds a {model.task} model trained with {model.method.title}; "
                f"{cls.__name__} reads {cls._task} models of FREM. "
                "frem_core.estimators.TablePredictor.load reads any."
            )
        settings = {
            name: getattr(group, name)
            for group in (model.method, model.config, model.member)
            for name in group.parameters()
            if name in cls._get_param_names()
        }
        estimator = cls(**settings, random_state=model.member.seed)
        estimator.n_features_in_ = len(predictor.encoding.columns)
        if predictor.named_columns:
            names = [column.name for column in predictor.encoding.columns]
            estimator.feature_names_in_ = np.array(names, dtype=object)
        return estimator._adopt(predictor)

    def _train(self, part: Part) -> tuple[TrainedModel, pd.DataFrame | None]:
        """Returns the model and, when γ was to be chosen, the table behind the choice."""
        choose = isinstance(self.gamma, str) and self.gamma == AUTO
        method = self._settings(Frem, **({"gamma": Frem.gamma} if choose else {}))
        config = self._settings(TrainingConfig)
        members = [self._settings(Member, seed=self._seed())]
        table = None
        if choose:
            choice = select_bandwidth(
                part,
                task=self._task,
                method=method,
                config=config,
                members=members,
                seed=members[0].seed,
            )
            method, table = choice.method, choice.table
        (model,) = train(part, task=self._task, method=method, config=config, members=members)
        return model, table

    def _settings(self, kind: type[S], **changes: Any) -> S:
        """The part of this estimator's settings that belongs to ``kind``, checked."""
        own = self.get_params(deep=False)
        return kind(**{name: own[name] for name in kind.parameters() if name in own} | changes)

    def _seed(self) -> int:
        if isinstance(self.random_state, int | np.integer):
            return int(self.random_state)
        return int(check_random_state(self.random_state).randint(2**31 - 1))

    def _adopt(self, predictor: TablePredictor, gamma_choice: pd.DataFrame | None = None) -> Self:
        """Sets everything that fitting gives."""
        model, scale = predictor.model, predictor.sensitive_scale
        assert isinstance(model.method, Frem)
        self.predictor_ = predictor
        self.history_ = model.history
        self.n_iter_ = len(model.history)
        self.gamma_ = model.method.gamma
        self.gamma_choice_ = gamma_choice
        self.sensitive_range_ = (scale.low, scale.high)
        if predictor.classes is not None:
            self.classes_ = predictor.classes
        return self

    def _predictor(self) -> TablePredictor:
        check_is_fitted(self)
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
