"""Speaks Streamlit's protocol without a browser, and says what a browser never would."""

from collections.abc import Sequence
from typing import Any
from urllib.parse import urlparse

from playwright.sync_api import BrowserContext
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

_QUIET = 3.0  # seconds without a word, after which nothing more is expected


def connection(viewer: BrowserContext, address: str, session: str = "") -> ClientConnection:
    """Connects with the cookies of a viewer, to a session of their own or one they name."""
    cookies = {one["name"]: one["value"] for one in viewer.cookies()}
    token = cookies.get("_streamlit_xsrf", "")
    host = urlparse(address).netloc
    return connect(
        f"ws://{host}/_stcore/stream",
        origin=address,  # type: ignore[arg-type]
        subprotocols=[part for part in ("streamlit", token, session) if part],  # type: ignore[misc]
        additional_headers={"Cookie": "; ".join(f"{k}={v}" for k, v in cookies.items())},
        max_size=None,
    )


def rerun(page: str, query: str, pressed: Sequence[str] = (), **states: str) -> BackMsg:
    """Asks for a page with an address, as if buttons had been pressed and texts been entered."""
    message = BackMsg()
    message.rerun_script.page_name = page
    message.rerun_script.query_string = query
    for button in pressed:
        state = message.rerun_script.widget_states.widgets.add()
        state.id, state.trigger_value = button, True
    for name, value in states.items():
        state = message.rerun_script.widget_states.widgets.add()
        state.id, state.string_value = name, value
    return message


def asking_for(file: str) -> BackMsg:
    """Asks for a file that some page has offered."""
    message = BackMsg()
    message.backend_operation_request.request_id = "1"
    message.backend_operation_request.deferred_file.file_id = file
    return message


def answers(socket: ClientConnection, message: BackMsg) -> bytes:
    """Sends a message and returns all that comes back until the server falls silent."""
    heard: list[bytes] = []
    socket.send(message.SerializeToString())
    try:
        while True:
            heard.append(bytes(socket.recv(timeout=_QUIET, decode=False)))
            if _ends(heard[-1]):
                break
    except (TimeoutError, ConnectionClosed):
        pass
    return b"\n".join(heard)


def _ends(frame: bytes) -> bool:
    message: Any = ForwardMsg()
    message.ParseFromString(frame)
    return message.WhichOneof("type") == "script_finished"
