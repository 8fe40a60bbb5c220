"""The page on team servers, word by word: database, scheduler, workers, dashboard and proxy."""

import os
import re
import shutil
import ssl
import sys
import sysconfig
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from http.client import HTTPException, HTTPSConnection
from pathlib import Path

import pandas as pd
import psutil
import pytest
from playwright.sync_api import Browser, Page, expect

from frem_core import __version__
from frem_core.store import Store
from frem_core.sweeps import engine_state, load_model, load_predictions, load_representations
from tests.browser.oidc import log_in, running_provider
from tests.datasets.graphs.people import friendships, people
from tests.private_sweeps import ANN, VERA
from tests.sweeps.processes import end_engine, wait_until, write_table
from tests.team.machines import Machine, check_separation
from tests.team.page import PAGE, addresses, section
from tests.team.servers import (
    installed_nginx,
    installed_postgresql,
    is_answered_without_certificate,
    self_signed,
)
from tools.dashboard import PATIENCE, Dashboard, free_port, settle, wait_until_it_answers

pytestmark = pytest.mark.slow
expect.set_options(timeout=PATIENCE)

PEOPLE = {"ann": {"email": ANN}, "vera": {"email": VERA}}
PORTS = ("database", "scheduler", "studio", "https")
SWEEP = """
name = "{name}"
seeds = {seeds}
[dataset]
{dataset}
[training]
epochs = {epochs}
batch_size = 64
[[methods]]
method = "frem"
fairness_weights = [0.1, 1.0]
"""


@dataclass
class Team:
    """All machines, and what the words of the page mean on them."""

    site: Path
    login: str
    ports: dict[str, int] = field(default_factory=lambda: {name: free_port() for name in PORTS})
    machines: dict[str, Machine] = field(default_factory=dict)

    @property
    def address(self) -> str:
        """Where people find the dashboard."""
        return f"https://studio.localhost:{self.ports['https']}"

    def text(self, machine: str, heading: str, language: str = "sh") -> str:
        """What the page says for a machine."""
        words = addresses(self.site, machine, login=self.login, **self.ports)
        return section(heading, language, words)

    def add(self, name: str, **about: object) -> Machine:
        """A machine that is set up as the page says for every one."""
        machine = self.machines[name] = Machine(name, self.site, **about)  # type: ignore[arg-type]
        machine.run(self.text(name, "On every machine: the same version"))
        return machine

    def add_worker(self, name: str, **about: object) -> Machine:
        """A machine with one core, that trains."""
        core = min(os.sched_getaffinity(0))
        dask = shutil.which("dask", path=str(Path(sys.executable).parent))
        programs = {"dask": f'exec taskset -c {core} {dask} "$@"', **about.pop("programs", {})}  # type: ignore[dict-item]
        machine = self.add(name, programs=programs, **about)
        if name != "node1":  # the page copies its certificates
            for file in (self.site / "node1" / "etc" / "frem").iterdir():
                shutil.copy(file, self.site / name / "etc" / "frem")
        machine.serve(self.text(name, "On every machine that trains"))
        return machine

    def sweep(self, name: str, dataset: str, *, epochs: int = 5, seeds: int = 2) -> None:
        """Queues a sweep in ann's name, on the dashboard's machine."""
        studio = self.machines["studio"]
        about = SWEEP.format(name=name, dataset=dataset, epochs=epochs, seeds=seeds)
        (studio.home / f"{name}.toml").write_text(about)
        settings = f"set -a && . {studio.folder}/etc/frem/studio.env && set +a"
        studio.run(f"{settings}\nFREM_USER={ANN} frem sweep {name}.toml")


