"""The first example: a small sweep whose results are there within a minute or so."""

from frem_core.datasets import DatasetSpec
from frem_core.sweeps.method_spec import MethodSpec
from frem_core.sweeps.spec import SweepSpec


def example_sweep() -> SweepSpec:
    """What fairness in the share of Black residents costs on Communities and Crime.

    Four methods, two seeds, 60 instead of 200 epochs: enough to see the trade-off, too little to
    quote. The first seed of all methods is trained before the second.

    >>> example_sweep().count()
    28
    """
    return SweepSpec(
        name="Example: what fairness costs on Communities and Crime",
        dataset=DatasetSpec(name="crime"),
        methods=(
            MethodSpec(method="unfair"),
            MethodSpec(method="frem", fairness_weights=(0.15, 0.3, 0.6, 1.2, 2.4)),
            MethodSpec(method="reg_gdp", fairness_weights=(0.3, 0.7, 1.0, 2.0)),
            MethodSpec(method="mmd", fairness_weights=(0.02, 0.04, 0.06, 0.08)),
        ),
        seeds=(0, 1),
        training={"epochs": 60},
    )
