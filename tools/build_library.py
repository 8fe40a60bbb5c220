"""Builds the example library from the finished runs of the reproduction.

    FREM_HOME=… python -m tools.build_library

Takes every run of ``frem reproduce`` that is done in the user's store. Two sweeps of them are
shown as examples; a few runs of these also have their model, predictions and representations.
The others are there for ``frem reproduce --with-examples``, without their curves.
"""

import json
import shutil
import tempfile
from dataclasses import dataclass, replace
from datetime import UTC, datetime
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
            tables = [results.runs(spec) for spec in source.specs]
            found = pd.concat(tables, ignore_index=True)
            if found.empty:
                continue
            _add_example(store, fresh, source, found)
            about[source.id] = {
                "command": f"frem reproduce {source.target}",
                "runs": len(found),
                "expected": sum(results.expected(spec) for spec in source.specs),
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
    with_model = _representative(found)
    with_z = with_model[: source.with_representations]

    def with_file(run: str, kind: str) -> bool:
        return run in with_z if kind == "representations" else run in with_model

    copy_finished_runs(store, fresh, names, with_file=with_file)
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
