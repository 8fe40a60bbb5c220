"""``frem studio``: starts the dashboard, from any folder."""

import os
import subprocess
import sys
import tomllib
from collections.abc import Iterable
from functools import cache, lru_cache
from importlib.util import find_spec
from ipaddress import ip_address
from pathlib import Path
from stat import S_ISREG

import click

import frem_core
from frem_core.errors import FremError
from frem_core.extras import import_module

OPEN_TO_OTHERS = (
    "FREM Studio would answer everybody who reaches {address}, and no login is set up. Leave "
    "--address and --host out to serve this machine only; or set up a login ([auth] in "
    "{secrets}, see docs/administration.md); or, when something else guards the door (a proxy "
    "with its own login, a container published on loopback), say so with FREM_GUARDED=yes."
)


@cache
def dashboard_folder() -> Path:
    """The folder of app.py: inside an installed package, or the top of the repository."""
    package = Path(frem_core.__file__).resolve().parent
    installed = package.parent / "studio" / "dashboard"
    return installed if installed.is_dir() else package.parent


def is_loopback(address: str) -> bool:
    """Whether only this machine reaches a server at the address.

    >>> is_loopback("127.0.0.1"), is_loopback("localhost"), is_loopback("0.0.0.0")
    (True, True, False)
    """
    try:
        return ip_address(address.strip("[]")).is_loopback
    except ValueError:
        return address == "localhost"


def secrets_files() -> list[Path]:
    """Where Streamlit looks for the settings of a login, the later before the earlier."""
    places = (Path.home(), Path.cwd(), dashboard_folder())
    return [place / ".streamlit" / "secrets.toml" for place in places]


def login_is_set_up() -> bool:
    """Whether one of these files says who logs people in."""
    return any(_names_a_login(file) for file in secrets_files())


def _names_a_login(file: Path) -> bool:
    try:
        state = file.stat()
    except OSError:
        return False
    if not S_ISREG(state.st_mode):
        return False
    return _read_login(file, state.st_mtime_ns, state.st_size, state.st_ino)


@lru_cache(maxsize=8)  # every part of a page asks, and a file that was changed is read again
def _read_login(file: Path, *state: int) -> bool:
    try:
        return bool(tomllib.loads(file.read_text(encoding="utf-8")).get("auth"))
    except (OSError, ValueError) as error:
        raise FremError(f"{file} cannot be read ({error}); mend or remove it.") from error


def check_address(address: str, hosts: Iterable[str] = ()) -> None:
    """Refuses to open the dashboard to others without anybody at the door.

    Args:
        address: where it listens.
        hosts: names under which browsers reach it, through a proxy too.
    """
    guarded = os.environ.get("FREM_GUARDED", "").casefold() in ("yes", "true", "1")
    open_to = next((one for one in (address, *hosts) if not is_loopback(one)), None)
    if open_to is not None and not (guarded or login_is_set_up()):
        secrets = secrets_files()[0]
        raise FremError(OPEN_TO_OTHERS.format(address=open_to, secrets=secrets))


@click.command()
@click.option("--port", default=8501, show_default=True, type=click.IntRange(1, 65535))
@click.option(
    "--address",
    default="127.0.0.1",
    show_default=True,
    help="Where to listen; anything but this machine itself needs a login.",
)
@click.option(
    "--host",
    "hosts",
    multiple=True,
    help="A name under which browsers reach it, also through a proxy; may be repeated.",
)
def command(port: int, address: str, hosts: tuple[str, ...]) -> None:
    """Start the dashboard and show its address.

    \b
    frem studio
    frem studio --port 8600
    """  # noqa: D301  # \b keeps click from joining the lines
    check_address(address, hosts)
    if find_spec("streamlit") is None:
        import_module("streamlit")  # says which extra brings it
    app = dashboard_folder() / "app.py"
    settings = [f"--server.port={port}", f"--server.address={address}"]
    if hosts or not is_loopback(address):
        settings += [f"--server.allowedHosts={one}" for one in _allowed(address, hosts)]
    click.echo(f"FREM Studio: http://{_shown(address)}:{port}  (Ctrl-C ends it)")
    arguments = [sys.executable, "-m", "streamlit", "run", str(app), *settings]
    if os.name == "posix":
        sys.stdout.flush()
        os.execv(sys.executable, arguments)  # signals reach the server itself
    sys.exit(subprocess.call(arguments))


def _allowed(address: str, hosts: tuple[str, ...]) -> tuple[str, ...]:
    return ("127.0.0.1", "localhost", *([] if _is_any(address) else [address]), *hosts)


def _is_any(address: str) -> bool:
    return address in ("0.0.0.0", "::")


def _shown(address: str) -> str:
    return "localhost" if _is_any(address) else address
