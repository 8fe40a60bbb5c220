"""Weights on S of an epoch's batches, many at a time."""

from collections.abc import Iterator, Sequence
from itertools import groupby, repeat

import torch
from torch import Tensor

from frem_core.eipm.distinct import DistinctValues
from frem_core.eipm.grouped import GroupedWeights
from frem_core.eipm.plan import groups_pay, order_matters
from frem_core.eipm.settings import Settings

# Batches are planned together as long as their tables have at most so many entries.
_TABLE_ENTRIES = 2**17


def plan_batches(
    s: DistinctValues, batches: Sequence[Tensor], settings: Settings
) -> Iterator[GroupedWeights | None]:
    """Weights of each batch, ahead of the representations.

    Z has no part in the weights on S, so they need not wait for it: some dozens of small
    operations are made once for many batches instead of once for each.

    Args:
        s: the sensitive column of all rows.
        batches: the rows ``(n,)`` of each batch.
        settings: of the estimator.

    Yields:
        For each batch its weights, or None where the estimator had better plan by itself.
    """
    kernel, gamma = settings.sensitive_kernel, settings.gamma
    for n, alike in groupby(batches, len):
        rows = torch.stack(list(alike))
        if order_matters(n, kernel) or not groups_pay(s.values, n, kernel, gamma, torch.float32):
            yield from repeat(None, len(rows))
            continue
        for some in torch.split(rows, max(1, _TABLE_ENTRIES // len(s.values) ** 2)):
            with torch.inference_mode():
                weights = GroupedWeights(s.values, s.number[some], kernel, gamma)
            for batch in range(len(some)):
                yield weights.member(batch)
