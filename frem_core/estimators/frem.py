"""The FREM form of the estimators: its settings are arguments of their own."""

from dataclasses import dataclass
from typing import ClassVar

from frem_core.estimators.classifier import FairClassifier
from frem_core.estimators.fair_estimator import FairEstimator
from frem_core.estimators.regressor import FairRegressor
from frem_core.estimators.settings import AUTO, settings_of
from frem_core.methods import Method
from frem_core.methods.frem import Frem
from frem_core.training import Member


@dataclass(eq=False, repr=False)
class FremEstimator(FairEstimator):
    """FREM's settings instead of a method's name.

    Args:
        fairness_weight: λ, how much fairness counts beside prediction; 0 ignores it.
        gamma: γ, bandwidth on the sensitive attribute scaled to [0, 1]; "auto" chooses among
            0.02, 0.05 and 0.1 on a fifth of the training rows, as in the paper.
        sigma: σ, scale of the kernel on representations, or "median".
        sensitive_kernel: "rbf", "triangular" or "epanechnikov".
        representation_kernel: the same for representations.
        fairness: "dp" (demographic parity) or, for two classes, "eo" (equal opportunity among
            the rows of the positive class, ``classes_[1]``).
        computation: of the penalty: "exact", "linear" (random features) or "auto".
        judges: what the penalty looks at, "representation" or "representation_and_prediction".
        units: of the representation: "as_is", "scale", "standardised" or "whitened".
        form: of the penalty, "root" or "square".
        noise: of small batches, "kept" or "removed"; goes with the square.
        joint_weight: μ, with several sensitive attributes how much all of them together count.
        prediction_floor: least unit that predictions are judged in, as a share of the target's
            spread.
        sensitive_units: of the penalty, "value" or "rank" among the rows of this fit (with
            ``partial_fit`` of each call).
        linear_probe: how much it counts that no straight line through the representation tells
            the sensitive attribute.
        random_features: how many the "linear" computation uses.
    """

    _reads: ClassVar[type[Method]] = Frem
    _reads_title: ClassVar[str] = Frem.title

    fairness_weight: float = Member.fairness_weight
    gamma: float | str = Frem.gamma
    sigma: float | str = Frem.sigma
    sensitive_kernel: str = Frem.sensitive_kernel
    representation_kernel: str = Frem.representation_kernel
    fairness: str = Frem.fairness
    computation: str = Frem.computation
    judges: str = Frem.judges
    units: str = Frem.units
    form: str = Frem.form
    noise: str = Frem.noise
    joint_weight: float = Frem.joint_weight
    prediction_floor: float = Frem.prediction_floor
    sensitive_units: str = Frem.sensitive_units
    linear_probe: float = Frem.linear_probe
    random_features: int = Frem.random_features

    def _build_method(self) -> tuple[Method, bool]:
        choose = isinstance(self.gamma, str) and self.gamma == AUTO
        return settings_of(self, Frem, **({"gamma": Frem.gamma} if choose else {})), choose


class FREMClassifier(FremEstimator, FairClassifier):
    """Classifier on a representation that does not follow a continuous attribute.

    Minimises cross-entropy + λ · EIPM(Z; S). The sensitive attribute S is needed at fit only.
    Settings are explained at `FairEstimator` and, FREM's own, at `FremEstimator`.

    Attributes:
        gamma_: the bandwidth γ used.
        gamma_choice_: DataFrame behind ``gamma="auto"``, else None.
        classes_: the labels in sorted order; of two, ``classes_[1]`` counts as positive. Further
            attributes are those of `FairClassifier`.

    Example:
        >>> import numpy as np
        >>> rng = np.random.default_rng(0)
        >>> age = rng.uniform(18, 80, 300)
        >>> X = np.c_[age + rng.normal(0, 5, 300), rng.normal(size=300)]
        >>> y = np.where(X[:, 1] + age / 40 > 1.2, "yes", "no")
        >>> model = FREMClassifier(fairness_weight=0.5, epochs=20, batch_size=100, random_state=0)
        >>> model.fit(X, y, sensitive_features=age).predict_proba(X).shape
        (300, 2)
        >>> model.transform(X).shape
        (300, 50)
    """


class FREMRegressor(FremEstimator, FairRegressor):
    """Regressor on a representation that does not follow a continuous attribute.

    Minimises squared error + λ · EIPM(Z; S). The target is min-max scaled inside; predictions come
    in its own units and, as in the paper, from a sigmoid: they stay within the range seen at fit.
    The sensitive attribute S is needed at fit only. Settings are explained at `FairEstimator` and,
    FREM's own, at `FremEstimator`.

    Attributes:
        gamma_: the bandwidth γ used.
        gamma_choice_: DataFrame behind ``gamma="auto"``, else None. Further attributes are those of
            `FairRegressor`.

    Example:
        >>> from frem_core.datasets import fetch_crime
        >>> crime = fetch_crime()
        >>> model = FREMRegressor(fairness_weight=0.1, epochs=5, batch_size=200, random_state=0)
        >>> model = model.fit(crime.data, crime.target, sensitive_features=crime.sensitive_features)
        >>> model.predict(crime.data).shape
        (1994,)
    """
