"""Results that viewers share: known again by what they were made from, and never kept for ever."""

from collections.abc import Iterator

import pandas as pd
import pytest

from studio import chart as module
from studio.chart import forget_kept, kept

calls: list[str] = []


def doubled(table: pd.DataFrame, *, name: str = "") -> pd.DataFrame:
    calls.append(name)
    return table * 2


@pytest.fixture(autouse=True)
def nothing_kept() -> Iterator[None]:
    forget_kept()
    calls.clear()
    yield
    forget_kept()


def test_equal_arguments_give_the_very_result_of_before() -> None:
    first = kept(doubled, pd.DataFrame({"x": [1, 2]}), name="a")
    assert kept(doubled, pd.DataFrame({"x": [1, 2]}), name="a") is first
    assert calls == ["a"]


def test_one_cell_or_one_word_makes_another_result() -> None:
    kept(doubled, pd.DataFrame({"x": [1, 2]}), name="a")
    assert list(kept(doubled, pd.DataFrame({"x": [1, 3]}), name="a")["x"]) == [2, 6]
    kept(doubled, pd.DataFrame({"x": [1, 2]}), name="b")
    assert calls == ["a", "a", "b"]


def test_a_large_table_is_told_apart_by_every_cell() -> None:
    table = pd.DataFrame({"x": range(200_000)})
    kept(doubled, table, name="long")
    changed = table.copy()
    changed.loc[123_457, "x"] = -1
    assert kept(doubled, changed, name="long")["x"].min() == -2


def test_the_oldest_are_let_go(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_MOST", 2)
    table = pd.DataFrame({"x": [1]})
    for name in ("a", "b", "a", "c", "a", "b"):  # a is asked for again before each new one
        kept(doubled, table, name=name)
    assert calls == ["a", "b", "c", "b"]


def test_what_would_take_too_much_room_is_not_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_LARGEST", 10)
    table = pd.DataFrame({"x": [1]})
    kept(doubled, table)
    kept(doubled, table)
    assert len(calls) == 2


def test_nothing_is_left_when_data_was_deleted() -> None:
    table = pd.DataFrame({"x": [1]})
    kept(doubled, table)
    forget_kept()
    kept(doubled, table)
    assert len(calls) == 2
