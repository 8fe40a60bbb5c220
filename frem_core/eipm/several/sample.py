"""EIPM of several sensitive attributes together."""

import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np
import torch
from torch import Tensor

from frem_core.attributes import Attributes
from frem_core.eipm.evaluation import evaluate
from frem_core.eipm.inputs import as_tensors
from frem_core.eipm.settings import EipmSettings
from frem_core.eipm.several.kernel import JointKernel
from frem_core.eipm.several.plan import JointPlan, plan_joint
from frem_core.eipm.units import in_units
from frem_core.types import Floats


class UncoveredWarning(UserWarning):
    """No combination of the attributes has enough people for EIPM to say anything about it."""


class JointSample:
    """A representation with several attributes: the rows that count, and the kernel on them.

    Args:
        z: ``(n, m)`` or ``(n,)``, an array or a tensor.
        attributes: of its rows.
        gamma: one bandwidth for all numbers, or one for each.
        n_min: fewest effective neighbours of an anchor; not asked of a single category.
        settings: of the estimator.
        labels: when given, only rows with the positive label count.
        positive_label: which label that is.
    """

    def __init__(
        self,
        z: Any,
        attributes: Attributes,
        *,
        gamma: float | Sequence[float] | None,
        n_min: float,
        settings: EipmSettings,
        labels: Any = None,
        positive_label: Any = 1,
    ) -> None:
        rows, _, marks = as_tensors(z, attributes.values[:, 0], labels)
        if marks is not None:
            keep = marks == positive_label
            rows, attributes = rows[keep], attributes.of(keep.cpu().numpy())
        self.rows = rows.unsqueeze(0)  # (1, n, m)
        self.attributes, self.settings = attributes, settings
        if gamma is None:
            numbers = [attributes.values[:, place] for place in attributes.numbers]
            gamma = [rule_of_thumb(one) for one in numbers] or None
        self.joint = JointKernel.of(attributes, settings.sensitive_kernel, gamma)
        self.n_min = n_min if len(attributes.names) > 1 else 0.0
        if isinstance(z, Tensor):
            return
        self.rows = in_units(self.rows, settings.units)
        if settings.linear(len(attributes)):  # random features err by far more than float32 does
            self.rows = (self.rows - self.rows.mean(1, keepdim=True)).float()

    def __len__(self) -> int:
        return len(self.attributes)

    def plan(self, *, linear: bool | None = None) -> JointPlan:
        """Weights on the attributes of at least three rows."""
        return plan_joint(
            torch.from_numpy(self.attributes.values),
            self.joint,
            n_min=self.n_min,
            dtype=self.rows.dtype,
            linear=self.settings.linear(len(self)) if linear is None else linear,
        )

    def value(self) -> float:
        """EIPM over the anchors that are covered; NaN, with a warning, where none is."""
        if len(self) < 3:
            return 0.0
        plan = self.plan()
        if not plan.share_covered:
            self.warn_of_nobody()
            return float("nan")
        found = evaluate(
            plan.sorted(self.rows),
            self.rows[..., 0],
            self.settings,
            gradient=False,
            planned=plan.weights,
        )
        return float(found.eipm[0])

    def warn_of_nobody(self) -> None:
        """Says that no anchor is covered, and what to do."""
        warnings.warn(
            f"No row has {self.n_min:g} effective neighbours that are near in "
            f"{' and '.join(self.attributes.names)}; use a larger gamma, a smaller n_min or "
            "fewer attributes.",
            UncoveredWarning,
            stacklevel=5,
        )


def rule_of_thumb(values: Floats) -> float:
    """Rule-of-thumb bandwidth of one attribute in its own units, from its middle and its number.

    ``0.9 · min(sd, IQR / 1.34) · n^(-1/5)``, which an outlier does not stretch.
    """
    low, high = np.quantile(values, [0.25, 0.75])
    spread, middle = float(np.std(values)), float(high - low) / 1.34
    scale = min(spread, middle) if middle > 0 else spread
    return 0.9 * (scale if scale > 0 else 1.0) / float(len(values) ** 0.2)
