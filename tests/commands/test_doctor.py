"""``frem doctor`` says what is there, and names what is broken."""

import json
import socket
from pathlib import Path

import pytest
from click.testing import CliRunner

from frem_core.commands import doctor


def findings(*arguments: str) -> tuple[int, dict[str, dict[str, str]]]:
    outcome = CliRunner().invoke(doctor.command, ["--json", *arguments])
    found = json.loads(outcome.stdout)["findings"]
    return outcome.exit_code, {one["what"]: one for one in found}


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("FREM_HOME", str(tmp_path))
    monkeypatch.delenv("FREM_STORE", raising=False)
    return tmp_path


def test_a_sound_installation(home: Path) -> None:
    code, found = findings()
    assert code == 0, found
    assert str(home) in found["data folder"]["found"]
    assert "0 sweeps" in found["store"]["found"]
    for what in ("Python", "torch", "extra [studio]", "engine", "threads", "disk", "browser"):
        assert found[what]["state"] in ("good", "note")
    shown = CliRunner().invoke(doctor.command).stdout
    assert "torch" in shown
    assert "extra [studio]" in shown  # brackets are words here


def test_what_is_broken_is_named_and_the_rest_is_still_shown(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FREM_STORE", "nonsense")
    monkeypatch.setattr(doctor, "_NEEDED", ("torch", "no-such-package"))
    code, found = findings()
    assert code == 1
    assert found["store"]["state"] == "bad"
    assert found["no-such-package"] == {
        "what": "no-such-package",
        "state": "bad",
        "found": "missing; pip install no-such-package",
    }
    assert found["dashboard"]["state"] == "good"


def test_a_data_folder_that_is_a_file_is_told(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (home / "file").touch()
    monkeypatch.setenv("FREM_HOME", str(home / "file"))
    code, found = findings()
    assert code == 1
    assert found["data folder"]["state"] == "bad"


def test_a_scheduler_is_asked_for_and_one_without_encryption_is_noted(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port = listening.getsockname()[1]
        monkeypatch.setenv("FREM_SCHEDULER", f"tcp://127.0.0.1:{port}")
        code, found = findings()
        assert code == 0
        assert found["scheduler"]["state"] == "note"
        assert "is not encrypted" in found["scheduler"]["found"]
    code, found = findings()
    assert code == 1
    assert f"tcp://127.0.0.1:{port} does not answer" in found["scheduler"]["found"]
    monkeypatch.setenv("FREM_SCHEDULER", f"tls://127.0.0.1:{port}")
    monkeypatch.setenv("FREM_TLS_CA", str(home / "ca.pem"))
    code, found = findings()
    assert code == 1
    assert "FREM_TLS_CA must name a file" in found["scheduler"]["found"]
    assert found["store"]["state"] == "good"
