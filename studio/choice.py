"""Which dataset a viewer works with, kept in the address so that a refresh or a link finds it."""

from dataclasses import dataclass
from typing import Final

import streamlit as st

from studio.tables import TABLE_PREFIX

UPLOAD_ERROR: Final = "upload_error"
_MEMORY: Final = "choice"
_OWN_PARAMETERS: Final = ("dataset", "target", "sensitive", "task", "leave_out")


@dataclass(frozen=True)
class Choice:
    """A dataset and, for a table of the user's own, the role of its columns.

    Attributes:
        dataset: name of a built-in dataset, or ``table-`` and the id of a kept table.
        target: column to predict; None until the user has picked the columns.
        sensitive: column of the sensitive attribute; None as above.
        task: ``"auto"``, ``"classification"`` or ``"regression"``.
        leave_out: columns that are not used as features.
    """

    dataset: str
    target: str | None = None
    sensitive: str | None = None
    task: str = "auto"
    leave_out: tuple[str, ...] = ()

    @property
    def table_id(self) -> str | None:
        """Id of the kept table, or None for a built-in dataset."""
        own = self.dataset.startswith(TABLE_PREFIX)
        return self.dataset.removeprefix(TABLE_PREFIX) if own else None

    @property
    def is_complete(self) -> bool:
        """Whether there is enough to load the dataset."""
        return self.table_id is None or (self.target is not None and self.sensitive is not None)


def current_choice() -> Choice | None:
    """The choice in the address; without one, what this viewer chose before on any page."""
    parameters = st.query_params
    if "dataset" in parameters:
        choice = Choice(
            dataset=parameters["dataset"],
            target=parameters.get("target"),
            sensitive=parameters.get("sensitive"),
            task=parameters.get("task", "auto"),
            leave_out=tuple(parameters.get_all("leave_out")),
        )
        st.session_state[_MEMORY] = choice
        return choice
    remembered: Choice | None = st.session_state.get(_MEMORY)
    if remembered is not None:
        _write(remembered)
    return remembered


def choose(choice: Choice | None) -> None:
    """Makes a choice the current one; what was set for the view of another one is dropped."""
    st.session_state[_MEMORY] = choice
    st.session_state.pop(UPLOAD_ERROR, None)
    st.query_params.clear()
    if choice is not None:
        _write(choice)


def _write(choice: Choice) -> None:
    values = {name: getattr(choice, name) for name in _OWN_PARAMETERS}
    if choice.task == "auto":
        values["task"] = None
    st.query_params.update({name: value for name, value in values.items() if value})
