"""The container files fit the program, and the same processes work without containers."""

import os
import re
import subprocess
import sys
import time
from pathlib import Path

import pytest
import yaml

from tools.dashboard import free_port, wait_until_it_answers

ROOT = Path(__file__).resolve().parents[1]
COMPOSE = yaml.safe_load((ROOT / "compose.yaml").read_text(encoding="utf-8"))
SERVICES = COMPOSE["services"]
DOCKERFILE = (ROOT / "Dockerfile").read_text(encoding="utf-8")


def test_only_the_dashboard_is_published_and_on_loopback_only() -> None:
    published = {name: one["ports"] for name, one in SERVICES.items() if "ports" in one}
    assert published == {"studio": ["127.0.0.1:8501:8501"]}
    assert COMPOSE["networks"]["inside"]["internal"] is True


def test_no_password_is_written_down() -> None:
    given = SERVICES["database"]["environment"]["POSTGRES_PASSWORD"]
    assert given.startswith("${FREM_DATABASE_PASSWORD:?")
    assert "${FREM_DATABASE_PASSWORD:?" in SERVICES["studio"]["environment"]["FREM_STORE"]


def test_services_share_store_and_scheduler() -> None:
    address = SERVICES["studio"]["environment"]["FREM_SCHEDULER"]
    assert address in SERVICES["worker"]["command"]
    assert address.rsplit(":", 1)[1] in SERVICES["scheduler"]["command"]
    for name in ("scheduler", "worker", "studio"):
        assert SERVICES[name]["volumes"] == ["data:/data"]


def test_the_image_holds_what_the_wheel_is_built_from() -> None:
    copied = set(" ".join(re.findall(r"^COPY (?!--)(.+) \S+$", DOCKERFILE, re.MULTILINE)).split())
    assert {"app.py", "pages", ".streamlit", "studio", "frem_core", "pyproject.toml"} <= copied
    for name in copied:
        assert (ROOT / name).exists(), name
    users = re.findall(r"^USER (\w+)$", DOCKERFILE, re.MULTILINE)
    assert users[-1] not in ("root", "0")
    assert "HEALTHCHECK" in DOCKERFILE


@pytest.mark.slow
def test_the_same_processes_work_without_containers(tmp_path: Path) -> None:
    """Scheduler, worker and dashboard with the commands of compose.yaml; a sweep is trained."""
    port, scheduler = free_port(), f"tcp://127.0.0.1:{free_port()}"
    environment = os.environ | {
        "PYTHONPATH": str(ROOT),
        "FREM_HOME": str(tmp_path / "home"),
        "FREM_SCHEDULER": scheduler,
    }
    own = {"tcp://scheduler:8786": scheduler, "8786": scheduler.rsplit(":", 1)[1]}

    def command(service: str) -> list[str]:
        words = [own.get(word, word) for word in SERVICES[service]["command"]]
        words = ["--nworkers=1" if word == "--nworkers=-1" else word for word in words]
        return [sys.executable, "-m", *words]

    dashboard = [sys.executable, "-m", "frem_core", "studio", "--port", str(port)]
    started = [
        subprocess.Popen(words, env=environment, cwd=tmp_path)
        for words in (command("scheduler"), command("worker"), dashboard)
    ]
    try:
        wait_until_it_answers(f"http://127.0.0.1:{port}", started[-1])
        (tmp_path / "grid.toml").write_text(
            'name = "few"\n[dataset]\nname = "crime"\n[training]\nepochs = 2\n'
            '[[methods]]\nmethod = "unfair"\nfairness_weights = [0.0]\n'
        )
        frem = [sys.executable, "-m", "frem_core"]
        sweep = [*frem, "sweep", "grid.toml", "--watch"]
        subprocess.run(sweep, env=environment, cwd=tmp_path, check=True, timeout=900)
        said = subprocess.run(
            [*frem, "status"], env=environment, check=True, capture_output=True, text=True
        ).stdout
        assert "100 %" in said
    finally:
        for process in reversed(started):
            process.terminate()
        deadline = time.monotonic() + 60
        for process in started:
            process.wait(max(1.0, deadline - time.monotonic()))
