"""What an installed package adds reaches the engine and its workers."""

import json
from pathlib import Path

import pytest

from tests.sweeps.processes import own_home, run_frem
from tests.worked_examples import install_as_plugin

pytestmark = pytest.mark.timeout(900)

# A dataset, a network, two methods, a kernel: none of them in this package.
SWEEP = """
name = "plugins"
seeds = 1
[dataset]
name = "wages"
[training]
epochs = 3
encoder = "residual"
hidden = [4, 4]
[[methods]]
method = "covariance"
fairness_weights = [0.5]
[[methods]]
method = "frem"
fairness_weights = [0.5]
sensitive_kernel = "laplace"
"""


def test_a_sweep_over_somebody_elses_things(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    installed = tmp_path / "site"
    installed.mkdir()
    install_as_plugin(installed)
    broken = installed / "broken-1.0.dist-info"
    broken.mkdir()
    (broken / "METADATA").write_text("Metadata-Version: 2.1\nName: broken\nVersion: 1.0\n")
    (broken / "entry_points.txt").write_text("[frem.methods]\nbroken = no_such_module\n")
    monkeypatch.setenv("PYTHONPATH", str(installed), prepend=":")
    file = tmp_path / "sweep.toml"
    file.write_text(SWEEP, encoding="utf-8")
    with own_home(tmp_path / "home", FREM_WORKERS="1") as store:
        done = run_frem("sweep", str(file), "--wait", "--json")
        assert done.returncode == 0, done.stderr
        assert "'broken' of the package 'broken'" in done.stderr
        assert "No module named 'no_such_module'" in done.stderr
        report = json.loads(done.stdout)
        assert (report["runs"], report["done"]) == (2, 2)
        frame = store.runs.frame(report["sweep"]).set_index("config.method.method")
    assert set(frame.index) == {"covariance", "frem"}
    assert frame["test.correlation"].between(0, 1).all()
    assert frame.loc["frem", "config.method.sensitive_kernel"] == "laplace"
    assert set(frame["config.training.encoder"]) == {"residual"}
