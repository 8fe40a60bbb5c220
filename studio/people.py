"""Who is in front of a page, and which role they have; without a login everybody may do all."""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal

import streamlit as st
from streamlit import runtime
from streamlit.runtime.scriptrunner import get_script_run_ctx

from frem_core.commands.studio import login_is_set_up
from frem_core.errors import FremError

Role = Literal["viewer", "author", "administrator"]

ALLOW: Final = "FREM_ALLOW"
"""Addresses that may log in, separated by commas; a name like @example.org stands for a domain."""
AUTHORS: Final = "FREM_AUTHORS"
"""Who may bring tables and train, in the same form; without it, everybody who is admitted."""
ADMINISTRATORS: Final = "FREM_ADMINISTRATORS"
"""Who may see and delete everything, and look at the health of the server; without it, nobody."""

JOBS: Final = "FREM_QUOTA_JOBS"
"""How many pieces of work (reading, audits, probes, models) one person may have under way."""


class NotAllowedError(FremError):
    """Somebody asked for what their role or their share does not allow."""


@dataclass(frozen=True)
class Person:
    """Somebody who looks at a page.

    Attributes:
        name: their address, in small letters; None where nobody has to log in.
        role: what they may do.
    """

    name: str | None
    role: Role

    @property
    def is_author(self) -> bool:
        """Whether they may bring tables and train."""
        return self.role != "viewer"

    @property
    def is_administrator(self) -> bool:
        """Whether they may see and change what belongs to others."""
        return self.role == "administrator"


#: This machine's own user, and a child of the server: it works for somebody who was asked before.
ANYBODY: Final = Person(None, "administrator")


def the_person() -> Person:
    """The person whose session this is.

    Raises:
        FremError: they are not logged in (any more), or it is not said who asks.
    """
    if not login_is_set_up() or not _is_server():
        return ANYBODY
    claims = dict(st.user) if st.user.is_logged_in else {}
    person = person_of(claims) if claims else None
    if person is None:
        raise FremError("Please log in; what you look at belongs to people who did.")
    return person


def _is_server() -> bool:
    """Whether people may be in front of this process; a child of the server has none."""
    return runtime.exists() or get_script_run_ctx(suppress_warning=True) is not None


def person_of(claims: Mapping[str, Any]) -> Person | None:
    """The person whom a login describes; None when they may not come in.

    An address that the provider itself calls unverified counts as none: anybody could have
    written it there.
    """
    if claims.get("email_verified") is False:
        return None
    address = str(claims.get("email") or "").strip().casefold()
    if not is_admitted(address):
        return None
    return Person(address or f"account {claims.get('sub', '')}", role_of(address))


def is_admitted(address: str) -> bool:
    """Whether somebody may come in: on the list, or named for a role; no list admits everybody."""
    lists = [os.environ.get(name, "") for name in (ALLOW, AUTHORS, ADMINISTRATORS)]
    return not lists[0].strip() or any(is_on(address, one) for one in lists)


def role_of(address: str) -> Role:
    """The role of somebody who may come in."""
    if is_on(address, os.environ.get(ADMINISTRATORS, "")):
        return "administrator"
    authors = os.environ.get(AUTHORS, "")
    return "author" if not authors.strip() or is_on(address, authors) else "viewer"


def is_on(address: str, entries: str) -> bool:
    """Whether an address is on a list.

    >>> is_on("ann@example.org", "bob@example.com, @example.org")
    True
    >>> is_on("ann@example.org", "bob@example.com"), is_on("", "@example.org"), is_on("", "")
    (False, False, False)
    """
    known = [one.strip().casefold() for one in entries.split(",") if one.strip()]
    name = address.casefold()
    domain = "@" + name.rpartition("@")[2]
    return bool(name) and any(one in (name, domain) for one in known)
