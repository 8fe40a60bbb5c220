"""What a method is: settings, words about itself, and a penalty or an adversary."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import repeat
from typing import TYPE_CHECKING, Any, ClassVar, Final, Self, TypeAlias, TypeVar

from frem_core.errors import ConfigError
from frem_core.methods.parameter import Parameter, parameter
from frem_core.methods.settings import Settings
from frem_core.registry import Registry
from frem_core.types import Task

if TYPE_CHECKING:  # settings and words of a method do without torch
    from torch import Tensor

    from frem_core.methods.adversary import Adversary, AdversaryPlan, AdversarySetup
    from frem_core.methods.batch import Batch
    from frem_core.types import Floats

FEWEST_ROWS: Final = 3
"""Below this no method can say anything about dependence: the batch is skipped."""

Planner: TypeAlias = "Callable[[Sequence[Tensor]], Iterable[object]]"
"""From the rows (B, n) of each batch of an epoch, every member its own, to what a method wants to
know ahead of each batch: its `penalty` finds it in ``Batch.plan``, and nobody else looks at it."""


@dataclass(frozen=True)
class HeadPlan:
    """Epochs in which only the head is trained, on the finished representation.

    Attributes:
        epochs: how many.
        fresh: whether the head starts from new weights.
    """

    epochs: int = 0
    fresh: bool = False


@dataclass(frozen=True, kw_only=True)
class Method(Settings):
    """Base of every method: L + λ·penalty, in the one training loop that all share.

    A new method is one file with one subclass: it describes itself in class attributes, declares
    its settings with `parameter` and overrides `penalty`, or `adversary` for a method with an
    opponent. Forms, command line, documentation and contract tests find it by themselves.
    """

    name: ClassVar[str]
    """Short name in configurations, e.g. "frem"."""
    title: ClassVar[str]
    """Name in figures and tables, e.g. "FREM"."""
    explanation: ClassVar[str]
    """One sentence for readers who do not know the method."""
    citation: ClassVar[str]
    """Where it comes from."""
    colour: ClassVar[str]
    """Its colour in every figure, as #rrggbb."""
    symbol: ClassVar[str]
    """Its plotly marker symbol in every figure."""
    supports_equal_opportunity: ClassVar[bool] = False
    """Whether fairness may be asked for on the rows with Y = 1 only."""
    uses_fairness_weight: ClassVar[bool] = True
    """Whether the fairness weight λ changes anything."""
    judges_representation: ClassVar[bool] = True
    """Whether the penalty looks at the representation, not at the prediction alone."""
    supports_several: ClassVar[bool] = False
    """Whether it takes several sensitive attributes."""
    fairness_weights: ClassVar[Mapping[str, tuple[float, ...]]] = {}
    """Useful λ by built-in dataset; `suggested_fairness_weights` reads it."""

    fairness: str = parameter(
        "dp",
        label="fairness notion",
        help="Demographic parity (dp) asks that everyone is treated alike whatever the sensitive "
        "value; equal opportunity (eo) asks it among those with a positive outcome only.",
        choices=("dp", "eo"),
    )

    def __post_init__(self) -> None:
        if self.fairness == "eo" and not self.supports_equal_opportunity:
            able = [METHODS.get(name) for name in METHODS]
            titles = ", ".join(one.title for one in able if one.supports_equal_opportunity)
            raise ConfigError(
                f"{self.title} has no form for equal opportunity (fairness = 'eo'). "
                f"Use fairness = 'dp', or one of {titles}."
            )
        super().__post_init__()

    def check_task(self, task: Task) -> None:
        """Raises a ConfigError when the method cannot be used for the task."""
        if self.fairness == "eo" and task != "classification":
            raise ConfigError(
                "Equal opportunity (fairness = 'eo') compares rows with Y = 1, so it needs a "
                f"classification task, not {task}. Use fairness = 'dp'."
            )

    def check_several(self, names: Sequence[str]) -> None:
        """Raises a ConfigError when the method takes one sensitive attribute only."""
        if not self.supports_several:
            able = [METHODS.get(name) for name in METHODS]
            titles = ", ".join(one.title for one in able if one.supports_several)
            raise ConfigError(
                f"{self.title} takes one sensitive attribute, not {', '.join(names)} together. "
                f"Give one of them, or use {titles}."
            )

    def penalty(self, batch: "Batch") -> "Tensor":
        """Returns (B,), what λ multiplies in the loss of each member."""
        return batch.p.new_zeros(len(batch.p))

    def compared(self, values: "Floats", among: "Floats") -> "Floats":
        """Returns sensitive numbers (n,) as the penalty compares them; as they are by default.

        Asked before a training, for each sensitive attribute that is a number; what it gives is
        ``Batch.s``, and what `planner` and `cuts` get.

        Args:
            values: in [0, 1].
            among: the values (N,) of the training rows that are judged.
        """
        return values

    def planner(self, s: "Tensor") -> Planner:
        """Prepares what S (N,) alone decides; asked once, before a training's first epoch.

        Returns:
            What to call with the batches of every epoch; see `Planner`.
        """
        return _nothing_planned

    def cuts(self, s: "Tensor") -> "Tensor | None":
        """Returns where to cut the training values (N,) into groups, or None for no groups.

        The cuts, in rising order, give ``Batch.group``: 0 up to and with the first cut, and so on.
        """
        return None

    def adversary(self, setup: "AdversarySetup") -> "Adversary | None":
        """Returns the opponent whose loss the encoder must raise, or None."""
        return None

    @property
    def judges_prediction(self) -> bool:
        """Whether the penalty looks at the prediction, alone or beside the representation."""
        return not self.judges_representation

    @property
    def adversary_plan(self) -> "AdversaryPlan":
        """How the adversary is trained; only asked for when there is one."""
        from frem_core.methods.adversary import AdversaryPlan

        return AdversaryPlan()

    @property
    def advice_on_leakage(self) -> str:
        """What to do when a fresh model still finds S in the representation, in a sentence."""
        if not self.uses_fairness_weight:
            return "Nothing was asked of it; take a method that removes the attribute, as FREM."
        if not self.judges_representation:
            return (
                f"{self.title} looks at the prediction only: use its predictions, but hand its "
                "representation to nobody, or take a method that judges it, as FREM."
            )
        return (
            "Give fairness more weight (a larger λ), or take FREM, which compares the whole "
            "distribution of the representation along the attribute."
        )

    @property
    def head_plan(self) -> HeadPlan:
        """Whether the head is trained further on the finished representation."""
        return HeadPlan()

    @classmethod
    def parameters(cls) -> dict[str, Parameter]:
        """The settings by field name; equal opportunity is offered only where it exists."""
        settings = super().parameters()
        if not cls.supports_equal_opportunity:
            settings["fairness"] = replace(settings["fairness"], choices=("dp",))
        return settings

    def to_dict(self) -> dict[str, Any]:
        """Returns plain values, with the method's name under "method"."""
        return {"method": self.name, **super().to_dict()}

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Self:
        """Builds a method from plain values; "method" names it when called on `Method` itself."""
        settings = dict(values)
        chosen = METHODS.get(settings.pop("method", cls.name if cls is not Method else ""))
        if not issubclass(chosen, cls):
            raise ConfigError(f"'{chosen.name}' is not a form of {cls.title}.")
        return super(Method, chosen).from_dict(settings)


def _nothing_planned(batches: "Sequence[Tensor]") -> Iterable[object]:
    return repeat(None, len(batches))


METHODS: Registry[type[Method]] = Registry("method", "frem_core.methods", "frem.methods")

M = TypeVar("M", bound=type[Method])


def register(method: M) -> M:
    """Class decorator: makes a method known under its ``name``."""
    METHODS.register(method.name)(method)
    return method
