"""``frem export``: runs as a table, or a sweep as the file that replays it."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from frem_core.console.terminal import messages
from frem_core.errors import ConfigError

if TYPE_CHECKING:
    import pandas as pd

_FORMATS = (".csv", ".parquet")


@click.command()
@click.argument("sweep", required=False)
@click.option(
    "--output",
    "-o",
    type=click.Path(dir_okay=False, path_type=Path),
    help="File to write, .csv or .parquet.  [default: CSV on standard output]",
)
@click.option("--toml", is_flag=True, help="Write the sweep's description instead of its runs.")
def command(sweep: str | None, output: Path | None, toml: bool) -> None:
    """Write the runs of one SWEEP (id or name), or of all, with settings and scores.

    \b
    frem export "Crime fronts" -o fronts.parquet
    frem export "Crime fronts" --toml | frem sweep -        # the same sweep once more
    """  # noqa: D301
    from frem_core.store import open_store

    if output is not None and not toml and output.suffix.lower() not in _FORMATS:
        raise ConfigError(f"{output} must end in {' or '.join(_FORMATS)}.")
    store = open_store()
    identity = None if sweep is None else store.sweeps.find(sweep)
    if toml:
        if identity is None:
            raise ConfigError("--toml writes one sweep: say which, by id or name.")
        _write(store.sweeps.spec(identity).encode(), output)
        return
    _write(_content(store.runs.frame(identity), output), output)


def _content(runs: "pd.DataFrame", output: Path | None) -> bytes:
    from frem_core.figures.plain_text import spreadsheet_csv

    if output is not None and output.suffix.lower() == ".parquet":
        return runs.to_parquet(index=False)
    return spreadsheet_csv(runs)


def _write(content: bytes, output: Path | None) -> None:
    if output is None:
        click.echo(content, nl=False)
        return
    try:
        output.write_bytes(content)
    except OSError as error:
        raise ConfigError(f"{output} cannot be written: {error.strerror}.") from error
    messages().print(f"Wrote {output}.", markup=False)