@pytest.fixture(scope="module")
def team(chromium: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Team]:
    """Does what the page says, from its first command to its last but the sweep."""
    check_separation()
    with ExitStack() as stack:
        site = tmp_path_factory.mktemp("team")
        team = Team(site, stack.enter_context(running_provider(PEOPLE)))

        @stack.callback
        def end() -> None:
            for machine in team.machines.values():
                machine.lose()

        files = self_signed(tmp_path_factory.mktemp("certificates"), "db", "db.example.org")
        speak = stack.enter_context(installed_postgresql(team.ports["database"], *files))
        team.add("db", programs=speak).run(team.text("db", "On the database's machine"))
        for name in ("scheduler", "node1", "studio"):
            (site / name / "etc" / "frem").mkdir(parents=True)
        office = Machine("office", site, is_alone=False)
        office.run(team.text("office", "Certificates"))
        team.add("scheduler").serve(team.text("scheduler", "On the scheduler's machine"))
        team.add_worker("node1")
        nginx = site / "studio" / "etc" / "nginx"
        studio = team.add("studio", programs=stack.enter_context(installed_nginx(nginx)))
        self_signed(site / "studio" / "etc" / "frem", "https", "studio.localhost")
        (studio.home / ".streamlit").mkdir()
        secrets = studio.home / ".streamlit" / "secrets.toml"
        secrets.write_text(team.text("studio", "On the dashboard's machine", "toml"))
        server = studio.serve(team.text("studio", "On the dashboard's machine"))
        (nginx / "conf.d" / "frem.conf").write_text(team.text("studio", "The proxy", "nginx"))
        studio.run(team.text("studio", "The proxy"))
        try:
            wait_until_it_answers(f"http://127.0.0.1:{team.ports['studio']}", server)
        except RuntimeError as error:
            raise RuntimeError(studio.log) from error
        yield team


@pytest.fixture(scope="module")
def store(team: Team) -> Iterator[Store]:
    """The store as a second dashboard sees it, from a folder of its own."""
    settings = team.text("studio", "On the dashboard's machine")
    [url] = re.findall(r'FREM_STORE="(.*)"', settings)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("FREM_FILES", "database")
        opened = Store(url, team.site / "elsewhere")
        yield opened
        end_engine(opened)
        opened.close()


def finished(store: Store, name: str) -> pd.DataFrame:
    """Waits for a sweep; returns its runs."""
    sweep = store.sweeps.find(name)

    def has_ended() -> bool:
        row = store.sweeps.frame(sweep).iloc[0]
        return bool(row["queued"] + row["running"] == 0)

    wait_until(has_ended, f"{name} had ended")
    frame = store.runs.frame(sweep)
    assert set(frame["state"]) == {"done"}, frame["error"]
    return frame


def test_the_page_asks_for_this_version() -> None:
    assert set(re.findall(r"frem-studio\[team\]==(\S+)\"", PAGE.read_text())) == {__version__}


def test_the_first_sweep_is_trained_elsewhere_and_its_files_are_everywhere(
    team: Team, store: Store
) -> None:
    studio = team.machines["studio"]
    (studio.home / "first.toml").write_text(team.text("studio", "Try it", "toml"))
    said = studio.run(team.text("studio", "Try it"))
    assert "First sweep" in said
    assert "100 %" in said
    runs = finished(store, "First sweep of the team")
    assert len(runs) == 6
    assert set(runs["facts.host"]) == {"node1"}
    assert set(store.sweeps.frame()["queued_by"]) == {ANN}
    for run in runs["id"]:
        rows, z = load_representations(store, run)
        expected = load_predictions(store, run)
        assert list(rows) == list(expected["row"])
        assert load_model(store, run).predict_from_representation(z).shape == (len(z),)
    assert store.artefacts.damaged(list(runs["id"])) == {}
    assert not list((studio.folder / "srv").rglob("artefacts/*/*"))
    assert not list(team.machines["node1"].folder.rglob("*.parquet"))


@pytest.fixture
def ann(team: Team, chromium: Browser) -> Iterator[Page]:
    yield from arrive(team, chromium, "ann")


@pytest.fixture
def vera(team: Team, chromium: Browser) -> Iterator[Page]:
    yield from arrive(team, chromium, "vera")


def arrive(team: Team, chromium: Browser, name: str) -> Iterator[Page]:
    """Somebody logs in through the proxy."""
    viewer = chromium.new_context(ignore_https_errors=True, reduced_motion="reduce")
    viewer.set_default_timeout(PATIENCE)
    studio = team.machines["studio"]
    with (studio.folder / "log").open("rb") as log:
        at = Dashboard(team.address, studio.served, studio.home, log)
        yield log_in(viewer, at, name)
    viewer.close()


