"""One run: everything that determines its result, and nothing else."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from frem_core.limits import Limit
from frem_core.methods import Method
from frem_core.store.identity import RESULT_VERSION, identity_of
from frem_core.training import Member, TrainingConfig
from frem_core.types import Task


@dataclass(frozen=True, kw_only=True)
class RunConfig:
    """The settings of one training.

    Attributes:
        dataset: fingerprint of the dataset.
        task: ``"classification"`` or ``"regression"``.
        split: arguments of `split_dataset`.
        method: the method with its settings, the fairness notion among them.
        training: what all methods share.
        member: fairness weight and seed; the weight does not matter where one of the next two
            is given.
        relative_weight: λ in units of the balance of loss and penalty, which is measured on the
            training rows.
        limit: what the model has to keep; training finds λ.
        gamma_candidates: bandwidths to choose γ from; None when γ is given.
    """

    dataset: str
    task: Task
    split: Mapping[str, Any]
    method: Method
    training: TrainingConfig
    member: Member
    relative_weight: float | None = None
    limit: Limit | None = None
    gamma_candidates: tuple[float, ...] | None = None

    def to_dict(self) -> dict[str, Any]:
        """Returns plain JSON values; two runs with equal values are the same run."""
        method = self.method.to_dict()
        if self.gamma_candidates is not None:
            del method["gamma"]  # chosen, so what it was set to does not matter
        values = {
            "result_version": RESULT_VERSION,
            "dataset": self.dataset,
            "task": self.task,
            "split": dict(self.split),
            "method": method,
            "training": self.training.to_dict(),
            "seed": self.member.seed,
            "gamma_candidates": None
            if self.gamma_candidates is None
            else list(self.gamma_candidates),
        }
        return values | self._weight()

    def _weight(self) -> dict[str, Any]:
        """How λ is found; only what determines it is written down."""
        if self.limit is not None:
            return {"limit": self.limit.text}
        if self.relative_weight is not None:
            return {"relative_weight": self.relative_weight}
        return {"fairness_weight": self.member.fairness_weight}

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> "RunConfig":
        """Reads what :meth:`to_dict` wrote."""
        candidates, limit = values["gamma_candidates"], values.get("limit")
        return cls(
            dataset=values["dataset"],
            task=values["task"],
            split=values["split"],
            method=Method.from_dict(values["method"]),
            training=TrainingConfig.from_dict(values["training"]),
            member=Member(fairness_weight=values.get("fairness_weight", 0.0), seed=values["seed"]),
            relative_weight=values.get("relative_weight"),
            limit=None if limit is None else Limit.parse(limit),
            gamma_candidates=None if candidates is None else tuple(candidates),
        )

    @cached_property
    def identity(self) -> str:
        """The hash that names the run in every store."""
        return identity_of(self.to_dict())

    @cached_property
    def stack_key(self) -> str:
        """Equal for runs that differ in fairness weight and seed only: they can be stacked."""
        shared = self.to_dict()
        del shared["seed"]
        # A weight, a relative weight and a limit are trained in different ways.
        return identity_of(shared | dict.fromkeys(self._weight(), None))

    @property
    def epochs(self) -> int:
        """Epochs of the whole run: the final training, and those spent on choosing γ or λ."""
        once = self.training.epochs + self.method.head_plan.epochs
        unfair = 0 if self.limit is None else self.training.epochs
        return once * (1 + len(self.gamma_candidates or ())) + unfair
