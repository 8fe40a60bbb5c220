"""The form of a sweep as a viewer left it: found again after a reload.

Widgets live as long as a browser's session, and a reload begins a new one. What was filled in is
kept by the server under a short name that stands in the address.
"""

import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

import streamlit as st

from studio.people import the_person
from studio.train.fields import FieldValue

_ADDRESS: Final = "draft"
_MOST: Final = 500
_PLAIN: Final = (bool, int, float, str, list, tuple, FieldValue)


@st.cache_resource(show_spinner=False)
def _drafts() -> dict[tuple[str | None, str], dict[str, Any]]:
    """What viewers filled in, by name; shared by all sessions of this server."""
    return {}


@contextmanager
def kept_draft(key: str) -> Iterator[None]:
    """Draws a form inside this block: it starts as it was left, and is kept when it changes.

    Args:
        key: with which the keys of all widgets of the form begin.
    """
    seen = f"draft-of-{key}"
    if seen not in st.session_state:
        kept = _drafts().get(_named(st.query_params.get(_ADDRESS, "")), {})
        for name, value in kept.items():
            if name.startswith(key) and name not in st.session_state:
                st.session_state[name] = value
    try:
        yield
    finally:
        _keep(key, seen)


def _keep(key: str, seen: str) -> None:
    now = {
        str(name): value
        for name, value in st.session_state.items()
        if str(name).startswith(key) and isinstance(value, _PLAIN)
    }
    first = st.session_state.setdefault(seen, _picture(now))
    name = st.query_params.get(_ADDRESS, "")
    drafts = _drafts()
    if _picture(now) == first and _named(name) not in drafts:
        return
    if _named(name) not in drafts:
        name = secrets.token_hex(4)
        while len(drafts) >= _MOST:
            del drafts[next(iter(drafts))]
        st.query_params[_ADDRESS] = name
    drafts[_named(name)] = now


def _named(name: str) -> tuple[str | None, str]:
    """A draft is its writer's; others who know its name find nothing."""
    return the_person().name, name


def _picture(values: dict[str, Any]) -> str:
    """The values as text: what is compared must not change with them."""
    return repr(sorted(values.items(), key=lambda item: item[0]))
