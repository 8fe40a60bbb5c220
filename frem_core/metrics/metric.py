"""What a score says about itself, declared once beside its function."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal, TypeVar

from frem_core.registry import Registry
from frem_core.types import Floats, Task

ScoreFunction = TypeVar("ScoreFunction", bound=Callable[..., float])


@dataclass(frozen=True, kw_only=True)
class Metric:
    """A score and its description; calling it calls its function.

    Attributes:
        name: the key of the score in results, on the command line and in the store.
        function: the pure function behind it.
        label: plain-language name.
        symbol: the paper's symbol.
        formula: the definition in one line.
        help: what the number means and what to beware of.
        purpose: whether it judges fairness or prediction quality, or only describes.
        higher_is_better: its direction.
        measures: what it is computed from: ``function(y_true, y_pred, *, sensitive_features)``
            for predictions, ``function(z, *, sensitive_features)`` for representations.
        tasks: the tasks it is defined for.
        given_label: whether it looks at each label's rows separately.
        fewest_positives: positive rows below which it is not defined.
        fewest_negatives: the same for negative rows.
        slow_on_many_rows: whether its cost calls for a random subset of large data.
        has_noise_floor: whether it stays above 0 for independent data, so that values below
            :func:`frem_core.metrics.noise_floor` are not "more fair".
        typical_floor: that floor as a function of the number of rows, where one is known.
        shown_as_complement: whether charts show 1 - value, as the paper does for errors.
        influence: ``influence(y, p)`` tells how each row (n,) moves a prediction score, up to a
            constant: the spread of these divided by √n is the score's standard error.
        usual_for: the tasks and notions of fairness for which the paper puts it first.
    """

    name: str
    function: Callable[..., float]
    label: str
    symbol: str
    formula: str
    help: str
    purpose: Literal["fairness", "prediction", "description"]
    higher_is_better: bool
    measures: Literal["predictions", "representation"] = "predictions"
    tasks: tuple[Task, ...] = ("classification", "regression")
    given_label: bool = False
    fewest_positives: int = 0
    fewest_negatives: int = 0
    slow_on_many_rows: bool = False
    has_noise_floor: bool = False
    typical_floor: Callable[[int], float] | None = None
    shown_as_complement: bool = False
    influence: Callable[[Floats, Floats], Floats] | None = None
    usual_for: tuple[str, ...] = ()

    def __call__(self, *args: Any, **kwargs: Any) -> float:
        """Computes the score."""
        return self.function(*args, **kwargs)

    @property
    def __name__(self) -> str:  # other libraries label scores with it, as they do for functions
        return self.name

    @property
    def higher_is_better_on_axis(self) -> bool:
        """The direction of :meth:`axis_value`."""
        return self.higher_is_better != self.shown_as_complement

    @property
    def own_direction(self) -> str:
        """Which way is better for the score itself; charts may show 1 − score."""
        if self.purpose == "description":
            return self.direction
        end = "higher" if self.higher_is_better else "lower"
        return f"{end} is {'fairer' if self.purpose == 'fairness' else 'better'}"

    @property
    def direction(self) -> str:
        """Which way is better, in words, for the value as charts show it."""
        if self.purpose == "description":
            return "neither way is better"
        end = "higher" if self.higher_is_better_on_axis else "lower"
        return f"{end} is {'fairer' if self.purpose == 'fairness' else 'better'}"

    @property
    def full_name(self) -> str:
        """The plain-language name with the symbol behind it."""
        return f"{self.label} ({self.symbol})"

    @property
    def axis_symbol(self) -> str:
        """The symbol of :meth:`axis_value`, e.g. 1 − MAE."""
        return f"1 − {self.symbol}" if self.shown_as_complement else self.symbol

    @property
    def axis_label(self) -> str:
        """The plain-language name of :meth:`axis_value`, e.g. 1 − mean absolute error."""
        label = self.label
        return f"1 − {label[0].lower()}{label[1:]}" if self.shown_as_complement else label

    @property
    def axis_full_name(self) -> str:
        """Name and symbol of :meth:`axis_value`."""
        return f"{self.axis_label} ({self.axis_symbol})"

    @property
    def short_axis_title(self) -> str:
        """The title of an axis with little room."""
        return f"{self.axis_symbol} ({self.direction})"

    @property
    def axis_title(self) -> str:
        """The title of an axis that shows :meth:`axis_value`."""
        return f"{self.axis_label}, {self.axis_symbol} ({self.direction})"

    def axis_value(self, value: float) -> float:
        """The number charts show for a score: itself, or 1 - value for errors."""
        return 1 - value if self.shown_as_complement else value


_METRICS: Registry[Metric] = Registry("metric", "frem_core.metrics", "frem.metrics")


def define_metric(name: str, **description: Any) -> Callable[[ScoreFunction], ScoreFunction]:
    """Decorator: registers a function as a metric and returns it unchanged.

    Args:
        name: the metric's name.
        **description: the other attributes of :class:`Metric`.
    """

    def register(function: ScoreFunction) -> ScoreFunction:
        _METRICS.register(name)(Metric(name=name, function=function, **description))
        return function

    return register


def available_metrics() -> list[str]:
    """Names of all metrics, sorted."""
    return list(_METRICS)


def get_metric(name: str) -> Metric:
    """Returns the metric called ``name``; an unknown name raises a ConfigError.

    Example:
        >>> get_metric("gdp").axis_title
        'Demographic parity gap, ΔGDP (lower is fairer)'
    """
    return _METRICS.get(name)


def usual_metric(asked: str) -> Metric:
    """The metric to look at first for a task or a notion of fairness, as it declares itself.

    Example:
        >>> usual_metric("regression").name, usual_metric("eo").name
        ('mae', 'geo')
    """
    return next(one for one in map(get_metric, _METRICS) if asked in one.usual_for)


def find_metric(metric: Callable[..., float]) -> Metric | None:
    """Returns the description of a metric's function; None for a user's own function."""
    if isinstance(metric, Metric):
        return metric
    return next((known for known in map(get_metric, _METRICS) if known.function is metric), None)
