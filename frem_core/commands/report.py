"""``frem report``: a sweep as one HTML file, or the same as JSON."""

from pathlib import Path

import click

from frem_core.console.terminal import messages, stoppable
from frem_core.output_file import write_output


@click.command()
@click.argument("sweep", nargs=-1, required=True)
@click.option(
    "--output",
    "-o",
    type=click.Path(dir_okay=False, path_type=Path),
    help="File to write, .html or .json.  [default: report.html, or JSON on standard output]",
)
@click.option(
    "--run",
    "runs",
    multiple=True,
    metavar="RUN",
    help="A run whose curves are drawn (id or beginning of one); may be given several times.  "
    "[default: the best of each method]",
)
@click.option("--json", "as_json", is_flag=True, help="Write JSON instead of HTML.")
def command(
    sweep: tuple[str, ...], output: Path | None, runs: tuple[str, ...], as_json: bool
) -> None:
    """Write the report of a SWEEP (id or name): answer, fronts, curves, data, settings.

    The HTML file holds everything it shows, opens without network and prints as PDF from the
    browser.

    \b
    frem report "Crime fronts" -o report.html
    frem report "Crime fronts" --json | jq .data
    """  # noqa: D301
    from frem_core.store.read_only import open_store_to_read
    from frem_core.sweep_report import sweep_report

    store = open_store_to_read()
    with stoppable("Nothing was written."), messages().status("Drawing"):
        found = [store.sweeps.find(one) for one in sweep]
        drawn = [store.runs.get(run).id for run in runs]
        report = sweep_report(store, found, runs=drawn)
        if as_json and output is None:
            click.echo(report.to_json(), nl=False)
            return
        path = output or Path("report.html")
        if as_json:
            write_output(path, report.to_json().encode())
        else:
            report.save(path)
    messages().print(f"Wrote {path}.", markup=False)
