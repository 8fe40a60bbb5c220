import gc
import logging
import os
import socket
import sys
import time
import weakref
from pathlib import Path

import dask
import numpy as np
import psutil
import pytest
from click.testing import CliRunner
from distributed import Client, LocalCluster

from frem_core.commands import status
from frem_core.eipm.tiles import keep_freed_memory
from frem_core.errors import ConfigError
from frem_core.logs import JsonFormatter
from frem_core.store import Lease, Store
from frem_core.sweeps import engine_state, ensure_engine
from frem_core.sweeps.cluster import Cluster, LocalClusterError, security_for, warning_about
from frem_core.sweeps.engine_lease import ENGINE, EngineLease, Silence, is_dead
from frem_core.sweeps.launch import log_file, why_no_engine
from frem_core.sweeps.local_cluster import _QUIET, _memory, _workers, local_cluster
from frem_core.sweeps.worker import GiveWay, WarmUp, give_back_memory
from frem_core.watching.faults import faults_of
from tests.store.examples import add_sweep, new_run
from tests.sweeps.processes import own_home, wait_until


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(folder=tmp_path / "home")


def holder(**changes: object) -> Lease:
    process = psutil.Process()
    info = {"host": socket.gethostname(), "pid": process.pid, "started": process.create_time()}
    return Lease("someone", 10.0, info | changes)


def test_a_living_process_is_not_dead() -> None:
    assert not is_dead(holder())


def test_a_process_of_another_machine_is_given_the_benefit_of_the_doubt() -> None:
    assert not is_dead(holder(host="elsewhere", pid=2**22))


def test_a_missing_process_is_dead() -> None:
    assert is_dead(holder(pid=2**22 + 1))


def test_another_process_under_the_same_number_is_not_the_holder() -> None:
    assert is_dead(holder(started=psutil.Process().create_time() - 3600))


def test_state_follows_the_lease(store: Store) -> None:
    assert not engine_state(store).is_running
    lease = EngineLease(store, "me")
    assert lease.acquire()
    lease.say(workers=3, scheduler="tls://x", message="busy")
    assert store.leases.acquire(ENGINE, "me", 10, lease._info)
    state = engine_state(store)
    assert (state.is_running, state.pid, state.workers, state.message) == (
        True,
        os.getpid(),
        3,
        "busy",
    )
    other = EngineLease(store, "other")
    assert not other.acquire()
    lease.release()
    assert not engine_state(store).is_running
    assert other.acquire()
    other.release()


def test_half_a_minute_without_a_free_moment_does_not_bring_a_second_engine(store: Store) -> None:
    lease = EngineLease(store, "me")
    assert lease.acquire()
    held = store.leases.holder(ENGINE)
    lease.release()
    assert held is not None
    assert held.seconds_left > 30


def test_an_engine_that_does_nothing_is_noticed() -> None:
    silence = Silence(0.0, 2.0)
    assert [silence.seconds(now) for now in (2.0, 4.0, 6.0)] == [2.0, 4.0, 6.0]
    silence.end(6.5)
    assert silence.seconds(8.0) == 1.5


def test_a_process_that_was_stopped_has_not_been_silent() -> None:
    silence = Silence(0.0, 2.0)
    silence.end(1.0)
    assert silence.seconds(600.0) == pytest.approx(1.0, abs=2.0)
    assert silence.seconds(602.0) == pytest.approx(3.0, abs=2.0)


def test_on_a_crowded_machine_only_the_time_it_had_counts() -> None:
    silence = Silence(0.0, 2.0)
    late = [silence.seconds(3.9 * look) for look in range(1, 31)]  # nearly two seconds each time
    assert late[-1] == pytest.approx(60.0)


def test_no_engine_is_started_for_an_empty_queue(store: Store) -> None:
    ensure_engine(store)
    assert not (store.folder / "engine.log").exists()


