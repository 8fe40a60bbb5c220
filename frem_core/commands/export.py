"""``frem export``: runs as a table, or a sweep as the file that replays it."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from frem_core.console.terminal import echo_text, messages
from frem_core.errors import ConfigError
from frem_core.output_file import write_output

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
@click.option(
    "--toml",
    is_flag=True,
    help="Write the sweep's description instead of its runs; a table of your own is written beside "
    "the file.",
)
def command(sweep: str | None, output: Path | None, toml: bool) -> None:
    """Write the runs of one SWEEP (id or name), or of all, with settings and scores.

    \b
    frem export "Crime fronts" -o fronts.parquet
    frem export "Crime fronts" --toml | frem sweep -        # the same sweep once more
    frem export "My people" --toml -o people/sweep.toml     # with its table, for another computer
    """  # noqa: D301
    from frem_core.store.read_only import open_store_to_read
    from frem_core.sweeps.portable import portable_sweep, runs_by_dataset_name

    if output is not None and not toml and output.suffix.lower() not in _FORMATS:
        raise ConfigError(f"{output} must end in {' or '.join(_FORMATS)}.")
    store = open_store_to_read()
    identity = None if sweep is None else store.sweeps.find(sweep)
    if toml:
        if identity is None:
            raise ConfigError("--toml writes one sweep: say which, by id or name.")
        if output is None:
            click.echo(store.sweeps.spec(identity), nl=False)
            return
        for name, content in portable_sweep(store, identity, name=output.name).items():
            _write(content, output.with_name(name))
        return
    runs = runs_by_dataset_name(store.runs.frame(identity), store)
    _write(_content(runs, output), output)


def _content(runs: "pd.DataFrame", output: Path | None) -> bytes:
    from frem_core.figures.plain_text import harmless_csv

    if output is not None and output.suffix.lower() == ".parquet":
        return runs.to_parquet(index=False)
    return harmless_csv(runs).encode()


def _write(content: bytes, output: Path | None) -> None:
    if output is None:
        echo_text(content)
        return
    write_output(output, content)
    messages().print(f"Wrote {output}.", markup=False)