def test_tables_and_graphs_travel_to_workers_that_share_no_folder(
    team: Team, store: Store, ann: Page, vera: Page, tmp_path: Path
) -> None:
    file = write_table(tmp_path / "hired.csv", rows=20_000)
    assert file.stat().st_size > 1_200_000  # more than nginx passes on unless told to
    ann.goto(f"{team.address}/Data")
    settle(ann)
    ann.locator("input[type=file]").set_input_files(file)
    expect(ann).to_have_url(re.compile("dataset=table"))
    [table] = re.findall(r"dataset=table-(\w+)", ann.url)
    team.sweep("uploaded", f'table = "{table}"\ntarget = "hired"\nsensitive = "age"')
    home = team.machines["studio"].home
    people().to_csv(home / "people.csv", index=False)
    friendships().to_csv(home / "friends.csv", index=False)
    files = 'path = "people.csv"\nedges = "friends.csv"\nid = "who"'
    team.sweep("friends", f'{files}\ntarget = "joined"\nsensitive = "age"')
    for name in ("uploaded", "friends"):
        assert set(finished(store, name)["facts.host"]) == {"node1"}
    ann.goto(f"{team.address}/Train?sweep={store.sweeps.find('uploaded')}")
    settle(ann)
    expect(ann.get_by_role("heading", name="uploaded")).to_be_visible()
    vera.goto(ann.url)
    settle(vera)
    assert "uploaded" not in vera.get_by_test_id("stMain").inner_text()


def test_a_lost_machine_is_replaced_and_others_are_refused_by_name(
    team: Team, store: Store, tmp_path: Path
) -> None:
    team.sweep("long", 'name = "crime"', epochs=40, seeds=6)
    sweep = store.sweeps.find("long")
    wait_until(lambda: (store.runs.frame(sweep)["epoch"] > 2).any(), "node1 trained")
    team.machines.pop("node1").lose()
    assert (store.runs.frame(sweep)["state"] != "done").any()
    older = tmp_path / "frem_studio-0.1.0.dist-info"
    older.mkdir()
    about = "Metadata-Version: 2.1\nName: frem-studio\nVersion: 0.1.0\n"
    (older / "METADATA").write_text(about)
    team.add_worker("node4", variables={"PYTHONPATH": str(tmp_path)})
    # A Python of its own with Dask, but without what is only linked into this environment.
    python = sys._base_executable  # type: ignore[attr-defined]
    bare = f'exec taskset -c {min(os.sched_getaffinity(0))} {python} -m dask "$@"'
    packages = {"PYTHONPATH": sysconfig.get_path("purelib")}
    team.add_worker("node5", programs={"dask": bare}, variables=packages)

    def said(words: str) -> bool:
        return words in engine_state(store).message

    wait_until(lambda: said("on node4 has FREM Studio 0.1.0"), "node4 was refused")
    wait_until(lambda: said("on node5 has no FREM Studio"), "node5 was refused")
    assert said(f"until frem-studio {__version__} is installed there")
    assert engine_state(store).workers == 0
    team.add_worker("node2")  # by now nobody is left of those to whom work was given
    frame = finished(store, "long")
    assert len(frame) == 12
    assert set(frame["facts.host"]) <= {"node1", "node2"}
    assert "node2" in set(frame["facts.host"])
    assert said("on node4 has FREM Studio 0.1.0")


def test_the_proxy_passes_on_what_browsers_need_and_nothing_else_is_open(team: Team) -> None:
    trusting = ssl.create_default_context(cafile=team.site / "studio/etc/frem/https.pem")
    trusting.check_hostname = False  # the name is looked up by browsers only
    connection = HTTPSConnection("127.0.0.1", team.ports["https"], context=trusting, timeout=60)
    connection.request("GET", "/", headers={"Host": "studio.localhost"})
    answer = connection.getresponse()
    assert answer.status == 200
    assert answer.getheader("X-Frame-Options") == "DENY"
    assert "frame-ancestors 'none'" in (answer.getheader("Content-Security-Policy") or "")
    connection.close()
    open_to_all = [
        (machine.name, listening.laddr.port)
        for machine in team.machines.values()
        for process in machine.processes
        for listening in process.net_connections(kind="tcp")
        if listening.status == psutil.CONN_LISTEN and listening.laddr.ip != "127.0.0.1"
    ]
    assert {name for name, _ in open_to_all} >= {"scheduler", "node2"}
    assert "studio" not in {name for name, _ in open_to_all}
    for _, port in open_to_all:
        with pytest.raises((HTTPException, OSError)):
            urllib.request.urlopen(f"http://127.0.0.1:{port}/", timeout=60)
        assert not is_answered_without_certificate(port)
