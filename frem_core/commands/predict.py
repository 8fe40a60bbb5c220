"""``frem predict``: what a saved model says about new rows."""

import json
from pathlib import Path
from typing import TYPE_CHECKING

import click

from frem_core.console.terminal import echo_text, messages, stoppable
from frem_core.errors import ConfigError
from frem_core.output_file import write_output
from frem_core.words import counted

if TYPE_CHECKING:
    from frem_core.model_package import Predictions

_FORMATS = (".csv", ".parquet")


@click.command()
@click.argument("model", type=click.Path(path_type=Path))
@click.argument("table", type=click.Path(path_type=Path))
@click.option(
    "--output",
    "-o",
    type=click.Path(dir_okay=False, path_type=Path),
    help="File to write, .csv or .parquet.  [default: CSV on standard output]",
)
@click.option(
    "--keep",
    multiple=True,
    metavar="COLUMN",
    help="A column of the table to write beside the predictions, such as an identifier; may be "
    "given several times.",
)
@click.option(
    "--json", "as_json", is_flag=True, help="Print what was new to the model as JSON; needs -o."
)
def command(
    model: Path, table: Path, output: Path | None, keep: tuple[str, ...], as_json: bool
) -> None:
    """Predict the rows of a TABLE with a MODEL (a folder or a zip).

    The sensitive attribute is not needed. Columns are found by name; categories that the model
    never saw are counted.

    \b
    frem predict model/ new.csv -o predictions.csv
    frem predict model.zip new.parquet --keep customer -o predictions.csv
    """  # noqa: D301
    from frem_core.console.dataset_options import reading_progress
    from frem_core.model_package import load_model, predict_table

    if output is not None and output.suffix.lower() not in _FORMATS:
        raise ConfigError(f"{output} must end in {' or '.join(_FORMATS)}.")
    if as_json and output is None:
        raise ConfigError("--json prints to standard output; say with -o where predictions go.")
    with stoppable("Nothing was written."):
        predictor = load_model(model)
        with reading_progress(str(table)) as progress:
            answer = predict_table(predictor, table, keep=keep, progress=progress)
        _write(answer, output)
    if as_json:
        click.echo(json.dumps(_summary(answer, output), ensure_ascii=False, indent=2))
        return
    console = messages()
    for note in answer.notes:
        console.print(f"• {note}", markup=False)
    if output is not None:
        rows = counted(len(answer.frame), "row")
        console.print(f"Wrote predictions for {rows} to {output}.", markup=False)


def _write(answer: "Predictions", output: Path | None) -> None:
    from frem_core.figures.plain_text import harmless_csv

    if output is not None and output.suffix.lower() == ".parquet":
        write_output(output, answer.frame.to_parquet(index=False))
        return
    content = harmless_csv(answer.frame).encode()
    if output is None:
        echo_text(content)
    else:
        write_output(output, content)


def _summary(answer: "Predictions", output: Path | None) -> dict[str, object]:
    return {
        "rows": len(answer.frame),
        "output": None if output is None else str(output),
        "unseen": answer.unseen,
        "notes": list(answer.notes),
    }
