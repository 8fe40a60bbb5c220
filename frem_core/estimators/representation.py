"""FREMRepresentation: a scikit-learn transformer that needs no target."""

from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

import numpy as np
import pandas as pd
from numpy.random import RandomState
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.utils import Tags, check_random_state
from sklearn.utils.validation import check_is_fitted

from frem_core.datasets import AttributeScales, FeatureEncoding, Part
from frem_core.estimators.features import further_rows, set_columns, training_rows
from frem_core.estimators.sensitive import check_same_order, sensitive_attributes
from frem_core.methods.frem import Frem
from frem_core.training import Member, TrainingConfig

if TYPE_CHECKING:
    from frem_core.training.autoencoder import TrainedAutoencoder


class FREMRepresentation(ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """Learns representations that keep the features and lose the sensitive attributes.

    An auto-encoder: ``reconstruction + λ · EIPM(Z; S)``. No target is seen, so that Z serves any
    model trained on it later; how little a prediction from Z can follow S does not depend on what
    is predicted. Several attributes, numbers and categories, are removed each and together.

    Attributes:
        history_: reconstruction and penalty of each epoch.
        reconstruction_loss_: share of the features' variance that Z loses, after the last epoch.

    Example:
        >>> from frem_core.datasets import fetch_crime
        >>> crime = fetch_crime()
        >>> model = FREMRepresentation(epochs=1, hidden=(8, 4), random_state=0)
        >>> model.fit_transform(crime.data, sensitive_features=crime.sensitive_features).shape
        (1994, 4)
    """

    def __init__(
        self,
        fairness_weight: float = 5.0,
        gamma: float = Frem.gamma,
        joint_weight: float = Frem.joint_weight,
        sensitive_units: str = Frem.sensitive_units,
        epochs: int = TrainingConfig.epochs,
        batch_size: int = TrainingConfig.batch_size,
        learning_rate: float = TrainingConfig.learning_rate,
        weight_decay: float = 0.0,
        hidden: tuple[int, ...] = TrainingConfig.hidden,
        activation: str = TrainingConfig.activation,
        random_state: int | RandomState | None = None,
    ) -> None:
        """Keeps the settings as given.

        Args:
            fairness_weight: λ, how much fairness counts beside the reconstruction. Both are
                relative: at 1 all that the features tell about S weighs as much as all that they
                contain.
            gamma: γ, bandwidth on sensitive numbers scaled to [0, 1].
            joint_weight: μ, how much all attributes together count beside each of them.
            sensitive_units: of sensitive numbers, "value" or "rank" among the rows of this fit: an
                income and its logarithm then give the same representation. Categories stay.
            epochs: how often every row is seen.
            batch_size: rows per step.
            learning_rate: of Adam.
            weight_decay: of Adam; 0, because the penalty cannot be lowered by shrinking Z.
            hidden: units of each encoder layer, backwards those of the decoder; the last is the
                size of Z.
            activation: "selu", "relu" or "tanh".
            random_state: seed.
        """
        self.fairness_weight = fairness_weight
        self.gamma = gamma
        self.joint_weight = joint_weight
        self.sensitive_units = sensitive_units
        self.epochs = epochs
        self.batch_size = batch_size
        self.learning_rate = learning_rate
        self.weight_decay = weight_decay
        self.hidden = hidden
        self.activation = activation
        self.random_state = random_state

    def fit(self, X: Any, y: Any = None, *, sensitive_features: Any = None) -> Self:
        """Trains on rows with their sensitive attributes.

        Args:
            X: (n, d) numbers, or a DataFrame with numbers, categories (text) and dates.
            y: not looked at; for pipelines.
            sensitive_features: (n,) a continuous attribute in its own units, or several: a
                DataFrame or (n, k), in which text counts as categories. Required.
        """
        # What needs torch comes with the first fit.
        from frem_core.training.autoencoder import train_autoencoder

        del y
        features = training_rows(self, X)
        check_same_order(X, sensitive_features)
        attributes = sensitive_attributes(
            sensitive_features, rows=len(features), estimator=type(self).__name__
        )
        rows = np.arange(len(features))
        self._encoding = FeatureEncoding.fit(features, rows)
        scaled = AttributeScales.fit(attributes).transform(attributes)
        part = Part(
            x=self._encoding.transform(features),
            y=np.zeros(len(features)),
            s=scaled.values[:, scaled.numbers[0]],
            rows=rows,
            attributes=scaled if len(scaled.names) > 1 else None,
        )
        model = train_autoencoder(
            part,
            method=Frem(
                gamma=self.gamma,
                joint_weight=self.joint_weight,
                sensitive_units=self.sensitive_units,
                judges="representation",
                units="standardised",
                form="square",
                noise="removed",
            ),
            config=TrainingConfig(
                epochs=self.epochs,
                batch_size=self.batch_size,
                learning_rate=self.learning_rate,
                weight_decay=self.weight_decay,
                hidden=self.hidden,
                activation=self.activation,
            ),
            member=Member(fairness_weight=self.fairness_weight, seed=self._seed()),
        )
        return self._adopt(model)

    def transform(self, X: Any) -> NDArray[np.float64]:
        """Returns the fair representations Z, (n, m); no sensitive attribute is needed."""
        check_is_fitted(self, "history_")
        rows = further_rows(self, X, self._encoding)
        return np.asarray(self._model.transform(self._encoding.transform(rows)).double().numpy())

    def save(self, directory: Path | str) -> None:
        """Writes the fitted encoder into a folder: safetensors and JSON, no pickle."""
        from frem_core.estimators.folder import write_representation

        check_is_fitted(self, "history_")
        named = hasattr(self, "feature_names_in_")
        write_representation(self._model, self._encoding, named, Path(directory))

    @classmethod
    def load(cls, directory: Path | str) -> Self:
        """Reads what `save` wrote; nothing in the folder can have code imported.

        Raises:
            DataError: the folder is missing, foreign or damaged, or holds another kind of model.
        """
        from frem_core.estimators.folder import read_representation

        model, encoding, named = read_representation(Path(directory))
        settings = {
            name: getattr(group, name)
            for group in (model.method, model.config, model.member)
            for name in group.parameters()
            if name in cls._get_param_names()
        }
        found = cls(**settings, random_state=model.member.seed)
        found._encoding = encoding
        set_columns(found, encoding, named=named)
        return found._adopt(model)

    def _adopt(self, model: "TrainedAutoencoder") -> Self:
        """Sets everything that fitting gives."""
        self._model = model
        self.history_: pd.DataFrame = model.history
        self.n_iter_ = len(self.history_)
        self.reconstruction_loss_ = float(self.history_["reconstruction_loss"].iloc[-1])
        return self

    def _seed(self) -> int:
        if isinstance(self.random_state, int | np.integer):
            return int(self.random_state)
        return int(check_random_state(self.random_state).randint(2**31 - 1))

    @property
    def _n_features_out(self) -> int:
        return self._model.encoder.representation_size

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.categorical = True
        return tags
