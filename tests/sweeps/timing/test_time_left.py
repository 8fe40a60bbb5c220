"""The time left, against sweeps on paper whose end is known."""

import socket
from collections.abc import Sequence

import pandas as pd
import pytest

from frem_core.sweeps.timing.stack_costs import Costs, Stack
from frem_core.sweeps.timing.stopwatch import stacked
from frem_core.sweeps.timing.time_left import TimeLeft, time_left
from tests.sweeps.timing.sweep_on_paper import Load, Paper, at

FREM, MMD, ADV = Paper(), Paper("mmd", epoch=0.2), Paper("adv", size=2, epoch=0.6)
THREE = [FREM, MMD, ADV] * 3
#: γ chosen of three candidates: four trainings, the first ones on four fifths of the rows.
GAMMA = [Paper(epochs=240, epoch=0.27)] * 3
PROBED = [Paper(size=10, epoch=0.55, probing=20.0), Paper("mmd", 10, epoch=0.6, probing=15.0)] * 2
UNEVEN = [*[Paper(size=3)] * 4, Paper(size=10, epoch=10 * 0.1 * stacked(10) / stacked(3))]
SWEEPS = {"three": THREE, "gamma": GAMMA, "probed": PROBED, "uneven": UNEVEN}


def _ratios(
    stacks: Sequence[Paper], workers: int, load: Load, earlier: pd.DataFrame | None = None
) -> dict[int, float | None]:
    """The time told over the time it took, from a tenth on."""
    end = at(0.0, stacks, workers=workers, load=load)[1]
    ratios = {}
    for percent in range(10, 98, 3):
        now = end * percent / 100
        runs = at(now, stacks, workers=workers, load=load)[0]
        told = time_left(runs, now, earlier=earlier).seconds
        ratios[percent] = None if told is None else told / (end - now)
    return ratios


def _wrong(ratios: dict[int, float | None]) -> dict[int, float | None]:
    return {at: one for at, one in ratios.items() if one is None or not 0.5 <= one <= 2.0}


@pytest.mark.parametrize("sweep", ["three", "gamma", "uneven"])
@pytest.mark.parametrize("workers", [1, 2])
@pytest.mark.parametrize("load", [Load(), Load(20.0, 20.0), Load(1.5, 0.8, 40.0)], ids=str)
def test_from_a_tenth_on_it_is_right_within_a_factor_of_two(
    sweep: str, workers: int, load: Load
) -> None:
    assert not _wrong(_ratios(SWEEPS[sweep], workers, load))


@pytest.mark.parametrize("sweep", list(SWEEPS))
def test_a_load_that_doubles_in_the_middle_is_noticed(sweep: str) -> None:
    stacks = [one for one in SWEEPS[sweep] for _ in range(2)]  # long enough to notice
    alone = at(0.0, stacks, workers=2, load=Load())[1]
    earlier = _finished(stacks)
    ratios = _ratios(stacks, 2, Load(1.0, 1.9, alone / 2), earlier)
    assert not _wrong(ratios)
    late = [one for percent, one in ratios.items() if 80 <= percent <= 90]
    assert all(one is not None and 0.7 <= one <= 1.4 for one in late)


@pytest.mark.parametrize("is_shared", [True, False], ids=["shared", "of each its own"])
def test_the_last_stack_has_none_beside_it(is_shared: bool) -> None:
    """Three on two workers, beside busy programs; where they share a load, it is twice as fast."""
    ratios = _ratios(GAMMA, 2, Load(6.0, 6.0, is_shared=is_shared))
    assert all(one is not None and 0.55 <= one <= 1.5 for one in ratios.values()), ratios


def test_a_stack_knows_best_what_its_own_epochs_cost() -> None:
    """Two at once cost more processor time than one: they share caches and cores."""
    two, alone = Paper(size=3, epochs=240, epoch=0.04), Paper(size=3, epochs=240, epoch=0.028)
    end = at(0.0, [two, two, alone], workers=2, load=Load())[1]
    now = end - 0.7 * alone.epochs * alone.epoch - alone.size * alone.evaluation
    runs = at(now, [two, two, alone], workers=2, load=Load())[0]
    assert (runs["state"] == "done").sum() == 6
    assert time_left(runs, now).seconds == pytest.approx(end - now, rel=0.1)


