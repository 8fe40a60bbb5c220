from typing import Any

from frem_core.store import ClaimedRun, Progress
from frem_core.sweeps.in_flight import InFlight, News
from frem_core.sweeps.worker import BundleTask


def bundle() -> InFlight:
    runs = [ClaimedRun(name, "bundle", "data", {}, 1) for name in ("a", "b")]
    task = BundleTask("key", "engine", (), {}, "", "")
    return InFlight(task, runs, future=None)  # type: ignore[arg-type]


def training(first: int, *values: float, runs: tuple[int, ...] = (0, 1)) -> dict[str, Any]:
    return {
        "runs": list(runs),
        "epoch": first + len(values),
        "stage": "training",
        "first": first,
        "records": [[{"loss": value + run} for value in values] for run in runs],
    }


def test_reports_that_follow_each_other_become_one() -> None:
    news, flight = News(), bundle()
    news.add(flight, training(0, 1.0, 2.0))
    news.add(flight, training(2, 3.0))
    taken = news.take(["a", "b"])
    assert taken["a"] == Progress(3, "training", [{"loss": 1.0}, {"loss": 2.0}, {"loss": 3.0}], 0)
    assert [record["loss"] for record in taken["b"].records] == [2.0, 3.0, 4.0]
    assert news.take(["a", "b"]) == {}


def test_a_repeated_epoch_replaces_what_was_said_before() -> None:
    news, flight = News(), bundle()
    news.add(flight, training(0, 1.0, 2.0, 3.0))
    news.add(flight, training(1, 20.0))
    assert news.take(["a"])["a"] == Progress(2, "training", [{"loss": 20.0}], 1)


def test_a_change_of_stage_keeps_records_and_epoch() -> None:
    news, flight = News(), bundle()
    news.add(flight, training(0, 1.0))
    news.add(flight, {"runs": [0, 1], "stage": "evaluating 1 of 2"})
    taken = news.take(["a"])
    assert taken["a"] == Progress(1, "evaluating 1 of 2", [{"loss": 1.0}], 0)


def test_only_runs_that_are_asked_for_are_taken() -> None:
    news, flight = News(), bundle()
    news.add(flight, training(0, 1.0))
    assert set(news.take(["b"])) == {"b"}
    news.add(flight, training(1, 1.0, runs=(1,)))
    news.forget(["b"])
    assert news.take(["a", "b"]) == {}


def test_a_second_start_means_that_the_first_worker_died() -> None:
    flight = bundle()
    assert not flight.was_restarted({"started_on": "tcp://1"})
    assert not flight.was_restarted({"stage": "training"})
    assert flight.was_restarted({"started_on": "tcp://2"})


def test_dropped_runs_are_not_wanted() -> None:
    flight = bundle()
    flight.dropped.add("a")
    assert flight.wanted == ["b"]
