"""``frem restore``: a backup into an empty store."""

from pathlib import Path

import click

from frem_core.console.terminal import messages, results, stoppable
from frem_core.words import counted


@click.command()
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
def command(file: Path) -> None:
    """Put what `frem backup` wrote to FILE into an empty store, after checking every hash.

    \b
    FREM_HOME=/srv/new frem restore frem-backup.zip
    FREM_STORE=postgresql+psycopg://frem@db.example.org/frem frem restore frem-backup.zip

    Runs that were being trained wait in the queue again; the dashboard or `frem resume` has them
    trained.
    """  # noqa: D301
    from frem_core.store import open_store
    from frem_core.store.archive.backup import read_backup

    store = open_store()
    note = "The store may hold a part of the files, and no rows."
    with stoppable(note), messages().status("Checking and restoring"):
        restored = read_backup(file, store)
    for words in restored.complaints:
        messages().print(f"Not in the backup: {words}", markup=False, style="yellow")
    results().print(
        f"Restored {counted(restored.sweeps, 'sweep')}, {counted(restored.runs, 'run')}, "
        f"{counted(restored.files, 'file')} and {counted(restored.tables, 'table')} into "
        f"{store.where}.",
        markup=False,
    )
