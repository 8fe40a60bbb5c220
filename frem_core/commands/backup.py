"""``frem backup``: the whole store as one file, also while a sweep runs."""

from datetime import datetime
from pathlib import Path

import click

from frem_core.console.terminal import messages, results, stoppable
from frem_core.words import counted


@click.command()
@click.argument("file", required=False, type=click.Path(dir_okay=False, path_type=Path))
def command(file: Path | None) -> None:
    """Write sweeps, runs, their files and kept tables into FILE; `frem restore` reads it.

    It can be made while sweeps run: it holds the store of one moment, whether in SQLite or in
    PostgreSQL, and a SHA-256 of every part.  [default: frem-backup-DATE.zip]
    """
    from frem_core.store.archive.backup import write_backup
    from frem_core.store.read_only import open_store_to_read

    path = file or Path(f"frem-backup-{datetime.now().strftime('%Y-%m-%d-%H%M%S')}.zip")
    with stoppable("Nothing was written."), messages().status("Writing a backup"):
        made = write_backup(open_store_to_read(), path)
    for words in made.complaints:
        messages().print(f"Not taken along: {words}", markup=False, style="yellow")
    results().print(
        f"Wrote {path} ({made.size / 1e6:.1f} MB): {counted(made.sweeps, 'sweep')}, "
        f"{counted(made.runs, 'run')}, {counted(made.files, 'file')}, "
        f"{counted(made.tables, 'table')}.",
        markup=False,
    )