def test_a_few_calm_seconds_are_not_taken_for_the_load() -> None:
    """A stack has begun lately and met no load yet; the one before it has, all along."""
    load = Load(3.0, 3.0)
    first, end = (at(0.0, stacks, workers=1, load=load)[1] for stacks in (GAMMA[:1], GAMMA[:2]))
    now = first + 7.0
    runs = at(now, GAMMA[:2], workers=1, load=load)[0]
    calm = runs["seconds.slowdown"].where(runs["state"] == "done", 1.0)
    told = time_left(runs.assign(**{"seconds.slowdown": calm}), now).seconds
    assert told is not None
    assert 0.5 <= told / (end - now) <= 1.0


def test_a_guess_does_not_rest_on_a_guess() -> None:
    """While an unfair model is trained, evaluation is judged by the epochs of the others."""
    plain, within = Paper(evaluation=2.0), Paper("reg_hgr", size=2, unfair=2.0, epoch=2.0)
    runs, _ = at(20.0, [plain, within], workers=2, load=Load())
    same = runs.assign(**{"seconds.unfair_processor": runs["seconds.unfair_processor"] * 10})
    slow, fast = (
        Costs.of(
            [Stack.of(rows.to_dict("records"), 20.0) for _, rows in one.groupby("bundle")], [], 2
        )
        for one in (same, runs)
    )
    assert slow is not None
    assert fast is not None
    assert slow.evaluation == fast.evaluation


def test_what_the_system_says_of_the_last_minute_counts_while_a_sweep_is_young() -> None:
    """Two stacks begin in a calm moment of a busy machine."""
    stacks, load = [Paper(reading=0.5, epochs=240)] * 2, Load(2.0, 5.0, since=6.0)
    runs, end = at(6.0, stacks, workers=2, load=load)
    told, warned = (
        time_left(rows, 6.0).seconds for rows in (runs, runs.assign(**{"seconds.load": 5.0}))
    )
    assert told is not None
    assert warned is not None
    assert told < 0.5 * (end - 6.0) < warned < end - 6.0
    later = at(120.0, stacks, workers=2, load=load)[0]
    assert time_left(later, 120.0) == time_left(later.assign(**{"seconds.load": 50.0}), 120.0)


@pytest.mark.parametrize("slower", [0.9, 2.7])
def test_what_comes_after_the_unfair_model_is_foreseen(slower: float) -> None:
    within = Paper(size=2, reading=2.0, unfair=0.2, epoch=2 * slower * 0.2)
    assert not _wrong(_ratios([within] * 3, 1, Load()))


def _finished(stacks: Sequence[Paper], load: float = 1.0, host: str = "") -> pd.DataFrame:
    """Runs of an earlier sweep."""
    slow = Load(load, load)
    end = at(0.0, stacks, workers=2, load=slow)[1]
    runs = at(end, stacks, workers=2, load=slow)[0]
    return runs.assign(
        id="earlier-" + runs["id"],
        queued_at=runs["queued_at"] - 1e6,
        started_at=runs["started_at"] - 1e6,
        finished_at=runs["finished_at"] - 1e6,
        **{"facts.host": host or socket.gethostname()},
    )


@pytest.mark.parametrize("load_then", [1.0, 30.0])
@pytest.mark.parametrize("load", [Load(), Load(10.0, 10.0)], ids=str)
def test_earlier_runs_tell_before_an_epoch_is_done_but_not_their_load(
    load_then: float, load: Load
) -> None:
    earlier = _finished(PROBED, load_then)
    assert not _wrong(_ratios(PROBED, 2, load, earlier))
    runs, end = at(15.0 * load.first, PROBED, workers=2, load=load)
    assert runs["epoch"].max() == 0
    told = time_left(runs, 15.0 * load.first, earlier=earlier).seconds
    assert told == pytest.approx(end - 15.0 * load.first, rel=0.25)


