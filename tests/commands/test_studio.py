"""``frem studio``: from any folder, on this machine only unless there is a login."""

import os
import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest
from click.testing import CliRunner

from frem_core.commands.studio import check_address, dashboard_folder
from frem_core.errors import FremError
from studio.page import menu_entries
from tests.browser.forged_messages import connection, drawn, rerun
from tools.dashboard import answers, free_port, wait_until_it_answers

ROOT = Path(__file__).parents[2]


@pytest.fixture
def own_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A person without any settings, in a folder that is not the project's."""
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.delenv("FREM_GUARDED", raising=False)
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    return tmp_path


@pytest.mark.parametrize(
    ("option", "address"),
    [
        ("--address", "0.0.0.0"),
        ("--address", "::"),
        ("--address", "192.168.1.7"),
        ("--host", "studio.example.org"),  # through a proxy
    ],
)
def test_an_open_address_without_login_is_refused(
    own_folders: Path, option: str, address: str
) -> None:
    answer = subprocess.run(
        [sys.executable, "-m", "frem_core", "studio", option, address],
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert answer.returncode == 2
    assert f"everybody who reaches {address}" in " ".join(answer.stderr.split())
    assert "no login is set up" in answer.stderr
    assert "docs/administration.md" in answer.stderr


def test_with_a_login_or_a_guard_it_is_allowed(
    own_folders: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    secrets = own_folders / "home" / ".streamlit" / "secrets.toml"
    secrets.parent.mkdir(parents=True)
    secrets.write_text("[database]\npassword = 'x'\n")
    with pytest.raises(FremError, match="no login"):
        check_address("0.0.0.0")
    secrets.write_text("[auth]\nclient_id = 'x'\n")
    check_address("0.0.0.0")
    secrets.write_text("[auth\n")
    with pytest.raises(FremError, match="cannot be read"):
        check_address("0.0.0.0")
    secrets.unlink()
    monkeypatch.setenv("FREM_GUARDED", "yes")
    check_address("0.0.0.0")


def test_it_runs_from_any_folder_with_the_projects_settings(own_folders: Path) -> None:
    port = free_port()
    server = subprocess.Popen(
        [sys.executable, "-m", "frem_core", "studio", "--port", str(port)],
        env=os.environ | {"PYTHONPATH": str(ROOT), "FREM_HOME": str(own_folders / "data")},
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        wait_until_it_answers(f"http://127.0.0.1:{port}", server)
        assert server.stdout is not None
        assert f"http://127.0.0.1:{port}" in server.stdout.readline()
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/_stcore/host-config") as answer:
            assert answer.status == 200
        assert not answers(f"http://127.0.0.2:{port}")  # loopback's first address only
    finally:
        server.terminate()
        server.communicate(timeout=120)


@pytest.mark.slow
def test_plain_streamlit_on_an_open_address_says_why_it_is_closed_and_nothing_else(
    own_folders: Path,
) -> None:
    port = free_port()
    options = ["--server.address", "0.0.0.0", "--server.port", str(port)]
    server = subprocess.Popen(
        [sys.executable, "-m", "streamlit", "run", "app.py", *options],
        env=os.environ | {"FREM_HOME": str(own_folders / "data")},
        cwd=ROOT,
        stdout=subprocess.DEVNULL,
    )
    address = f"http://127.0.0.1:{port}"
    try:
        wait_until_it_answers(address, server)
        for script, label in menu_entries():
            page = "" if label == "Start" else Path(script).stem.split("_", 1)[1]
            with connection(None, address) as socket:
                shown = drawn(socket, rerun(page, "dataset=crime&sweep=x"))
            kinds = [one.WhichOneof("type") for one in shown]
            assert kinds.count("alert") == 1, (label, kinds)
            assert set(kinds) <= {"alert", "html"}, (label, kinds)  # the second is the style
            assert any("no login is set up" in one.alert.body for one in shown)
    finally:
        server.terminate()
        server.communicate(timeout=120)


def test_a_missing_streamlit_is_named_with_its_extra(
    own_folders: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from frem_core.commands.studio import command

    monkeypatch.setitem(sys.modules, "streamlit", None)
    monkeypatch.setattr("frem_core.commands.studio.find_spec", lambda name: None)
    outcome = CliRunner().invoke(command, [])
    assert isinstance(outcome.exception, FremError)
    assert "frem-studio[studio]" in str(outcome.exception)


def test_the_folder_is_the_one_of_the_start_page() -> None:
    assert (dashboard_folder() / "app.py").is_file()
    assert (dashboard_folder() / ".streamlit" / "config.toml").is_file()
