"""Settings of a view in the address, so that a refresh or a link shows the same view."""

import math
from collections.abc import Sequence

import streamlit as st

_PAGE, _ARRIVED = "page-title", "page-arrived"


def number_in_address(name: str, *, default: int, low: int, high: int) -> int:
    """A whole number from the address; anything outside ``low`` … ``high`` is the default."""
    text = st.query_params.get(name, "")
    number = int(text) if text.isascii() and text.isdigit() and len(text) < 10 else default
    return number if low <= number <= high else default


def decimal_in_address(name: str) -> float | None:
    """A finite number from the address, or None."""
    try:
        number = float(st.query_params.get(name, ""))
    except ValueError:
        return None
    return number if math.isfinite(number) else None


def names_in_address(name: str, *, allowed: Sequence[str], default: Sequence[str]) -> list[str]:
    """Names from the address that are allowed; the default when there are none."""
    known = set(allowed)
    given = [text for text in st.query_params.get_all(name) if text in known]
    return list(dict.fromkeys(given)) or [text for text in default if text in known]


def note_page(title: str) -> None:
    """Notes which page a viewer is on; every page does so when it is set up."""
    st.session_state[_ARRIVED] = st.session_state.get(_PAGE) != title
    st.session_state[_PAGE] = title


def remember_address(page: str) -> None:
    """Gives a page that was left through the menu its address back; call it first.

    Only on arrival: an address that is emptied on the page itself stays empty.
    """
    memory = _memory(page)
    if st.session_state.get(_ARRIVED) and not st.query_params and memory in st.session_state:
        st.query_params.from_dict(st.session_state[memory])
    keep_address(page)


def keep_address(page: str) -> None:
    """Remembers the address as it is now; a fragment that changes it calls this."""
    st.session_state[_memory(page)] = {
        name: st.query_params.get_all(name) for name in st.query_params
    }


def _memory(page: str) -> str:
    return f"address-of-{page}"


def to_address(name: str, widget_key: str) -> None:
    """Callback of a widget: writes its value into the address."""
    value = st.session_state[widget_key]
    if isinstance(value, list) and not value:
        st.query_params.pop(name, None)
    else:
        st.query_params[name] = value
