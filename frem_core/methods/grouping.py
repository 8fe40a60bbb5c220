"""Cuts a continuous sensitive attribute into groups, for methods that need groups."""

import torch
from torch import Tensor

from frem_core.reproducible import stacked_product


def two_groups(s: Tensor, at: str) -> Tensor:
    """Returns the one cut that splits (N,) values at their "median" or "mean", as (1,).

    Values up to the cut are group 0. Where nothing lies above it (more than half of the values
    are the largest one), the cut moves down to the next value, so that two groups exist
    whenever two values do.
    """
    cut = s.quantile(0.5) if at == "median" else s.mean()
    if not bool((s > cut).any()):
        below = s[s < s.max()]
        cut = below.max() if len(below) else cut
    return cut.reshape(1)


def quantile_groups(s: Tensor, groups: int) -> Tensor:
    """Returns the inner quantiles that cut (N,) values into groups of about equal size.

    Equal quantiles are merged: a value shared by many rows cannot be cut, so fewer groups may
    come out (9 of 10 on Crime).
    """
    shares = torch.linspace(0, 1, groups + 1, dtype=s.dtype)[1:-1]
    # Cuts are values that occur ("lower"), so no group between two of them is empty.
    cuts: Tensor = torch.unique(torch.quantile(s, shares, interpolation="lower"))
    return cuts[cuts < s.max()]  # a cut at the largest value would leave the last group empty


def group_of(s: Tensor, cuts: Tensor) -> Tensor:
    """Returns the group of every value, 0 … len(cuts), same shape as ``s``."""
    return torch.bucketize(s, cuts)


def group_means(values: Tensor, group: Tensor, groups: int) -> tuple[Tensor, Tensor]:
    """Averages (B, n) values within groups.

    Returns:
        (B, groups) means, 0 for empty groups, and (B, groups) true where a group has rows.
    """
    member = torch.nn.functional.one_hot(group, groups).to(values.dtype)  # (B, n, groups)
    counts = member.sum(dim=1)
    totals = stacked_product(values.unsqueeze(1), member).squeeze(1)  # (B, groups)
    return totals / counts.clamp(min=1), counts > 0
