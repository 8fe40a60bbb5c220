"""``frem repair``: moves scores in a file so that they no longer follow the sensitive attribute."""

from pathlib import Path
from typing import Any

import click
from rich.table import Table

from frem_core.console.dataset_options import SECTION, dataset_options, described_dataset
from frem_core.console.setting_option import section_option
from frem_core.console.terminal import messages, results, stoppable


@click.command()
@dataset_options
@section_option(
    SECTION, "--prediction", metavar="COLUMN", required=True, help="Column that holds the scores."
)
@click.option(
    "--strength",
    type=click.FloatRange(0, 1),
    default=1.0,
    show_default=True,
    help="From 0, nothing is moved, to 1, scores no longer follow the attribute.",
)
@click.option(
    "--output",
    type=click.Path(dir_okay=False, path_type=Path),
    required=True,
    help="CSV file to write: the file's columns and the repaired score.",
)
@click.option("--column", default="repaired", show_default=True, help="Name of the new column.")
def command(*, prediction: str, strength: float, output: Path, column: str, **options: Any) -> None:
    """Move scores to what their rank among people of the same attribute has on average.

    Nobody overtakes anybody of the same sensitive attribute. The repair needs that attribute of
    every person, also of those who come later.

    \b
    frem repair --dataset scored.csv --prediction score --sensitive age --output repaired.csv
    """  # noqa: D301
    from frem_core.audit.repair import Repair, repair_costs
    from frem_core.console.audited import audited_column
    from frem_core.console.dataset_options import read_with_progress
    from frem_core.datasets.tables.read_table import are_per_cent
    from frem_core.output_file import write_output

    with stoppable("Nothing was changed."):
        spec = described_dataset(options)
        audited = audited_column(spec, prediction)
        with messages().status("Repairing"):
            repair = Repair.fit(audited.p, sensitive_features=audited.s)
            moved = repair.transform(audited.p, sensitive_features=audited.s, strength=strength)
            costs = repair_costs(audited.y, audited.p, sensitive_features=audited.s)
        assert spec.path is not None
        frame = read_with_progress(spec.path)
        frame = frame.loc[frame[list(audited.columns)].notna().all(axis=1)].reset_index(drop=True)
        frame[column] = moved * 100 if are_per_cent(frame, prediction) else moved
        write_output(output, frame.to_csv(index=False).encode())
        table = Table(title="What each strength leaves and costs")
        for name in costs:
            table.add_column(str(name), justify="right")
        for row in costs.itertuples(index=False):
            table.add_row(*(f"{value:.4f}" for value in row))
        results().print(table)
        results().print(
            f"{output} holds {len(frame):,} rows with the column {column} (strength {strength:g}). "
            "The repair needs the sensitive attribute of everybody, also at prediction time."
        )
