"""Memory of workers, engine and dashboard over an hour of short runs: it must stay.

Two viewers look at pages meanwhile. ``FREM_BENCHMARK_MINUTES`` sets another time.
"""

import os
import time
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.report import Check, Report, Table
from benchmarks.trust.growth import Growth
from benchmarks.trust.viewers import Crowd
from frem_core.sweeps import SweepSpec, ensure_engine, submit
from studio.page import menu_entries
from tests.sweeps.processes import finish_sweep, own_home, spec_text, write_table
from tools.dashboard import start_dashboard

_MINUTES = float(os.environ.get("FREM_BENCHMARK_MINUTES", "60"))
_WARM_UP = 0.1  # share of the time that does not count
_EVERY = 5.0
_VIEWERS = 2
_FEWEST = 6  # runs left, below which more are queued


def run() -> Report:
    """Keeps two workers busy with runs of a second and measures every process."""
    places = [(label.replace(" ", "_"), "") for _, label in menu_entries()[1:]]
    seeds = 1
    with TemporaryDirectory() as folder, own_home(Path(folder) / "home", FREM_WORKERS="2") as store:
        text = spec_text(write_table(Path(folder) / "people.csv"), epochs=5, seeds=1)
        dashboard = start_dashboard(store.folder)
        # What shows results is loaded with the first ones: on a busy machine that may take long.
        finish_sweep(store, submit(store, SweepSpec.from_toml(text)))
        growth, end = Growth(_WARM_UP * _MINUTES * 60), time.monotonic() + _MINUTES * 60
        try:
            with Crowd(dashboard.address, [("", ""), *places], _VIEWERS) as crowd:
                while time.monotonic() < end:
                    if store.queue.unfinished() < _FEWEST:
                        two = f"seeds = [{seeds}, {seeds + 1}]"
                        submit(store, SweepSpec.from_toml(text.replace("seeds = 1", two)))
                        seeds += 2
                    ensure_engine(store)
                    growth.look(store, {"dashboard": dashboard.process.pid})
                    time.sleep(_EVERY)
        finally:
            dashboard.stop()
        runs = store.runs.counts()
    memory, checks = growth.judged()
    pages = sum(map(len, crowd.seen.waits.values()))
    facts = [
        ("minutes", f"{_MINUTES:g}"),
        ("runs of five epochs finished", f"{runs.get('done', 0):,}"),
        ("pages opened", f"{pages:,}"),
    ]
    errors = crowd.seen.errors
    checks.append(Check("no error", f"{len(errors)} {'; '.join(errors[:2])}".strip(), not errors))
    return Report("Memory that stays", [Table("What happened", ("", ""), facts), memory], checks)
