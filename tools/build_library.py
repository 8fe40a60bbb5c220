"""Builds the example library from the finished runs of the reproduction.

    FREM_HOME=… python -m tools.build_library

Takes the runs of ``frem reproduce`` that are done in the user's store, with scores and curves; a
few of them also with model, predictions and representations.
"""

import json
import shutil
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

import pandas as pd
from sqlalchemy import Connection, insert, select, update

from frem_core.library import FOLDER
from frem_core.reproduction import StoredResults, load_spec
from frem_core.store import Store, open_store
from frem_core.store.schema import RunState, artefacts, datasets, epochs, runs, sweep_runs, sweeps

LARGEST_BYTES = 15_000_000
_MODEL = ("weights", "model", "predictions")


@dataclass(frozen=True)
class _Source:
    """One sweep of the library: its id and name there, and where it comes from."""

    id: str
    name: str
    target: str
    specs: tuple[str, ...]
    with_representations: int


_SOURCES = (
    _Source("example-crime", "Example: Crime, all methods", "pareto-crime", ("pareto_crime",), 99),
    _Source(
        "example-adult",
        "Example: Adult, all methods",
        "pareto-adult",
        ("pareto_adult", "pareto_adult_binary"),
        2,
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
            tables = {spec: results.runs(spec) for spec in source.specs}
            found = pd.concat(tables.values(), ignore_index=True)
            if found.empty:
                continue
            _copy(store, fresh, source, found)
            about[source.id] = {
                "command": f"frem reproduce {source.target}",
                "runs": len(found),
                "expected": sum(results.expected(spec) for spec in source.specs),
                "seeds": int(found["seed"].nunique()),
                "made": datetime.now(UTC).date().isoformat(),
            }
        fresh.close()
        _pack(Path(folder))
        _replace(Path(folder), about)
    size = sum(path.stat().st_size for path in FOLDER.rglob("*") if path.is_file())
    print(
        f"{FOLDER}: {size / 1e6:.1f} MB, "
        + ", ".join(f"{k}: {v['runs']}" for k, v in about.items())
    )
    if size > LARGEST_BYTES:
        raise SystemExit("That is more than 15 MB; keep fewer files.")


def _copy(store: Store, fresh: Store, source: _Source, found: pd.DataFrame) -> None:
    names = list(found["id"])
    kept = _representative(found)
    first = store.runs.get(names[0])
    spec = replace(load_spec(source.specs[0]), name=source.name)
    for other in source.specs[1:]:
        spec = replace(spec, methods=(*spec.methods, *load_spec(other).methods))

    def write(connection: Connection) -> None:
        _insert(connection, datasets, _rows(store, datasets, "hash", [first.dataset]))
        # A run that is done takes no more files, so it becomes that at the very end.
        waiting = [row | {"state": RunState.RUNNING} for row in _rows(store, runs, "id", names)]
        _insert(connection, runs, waiting)
        _insert(connection, epochs, _rows(store, epochs, "run", names))
        _insert(
            connection,
            sweeps,
            [
                {
                    "id": source.id,
                    "name": source.name,
                    "spec": spec.to_toml(),
                    "created_at": first.finished_at or 0.0,
                }
            ],
        )
        links = [{"sweep": source.id, "run": run, "position": i} for i, run in enumerate(names)]
        _insert(connection, sweep_runs, links)
        files = _rows(store, artefacts, "run", kept)
        with_z = kept[: source.with_representations]
        wanted = [
            row
            for row in files
            if row["kind"] in _MODEL or (row["kind"] == "representations" and row["run"] in with_z)
        ]
        _insert(connection, artefacts, wanted)
        connection.execute(update(runs).values(state=RunState.DONE).where(runs.c.id.in_(names)))
        for row in wanted:
            fresh.artefacts.put(row["kind"], store.artefacts.read(row["run"], row["kind"]))

    fresh._database.write(write)


def _representative(found: pd.DataFrame) -> list[str]:
    """Seed 0 of FREM, the unfair model, and the middle weight of each baseline, in this order."""
    own = found[found["seed"] == 0]
    chosen: list[str] = list(own.loc[own["series"] == "unfair", "id"])
    for series in ("frem", "reg_gdp", "mmd:median", "reg_hgr", "adv"):
        rows = own[own["series"] == series].sort_values("weight")
        if rows.empty:
            continue
        picks = [len(rows) // 2] if series != "frem" else [len(rows) // 2, len(rows) - 1, 1]
        chosen += [str(rows["id"].iloc[place]) for place in picks if place < len(rows)]
    return list(dict.fromkeys(chosen))


def _rows(store: Store, table: object, column: str, values: Iterable[str]) -> list[dict]:  # type: ignore[type-arg]
    wanted = list(values)

    def read(connection: Connection) -> list[dict]:  # type: ignore[type-arg]
        found = []
        for start in range(0, len(wanted), 500):
            some = wanted[start : start + 500]
            query = select(table).where(table.c[column].in_(some))  # type: ignore[call-overload, attr-defined]
            found += [dict(row._mapping) for row in connection.execute(query)]
        return found

    return store._database.read(read)


def _insert(connection: Connection, table: object, rows: list[dict]) -> None:  # type: ignore[type-arg]
    if rows:
        connection.execute(insert(table), rows)  # type: ignore[arg-type]


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
