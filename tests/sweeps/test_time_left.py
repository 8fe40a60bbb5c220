"""The time left, against made-up sweeps whose end is known."""

import pandas as pd
import pytest

from frem_core.sweeps import progress
from frem_core.sweeps.progress import BundleProgress
from frem_core.sweeps.time_left import time_left

EPOCHS, MEMBERS = 100, 3
#: Seconds of reading, of an epoch of a stack, and of the evaluation of a stack, by method.
SPEEDS = {"frem": (2.0, 0.3, 6.0), "mmd": (2.0, 0.1, 6.0), "adv": (2.0, 0.6, 6.0)}
METHODS = ("frem", "mmd", "adv") * 4


def _sweep(
    now: float, *, workers: int, load: float, reading_first: float = 0.0
) -> tuple[pd.DataFrame, float]:
    """A sweep as the store shows it at a moment, and when it will have ended."""
    free = [0.0] * workers
    rows = []
    for number, method in enumerate(METHODS):
        start = min(free)
        reading, epoch, evaluation = (load * one for one in SPEEDS[method])
        reading += reading_first if number < workers else 0.0
        end = start + reading + EPOCHS * epoch + evaluation
        free[free.index(start)] = end
        trained = int(min(max((now - start - reading) / epoch, 0.0), EPOCHS))
        evaluated = max((now - start - reading - EPOCHS * epoch) / evaluation, 0)
        part = int(min(evaluated, 0.99) * MEMBERS)
        state = "queued" if now < start else "done" if now >= end else "running"
        begun = state != "queued" and now - start >= reading
        rows += [
            {
                "method": method,
                "bundle": str(number),
                "state": state,
                "stage": f"evaluating {part + 1} of {MEMBERS}" if trained == EPOCHS else "training",
                "epoch": 0 if state == "queued" else trained,
                "epochs": EPOCHS,
                "queued_at": 0.0,
                "started_at": start if now >= start else float("nan"),
                "finished_at": end if state == "done" else float("nan"),
                "seconds.reading": reading if begun else float("nan"),
                "seconds.probing": 0.0 if begun else float("nan"),
                "seconds.epoch": epoch / MEMBERS if begun and trained else float("nan"),
                "seconds.evaluation": evaluation / MEMBERS
                if begun and (part or state == "done")
                else float("nan"),
            }
        ] * MEMBERS
    return pd.DataFrame(rows), max(free)


@pytest.mark.parametrize("workers", [1, 2, 4])
@pytest.mark.parametrize(("load", "reading_first"), [(1.0, 0.0), (5.0, 0.0), (1.0, 12.0)])
def test_from_a_tenth_on_it_is_right_within_a_factor_of_two(
    workers: int, load: float, reading_first: float
) -> None:
    def at(now: float) -> tuple[pd.DataFrame, float]:
        return _sweep(now, workers=workers, load=load, reading_first=reading_first)

    end = at(0.0)[1]
    for percent in range(10, 99):
        now = end * percent / 100
        left = time_left(at(now)[0], now).seconds
        assert left is not None
        assert 0.5 <= left / (end - now) <= 2.0, (percent, left, end - now)


def test_a_long_reading_is_not_taken_for_slow_epochs() -> None:
    runs, end = _sweep(31.0, workers=2, load=0.2, reading_first=30.0)
    assert runs["epoch"].max() > 0
    left = time_left(runs, 31.0).seconds
    assert left is not None
    assert 0.6 <= left / (end - 31.0) <= 1.6


def test_a_load_that_begins_is_noticed_by_the_running_stacks() -> None:
    runs, _ = _sweep(40.0, workers=2, load=1.0)
    running = runs["state"] == "running"
    slow = runs.assign(**{"seconds.epoch": runs["seconds.epoch"].where(~running, 4.0)})
    before, after = (time_left(one, 40.0).seconds for one in (runs, slow))
    assert before is not None
    assert after is not None
    assert after > 3 * before


def test_progress_rises_from_0_to_1_and_counts_evaluations() -> None:
    _, end = _sweep(0.0, workers=2, load=1.0)
    shares = [
        time_left(_sweep(end * part / 40, workers=2, load=1.0)[0], end * part / 40).share
        for part in range(41)
    ]
    assert shares[0] == 0
    assert shares[-1] == 1
    assert all(abs(share - part / 40) < 0.2 for part, share in enumerate(shares))
    evaluating = _sweep(end - 3, workers=2, load=1.0)[0]
    assert (evaluating["epoch"] == EPOCHS).all()
    assert time_left(evaluating, end - 3).share < 1


