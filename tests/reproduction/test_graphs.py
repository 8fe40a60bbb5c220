"""Graphs are judged as the paper speaks of them, and only where they can speak."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from safetensors.numpy import save

from frem_core.metrics import gdp
from frem_core.reproduction import Verdict, get_target, write_report
from frem_core.reproduction.graph_claims import STATEMENTS
from frem_core.reproduction.graph_study import UnfairLevel, unfair_level
from frem_core.store import RunResult, Store
from frem_core.sweeps import SweepSpec, submit

WEIGHTS = (0.1, 0.5, 1.0)
ALIKE, BEHIND = 0.02, 0.08


class MadeUp:
    """Results of German credit only: every method loses accuracy along a straight line.

    Args:
        costs: how much accuracy a series has lost when it is fair.
        best: accuracy without fairness.
    """

    def __init__(self, store: Store, costs: dict[str, float], best: float = 0.85) -> None:
        self.store = store
        rows = [row for seed in range(3) for row in _rows(costs, best, seed)]
        self._runs = pd.DataFrame(rows)

    def runs(self, spec: str) -> pd.DataFrame:
        return self._runs if spec.startswith("graph_german") else self._runs[:0]

    def expected(self, spec: str) -> int:
        return len(self.runs(spec))


def _rows(costs: dict[str, float], best: float, seed: int) -> list[dict[str, object]]:
    settings = [("unfair", 0.0), *((series, weight) for series in costs for weight in WEIGHTS)]
    rows = []
    for series, weight in settings:
        fair, noise = 1 - 0.9 * weight, 1e-4 * seed
        row = {
            "accuracy": best - costs.get(series, 0.0) * weight - noise,
            "average_precision": best,
            "gdp": 0.05 * fair + noise,
            "hgr": 0.5 * fair + noise,
            "mutual_information": 0.3 * fair + noise,
            "representation_mutual_information": 0.2 * fair + noise,
        }
        train = {f"train.{name}": value for name, value in row.items()}
        names = {"id": f"{series}-{weight}-{seed}", "series": series, "weight": weight}
        rows.append(row | train | names | {"seed": seed, "seconds": 1.0})
    return rows


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Store:
    monkeypatch.setenv("FREM_HOME", str(tmp_path / "home"))  # no Bail, no Pokec
    return Store(folder=tmp_path / "home")


def verdicts_of(results: MadeUp) -> dict[str, Verdict]:
    """Verdicts on German credit by claim."""
    report = get_target("pokec").report(results)
    prefix = "German credit: "
    return {
        finding.claim.text.removeprefix(prefix): finding.verdict
        for finding in report.findings
        if finding.claim.text.startswith(prefix)
    }


def of_kind(verdicts: dict[str, Verdict], words: str) -> set[Verdict]:
    some = {verdict for claim, verdict in verdicts.items() if words in claim}
    assert some, words
    return some


GOOD = {"frem": ALIKE, "reg_gdp": ALIKE, "reg_hgr": ALIKE, "adv": BEHIND, "mmd:median": BEHIND}


def test_what_the_paper_says_is_seen_where_it_is_so(store: Store) -> None:
    found = verdicts_of(MadeUp(store, GOOD))
    assert len(found) == len(STATEMENTS) + 1
    for words in ("comparable to Reg-GDP", "outperforms ADV", "perform alike", "falls as λ grows"):
        assert of_kind(found, words) == {Verdict.REPRODUCED}
    # Alike is not better.
    assert of_kind(found, "outperforms Reg-GDP") == {Verdict.NOT}


def test_and_not_where_it_is_not(store: Store) -> None:
    found = verdicts_of(MadeUp(store, GOOD | {"frem": BEHIND, "adv": ALIKE}))
    assert of_kind(found, "comparable to Reg-GDP") == {Verdict.NOT}
    assert of_kind(found, "outperforms ADV") == {Verdict.NOT}
    assert of_kind(found, "perform alike") == {Verdict.NOT}


def test_a_model_no_better_than_a_constant_cannot_speak(store: Store) -> None:
    found = verdicts_of(MadeUp(store, GOOD, best=0.7))
    assert of_kind(found, "Acc") == {Verdict.MUTE}
    assert of_kind(found, "falls as λ grows") == {Verdict.REPRODUCED}  # is not about accuracy


def test_graphs_that_are_missing_leave_the_claims_of_the_paper_open(
    store: Store, tmp_path: Path
) -> None:
    report = get_target("pokec").report(MadeUp(store, GOOD))
    pokec = [one for one in report.findings if one.claim.text.startswith("Pokec")]
    assert len(pokec) == 2 * (len(STATEMENTS) + 1)
    assert {one.verdict for one in pokec} == {Verdict.OPEN}
    assert all("frem datasets add pokec_" in one.evidence for one in pokec)
    assert not any(one.claim.text.startswith("Bail") for one in report.findings)
    text = write_report(report, tmp_path).read_text(encoding="utf-8")
    assert "0.7000 (best constant)" in text
    assert (tmp_path / "pictures" / "pokec-german_sgc.svg").is_file()


SWEEP = """
name = "unfair"
seeds = [0, 1]
[dataset]
name = "german"
[[methods]]
method = "unfair"
"""


@pytest.mark.parametrize("follows", [True, False])
def test_the_unfair_model_is_held_against_shuffled_values(store: Store, follows: bool) -> None:
    submit(store, SweepSpec.from_toml(SWEEP))
    rng = np.random.default_rng(0)
    runs = [run for bundle in store.queue.claim("test", bundles=9) for run in bundle]
    for run in runs:
        s = rng.random(200)
        p = s if follows else rng.random(200)
        z = np.column_stack([p, rng.random(200)]).astype(np.float32)
        predictions = {"row": np.arange(200), "y": (p > 0.5).astype(float), "s": s, "p": p}
        files = {
            "predictions": save(predictions),
            "representations": save({"row": np.arange(200), "z": z}),
        }
        scores = {"gdp": gdp(None, p, sensitive_features=s)}
        result = RunResult({"test": scores, "train": scores}, [], files, {}, {}, {})
        store.results.finish("test", run.id, result)
    scores = store.runs.frame()["test.gdp"]
    unfair = pd.DataFrame(
        {"id": [run.id for run in runs], "gdp": scores, "representation_mutual_information": 0.5}
    )
    level = unfair_level(store, unfair, "gdp")
    assert level.is_beyond_chance == follows
    assert 0 < level.chance < level.upper < 0.05
    # Half of the representation knows S or nothing of it does; by chance nearly nothing does.
    representation = unfair_level(store, unfair, "representation_mutual_information")
    assert representation.upper < 0.1
    assert representation.is_beyond_chance


def test_without_files_chance_is_unknown_and_the_model_counts_as_unfair(store: Store) -> None:
    runs = pd.DataFrame({"id": ["a" * 64], "gdp": [0.001]})
    level = unfair_level(store, runs, "gdp")
    assert np.isnan(level.upper)
    assert level.is_beyond_chance
    assert not UnfairLevel("gdp", 0.001, 0.002, 0.003).is_beyond_chance
