"""What is found in the store is found once for all viewers, and nobody changes it for others."""

import threading

import pandas as pd
import pytest

from studio import store
from studio.crowd import shared
from studio.crowd.shared import Shared, forget_shared, lifetime


class Clock:
    """Stands still until it is set."""

    now = 0.0

    def monotonic(self) -> float:
        return self.now

    def thread_time(self) -> float:
        return 0.0


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    made = Clock()
    monkeypatch.setattr(shared, "time", made)
    return made


def test_it_is_found_once_a_second_for_each_thing_asked_for(clock: Clock) -> None:
    asked: list[str] = []

    @Shared
    def length(name: str) -> int:
        asked.append(name)
        return len(name)

    assert [length("one"), length("three"), length("one")] == [3, 5, 3]
    assert asked == ["one", "three"]
    clock.now = 1.0
    length("one")
    assert asked == ["one", "three", "one"]
    forget_shared()
    length("one")
    assert len(asked) == 4


def test_viewers_who_ask_at_once_wait_for_one_result() -> None:
    begun, go_on, asked = threading.Event(), threading.Event(), []

    @Shared
    def slow() -> int:
        asked.append(1)
        begun.set()
        assert go_on.wait(60)
        return len(asked)

    found: list[int] = []
    viewers = [threading.Thread(target=lambda: found.append(slow())) for _ in range(5)]
    for one in viewers:
        one.start()
    assert begun.wait(60)
    go_on.set()
    for one in viewers:
        one.join()
    assert found == [1] * 5


def test_a_failure_is_nobodys_result(clock: Clock) -> None:
    answers = iter([ValueError("the database restarts"), 7])

    @Shared
    def troubled() -> int:
        answer = next(answers)
        if isinstance(answer, ValueError):
            raise answer
        return answer

    with pytest.raises(ValueError, match="restarts"):
        troubled()
    assert troubled() == 7


def test_what_nobody_asks_for_any_more_is_let_go(clock: Clock) -> None:
    @Shared
    def itself(number: int) -> int:
        return number

    for number in range(100):
        itself(number)
    clock.now = 3600.0
    itself(0)
    assert len(itself._entries) == 1


def test_what_is_costly_to_find_is_shared_for_longer() -> None:
    assert lifetime(0.001) == 1.0
    assert lifetime(0.025) == pytest.approx(2.0)
    assert lifetime(60.0) == 4.0


def test_whoever_changes_a_table_changes_their_own(monkeypatch: pytest.MonkeyPatch) -> None:
    table = pd.DataFrame({"id": ["a"], "runs": [1]})
    monkeypatch.setattr(store, "everybodys_sweeps", lambda: table)
    monkeypatch.setattr(store, "hidden_sweeps", frozenset)
    mine = store.sweeps_table()
    mine["runs"] = 5
    mine.loc[0, "id"] = "b"
    assert store.sweeps_table().to_dict("list") == {"id": ["a"], "runs": [1]}


def test_what_a_page_draws_last_is_not_of_a_moment_ago(
    clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It redraws itself until it sees that a sweep has ended; what it shows then stays."""
    now = {"running": 1, "state": "running"}
    monkeypatch.setattr(
        store,
        "everybodys_sweeps",
        lambda: pd.DataFrame({"id": ["a"], "queued": [0], "running": [now["running"]]}),
    )
    monkeypatch.setattr(store, "hidden_sweeps", frozenset)
    monkeypatch.setattr(store, "runs_to_choose", dict)
    monkeypatch.setattr(store, "store_of", lambda sweep: None)
    monkeypatch.setattr(
        store,
        "_read_runs",
        lambda sweep: store._Seen(pd.DataFrame({"state": [now["state"]]}), {}),
    )
    forget_shared()
    assert list(store.runs_table("a")["state"]) == ["running"]
    now["state"] = "done"
    assert list(store.runs_table("a")["state"]) == ["running"]  # within a second, for everybody
    now["running"] = 0
    assert list(store.runs_table("a")["state"]) == ["done"]
    forget_shared()
