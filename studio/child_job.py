"""Work beside a page: a child process that reports, and the job that follows it to its end.

A page must not compute for seconds: Python's lock would make every viewer wait. So the work is done
by a child, ``python -m studio.….…_child``, that reports as it goes::

    page ── start, stop ──▶ ChildJob ── starts, ends ──▶ child: `studio.child.run_child`
      ▲                        │  ▲                        │
      └── state, message ──────┘  └── a JSON object a line ┘

Whatever becomes of the child (it is killed, reports nonsense, raises an error nobody foresaw,
cannot start, takes too long), the job ends in a final state with a sentence for users, and may be
started again. A job belongs to the server, not to a browser tab: a refresh finds it as it is.
"""

import contextlib
import json
import logging
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any, ClassVar, Final, Literal

from studio.rights import take_place

__all__ = ["ChildJob", "JobState"]

logger = logging.getLogger(__name__)
JobState = Literal["waiting", "running", "done", "failed", "stopped"]
_ROOT: Final = Path(__file__).resolve().parents[1]
_END: Final = "end"  # the key of the last report
_GRACE: Final = 10.0  # seconds that a child may take to exit after its last word
_SEE_TERMINAL: Final = "The terminal of the dashboard says more."


class ChildJob:
    """Follows one child process; a kind of job says what its reports mean.

    Args:
        arguments: of the child.
        order: what the child reads from its standard input.
        slots: how many such jobs may run at once; the others wait.
        patience: seconds after which the child is ended; None waits as long as it takes.

    Attributes:
        command: how Python runs the child (set by the kind of job).
        what: the work in words, as a sentence about it begins.
        if_killed: what users may do when the child was ended from outside.
        lock: held while a report is taken.
        state: ``"waiting"`` and ``"running"`` are followed by one of the others.
        message: what went wrong, for users; "" unless the state is ``"failed"``.
        is_foreseen: whether the child itself refused; it would refuse again.
        person: for whom it was started, where people log in.
    """

    command: ClassVar[tuple[str, ...]]
    what: ClassVar[str]
    if_killed: ClassVar[str] = ""

    def __init__(
        self,
        *arguments: str,
        order: object = None,
        slots: threading.Semaphore | None = None,
        patience: float | None = None,
    ) -> None:
        self.lock = threading.RLock()
        self.state: JobState = "waiting"
        self.message = ""
        self.is_foreseen = False
        self.arguments, self._order = arguments, order
        self._slots, self._patience = slots, patience
        self.person: str | None = None
        self._attempt = 0
        self._child: subprocess.Popen[str] | None = None
        self._thread: threading.Thread | None = None

    def take(self, news: dict[str, Any]) -> None:
        """Takes one report of the child; the lock is held."""
        raise NotImplementedError

    def forget(self) -> None:
        """Drops what was reported, before the work begins anew; the lock is held."""

    def ended(self) -> None:
        """Called once the state is final and the child is gone."""

    @property
    def has_begun(self) -> bool:
        """Whether it was started at least once."""
        return self._thread is not None

    @property
    def is_over(self) -> bool:
        """Whether nothing more will happen."""
        return self.state in ("done", "failed", "stopped")

    def start(self) -> None:
        """Starts the work, also once more after it ended; returns at once."""
        with self.lock:
            if self._thread is not None and not self.is_over:
                return
            self._attempt += 1
            self.state, self.message, self.is_foreseen = "waiting", "", False
            self.forget()
            trouble = take_place(self)
            if trouble:
                self.fail(trouble)
                return
            self._thread = threading.Thread(
                target=self._follow, args=(self._attempt,), name=self.what, daemon=True
            )
            try:
                self._thread.start()
            except RuntimeError as error:  # the system gives no more threads
                self._thread = None
                self.fail(f"{self.what} could not be started: {error}.")
                self.ended()

    def stop(self) -> None:
        """Ends the child; what was reported stays."""
        with self.lock:
            if not self.is_over:
                self.state = "stopped"
                self._kill()

    def fail(self, message: str, *, is_foreseen: bool = False) -> None:
        """Ends the work with a sentence for users, unless it is over."""
        with self.lock:
            if not self.is_over:
                self.state, self.message, self.is_foreseen = "failed", message, is_foreseen
                self._kill()

    def wait(self, timeout: float | None = None) -> None:
        """Blocks until the child is gone, or the timeout is over."""
        if self._thread is not None:
            self._thread.join(timeout)

    def _kill(self) -> None:
        if self._child is not None:
            self._child.kill()

    def _follow(self, attempt: int) -> None:
        """Runs the child to its end; whatever happens, the state is final then."""
        try:
            with self._slots or contextlib.nullcontext():
                self._run(attempt)
        except Exception as error:
            logger.exception("%s failed", self.what)
            self._give_up(attempt, _unforeseen(self.what, f"{type(error).__name__}: {error}"))
        if attempt == self._attempt:
            self.ended()

    def _is_current(self, attempt: int) -> bool:
        return attempt == self._attempt and not self.is_over

    def _give_up(self, attempt: int, message: str) -> None:
        with self.lock:
            if self._is_current(attempt):
                self.fail(message)

    def _run(self, attempt: int) -> None:
        with self.lock:
            if not self._is_current(attempt):
                return
            try:
                child = self._child = self._start_child()
            except OSError as error:
                self.fail(f"{self.what} could not be started: {error}.")
                return
            self.state = "running"
        with self._limited(attempt), child:
            self._listen(child, attempt)
            if self._is_current(attempt):  # silent without an end: its exit code will tell
                with contextlib.suppress(subprocess.TimeoutExpired):
                    child.wait(_GRACE)
            child.kill()  # it has nothing more to say, and must not linger
        self._give_up(attempt, self._end_words(child.returncode))

    @contextlib.contextmanager
    def _limited(self, attempt: int) -> Iterator[None]:
        """Ends the child when it takes longer than there is patience for."""
        if self._patience is None:
            yield
            return
        words = f"{self.what} took more than {self._patience:g} seconds and was ended."
        limit = threading.Timer(self._patience, self._give_up, [attempt, words])
        limit.daemon = True
        limit.start()
        try:
            yield
        finally:
            limit.cancel()

    def _start_child(self) -> subprocess.Popen[str]:
        return subprocess.Popen(
            [sys.executable, *self.command, *self.arguments],
            stdin=subprocess.DEVNULL if self._order is None else subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            encoding="utf-8",
            errors="replace",
            cwd=_ROOT,
        )

    def _listen(self, child: subprocess.Popen[str], attempt: int) -> None:
        assert child.stdout is not None
        if child.stdin is not None:
            with contextlib.suppress(BrokenPipeError):  # it was ended before it listened
                child.stdin.write(json.dumps(self._order))
                child.stdin.close()
        for line in child.stdout:
            with self.lock:
                if not self._is_current(attempt):
                    return
                self._take_line(line)

    def _take_line(self, line: str) -> None:
        try:
            news = dict(json.loads(line))
            if _END in news:
                self._take_end(**news)
            else:
                self.take(news)
        except Exception:  # whatever the line may be
            logger.exception("%s reported %r", self.what, line[:200])
            self.fail(f"{self.what} reported something that cannot be read. {_SEE_TERMINAL}")

    def _take_end(self, end: str, message: str = "", is_foreseen: bool = False) -> None:
        if end == "done":
            self.state = "done"
        else:
            words = message if is_foreseen else _unforeseen(self.what, message)
            self.fail(words, is_foreseen=is_foreseen)

    def _end_words(self, code: int) -> str:
        if code >= 0:
            return f"{self.what} ended without a result (exit code {code}). {_SEE_TERMINAL}"
        return (
            f"{self.what} was ended from outside (signal {-code}), most likely because it needed "
            f"more memory than is free. {self.if_killed}"
        ).strip()


def _unforeseen(what: str, error: str) -> str:
    return f"{what} failed with an error that was not foreseen ({error}). {_SEE_TERMINAL}"
