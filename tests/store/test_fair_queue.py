"""Everybody's runs are trained in turn; on every database."""

from collections import Counter

from frem_core.store import Store
from tests.store.examples import CRIME, OWNER, new_run, result


def queue(store: Store, name: str, runs: int, person: str | None, *, first: int) -> str:
    members = [new_run(first + n) for n in range(runs)]
    return store.sweeps.add(name, "", members, [CRIME], queued_by=person)


def train_next(store: Store) -> str:
    """One worker takes the next run and finishes it; returns the name of its sweep."""
    ((run,),) = store.queue.claim(OWNER, bundles=1)
    store.results.finish(OWNER, run.id, result())
    frame = store.sweeps.frame()
    names = {row["id"]: row["name"] for row in frame.to_dict("records")}
    return next(names[one] for one in names if run.id in {m.id for m in store.sweeps.members(one)})


def test_a_long_sweep_does_not_starve_a_short_one(store: Store) -> None:
    queue(store, "long", 30, None, first=0)
    assert [train_next(store) for _ in range(3)] == ["long"] * 3
    queue(store, "short", 3, None, first=100)
    order = [train_next(store) for _ in range(8)]
    assert order.count("short") == 3
    assert max(i for i, name in enumerate(order) if name == "short") <= 5


def test_many_sweeps_of_one_person_do_not_outweigh_one_of_another(store: Store) -> None:
    for n in range(5):
        queue(store, f"ann {n}", 6, "ann", first=n * 10)
    queue(store, "ben", 6, "ben", first=500)
    served = Counter(train_next(store).split()[0] for _ in range(8))
    assert served == {"ann": 4, "ben": 4}


def test_several_workers_are_shared_out_at_once(store: Store) -> None:
    queue(store, "long", 20, "ann", first=0)
    queue(store, "short", 2, "ben", first=100)
    claimed = store.queue.claim(OWNER, bundles=4)
    seeds = sorted(run.config["seed"] for (run,) in claimed)
    assert seeds == [0, 1, 100, 101]


def test_what_is_under_way_counts(store: Store) -> None:
    queue(store, "long", 20, "ann", first=0)
    store.queue.claim(OWNER, bundles=3)
    queue(store, "short", 4, "ben", first=100)
    claimed = store.queue.claim(OWNER, bundles=3)
    assert sorted(run.config["seed"] for (run,) in claimed) == [100, 101, 102]


def test_priority_orders_ones_own_sweeps_and_nobody_elses(store: Store) -> None:
    queue(store, "old", 4, "ann", first=0)
    urgent = queue(store, "urgent", 4, "ann", first=50)
    queue(store, "ben", 4, "ben", first=100)
    store.sweeps.prefer(urgent, 5)
    order = [train_next(store) for _ in range(8)]
    assert order.count("ben") == 4
    assert order.count("urgent") == 4  # before anything else of ann's


def test_a_run_that_kills_its_worker_is_set_aside_while_others_go_on(store: Store) -> None:
    queue(store, "bad", 1, "ann", first=0)
    queue(store, "good", 3, "ann", first=10)
    done, deaths = 0, 0
    while claimed := store.queue.claim(OWNER, bundles=1):
        ((run,),) = claimed
        if run.config["seed"] == 0:
            deaths += 1
            store.queue.worker_died(OWNER, [run.id], "took its worker down")
        else:
            store.results.finish(OWNER, run.id, result())
            done += 1
    assert (deaths, done) == (3, 3)
    (failed,) = [run for run in store.runs.frame().to_dict("records") if run["state"] == "failed"]
    assert failed["error"] == "took its worker down"
    assert store.runs.get(failed["id"]).attempts == 3


def test_a_bundle_that_two_sweeps_hold_is_claimed_once(store: Store) -> None:
    queue(store, "one", 3, "ann", first=0)
    queue(store, "same", 3, "ben", first=0)
    claimed = store.queue.claim(OWNER, bundles=9)
    assert sorted(run.config["seed"] for (run,) in claimed) == [0, 1, 2]
