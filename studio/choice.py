"""Which dataset a viewer works with, kept in the address so that a refresh or a link finds it."""

from dataclasses import dataclass, replace
from typing import Any, Final

import streamlit as st

from frem_core.datasets import DatasetSpec
from frem_core.datasets.dataset_spec import ADDRESS_PARAMETERS

UPLOAD_ERROR: Final = "upload_error"
_MEMORY: Final = "choice"
_FAIRNESS: Final = "fairness"


@dataclass(frozen=True)
class Choice:
    """A dataset and the notion of fairness it is judged by.

    Attributes:
        data: the dataset; a user's table has no target until the columns were picked.
        fairness: ``"dp"`` (demographic parity) or ``"eo"`` (equal opportunity).
    """

    data: DatasetSpec
    fairness: str = "dp"

    @classmethod
    def built_in(cls, name: str) -> "Choice":
        """A built-in dataset."""
        return cls(DatasetSpec(name=name))

    @classmethod
    def of_table(cls, table_id: str) -> "Choice":
        """A kept table whose columns have no roles yet."""
        return cls(DatasetSpec(table=table_id))

    @property
    def dataset(self) -> str:
        """What the address and widgets call the dataset."""
        return self.data.key

    @property
    def table_id(self) -> str | None:
        """Id of the kept table, or None for a built-in dataset."""
        return self.data.table

    @property
    def is_complete(self) -> bool:
        """Whether there is enough to load the dataset."""
        return self.data.is_complete

    def with_data(self, **changes: Any) -> "Choice":
        """The same but for some roles of the columns, or the edges."""
        return replace(self, data=replace(self.data, **changes))


def current_choice() -> Choice | None:
    """The choice in the address; without one, what this viewer chose before on any page."""
    parameters = st.query_params
    if "dataset" in parameters:
        given = {name: parameters.get_all(name) for name in ADDRESS_PARAMETERS}
        fairness = "eo" if parameters.get(_FAIRNESS) == "eo" else "dp"
        choice = Choice(DatasetSpec.from_address(given), fairness)
        st.session_state[_MEMORY] = choice
        return choice
    remembered: Choice | None = st.session_state.get(_MEMORY)
    if remembered is not None:
        st.query_params.update(address_of(remembered))
    return remembered


def remembered_choice() -> Choice | None:
    """The same without changing anything: for those who only look."""
    parameters = st.query_params
    if "dataset" in parameters:
        given = {name: parameters.get_all(name) for name in ADDRESS_PARAMETERS}
        return Choice(DatasetSpec.from_address(given))
    remembered: Choice | None = st.session_state.get(_MEMORY)
    return remembered


def choose(choice: Choice | None) -> None:
    """Makes a choice the current one; what was set for the view of another one is dropped."""
    st.session_state[_MEMORY] = choice
    st.session_state.pop(UPLOAD_ERROR, None)
    st.query_params.clear()
    if choice is not None:
        st.query_params.update(address_of(choice))


def change(choice: Choice) -> None:
    """Makes a slightly different choice the current one; the view stays as it is set."""
    st.session_state[_MEMORY] = choice
    for name in (*ADDRESS_PARAMETERS, _FAIRNESS):
        st.query_params.pop(name, None)
    st.query_params.update(address_of(choice))


def address_of(choice: Choice) -> dict[str, str | list[str]]:
    """The parameters that carry a choice to another page."""
    usual = choice.fairness == "dp"
    return choice.data.to_address() | ({} if usual else {_FAIRNESS: choice.fairness})
