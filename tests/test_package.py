"""What `pip install` brings: the library, the command and the whole dashboard."""

import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from playwright.sync_api import Browser

from frem_core.model_package import ModelCard, predict_table, save_model
from tests.installed import ROOT, outside
from tests.model_package.people import people, predictor, prepared
from tools.dashboard import free_port, settle, wait_until_it_answers


def test_the_wheel_holds_library_dashboard_and_data(built: tuple[Path, Path]) -> None:
    with zipfile.ZipFile(built[0]) as wheel:
        held = set(wheel.namelist())
        entry_points = next(name for name in held if name.endswith("entry_points.txt"))
        assert "frem = frem_core.__main__:main" in wheel.read(entry_points).decode()
    pages = {f"studio/dashboard/pages/{page.name}" for page in (ROOT / "pages").glob("*.py")}
    assert len(pages) >= 6
    assert pages <= held
    assert {"studio/dashboard/app.py", "studio/dashboard/.streamlit/config.toml"} <= held
    for package in ("frem_core", "studio"):
        files = [file for file in (ROOT / package).rglob("*") if file.is_file()]
        ours = {str(file.relative_to(ROOT)) for file in files if "__pycache__" not in file.parts}
        assert ours <= held
    assert {name.split("/")[0] for name in held if ".dist-info" not in name} == {
        "frem_core",
        "studio",
    }


def test_the_source_archive_can_build_that_wheel(built: tuple[Path, Path], tmp_path: Path) -> None:
    with tarfile.open(built[1]) as source:
        source.extractall(tmp_path, filter="data")
    (tree,) = tmp_path.iterdir()
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", tmp_path / "again"],
        cwd=tree,
        check=True,
        capture_output=True,
    )
    (again,) = (tmp_path / "again").iterdir()
    assert again.read_bytes() == built[0].read_bytes()


def _venv(folder: Path, requirement: str) -> Path:
    """A fresh environment with one requirement; returns its folder of programs."""
    subprocess.run([sys.executable, "-m", "venv", folder], check=True)
    programs = folder / "bin"
    # The torch of requirements.txt: the newest one may bring gigabytes for graphics cards.
    lines = (ROOT / "requirements.txt").read_text(encoding="utf-8").splitlines()
    torch = folder / "constraints.txt"
    torch.write_text("\n".join(line for line in lines if line.startswith("torch==")))
    pip = [programs / "python", "-m", "pip", "install", "--quiet", "-c", torch, requirement]
    subprocess.run(pip, check=True, env=outside())
    return programs


def test_an_installed_wheel_trains_from_any_folder(programs: Path, tmp_path: Path) -> None:
    where = "import frem_core, studio; print(frem_core.__file__, studio.__file__)"
    for file in _python(programs, where, tmp_path).split():
        assert Path(file).is_relative_to(programs.parent)
    assert _python(programs, TRAINS, tmp_path).strip() == "(200,)"


def test_an_installed_wheel_serves_from_any_folder(
    programs: Path, chromium: Browser, tmp_path: Path
) -> None:
    _check_dashboard(chromium, programs, tmp_path, {"/Trade-offs": "Trade-offs"})


def _python(programs: Path, program: str, folder: Path) -> str:
    return subprocess.run(
        [programs / "python", "-c", program],
        cwd=folder,
        env=outside(),
        check=True,
        capture_output=True,
        text=True,
    ).stdout


TRAINS = """
import numpy as np
from frem_core import FREMClassifier
random = np.random.default_rng(0)
X, age = random.normal(size=(200, 3)), random.uniform(18, 80, 200)
model = FREMClassifier(epochs=3).fit(X, X[:, 0] > 0, sensitive_features=age)
print(model.predict(X).shape)
"""
WITHOUT = """
from importlib.util import find_spec
print([name for name in ("streamlit", "dask", "sqlalchemy", "plotly", "click") if find_spec(name)])
"""
IMPORT_SECONDS = """
import time
started = time.process_time()
from frem_core import {name}
print(time.process_time() - started)
"""


@pytest.mark.slow
@pytest.mark.network
def test_the_core_alone_trains_in_a_fresh_environment(
    built: tuple[Path, Path], tmp_path: Path
) -> None:
    programs = _venv(tmp_path / "core", str(built[0]))
    assert _python(programs, WITHOUT, tmp_path).strip() == "[]"
    assert _python(programs, TRAINS, tmp_path).strip() == "(200,)"
    # Twice: the first compiles torch's and scikit-learn's files. Processor time, so that a busy
    # machine does not count.
    for name in ("FREMClassifier", "eipm", "audit"):
        program = IMPORT_SECONDS.format(name=name)
        _python(programs, program, tmp_path)
        seconds = min(float(_python(programs, program, tmp_path)) for _ in range(3))
        print(f"import of {name}: {seconds:.2f} s")
    refused = subprocess.run(
        [programs / "frem", "studio"], env=outside(), capture_output=True, text=True, check=False
    )
    assert refused.returncode == 1
    assert "pip install 'frem-studio[sweeps]'" in refused.stderr


@pytest.mark.slow
@pytest.mark.network
def test_the_dashboard_opens_in_a_fresh_environment(
    built: tuple[Path, Path], chromium: Browser, tmp_path: Path
) -> None:
    programs = _venv(tmp_path / "studio", f"frem-studio[studio] @ {built[1].as_uri()}")
    assert _python(programs, TRAINS, tmp_path).strip() == "(200,)"
    _check_dashboard(chromium, programs, tmp_path, {"": "FREM Studio", "/Trade-offs": "Trade-offs"})


def _check_dashboard(
    chromium: Browser, programs: Path, folder: Path, headings: dict[str, str]
) -> None:
    """Starts the dashboard of an environment in a folder and looks at pages of it."""
    port = free_port()
    address = f"http://127.0.0.1:{port}"
    server = subprocess.Popen(
        [programs / "frem", "studio", "--port", str(port)],
        cwd=folder,
        env=outside() | {"FREM_HOME": str(folder / "home")},
    )
    try:
        wait_until_it_answers(address, server)
        with chromium.new_page() as page:
            for path, heading in headings.items():
                page.goto(address + path)
                settle(page)
                page.get_by_role("heading", name=heading, level=1).wait_for()
                assert page.get_by_role("link", name="Compare").count() >= 1
                assert page.locator("[data-testid=stException]").count() == 0
    finally:
        server.terminate()
        server.wait(120)


@pytest.mark.slow
@pytest.mark.network
def test_a_downloaded_model_predicts_in_a_fresh_environment(
    built: tuple[Path, Path], tmp_path: Path
) -> None:
    data = prepared("paid", tmp_path)
    model = predictor(data)
    card = ModelCard(
        title="FREM", task="classification", dataset="people", target="paid", sensitive="age"
    )
    save_model(tmp_path / "model.zip", model, card)
    new = people(rows=60, seed=7).drop(columns=["age", "paid", "income"])
    new.to_csv(tmp_path / "new.csv", index=False)
    programs = _venv(tmp_path / "venv", f"frem-studio[sweeps] @ {built[0].as_uri()}")
    subprocess.run(
        [programs / "frem", "predict", "model.zip", "new.csv", "-o", "predictions.csv"],
        cwd=tmp_path,
        env=outside() | {"FREM_HOME": str(tmp_path / "home")},
        check=True,
    )
    written = pd.read_csv(tmp_path / "predictions.csv")
    expected = predict_table(model, new).frame
    assert written["prediction"].tolist() == expected["prediction"].tolist()
    np.testing.assert_allclose(written["probability"], expected["probability"], rtol=0, atol=1e-6)