def test_settings_from_the_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FREM_WORKERS", "3")
    assert _workers() == 3
    assert _memory() == "auto"
    monkeypatch.setenv("FREM_WORKER_MEMORY", "2GB")
    assert _memory() == 2_000_000_000
    assert not security_for("tcp://far:1").require_encryption
    file = tmp_path / "ca.pem"
    file.touch()
    monkeypatch.setenv("FREM_TLS_CA", str(file))
    security = security_for("tcp://far:1")
    assert (security.tls_ca_file, security.require_encryption) == (str(file), True)


@pytest.mark.parametrize(
    ("variable", "given", "reason"),
    [
        ("FREM_WORKERS", "many", "at least 1, not 'many'"),
        ("FREM_WORKERS", "0", "at least 1, not '0'"),
        ("FREM_WORKERS", "-2", "at least 1, not '-2'"),
        ("FREM_WORKERS", "100000", "the memory of this machine holds"),
        ("FREM_WORKER_MEMORY", "400MB", "a worker needs at least 700MB"),
        ("FREM_WORKER_MEMORY", "plenty", "not 'plenty'"),
        ("FREM_WORKER_MEMORY", "-2GB", "not '-2GB'"),
        ("FREM_SCHEDULER", "tcp://", "must be an address such as tls://scheduler:8786"),
        ("FREM_SCHEDULER", "tcp://far:99999", "must be an address such as"),
        ("FREM_SCHEDULER", "tls://far:8786", "FREM_TLS_CERT and FREM_TLS_KEY must name"),
        ("FREM_TLS_CA", "/no/such.pem", "there is none called '/no/such.pem'"),
    ],
)
def test_settings_that_make_no_sense(
    variable: str, given: str, reason: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each is refused by its name, before anything is started or connected to."""
    monkeypatch.setenv("FREM_SCHEDULER", "tcp://far:1" if variable == "FREM_TLS_CA" else "")
    monkeypatch.setenv(variable, given)
    with pytest.raises(ConfigError, match=reason) as refusal:
        Cluster(tmp_path)
    assert not isinstance(refusal.value, LocalClusterError)  # which would be tried again


def test_an_engine_tells_of_its_own_setting(tmp_path: Path) -> None:
    """The process itself, as it is started for a dashboard: it says why and waits to be read."""
    with own_home(tmp_path / "home", FREM_ENGINE_IDLE="abc") as store:
        add_sweep(store, [new_run()])
        ensure_engine(store)
        said = "FREM_ENGINE_IDLE must be seconds such as 60, not 'abc'"
        wait_until(lambda: said in engine_state(store).message, "the engine said why")
        assert said in {fault.kind: fault.sentence for fault in faults_of(store)}["engine"]


@pytest.mark.parametrize("kind", ["", "json"])
def test_why_the_last_engine_did_not_start_is_said_after_it_ended(
    kind: str, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    reason = "FREM_WORKERS must be a whole number of at least 1, not 'abc'."
    entry = logging.LogRecord(
        "frem_core.sweeps.engine", 40, "", 1, "The engine cannot start: %s", (reason,), None
    )
    form = JsonFormatter() if kind else logging.Formatter("%(asctime)s %(name)s %(message)s")
    assert why_no_engine(store) == ""
    log_file(store).write_text(form.format(entry) + "\nAnother library speaks.\n")
    assert why_no_engine(store) == reason
    add_sweep(store, [new_run()])
    monkeypatch.setenv("FREM_HOME", str(store.folder))
    said = " ".join(CliRunner().invoke(status.command).stdout.split())
    assert f"It could not start: {reason}" in said
    entry.msg = "The engine serves it %s"
    with log_file(store).open("a") as log:
        log.write(form.format(entry) + "\n")
    assert why_no_engine(store) == ""


def test_trainings_let_pages_go_first() -> None:
    with (
        dask.config.set({"distributed.worker.http.routes": []}),
        LocalCluster(n_workers=1, threads_per_worker=1, dashboard_address=None) as cluster,
        Client(cluster) as client,
    ):
        client.register_plugin(GiveWay(10))
        computing = client.submit(os.getpriority, os.PRIO_PROCESS, 0, pure=False)
        assert computing.result() == max(10, os.getpriority(os.PRIO_PROCESS, 0))


def test_a_scheduler_that_is_not_encrypted_is_warned_of() -> None:
    assert "is not encrypted" in warning_about("tcp://10.0.0.7:8786")
    assert "tls://" in warning_about("tcp://10.0.0.7:8786")
    assert warning_about("tls://10.0.0.7:8786") == ""
    assert warning_about("") == ""


def test_a_local_cluster_keeps_nothing_of_what_is_done(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FREM_WORKERS", "1")

    def kept() -> int:
        gc.collect()
        return sum(str(type(one).__module__).startswith("distributed") for one in gc.get_objects())

    with (
        dask.config.set(_QUIET),  # as it was afterwards
        local_cluster(tmp_path) as cluster,
        Client(cluster) as client,
    ):
        sizes = []
        for _ in range(3):
            for number in range(30):  # one after another: idle in between
                assert client.submit(int, number, pure=False).result() == number
            sizes.append(kept())
    assert sizes[2] - sizes[1] < 30  # Dask kept several things of each


@pytest.mark.skipif(sys.platform != "linux", reason="asks glibc")
def test_a_worker_gives_freed_memory_back_although_some_of_it_is_still_in_use() -> None:
    keep_freed_memory()
    blocks = [np.ones(2**17) for _ in range(150)]  # of a megabyte, beside each other
    last = blocks.pop()
    del blocks
    size = psutil.Process().memory_info().rss
    give_back_memory()
    assert size - psutil.Process().memory_info().rss > 100 * 2**20
    assert last[0] == 1.0


def test_a_worker_frees_what_only_refers_to_itself() -> None:
    class Stack:
        def __init__(self) -> None:
            self.me = self

    gc.disable()  # no luck with the moment
    try:
        left = weakref.ref(Stack())
        assert left() is not None
        give_back_memory()
        assert left() is None
    finally:
        gc.enable()


def test_workers_keep_no_profile_of_themselves() -> None:
    """It grows by ten megabytes a minute, also on workers of a scheduler that others started."""
    wanted = {"distributed.worker.profile.enabled": True, "distributed.worker.http.routes": []}
    with (
        dask.config.set(wanted),
        LocalCluster(n_workers=1, processes=False, dashboard_address="127.0.0.1:0") as cluster,
        Client(cluster) as client,
    ):
        [worker] = cluster.workers.values()
        assert worker.periodic_callbacks["profile"].is_running()
        client.register_plugin(WarmUp())
        assert not worker.periodic_callbacks["profile"].is_running()


def test_work_for_workers_that_have_all_left_is_taken_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Dask would keep it for them, whoever else joins."""
    quiet = {"processes": False, "threads_per_worker": 1, "dashboard_address": None}
    with (
        # A scheduler of others forgives deaths; one of this process may have been set not to.
        dask.config.set({"distributed.scheduler.allowed-failures": 3}),
        LocalCluster(n_workers=1, protocol="tcp", **quiet) as team,
    ):
        monkeypatch.setenv("FREM_SCHEDULER", team.scheduler_address)
        cluster = Cluster(tmp_path)
        assert (cluster.slots(), cluster.complaint) == (1, "")
        # The first keeps the only worker busy, so that the second waits for it.
        busy, waiting = (cluster._submit(time.sleep, 1.0, key=key) for key in ("busy", "waiting"))
        team.scale(0)
        wait_until(lambda: cluster.slots() == 0, "the worker had left")
        team.scale(1)
        wait_until(lambda: cluster.slots() == 1, "another one was there")
        wait_until(waiting.done, "it was taken back")
        assert (waiting.status, cluster.has_lost("waiting")) == ("cancelled", True)
        assert cluster.has_lost("busy") == (busy.status == "cancelled")
        again = cluster._submit(time.sleep, 0.0, key="again")
        again.result(timeout=120)
        assert not cluster.has_lost("again")
        cluster.close()
