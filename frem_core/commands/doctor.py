"""``frem doctor``: what this installation has, and what keeps it from working."""

import json
import os
import platform
import shutil
import socket
import sys
from collections.abc import Callable
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Final, Literal

import click
from rich.markup import escape
from rich.table import Table

from frem_core import __version__
from frem_core.console.terminal import results
from frem_core.errors import FremError

State = Literal["good", "note", "bad"]
Finding = tuple[str, State, str]

_NEEDED: Final = ("torch", "numpy", "scipy", "pandas", "scikit-learn", "safetensors")
_EXTRAS: Final = {
    "sweeps": ("pyarrow", "sqlalchemy", "distributed", "plotly"),
    "studio": ("streamlit",),
    "postgres": ("psycopg",),
    "team": ("authlib", "httpx", "prometheus-client"),
    "bucket": ("s3fs",),
    "onnx": ("onnx", "onnxruntime"),
}
_BROWSERS: Final = ("chromium", "chromium-browser", "google-chrome", "firefox", "open", "xdg-open")
_SCARCE: Final = 2e9
_ANSWER_SECONDS: Final = 5.0
_MARKS: Final = {"good": "[green]✓[/]", "note": "[yellow]·[/]", "bad": "[red]✗[/]"}


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Print JSON instead of a table.")
def command(as_json: bool) -> None:
    """Show versions, store, engine, threads, disk and browser; exit 1 when something is broken.

    A scheduler of your own is asked for too.
    """
    findings = [finding for look in LOOKS for finding in _looked(look)]
    if as_json:
        rows = [{"what": what, "state": state, "found": found} for what, state, found in findings]
        click.echo(json.dumps({"version": __version__, "findings": rows}))
    else:
        table = Table(title=f"FREM Studio {__version__}", show_header=False)
        for what, state, found in findings:
            table.add_row(_MARKS[state], escape(what), escape(found))
        results().print(table)
    if any(state == "bad" for _, state, _ in findings):
        sys.exit(1)


def _looked(look: "Callable[[], list[Finding]]") -> list[Finding]:
    """What a look finds; one that fails is a finding itself."""
    try:
        return look()
    except (FremError, OSError, ImportError) as error:
        return [(look.__name__.strip("_").replace("_", " "), "bad", str(error))]


def _versions() -> list[Finding]:
    found: list[Finding] = [("Python", "good", f"{platform.python_version()} on {sys.platform}")]
    for package in _NEEDED:
        number = _version(package)
        words = number or f"missing; pip install {package}"
        found.append((package, "good" if number else "bad", words))
    for extra, packages in _EXTRAS.items():
        missing = [package for package in packages if _version(package) is None]
        words = f"not installed: pip install 'frem-studio[{extra}]'" if missing else "installed"
        found.append((f"extra [{extra}]", "note" if missing else "good", words))
    return found


def _version(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return None


def _data_folder() -> list[Finding]:
    from frem_core.home import data_home

    folder = data_home()
    if not os.access(folder, os.W_OK):
        return [("data folder", "bad", f"{folder} cannot be written to; set FREM_HOME")]
    free = shutil.disk_usage(folder).free
    words = f"{free / 1e9:.1f} GB free at {folder}"
    scarce = "; sweeps need room for models and tables, free some" if free < _SCARCE else ""
    return [
        ("data folder", "good", str(folder)),
        ("disk", "bad" if scarce else "good", words + scarce),
    ]


def _store() -> list[Finding]:
    from frem_core.store.read_only import open_store_to_read
    from frem_core.sweeps import engine_state

    store = open_store_to_read()
    sweeps = store.sweeps.frame()
    engine = engine_state(store)
    words = "not running; it starts when runs are queued"
    if engine.is_running:
        words = f"runs on {engine.host} (process {engine.pid}), {engine.workers} workers"
        words += f": {engine.message}" if engine.message else ""
    return [
        ("store", "good", f"{store.where}, {len(sweeps)} sweeps"),
        ("engine", "note" if engine.message else "good", words),
    ]


def _scheduler() -> list[Finding]:
    from frem_core.settings import address_of
    from frem_core.sweeps.cluster import security_for, warning_about

    address = address_of("FREM_SCHEDULER")
    if not address:
        return [("scheduler", "good", "a local cluster (FREM_SCHEDULER is not set)")]
    security_for(address)  # says which file is missing
    host, _, port = address.partition("://")[2].rpartition(":")
    try:
        socket.create_connection((host.strip("[]"), int(port)), _ANSWER_SECONDS).close()
    except OSError as error:
        return [("scheduler", "bad", f"{address} does not answer ({error}); start it there")]
    warning = warning_about(address)
    return [("scheduler", "note" if warning else "good", warning or address)]


def _threads() -> list[Finding]:
    import torch

    cores = os.cpu_count() or 1
    devices = ["cpu"]
    devices += ["cuda"] if torch.cuda.is_available() else []
    devices += ["mps"] if torch.backends.mps.is_available() else []
    words = f"{cores} processors, torch uses {torch.get_num_threads()}; a worker uses one"
    return [("threads", "good", words), ("devices", "good", ", ".join(devices))]


def _dashboard() -> list[Finding]:
    from frem_core.commands.studio import dashboard_folder, login_is_set_up

    app = dashboard_folder() / "app.py"
    if not app.is_file():
        return [("dashboard", "bad", f"{app} is missing; install frem-studio again")]
    login = "login is set up" if login_is_set_up() else "no login: this machine only"
    browser = next(filter(None, map(shutil.which, _BROWSERS)), None)
    words = Path(browser).name if browser else "none found; open the shown address by hand"
    return [
        ("dashboard", "good", f"{app.parent}, {login}"),
        ("browser", "good" if browser else "note", words),
    ]


LOOKS: Final[tuple[Callable[[], list[Finding]], ...]] = (
    _versions,
    _data_folder,
    _store,
    _scheduler,
    _threads,
    _dashboard,
)
