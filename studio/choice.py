"""Which dataset a viewer works with, kept in the address so that a refresh or a link finds it."""

from dataclasses import dataclass, replace
from typing import Final

import streamlit as st

from studio.tables import TABLE_PREFIX

UPLOAD_ERROR: Final = "upload_error"
_MEMORY: Final = "choice"
# What the address leaves out because it is the usual case.
_USUAL: Final = {"task": "auto", "fairness": "dp"}
_OWN_PARAMETERS: Final = (
    "dataset",
    "target",
    "sensitive",
    "task",
    "positive",
    "leave_out",
    "edges",
    "node_id",
    "fairness",
)


@dataclass(frozen=True)
class Choice:
    """A dataset, the notion of fairness, and for a user's own table the role of its columns.

    Attributes:
        dataset: name of a built-in dataset, or ``table-`` and the id of a kept table.
        target: column to predict; None until the user has picked the columns.
        sensitive: column of the sensitive attribute; None as above.
        task: ``"auto"``, ``"classification"`` or ``"regression"``.
        leave_out: columns that are not used as features.
        positive: which of two classes counts as positive; None for the usual rule.
        edges: id of a kept list of edges between the rows, or None.
        node_id: column that the edges refer to; None for row numbers.
        fairness: ``"dp"`` (demographic parity) or ``"eo"`` (equal opportunity).
    """

    dataset: str
    target: str | None = None
    sensitive: str | None = None
    task: str = "auto"
    leave_out: tuple[str, ...] = ()
    positive: str | None = None
    edges: str | None = None
    node_id: str | None = None
    fairness: str = "dp"

    @property
    def table_id(self) -> str | None:
        """Id of the kept table, or None for a built-in dataset."""
        own = self.dataset.startswith(TABLE_PREFIX)
        return self.dataset.removeprefix(TABLE_PREFIX) if own else None

    @property
    def data(self) -> "Choice":
        """The same data whatever notion of fairness it is judged by; for caches."""
        return replace(self, fairness="dp")

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
            positive=parameters.get("positive"),
            edges=parameters.get("edges"),
            node_id=parameters.get("node_id"),
            fairness="eo" if parameters.get("fairness") == "eo" else "dp",
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


def change(choice: Choice) -> None:
    """Makes a slightly different choice the current one; the view stays as it is set."""
    st.session_state[_MEMORY] = choice
    for name in _OWN_PARAMETERS:
        st.query_params.pop(name, None)
    _write(choice)


def address_of(choice: Choice) -> dict[str, str | list[str]]:
    """The parameters that carry a choice to another page."""
    values = {name: getattr(choice, name) for name in _OWN_PARAMETERS}
    given = {name: value for name, value in values.items() if value and value != _USUAL.get(name)}
    return {
        name: list(value) if isinstance(value, tuple) else value for name, value in given.items()
    }


def _write(choice: Choice) -> None:
    st.query_params.update(address_of(choice))
