"""Ablations: what happens to the trade-off when one choice is changed.

    ablation = get_ablation("sigma")
    spec = ablation.spec(DatasetSpec(name="crime"), effort="quick")   # a sweep like any other
    sweep = submit(store, spec)                                       # frem_core.sweeps
    compare_variants(ablation, store.runs.frame(sweep), task="regression")

A new ablation is one file with one `register_ablation` in this package.
"""

from frem_core.ablations.ablation import (
    EFFORTS,
    Ablation,
    Effort,
    Variant,
    available_ablations,
    get_ablation,
    register_ablation,
)

__all__ = [
    "EFFORTS",
    "Ablation",
    "Effort",
    "Variant",
    "available_ablations",
    "get_ablation",
    "register_ablation",
]
