"""Ablations: what happens to the trade-off when one choice is changed.

    ablation = get_ablation("sigma")
    spec = ablation.spec(DatasetSpec(name="crime"), effort="quick")   # a sweep like any other
    sweep = submit(store, spec)                                       # frem_core.sweeps
    compare_variants(ablation, store.runs.frame(sweep), prediction="mae", fairness="gdp")

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
from frem_core.ablations.comparison import (
    compare_variants,
    usual_scores,
    variant_fronts,
    variant_looks,
    variant_runs,
)
from frem_core.ablations.conclusion import (
    conclude_fronts,
    conclude_stability,
    conclude_train_vs_test,
)

__all__ = [
    "EFFORTS",
    "Ablation",
    "Effort",
    "Variant",
    "available_ablations",
    "compare_variants",
    "conclude_fronts",
    "conclude_stability",
    "conclude_train_vs_test",
    "get_ablation",
    "register_ablation",
    "usual_scores",
    "variant_fronts",
    "variant_looks",
    "variant_runs",
]
