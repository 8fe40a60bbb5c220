"""What the dashboard's web server adds to Streamlit, around every request.

Headers keep foreign pages from framing ours and ours from asking anybody else for anything. Where
people log in, a file that a page offers is given to the login it was offered to and to no other,
however they came by its address.
"""

import asyncio
import base64
import gc
import hashlib
import os
import re
import secrets
import sys
import threading
from collections import OrderedDict
from collections.abc import Iterable
from pathlib import Path
from typing import Final

import streamlit
from starlette.middleware import Middleware
from starlette.requests import HTTPConnection, Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from streamlit.proto.BackMsg_pb2 import BackMsg

from frem_core.commands.studio import login_is_set_up


def _inline_scripts() -> str:
    """The scripts inside Streamlit's own page by their hashes; no other one is run."""
    page = Path(str(streamlit.__file__)).with_name("static") / "index.html"
    scripts = re.findall(r"<script>(.*?)</script>", page.read_text(encoding="utf-8"), re.DOTALL)
    hashes = (hashlib.sha256(script.encode()).digest() for script in scripts)
    return " ".join(f"'sha256-{base64.b64encode(one).decode()}'" for one in hashes)


#: Streamlit sets styles from scripts; charts and pictures of them are blobs.
POLICY: Final = "; ".join(
    (
        "default-src 'self'",
        f"script-src 'self' {_inline_scripts()}",
        "style-src 'self' 'unsafe-inline'",
        "img-src 'self' data: blob:",
        "font-src 'self' data:",
        "connect-src 'self' data: blob:",
        "worker-src 'self' blob:",
        "frame-src 'self'",
        "frame-ancestors 'none'",
        "object-src 'none'",
        "base-uri 'self'",
        "form-action 'self'",
    )
)
_HEADERS: Final = (
    (b"content-security-policy", POLICY.encode()),
    (b"x-frame-options", b"DENY"),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), geolocation=(), microphone=(), payment=(), usb=()"),
)
_OWN: Final = frozenset(name for name, _ in _HEADERS)
_LOGIN: Final = "_streamlit_user"  # Streamlit's cookie, in parts when it is long
_MEDIA: Final = "/media/"
_STATIC: Final = "/static/"
# Files by the hash of their content, and what a click on a download will ask for.
_OFFERS: Final = re.compile(rb"(?<![0-9a-f])(?:[0-9a-f]{56,64}|[0-9a-f]{32})(?![0-9a-f])")
_MOST_OFFERS: Final = 50_000
_COLLECT_EVERY: Final = 20.0  # seconds; a search takes a fifth of one


class Headers:
    """Adds the headers to every answer."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Hands the request on."""

        async def answer(message: Message) -> None:
            if message["type"] == "http.response.start":
                kept = [pair for pair in message.get("headers", ()) if pair[0].lower() not in _OWN]
                message["headers"] = [*kept, *_HEADERS]
            await send(message)

        await self._app(scope, receive, answer if scope["type"] == "http" else send)


