"""Who may come in: this machine's own user, or those whom the login and the allow-list know."""

import streamlit as st

from frem_core.commands.studio import check_address, login_is_set_up
from frem_core.errors import FremError
from frem_core.figures import plain_text
from studio.people import ALLOW, person_of

_ROLES = {
    "viewer": "You look at results. Ask the administrator to become an author.",
    "author": "You bring tables and train; you change and delete what is yours.",
    "administrator": "You see and change everything.",
}


def admit() -> None:
    """Ends the page, with a sentence why, for everybody who may not see it."""
    if login_is_set_up():
        _admit_known_people()
        return
    try:
        address, hosts = st.get_option("server.address"), st.get_option("server.allowedHosts")
        check_address(address or "0.0.0.0", hosts)
    except FremError as error:
        st.error(plain_text(error, longest=None), icon=":material/lock:")
        st.stop()


def _admit_known_people() -> None:
    if not st.user.is_logged_in:
        st.title("FREM Studio", anchor=False)
        st.markdown("Please log in to go on.")
        st.button("Log in", type="primary", on_click=st.login, key="log_in")
        st.stop()
    claims = dict(st.user)
    person = person_of(claims)
    if person is None:
        address = str(claims.get("email") or "This account, which has no e-mail address,")
        reason = (
            "has an e-mail address that its provider has not verified. Verify it there, then log "
            "in again."
            if claims.get("email_verified") is False
            else "is not on the list of people who may use this FREM Studio. Ask its "
            f"administrator ({ALLOW})."
        )
        st.error(plain_text(f"{address} {reason}", longest=None), icon=":material/lock:")
        st.button("Log out", on_click=st.logout, key="log_out")
        st.stop()
    with st.sidebar:
        words = f"Logged in as {person.name} ({person.role})"
        st.caption(plain_text(words, longest=None), help=_ROLES[person.role])
        st.button("Log out", on_click=st.logout, key="log_out", type="tertiary")
