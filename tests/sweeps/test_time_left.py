"""The time left, against made-up sweeps whose end is known."""

import pandas as pd
import pytest

from frem_core.sweeps.time_left import time_left

EPOCHS, MEMBERS = 100, 3
#: Seconds of reading, of an epoch of a stack, and of the evaluation of a stack, by method.
SPEEDS = {"frem": (2.0, 0.3, 6.0), "mmd": (2.0, 0.1, 6.0), "adv": (2.0, 0.6, 6.0)}
METHODS = ("frem", "mmd", "adv") * 4


def _length(method: str, load: float) -> float:
    reading, epoch, evaluation = SPEEDS[method]
    return load * (reading + EPOCHS * epoch + evaluation)


def _sweep(now: float, *, workers: int, load: float) -> tuple[pd.DataFrame, float]:
    """A sweep as the store shows it at a moment, and when it will have ended."""
    free = [0.0] * workers
    rows = []
    for number, method in enumerate(METHODS):
        start = min(free)
        reading, epoch, evaluation = (load * one for one in SPEEDS[method])
        end = start + _length(method, load)
        free[free.index(start)] = end
        trained = min(max((now - start - reading) / epoch, 0.0), EPOCHS)
        part = int(
            min(max((now - start - reading - EPOCHS * epoch) / evaluation, 0), 0.99) * MEMBERS
        )
        state = "queued" if now < start else "done" if now >= end else "running"
        stage = f"evaluating {part + 1} of {MEMBERS}" if trained == EPOCHS else "training"
        rows += [
            {
                "method": method,
                "bundle": str(number),
                "state": state,
                "stage": stage,
                "epoch": 0 if state == "queued" else int(trained),
                "epochs": EPOCHS,
                "queued_at": 0.0,
                "started_at": start if now >= start else float("nan"),
                "finished_at": end if state == "done" else float("nan"),
                "seconds.training": EPOCHS * epoch / MEMBERS if state == "done" else float("nan"),
                "seconds.evaluation": evaluation / MEMBERS if state == "done" else float("nan"),
            }
        ] * MEMBERS
    return pd.DataFrame(rows), max(free)


@pytest.mark.parametrize("workers", [1, 2, 4])
@pytest.mark.parametrize("load", [1.0, 5.0])
def test_from_a_tenth_on_it_is_right_within_a_factor_of_two(workers: int, load: float) -> None:
    _, end = _sweep(0.0, workers=workers, load=load)
    for percent in range(10, 96, 5):
        now = end * percent / 100
        runs, _ = _sweep(now, workers=workers, load=load)
        left = time_left(runs, now).seconds
        assert left is not None
        assert 0.5 <= left / (end - now) <= 2.0, (percent, left, end - now)


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
