"""The contract of the store's queue: who trains what, and what becomes of it otherwise."""

from collections.abc import Callable

import pytest

from frem_core.store import MOST_RETRIES, LeaseLostError, Progress, RunState, Store
from tests.store.examples import OWNER, add_sweep, claim_one, new_run, result, state


class TestOwners:
    def test_two_owners_never_get_the_same_run(self, open_again: Callable[[], Store]) -> None:
        add_sweep(open_again(), [new_run(seed) for seed in range(6)])
        first = open_again().queue.claim("a", bundles=4)
        second = open_again().queue.claim("b", bundles=4)
        seeds = [run.config["seed"] for bundle in first + second for run in bundle]
        assert seeds == [0, 1, 2, 3, 4, 5]

    def test_a_bundle_is_claimed_whole_and_in_order(self, store: Store) -> None:
        add_sweep(store, [new_run(seed, bundle="ab"[seed % 2] * 64) for seed in range(6)])
        [even] = store.queue.claim(OWNER, bundles=1)
        assert [run.config["seed"] for run in even] == [0, 2, 4]
        store.queue.cancel([even[1].id])
        store.queue.cancelled(OWNER, even[1].id)
        store.queue.resume([even[1].id])
        # Its company still trains, so it waits; the other bundle does not.
        rest = store.queue.claim(OWNER, bundles=5)
        assert [[run.config["seed"] for run in bundle] for bundle in rest] == [[1, 3, 5]]

    def test_a_dead_owners_run_is_taken_over_with_its_progress(self, store: Store) -> None:
        add_sweep(store, [new_run(0)])
        run = claim_one(store)
        store.queue.report(OWNER, {run: Progress(5, "training", [{"task_loss": 1.0}] * 5)})
        assert store.queue.take_over(OWNER) == 0
        assert store.queue.take_over("engine-2") == 1
        found = store.runs.get(run)
        assert (found.state, found.epoch, found.attempts) == (RunState.QUEUED, 5, 1)
        assert claim_one(store, owner="engine-2") == run
        assert store.runs.get(run).attempts == 2

    def test_late_words_of_a_former_owner_change_nothing(self, store: Store) -> None:
        add_sweep(store, [new_run(0)])
        run = claim_one(store)
        store.queue.take_over("engine-2")
        claim_one(store, owner="engine-2")
        orders = store.queue.report(OWNER, {run: Progress(9)})
        assert orders.lost == {run}
        assert store.queue.fail(OWNER, run, "late") is False
        assert store.queue.cancelled(OWNER, run) is False
        with pytest.raises(LeaseLostError, match="does not belong"):
            store.results.finish(OWNER, run, result())
        found = store.runs.get(run)
        assert (found.state, found.epoch) == (RunState.RUNNING, 0)
        assert store.runs.history(run).empty
        store.results.finish("engine-2", run, result())

    def test_release_gives_everything_back(self, store: Store) -> None:
        add_sweep(store, [new_run(0), new_run(1)])
        store.queue.claim(OWNER, bundles=2)
        assert store.queue.release(OWNER) == 2
        assert set(store.runs.frame()["state"]) == {"queued"}

    def test_a_report_says_which_runs_are_still_held(self, store: Store) -> None:
        add_sweep(store, [new_run(0), new_run(1)])
        store.queue.claim(OWNER, bundles=2)
        assert len(store.queue.report(OWNER).held) == 2
        assert len(store.queue.report("engine-2").held) == 0
        store.queue.take_over("engine-2")
        assert len(store.queue.report(OWNER).held) == 0


