"""Which ablation is looked at, on which data, and how thoroughly: what the address says."""

from dataclasses import dataclass
from typing import Final

import streamlit as st

from frem_core.ablations import EFFORTS, Ablation, available_ablations, get_ablation
from frem_core.datasets import Dataset
from frem_core.sweeps import SweepSpec
from studio.choice import Choice
from studio.loading import load_choice
from studio.submitted import submitted_sweep
from studio.tables import find_table

ABLATION: Final = "ablation"
EFFORT: Final = "effort"
_USUAL_EFFORT: Final = "quick"
# In the order of the paper.
ORDER: Final = ("kernels-s", "kernels-z", "sigma", "mmd-bins", "train-vs-test", "mi-stability")


@dataclass(frozen=True)
class Experiment:
    """One ablation on one dataset.

    Attributes:
        ablation: which one.
        choice: the dataset.
        effort: how thoroughly.
    """

    ablation: Ablation
    choice: Choice
    effort: str

    @property
    def dataset(self) -> Dataset:
        """The data itself."""
        return load_choice(self.choice)

    @property
    def spec(self) -> SweepSpec:
        """The sweep that answers the question."""
        return self.ablation.spec(self.choice.data, effort=self.effort, label=_called(self.choice))

    @property
    def sweep(self) -> str | None:
        """The id of that sweep; None until it was started."""
        return submitted_sweep(self.spec, self.choice)


def ablation_names() -> list[str]:
    """All ablations, those of the paper first and in its order."""
    known = available_ablations()
    return [name for name in ORDER if name in known] + [name for name in known if name not in ORDER]


def current_experiment(choice: Choice) -> Experiment | None:
    """What the address asks for; None while no ablation is chosen."""
    name = st.query_params.get(ABLATION, "")
    if name not in available_ablations():
        return None
    return Experiment(get_ablation(name), choice, current_effort())


def current_effort() -> str:
    """How thoroughly to train, from the address."""
    given = st.query_params.get(EFFORT, _USUAL_EFFORT)
    return given if given in EFFORTS else _USUAL_EFFORT


def _called(choice: Choice) -> str:
    return choice.dataset if choice.table_id is None else find_table(choice.table_id).name
