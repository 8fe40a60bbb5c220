"""Between the settings of an estimator and those of method and training, both ways."""

from typing import TYPE_CHECKING, Any, TypeVar

from frem_core.errors import ConfigError, did_you_mean
from frem_core.methods import METHODS, Method, Settings

if TYPE_CHECKING:
    from frem_core.estimators.fair_estimator import FairEstimator
    from frem_core.training import TrainedModel

S = TypeVar("S", bound=Settings)
AUTO = "auto"
"""Given as γ: it is to be chosen on rows that are held out."""


def settings_for(kind: "type[FairEstimator]", model: "TrainedModel") -> dict[str, Any]:
    """The settings with which an estimator would train this model."""
    own = kind._get_param_names()
    found = {
        name: getattr(group, name)
        for group in (model.method, model.config, model.member)
        for name in group.parameters()
        if name in own
    }
    found["encoder"] = model.make_encoder or model.config.encoder
    by_name = {"method": model.method} if "method" in own else {}
    return {**found, **by_name, "random_state": model.member.seed}


def named_method(name: str, settings: dict[str, Any]) -> Method:
    """Builds a method from its name and settings; an unknown setting raises a ConfigError."""
    kind = METHODS.get(name)
    for setting in settings:
        if setting not in kind.parameters():
            raise ConfigError(
                f"{kind.title} has no setting '{setting}'; it has {', '.join(kind.parameters())}."
                + did_you_mean(setting, kind.parameters())
            )
    return kind(**settings)


def settings_of(estimator: "FairEstimator", kind: type[S], **changes: Any) -> S:
    """The part of an estimator's settings that belongs to ``kind``, checked."""
    own = estimator.get_params(deep=False)
    if callable(own["encoder"]):
        del own["encoder"]
    return kind(**{name: own[name] for name in kind.parameters() if name in own} | changes)