class TestDeadWorkers:
    def test_is_set_aside_with_the_reason_after_three_deaths_at_the_same_point(
        self, store: Store
    ) -> None:
        add_sweep(store, [new_run(0)])
        for attempt in range(MOST_RETRIES + 1):
            run = claim_one(store)
            assert store.runs.get(run).attempts == attempt + 1
            store.queue.report(OWNER, {run: Progress(3)})
            store.queue.worker_died(OWNER, [run], "Its worker died three times.")
        found = store.runs.get(run)
        assert (found.state, found.error) == (RunState.FAILED, "Its worker died three times.")
        assert store.queue.claim(OWNER, bundles=1) == []

    def test_the_last_retry_is_made_alone(self, store: Store) -> None:
        add_sweep(store, [new_run(seed, bundle="b" * 64) for seed in range(3)])
        for _ in range(MOST_RETRIES):
            [bundle] = store.queue.claim(OWNER, bundles=9)
            assert len(bundle) == 3
            store.queue.worker_died(OWNER, [run.id for run in bundle], "dead")
        alone = store.queue.claim(OWNER, bundles=9)
        assert [len(bundle) for bundle in alone] == [1, 1, 1]
        store.queue.worker_died(OWNER, [alone[0][0].id], "dead")
        for bundle in alone[1:]:
            store.results.finish(OWNER, bundle[0].id, result())
        assert sorted(store.runs.frame()["state"]) == ["done", "done", "failed"]

    def test_a_bundle_can_be_separated(self, store: Store) -> None:
        add_sweep(store, [new_run(seed, bundle="b" * 64) for seed in range(3)])
        [bundle] = store.queue.claim(OWNER, bundles=9)
        store.queue.cancel([bundle[2].id])
        store.queue.separate(OWNER, [run.id for run in bundle])
        assert [len(one) for one in store.queue.claim(OWNER, bundles=9)] == [1, 1]
        assert state(store, bundle[2].id) == RunState.CANCELLED

    def test_progress_between_deaths_forgives_them(self, store: Store) -> None:
        add_sweep(store, [new_run(0)])
        for epoch in range(10):
            run = claim_one(store)
            store.queue.report(OWNER, {run: Progress(epoch)})
            store.queue.worker_died(OWNER, [run], "never shown")
        assert state(store, run) == RunState.QUEUED

    def test_a_resumed_run_starts_with_a_clean_slate(self, store: Store) -> None:
        add_sweep(store, [new_run(0)])
        for _ in range(MOST_RETRIES + 1):
            run = claim_one(store)
            store.queue.worker_died(OWNER, [run], "dead")
        assert state(store, run) == RunState.FAILED
        assert store.queue.resume([run]) == 1
        store.queue.worker_died(OWNER, [claim_one(store)], "dead")
        assert state(store, run) == RunState.QUEUED


class TestCancel:
    def test_queued_at_once_running_by_its_owner(self, store: Store) -> None:
        sweep = add_sweep(store, [new_run(0), new_run(1)])
        running = claim_one(store)
        store.sweeps.cancel(sweep)
        assert list(store.runs.frame(sweep)["state"]) == ["running", "cancelled"]
        assert store.queue.report(OWNER).cancel == {running}
        assert store.queue.cancelled(OWNER, running)
        assert list(store.runs.frame(sweep)["state"]) == ["cancelled", "cancelled"]
        assert store.sweeps.resume(sweep) == 2
        assert list(store.runs.frame(sweep)["state"]) == ["queued", "queued"]

    def test_runs_of_another_living_sweep_go_on(self, store: Store) -> None:
        first = add_sweep(store, [new_run(0), new_run(1)])
        second = add_sweep(store, [new_run(1), new_run(2)])
        store.sweeps.cancel(first)
        assert list(store.runs.frame()["state"]) == ["cancelled", "queued", "queued"]
        store.sweeps.cancel(second)
        assert list(store.runs.frame()["state"]) == ["cancelled"] * 3

    def test_a_dead_owners_cancelled_run_is_cancelled(self, store: Store) -> None:
        add_sweep(store, [new_run(0), new_run(1), new_run(2)])
        left = claim_one(store, owner="dead")
        store.queue.cancel([left])
        store.queue.take_over(OWNER)
        assert state(store, left) == RunState.CANCELLED
        died = claim_one(store)
        store.queue.cancel([died])
        store.queue.worker_died(OWNER, [died], "dead")
        assert state(store, died) == RunState.CANCELLED

    def test_resume_takes_back_a_request_not_yet_seen(self, store: Store) -> None:
        sweep = add_sweep(store, [new_run(0)])
        claim_one(store)
        store.sweeps.cancel(sweep)
        store.sweeps.resume(sweep)
        assert store.queue.report(OWNER).cancel == frozenset()


class TestLeases:
    def test_one_holder_at_a_time(self, open_again: Callable[[], Store]) -> None:
        one, other = open_again(), open_again()
        assert one.leases.acquire("engine", "a", 60, {"pid": 7})
        assert not other.leases.acquire("engine", "b", 60)
        assert one.leases.acquire("engine", "a", 60, {"pid": 7})
        holder = other.leases.holder("engine")
        assert holder is not None
        assert (holder.owner, holder.info) == ("a", {"pid": 7})
        assert 50 < holder.seconds_left <= 60

    def test_ends_by_itself_or_by_release(self, store: Store) -> None:
        assert store.leases.acquire("engine", "a", -1)
        assert store.leases.holder("engine") is None
        assert store.leases.acquire("engine", "b", 60)
        store.leases.release("engine", "a")  # too late to matter
        assert store.leases.holder("engine") is not None
        store.leases.release("engine", "b")
        assert store.leases.acquire("engine", "c", 60)