def test_runs_that_were_finished_before_say_nothing() -> None:
    runs, _ = _sweep(20.0, workers=1, load=1.0)
    before = runs.head(3).assign(
        state="done", bundle="old", started_at=-9000.0, finished_at=-8000.0, epoch=EPOCHS
    )
    assert time_left(pd.concat([before, runs]), 20.0).seconds == time_left(runs, 20.0).seconds


def test_nothing_is_said_before_anything_is_known() -> None:
    runs, _ = _sweep(1.0, workers=2, load=1.0)
    assert time_left(runs, 1.0).seconds is None
    done = runs.assign(state="done", finished_at=2.0)
    assert time_left(done, 3.0).seconds is None


def test_what_a_search_will_add_counts() -> None:
    runs, _ = _sweep(20.0, workers=1, load=1.0)
    now, then = time_left(runs, 20.0), time_left(runs, 20.0, missing=len(runs))
    assert now.seconds is not None
    assert then.seconds is not None
    assert 1.5 * now.seconds < then.seconds < 3 * now.seconds
    assert then.share < now.share


def _within_limits(now: float, slower: float) -> tuple[pd.DataFrame, float]:
    """Three stacks of two limits on one worker; before each the unfair model is trained."""
    rows, start = [], 0.0
    for number in range(3):
        unfair, limited = 0.2, slower * 2 * 0.2  # seconds of an epoch
        first, second = (min(max(now - start - 1.0, 0.0) / unfair, EPOCHS), 0.0)
        if first == EPOCHS:
            second = min((now - start - 1.0 - EPOCHS * unfair) / limited, EPOCHS)
        end = start + 1.0 + EPOCHS * (unfair + limited) + 1.0
        state = "queued" if now < start else "done" if now >= end else "running"
        has_begun = state != "queued" and first >= 1
        rows += [
            {
                "method": "frem",
                "config.limit": limit,
                "bundle": str(number),
                "state": state,
                "stage": "training the unfair model to compare with"
                if second < 1
                else "evaluating 1 of 2"
                if second == EPOCHS
                else "training",
                "epoch": int(first) + int(second),
                "epochs": 2 * EPOCHS,
                "queued_at": 0.0,
                "started_at": start if now >= start else float("nan"),
                "finished_at": end if state == "done" else float("nan"),
                "seconds.reading": 1.0 if has_begun else float("nan"),
                "seconds.probing": 0.0 if has_begun else float("nan"),
                "seconds.epoch": (unfair if second < 1 else limited) / 2
                if has_begun
                else float("nan"),
                "seconds.evaluation": 0.5 if state == "done" else float("nan"),
            }
            for limit in ("50%", "20%")
        ]
        start = end
    return pd.DataFrame(rows), start


@pytest.mark.parametrize("slower", [0.9, 2.7])
def test_what_comes_after_the_unfair_model_is_foreseen(slower: float) -> None:
    end = _within_limits(0.0, slower)[1]
    for percent in range(4, 97):
        now = end * percent / 100
        left = time_left(_within_limits(now, slower)[0], now).seconds
        assert left is not None
        # The first unfair model tells little of what its own limits will take, later ones more.
        assert 1 / 2 <= left / (end - now) <= 2, (percent, left, end - now)


def test_the_pace_is_that_of_the_last_seconds_and_no_first_epoch(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    clock = [0.0]
    monkeypatch.setattr(progress.time, "perf_counter", lambda: clock[0])
    bundle = BundleProgress(MEMBERS, lambda report: None)
    bundle.training_starts()
    paces = []
    for took in [9.0, *[1.5] * 4, *[0.3] * 90]:  # it warms up, and a load ends
        clock[0] += took
        bundle.epoch_ends(MEMBERS)
        paces.append(MEMBERS * bundle.timings["epoch"])
    assert paces[:5] == pytest.approx([9.0, *[1.5] * 4])
    assert paces[-1] == pytest.approx(0.3)


def test_stacks_whose_parts_took_longer_than_the_whole_divide_nothing_by_zero() -> None:
    """As after a clock that was set back while they trained."""
    runs, _ = _sweep(100.0, workers=2, load=1.0)
    runs.loc[runs["state"] == "running", ["state", "started_at"]] = ["queued", float("nan")]
    runs.loc[runs["state"] == "done", "seconds.reading"] = 1e6
    left = time_left(runs, 100.0)
    assert left.seconds is not None
    assert left.seconds >= 0.0
