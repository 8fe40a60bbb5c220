"""The comparison of all methods stands on what is kept, with or without a table's files."""

from pathlib import Path

import pytest

from benchmarks.fronts import front_runs
from benchmarks.fronts.front_comparison import trained
from benchmarks.fronts.front_runs import CONTESTANTS, OF_FREM, STUDIES, Study, known_tables
from frem_core.methods import Method
from frem_core.reproduction.front_comparison import constant_prediction


@pytest.fixture(autouse=True)
def no_added_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FREM_HOME", str(tmp_path))


@pytest.mark.parametrize("study", STUDIES, ids=lambda study: study.dataset)
def test_every_method_is_kept_for_every_table(study: Study) -> None:
    runs = trained(study)
    assert set(CONTESTANTS) - set(OF_FREM) <= set(runs["series"])
    assert runs["seed"].nunique() >= 2
    assert known_tables().loc[study.dataset, "task"] in ("classification", "regression")


def test_what_is_kept_of_a_table_is_what_the_table_says() -> None:
    assert known_tables().loc["crime", "mae"] == pytest.approx(constant_prediction("crime", "mae"))


def test_a_table_without_files_is_skipped_with_a_word(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    asked: list[str] = []

    def note(study: Study, contestants: dict[str, Method] | None = None) -> None:
        asked.append(study.dataset)

    monkeypatch.setattr(front_runs, "train_missing", note)
    kept = front_runs.run().tables[0].rows
    assert "bail" not in asked
    assert "bail: its files are not there" in capsys.readouterr().out
    assert "bail" in [row[0] for row in kept]
