"""Speaks Streamlit's protocol without a browser, and says what a browser never would."""

from collections.abc import Sequence
from contextlib import suppress
from typing import Any
from urllib.parse import urlparse

from playwright.sync_api import BrowserContext
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

_PATIENCE = 300.0  # seconds; a busy machine is slow, not wrong


def connection(viewer: BrowserContext | None, address: str, session: str = "") -> ClientConnection:
    """Connects with the cookies of a viewer, to a session of their own or one they name."""
    known = [] if viewer is None else viewer.cookies()
    cookies = {one["name"]: one["value"] for one in known}
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
    """Sends a message and returns all that comes back until the page is drawn."""
    return b"\n".join(_frames(socket, message))


def drawn(socket: ClientConnection, message: BackMsg) -> list[Any]:
    """The same as elements of a page, in their order."""
    messages = [_read(frame) for frame in _frames(socket, message)]
    deltas = [one.delta for one in messages if one.WhichOneof("type") == "delta"]
    return [one.new_element for one in deltas if one.WhichOneof("type") == "new_element"]


def _frames(socket: ClientConnection, message: BackMsg) -> list[bytes]:
    heard: list[bytes] = []
    socket.send(message.SerializeToString())
    with suppress(ConnectionClosed):
        while not (heard and _ends(heard[-1])):
            heard.append(bytes(socket.recv(timeout=_PATIENCE, decode=False)))
    return heard


def _ends(frame: bytes) -> bool:
    """Whether the page is drawn; one that begins anew by itself is not."""
    message = _read(frame)
    is_over: bool = message.WhichOneof("type") == "script_finished"
    return is_over and message.script_finished != ForwardMsg.FINISHED_EARLY_FOR_RERUN


def _read(frame: bytes) -> Any:
    message: Any = ForwardMsg()
    message.ParseFromString(frame)
    return message