class OwnDownloads:
    """Gives a file only to the login whose page named it, where people log in.

    Streamlit serves a file to whoever knows its address. This remembers which names went to which
    login over its WebSocket. A login is told by its signed cookie: one that is made up is shown
    nothing, so nothing is remembered for it.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self._offers: OrderedDict[tuple[str, str], None] = OrderedDict()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Hands the request on, or refuses it."""
        if scope["type"] not in ("http", "websocket") or not login_is_set_up():
            await self._app(scope, receive, send)
        elif scope["type"] == "websocket":
            await self._listen(scope, receive, send)
        elif _MEDIA in scope["path"] and not self._may_fetch(_login(scope), scope["path"]):
            answer = PlainTextResponse("This file was not offered to you.", status_code=403)
            await answer(scope, receive, send)
        else:
            await self._app(scope, receive, send)

    async def _listen(self, scope: Scope, receive: Receive, send: Send) -> None:
        login = _login(scope)

        async def tell(message: Message) -> None:
            if login and message["type"] == "websocket.send":
                self._remember(login, _names(message.get("bytes") or b""))
            await send(message)

        async def hear() -> Message:
            while True:
                message = await receive()
                content = message.get("bytes") or b""
                if message["type"] != "websocket.receive" or self._may_ask(login, content):
                    return message

        await self._app(scope, hear, tell)

    def _may_fetch(self, login: str, path: str) -> bool:
        """Whether a file was offered, or is a font of Streamlit's, which no hash names."""
        names = _names(path.rpartition(_MEDIA)[2].encode())
        return self._was_offered(login, names) if names else _STATIC in path

    def _may_ask(self, login: str, content: bytes) -> bool:
        """Whether a message of a browser asks for nothing that another one was offered."""
        asked = BackMsg()
        try:
            asked.ParseFromString(content)
        except Exception:
            return True  # Streamlit says what it thinks of it
        if asked.WhichOneof("type") == "clear_cache":
            return False  # what is kept for all viewers is not one viewer's to throw away
        wanted = asked.backend_operation_request.deferred_file.file_id
        return not wanted or self._was_offered(login, _names(wanted.encode()))

    def _remember(self, login: str, names: Iterable[str]) -> None:
        for name in names:
            self._offers[login, name] = None
            self._offers.move_to_end((login, name))
        while len(self._offers) > _MOST_OFFERS:
            self._offers.popitem(last=False)

    def _was_offered(self, login: str, names: list[str]) -> bool:
        return bool(login and names) and all((login, name) in self._offers for name in names)


def _names(content: bytes) -> list[str]:
    return [found.decode() for found in _OFFERS.findall(content)]


def _login(scope: Scope) -> str:
    """Stands for the login of a connection; "" without one."""
    cookies = HTTPConnection(scope).cookies
    parts = [f"{name}={cookies[name]}" for name in sorted(cookies) if name.startswith(_LOGIN)]
    return hashlib.sha256("\n".join(parts).encode()).hexdigest() if parts else ""


def collect_in_turn(every: float = _COLLECT_EVERY) -> threading.Event:
    """Throws away what old pages left, from a thread of its own; returns what would end it.

    Figures refer to themselves, so they stay until somebody searches for them; Python alone would
    wait until there are very many. What came with modules stays for good and is left out of the
    search, during which every page waits.
    """
    ended = threading.Event()

    def collect() -> None:
        known = 0
        while not ended.wait(every):
            gc.collect()
            if len(sys.modules) > known:
                known = len(sys.modules)
                gc.freeze()

    threading.Thread(target=collect, name="collect", daemon=True).start()
    return ended


async def _metrics(request: Request) -> Response:
    """Metrics for Prometheus, for those who know the token."""
    token = os.environ.get(METRICS_TOKEN, "").strip()
    given = request.headers.get("authorization", "").removeprefix("Bearer ")
    if not token or not secrets.compare_digest(given.encode(), token.encode()):
        return PlainTextResponse("Not found", status_code=404)
    text = await asyncio.to_thread(_read_metrics)
    return Response(text, media_type="text/plain; version=0.0.4; charset=utf-8")


def _read_metrics() -> bytes:
    from frem_core.store import open_store
    from frem_core.watching import health_of
    from frem_core.watching.metrics import metrics_text

    store = open_store()
    try:
        return metrics_text(health_of(store))
    finally:
        store.close()


METRICS_TOKEN: Final = "FREM_METRICS_TOKEN"
"""Whoever sends it as a bearer token gets /metrics; without it there is no such page."""
ROUTES: Final = (Route("/metrics", _metrics),)
"""What the server answers besides Streamlit's own."""
MIDDLEWARE: Final = (Middleware(Headers), Middleware(OwnDownloads))
"""In the order in which a request passes them."""
