"""Whether there is more of a run than its scores."""

from functools import cache

from studio.store import is_example, runs_table, store_of


def has_files(sweep: str, run: str) -> bool:
    """Whether predictions and the like can be read; only examples come without, to be small."""
    return not is_example(sweep) or run in _with_files(sweep)


@cache  # examples never change, and every point of a chart asks
def _with_files(sweep: str) -> frozenset[str]:
    files = store_of(sweep).artefacts
    runs = runs_table(sweep)["id"]
    return frozenset(str(run) for run in runs if "representations" in files.of_run(run))
