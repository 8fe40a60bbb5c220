import pytest

from frem_core.datasets import load_dataset, social_graph_dataset
from frem_core.store import RunResult, RunState, Store
from frem_core.sweeps import DatasetSpec, SweepSpec, submit
from studio.train.estimate import Timings
from studio.train.pace import Pace, finished_pace, kind_of
from studio.train.workload import seconds_needed, workload_of
from studio.words import duration_words

OWNER = "a test"
SPEC = SweepSpec.from_toml(
    """name = "three runs"
seeds = 1
[dataset]
name = "gaussian_bivariate"
[training]
epochs = 10
[[methods]]
method = "frem"
fairness_weights = [0.1, 1.0]
[[methods]]
method = "laftr"
fairness_weights = [0.1]
"""
)


@pytest.fixture
def store(home, tmp_path) -> Store:
    return Store(folder=tmp_path)


@pytest.fixture(scope="module")
def data():
    return load_dataset("gaussian_bivariate")


def finish_all(store: Store, seconds: float) -> None:
    for bundle in store.queue.claim(OWNER, bundles=9):
        for run in bundle:
            timings = {"training": seconds, "evaluation": 2.0}
            store.results.finish(OWNER, run.id, RunResult(scores={}, timings=timings))


def test_only_unfinished_runs_are_work(store, data):
    work = workload_of(SPEC, data, store)
    assert (work.total, work.done) == (3, 0)
    assert sorted(len(bundle) for bundle in work.bundles) == [1, 2]
    submit(store, SPEC, data)
    finish_all(store, 1.0)
    work = workload_of(SPEC, data, store)
    assert (work.total, work.done, work.bundles) == (3, 3, ())


@pytest.mark.parametrize("encoder", ["gcn", "sgc", "mlp"])
def test_the_estimate_bundles_a_graph_as_it_will_be_trained(store, encoder):
    graph = social_graph_dataset(3_000, n_edges=6_000, n_features=6)
    weights = [0.1, 0.2, 0.3, 0.5, 1.0, 2.0, 3.0, 5.0]
    spec = SweepSpec.from_dict(
        SPEC.to_dict()
        | {
            "dataset": {"name": "german"},  # stands for any graph; the one above is given
            "seeds": [0, 1],
            "training": {"encoder": encoder, "hidden": [8, 8], "batch_size": 200},
            "methods": [{"method": "frem", "fairness_weights": weights}, {"method": "unfair"}],
        }
    )
    work = workload_of(spec, graph, store)
    submit(store, spec, graph)
    queued = [tuple(run.id for run in bundle) for bundle in store.queue.claim(OWNER, bundles=99)]
    assert queued == [tuple(run.identity for run in bundle) for bundle in work.bundles]
    # Three members at once: a step of two layers of GCN computes every one of the 3,000 nodes.
    assert (max(map(len, queued)) <= 3) == (encoder == "gcn")


def test_finished_runs_of_the_same_kind_tell_the_pace(store, data):
    submit(store, SPEC, data)
    finish_all(store, 5.0)
    finished = store.runs.frame(states=[RunState.DONE])
    frem, *_ = SPEC.expand(data)
    assert finished_pace(finished, frem) == Pace(5.0 / 10, 2.0, runs=2)
    laftr = SPEC.expand(data)[-1]
    assert finished_pace(finished, laftr).epoch_seconds == pytest.approx(5.0 / 110)  # its head too
    longer = SweepSpec.from_toml(SPEC.to_toml().replace("epochs = 10", "epochs = 90"))
    assert finished_pace(finished, longer.expand(data)[0]) is not None
    larger = SweepSpec.from_toml(
        SPEC.to_toml().replace("epochs = 10", "epochs = 10\nbatch_size = 50")
    )
    assert finished_pace(finished, larger.expand(data)[0]) is None


def test_the_kind_leaves_out_what_changes_no_time(data):
    first, second, laftr = SPEC.expand(data)
    assert kind_of(first) == kind_of(second) != kind_of(laftr)


@pytest.mark.parametrize(("workers", "wanted"), [(1, 18.0), (2, 12.0), (5, 8.0)])
def test_workers_take_the_next_bundle_as_soon_as_they_are_free(data, workers, wanted):
    run = SPEC.expand(data)[0]  # 10 epochs
    bundles = [[run], [run, run], [run], [run] * 4, [run]]
    paces = {kind_of(run): Pace(epoch_seconds=0.1, evaluation_seconds=1.0)}
    # Lengths 2, 4, 2, 8, 2 in this order.
    assert seconds_needed(bundles, paces, workers) == pytest.approx(wanted)


def bundles_of(store, data):
    return {kind_of(bundle[0]): bundle for bundle in workload_of(SPEC, data, store).bundles}


def test_steps_are_timed_in_a_process_of_their_own_and_once(store, data):
    bundles, timings = bundles_of(store, data), Timings()
    timings.ask(SPEC.dataset, bundles)
    assert timings.is_measuring(bundles)
    timings.wait(240)
    paces = timings.paces(bundles)
    assert not timings.is_measuring(bundles)
    assert paces.keys() == bundles.keys()
    assert all(pace.epoch_seconds > 0 and pace.evaluation_seconds > 0 for pace in paces.values())
    timings.ask(SPEC.dataset, bundles)
    assert not timings.is_measuring(bundles)


def test_closed_timings_end_and_know_nothing(store, data):
    bundles, timings = bundles_of(store, data), Timings()
    timings.ask(SPEC.dataset, bundles)
    timings.close()
    timings.wait(240)
    assert not timings.is_measuring(bundles)
    assert timings.paces(bundles) == {}


def test_what_cannot_be_timed_is_given_up(store, data, home):
    bundles, timings = bundles_of(store, data), Timings()
    timings.ask(DatasetSpec(table="0" * 20, target="y", sensitive="s"), bundles)
    timings.wait(240)
    assert not timings.is_measuring(bundles)
    assert timings.paces(bundles) == {}
    assert "not kept on this computer" in timings.failure(bundles)
    timings.ask(SPEC.dataset, bundles)  # asking alone would only fail again
    assert not timings.is_measuring(bundles)
    timings.forget_failures(bundles)
    timings.ask(SPEC.dataset, bundles)
    assert timings.is_measuring(bundles)
    timings.close()
    timings.wait(240)


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (1, "5 seconds"),
        (41, "45 seconds"),
        (58, "1 minute"),
        (3000, "50 minutes"),
        (3500, "1 hour"),
        (5400, "1½ hours"),
        (36000, "10 hours"),
    ],
)
def test_durations_are_said_as_people_say_them(seconds, words):
    assert duration_words(seconds) == words
