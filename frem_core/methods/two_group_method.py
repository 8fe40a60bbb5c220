"""What methods share that see the sensitive attribute as two groups."""

from dataclasses import dataclass

from torch import Tensor

from frem_core.methods.grouping import two_groups
from frem_core.methods.method import Method
from frem_core.methods.parameter import parameter


@dataclass(frozen=True, kw_only=True)
class TwoGroupMethod(Method):
    """Base of methods that know of S only on which side of a cut it lies: A = 0 or A = 1."""

    cut: str = parameter(
        "median",
        label="cut of the sensitive attribute",
        help="Where the two groups are divided.",
        choices=("median", "mean"),
    )

    def cuts(self, s: Tensor) -> Tensor:
        """Returns the one cut."""
        return two_groups(s, self.cut)
