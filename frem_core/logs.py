"""Logs as one JSON object a line, for machines that collect them; without secrets or data.

An error nobody foresaw is written with its kind and the lines of the program it passed, not with
its message: that may quote a cell of somebody's table.
"""

import json
import logging
import os
import re
import sys
import traceback
from datetime import UTC, datetime
from types import TracebackType
from typing import Final

_PLAIN: Final = "%(asctime)s %(levelname)s %(name)s %(message)s"
_PASSWORD: Final = re.compile(r"(://[^\s:/@]*:)[^\s@]+@")
_SECRET: Final = re.compile(
    r"(?i)\b(password|secret|token|authorization|api[_-]?key)(\s*[=:]\s*)\S+"
)


def without_secrets(text: str) -> str:
    """Masks passwords in addresses and what is called a secret.

    >>> without_secrets("postgresql://frem:x7@db/frem, token=abc")
    'postgresql://frem:***@db/frem, token=***'
    """
    return _SECRET.sub(r"\1\2***", _PASSWORD.sub(r"\1***@", text))


class JsonFormatter(logging.Formatter):
    """One JSON object for each record."""

    def format(self, record: logging.LogRecord) -> str:
        """Writes time, level, logger, message and, for an error, its kind and place."""
        entry: dict[str, object] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname,
            "logger": record.name,
            "process": record.process,
            "message": without_secrets(record.getMessage()),
        }
        if record.exc_info and record.exc_info[0] is not None:
            frames = traceback.extract_tb(record.exc_info[2])
            entry["error"] = record.exc_info[0].__name__
            entry["where"] = [f"{frame.filename}:{frame.lineno}" for frame in frames]
        return json.dumps(entry, ensure_ascii=False)


def set_up_logs() -> None:
    """Sets the logs of this process up; ``FREM_LOG=json`` asks for JSON."""
    if os.environ.get("FREM_LOG", "").strip().casefold() != "json":
        logging.basicConfig(level=logging.INFO, format=_PLAIN)
        return
    logging.basicConfig(level=logging.INFO)
    # Dask and others write through handlers of their own.
    logs = (logging.root, *logging.root.manager.loggerDict.values())
    own = [handler for log in logs for handler in getattr(log, "handlers", ())]
    for handler in own:
        handler.setFormatter(JsonFormatter())
    sys.excepthook = _log_uncaught


def _log_uncaught(
    kind: type[BaseException], error: BaseException, trace: TracebackType | None
) -> None:
    logging.getLogger(__name__).critical("Ended by an error", exc_info=(kind, error, trace))
