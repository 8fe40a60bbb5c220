"""Builds the example library from the finished runs of the reproduction.

    FREM_HOME=… python -m tools.build_library

Takes every run of ``frem reproduce`` that is done in the user's store. Two sweeps of them are
shown as examples; of these the runs that are looked at most also have their model, predictions
and representations, as many as there is room for. The others are there for
``frem reproduce --with-examples``, without their curves.
"""

import json
import shutil
import tempfile
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from itertools import zip_longest
from pathlib import Path

import pandas as pd
from sqlalchemy import Connection, insert

from frem_core.library import FOLDER
from frem_core.reproduction import StoredResults, available_targets, get_target, load_spec
from frem_core.store import Store, copy_finished_runs, open_store
from frem_core.store.schema import sweep_runs, sweeps

LARGEST_BYTES = 15_000_000


@dataclass(frozen=True)
class _Source:
    """One sweep of the library: its id and name there, where it comes from, room for its files."""

    id: str
    name: str
    target: str
    specs: tuple[str, ...]
    file_bytes: int


_SOURCES = (
    _Source(
        "example-crime",
        "Example: Crime, all methods",
        "pareto-crime",
        ("pareto_crime",),
        4_000_000,
    ),
    _Source(
        "example-adult",
        "Example: Adult, all methods",
        "pareto-adult",
        ("pareto_adult", "pareto_adult_binary"),
        4_600_000,
    ),
)


def main() -> None:
    """Writes the library anew."""
    store = open_store()
    results = StoredResults(store)
    about = {}
    with tempfile.TemporaryDirectory() as folder:
        fresh = Store(folder=Path(folder))
        for source in _SOURCES:
            tables = [results.runs(spec) for spec in source.specs]
            found = pd.concat(tables, ignore_index=True)
            expected = sum(results.expected(spec) for spec in source.specs)
            if len(found) < expected / 2:  # some of the methods would not be there at all
                continue
            _add_example(store, fresh, source, found)
            about[source.id] = {
                "command": f"frem reproduce {source.target}",
                "runs": len(found),
                "expected": expected,
                "seeds": int(found["seed"].nunique()),
                "made": datetime.now(UTC).date().isoformat(),
            }
        others = _add_others(store, fresh, results)
        fresh.close()
        _pack(Path(folder))
        _replace(Path(folder), about)
    size = sum(path.stat().st_size for path in FOLDER.rglob("*") if path.is_file())
    shown = ", ".join(f"{name}: {facts['runs']}" for name, facts in about.items())
    print(f"{size / 1e6:.1f} MB; {shown}; other runs: {others}")
    if size > LARGEST_BYTES:
        raise SystemExit("That is more than 15 MB; keep fewer files.")


def _add_example(store: Store, fresh: Store, source: _Source, found: pd.DataFrame) -> None:
    names = list(found["id"])
    complete = _that_fit(store, by_importance(found), source.file_bytes)
    copy_finished_runs(store, fresh, names, with_file=lambda run, kind: run in complete)
    spec = replace(load_spec(source.specs[0]), name=source.name)
    for other in source.specs[1:]:
        spec = replace(spec, methods=(*spec.methods, *load_spec(other).methods))
    row = {
        "id": source.id,
        "name": source.name,
        "spec": spec.to_toml(),
        "created_at": store.runs.get(names[0]).finished_at or 0.0,
    }
    links = [{"sweep": source.id, "run": run, "position": i} for i, run in enumerate(names)]

    def write(connection: Connection) -> None:
        connection.execute(insert(sweeps), [row])
        connection.execute(insert(sweep_runs), links)

    fresh._database.write(write)


def _add_others(store: Store, fresh: Store, results: StoredResults) -> int:
    specs = {spec for name in available_targets() for spec in get_target(name).wanted_specs()}
    names = [run for spec in sorted(specs) for run in results.identities(spec)]
    return len(
        copy_finished_runs(
            store, fresh, names, with_file=lambda run, kind: False, with_curves=False
        )
    )


def by_importance(found: pd.DataFrame) -> list[str]:
    """Seed 0: the unfair model and a FREM in the middle, the whole front of FREM, then baselines.

    So that Compare has a front to walk along, and beside it every method at about its accuracy.

    Args:
        found: runs with ``id``, ``seed``, ``series`` and ``weight``.
    """
    own = found[found["seed"] == 0]
    series = {str(name): _middle_first(rows) for name, rows in own.groupby("series", sort=False)}
    unfair, frem = series.pop("unfair", []), series.pop("frem", [])
    turns = zip_longest(*series.values())
    return [*unfair, *frem, *(run for turn in turns for run in turn if run is not None)]


def _middle_first(rows: pd.DataFrame) -> list[str]:
    """The runs of a series from its middle weight outwards."""
    names = [str(name) for name in rows.sort_values("weight", kind="stable")["id"]]
    return sorted(names, key=lambda name: abs(names.index(name) - len(names) // 2))


def _that_fit(store: Store, names: list[str], room: int) -> set[str]:
    """As many of the first runs as have room with all their files."""
    kept: set[str] = set()
    for name in names:
        room -= sum(file.size for file in store.artefacts.of_run(name).values())
        if room < 0:
            break
        kept.add(name)
    return kept


def _pack(folder: Path) -> None:
    """One file without side files, as small as it gets."""
    store = Store(folder=folder)
    with store._database.engine.connect() as connection:
        raw = connection.connection.driver_connection
        for statement in ("PRAGMA journal_mode=DELETE", "VACUUM"):
            raw.execute(statement)  # type: ignore[union-attr]
    store.close()


def _replace(folder: Path, about: dict[str, dict[str, object]]) -> None:
    shutil.rmtree(FOLDER, ignore_errors=True)
    FOLDER.mkdir(parents=True)
    shutil.copy(folder / "store.db", FOLDER / "store.db")
    if (folder / "artefacts").exists():
        shutil.copytree(folder / "artefacts", FOLDER / "artefacts")
    for path in [FOLDER, *FOLDER.rglob("*")]:  # a store is private, the library is for everybody
        path.chmod(0o755 if path.is_dir() else 0o644)
    (FOLDER / "about.json").write_text(json.dumps(about, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
