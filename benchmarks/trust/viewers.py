"""Viewers who speak the dashboard's WebSocket as a browser does, without the cost of drawing.

Each opens pages one after another, looks at them for a while and, as a browser would, asks for
every live part again as often as the page says. What a page costs the server is all there; what
it costs a browser to draw is not.
"""

import asyncio
import random
import threading
import time
from collections import defaultdict
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Final
from urllib.parse import urlparse

from streamlit.proto.Alert_pb2 import Alert
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException

_THINKING: Final = (5.0, 15.0)  # seconds that somebody looks at a page
_PATIENCE: Final = 60.0  # seconds after which a page that is not there counts as an error

Place = tuple[str, str]  # a page as addresses name it, and what follows the question mark


@dataclass
class Seen:
    """What viewers met: seconds until a page was there, by page, and what went wrong."""

    waits: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    live: int = 0
    errors: list[str] = field(default_factory=list)


class Viewer:
    """One browser tab.

    Args:
        address: of the dashboard.
        places: the pages that are opened in turn.
        seen: where to write down what happens.
        number: which of the viewers; decides where it begins and how long it thinks.
    """

    def __init__(self, address: str, places: Sequence[Place], seen: Seen, number: int) -> None:
        self._address, self._places, self._seen = address, places, seen
        self._next, self._random = number, random.Random(number)
        self._page, self._query, self._script = "", "", ""
        self._is_begun, self._is_there = False, asyncio.Event()
        self._timers: dict[str, asyncio.Task[None]] = {}

    async def watch(self, stop: asyncio.Event) -> None:
        """Opens pages until told to stop; whatever happens is noted, nothing is raised."""
        url = f"ws://{urlparse(self._address).netloc}/_stcore/stream"
        try:
            async with connect(
                url,
                origin=self._address,  # type: ignore[arg-type]
                subprotocols=["streamlit"],  # type: ignore[list-item]
                max_size=None,
                open_timeout=_PATIENCE,
                ping_timeout=None,
            ) as socket:
                listening = asyncio.create_task(self._listen(socket))
                try:
                    await self._walk(socket, stop)
                finally:
                    self._end_timers()
                    listening.cancel()
                    with suppress(asyncio.CancelledError):
                        await listening
        except (OSError, WebSocketException) as error:
            self._seen.errors.append(f"{self._page}: the connection broke ({error})")

    async def _walk(self, socket: ClientConnection, stop: asyncio.Event) -> None:
        await _pause(stop, self._random.uniform(0, _THINKING[0]))  # not all at the same moment
        while not stop.is_set():
            page, self._query = self._places[self._next % len(self._places)]
            self._page = page or "Start"
            self._next += 1
            self._end_timers()
            self._is_begun = False
            self._is_there.clear()
            began = time.perf_counter()
            await self._ask(socket, page_name=page)
            try:
                await asyncio.wait_for(self._is_there.wait(), _PATIENCE)
            except TimeoutError:
                self._seen.errors.append(f"{self._page}: not there after {_PATIENCE:g} s")
            self._seen.waits[self._page].append(time.perf_counter() - began)
            await _pause(stop, self._random.uniform(*_THINKING))

    async def _ask(self, socket: ClientConnection, **what: Any) -> None:
        message = BackMsg()
        message.rerun_script.query_string = self._query
        for name, value in what.items():
            setattr(message.rerun_script, name, value)
        await socket.send(message.SerializeToString())

    async def _listen(self, socket: ClientConnection) -> None:
        async for frame in socket:
            message: Any = ForwardMsg()
            message.ParseFromString(frame)
            self._take(socket, message)

    def _take(self, socket: ClientConnection, message: Any) -> None:
        match message.WhichOneof("type"):
            case "new_session":
                self._script = message.new_session.page_script_hash
                if not message.metadata.run.fragment_ids:  # the whole page, not a live part of it
                    self._is_begun = True
                    self._end_timers()
            case "auto_rerun":
                part = message.auto_rerun
                self._start_timer(socket, part.fragment_id, part.interval)
            case "stop_auto_rerun":
                for name in message.stop_auto_rerun.fragment_ids:
                    if timer := self._timers.pop(name, None):
                        timer.cancel()
            case "script_finished":
                self._take_end(message.script_finished)
            case "page_not_found":
                self._seen.errors.append(f"{self._page}: there is no such page")
            case "delta" if message.delta.WhichOneof("type") == "new_element":
                self._take_element(message.delta.new_element)

    def _take_end(self, status: int) -> None:
        if status == ForwardMsg.FINISHED_SUCCESSFULLY:
            self._is_there.set()
        elif status == ForwardMsg.FINISHED_FRAGMENT_RUN_SUCCESSFULLY:
            self._seen.live += 1
            # Streamlit loses the word that a page is done when a live part is asked for at that
            # very moment; the part is drawn after the page.
            if self._is_begun:
                self._is_there.set()
        elif status == ForwardMsg.FINISHED_WITH_COMPILE_ERROR:
            self._seen.errors.append(f"{self._page}: the page did not run")

    def _take_element(self, element: Any) -> None:
        kind = element.WhichOneof("type")
        if kind == "exception":
            self._seen.errors.append(f"{self._page}: {element.exception.type}")
        elif kind == "alert" and element.alert.format == Alert.ERROR:
            self._seen.errors.append(f"{self._page}: {element.alert.body[:200]}")

    def _start_timer(self, socket: ClientConnection, name: str, seconds: float) -> None:
        async def again() -> None:
            while True:
                await asyncio.sleep(seconds)
                await self._ask(
                    socket, page_script_hash=self._script, fragment_id=name, is_auto_rerun=True
                )

        if name not in self._timers:
            self._timers[name] = asyncio.create_task(again())

    def _end_timers(self) -> None:
        for timer in self._timers.values():
            timer.cancel()
        self._timers.clear()


async def _pause(stop: asyncio.Event, seconds: float) -> None:
    with suppress(TimeoutError):
        await asyncio.wait_for(stop.wait(), seconds)


class Crowd:
    """Several viewers at once, in a thread of their own, until the block ends."""

    def __init__(self, address: str, places: Sequence[Place], count: int) -> None:
        self.seen = Seen()
        self._address, self._places, self._count = address, places, count
        self._loop = asyncio.new_event_loop()
        self._stop = asyncio.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)

    def __enter__(self) -> "Crowd":
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._loop.call_soon_threadsafe(self._stop.set)
        self._thread.join()
        self._loop.close()

    def _run(self) -> None:
        async def everybody() -> None:
            viewers = [
                Viewer(self._address, self._places, self.seen, number)
                for number in range(self._count)
            ]
            await asyncio.gather(*(viewer.watch(self._stop) for viewer in viewers))

        self._loop.run_until_complete(everybody())