def test_reading_that_takes_long_tells_of_a_load() -> None:
    load, now = Load(30.0, 30.0), 100.0
    runs, end = at(now, PROBED, workers=2, load=load)
    assert runs["seconds.slowdown"].isna().all()
    busy = time_left(runs, now, earlier=_finished(PROBED)).seconds
    alone = time_left(at(1.0, PROBED, workers=2, load=Load())[0], 1.0, earlier=_finished(PROBED))
    assert busy is not None
    assert alone.seconds is not None
    assert 3 * alone.seconds < busy < end - now


def test_runs_of_other_machines_and_data_tell_nothing() -> None:
    runs = at(10.0, PROBED, workers=2, load=Load())[0]
    nothing = TimeLeft(None, 0.0)
    assert time_left(runs, 10.0, earlier=_finished(PROBED, host="elsewhere")) == nothing
    other = _finished(PROBED).assign(dataset="other")
    assert time_left(runs, 10.0, earlier=other) == nothing
    assert time_left(runs, 10.0, earlier=_finished(PROBED)).seconds is not None


def test_a_probe_foretells_the_epochs() -> None:
    stacks = [Paper(size=10, probing=20.0, epoch=0.55)] * 2
    runs, end = at(15.0, stacks, workers=2, load=Load())
    probed = runs.assign(
        **{
            "seconds.probing_left": 10.0,
            "seconds.epoch_processor": 0.055,
            "seconds.slowdown": 1.0,
        }
    )
    assert time_left(runs, 15.0).seconds is None
    told = time_left(probed, 15.0).seconds
    assert told == pytest.approx(end - 15.0, rel=0.3)


def test_a_stack_of_another_size_is_judged_by_its_size() -> None:
    small, large = Paper(size=1, epoch=0.2), Paper(size=10, epoch=0.2 * 10 * stacked(10))
    runs, end = at(10.0, [small, large], workers=1, load=Load())
    told = time_left(runs, 10.0).seconds
    assert told == pytest.approx(end - 10.0, rel=0.15)


def test_progress_rises_from_0_to_1_and_counts_evaluations() -> None:
    end = at(0.0, THREE, workers=2, load=Load())[1]
    shares = [
        time_left(at(end * part / 40, THREE, workers=2, load=Load())[0], end * part / 40).share
        for part in range(41)
    ]
    assert shares[0] == 0
    assert shares[-1] == 1
    assert all(abs(share - part / 40) < 0.2 for part, share in enumerate(shares))
    evaluating = at(end - 1.0, THREE, workers=2, load=Load())[0]
    assert (evaluating["epoch"] == 100).all()
    assert time_left(evaluating, end - 1.0).share < 1


def test_runs_that_were_finished_before_say_nothing_about_the_load() -> None:
    runs = at(20.0, THREE, workers=1, load=Load())[0]
    before = _finished([FREM], load=40.0).assign(bundle="old")
    assert time_left(pd.concat([before, runs]), 20.0).seconds == time_left(runs, 20.0).seconds


def test_nothing_is_said_before_anything_is_known() -> None:
    runs = at(1.0, THREE, workers=2, load=Load())[0]
    assert time_left(runs, 1.0) == TimeLeft(None, 0.0)
    assert time_left(runs.assign(state="queued"), 1.0) == TimeLeft(None, 0.0)
    done = runs.assign(state="done", finished_at=2.0)
    assert time_left(done, 3.0) == TimeLeft(None, 1.0)


def test_what_a_search_will_add_counts() -> None:
    runs = at(20.0, THREE, workers=1, load=Load())[0]
    now, then = time_left(runs, 20.0), time_left(runs, 20.0, missing=len(runs))
    assert now.seconds is not None
    assert then.seconds is not None
    assert 1.5 * now.seconds < then.seconds < 3 * now.seconds
    assert then.share < now.share


def test_stacks_without_costs_divide_nothing_by_zero() -> None:
    """As after a clock that was set back while they trained."""
    runs = at(100.0, THREE, workers=2, load=Load())[0]
    costs = [name for name in runs if name.startswith("seconds.")]
    left = time_left(runs.assign(**dict.fromkeys(costs, 0.0), started_at=1e6), 100.0)
    assert left.seconds is not None
    assert left.seconds >= 0.0
