"""``frem model``: the model of a finished run, to take home."""

from pathlib import Path

import click

from frem_core.console.terminal import messages, stoppable


@click.command()
@click.argument("run")
@click.option(
    "--output",
    "-o",
    required=True,
    type=click.Path(path_type=Path),
    help="A folder, or a file that ends in .zip.",
)
@click.option("--sweep", metavar="SWEEP", help="Id or name of the sweep to compare it within.")
@click.option(
    "--all-rows",
    is_flag=True,
    help="Train it on all rows first; the scores in its card stay those on rows it had not seen.",
)
@click.option("--again", is_flag=True, help="Train it again, for a run whose weights are gone.")
@click.option("--onnx", is_flag=True, help="Write it as ONNX too; needs the extra onnx.")
def command(
    run: str, output: Path, sweep: str | None, all_rows: bool, again: bool, onnx: bool
) -> None:
    """Write the model of a finished RUN (id or the beginning of one) with its card.

    \b
    frem model 3fa9c1 -o model.zip
    frem model 3fa9c1 --all-rows -o model/      # trained on every row before it is used
    """  # noqa: D301
    from frem_core.console.training_progress import TrainingProgress
    from frem_core.model_package import save_model
    from frem_core.model_package.of_run import run_model, train_model
    from frem_core.store.read_only import open_store_to_read

    store = open_store_to_read()
    within = None if sweep is None else store.sweeps.find(sweep)
    with stoppable("Nothing was written."):
        if all_rows or again:
            with TrainingProgress("Training") as progress:
                found = train_model(
                    store, run, all_rows=all_rows, sweep=within, callbacks=[progress]
                )
        else:
            with messages().status("Measuring how sure the scores are"):
                found = run_model(store, run, sweep=within)
        save_model(output, found.predictor, found.card, onnx=onnx)
    messages().print(f"Wrote {found.card.title} to {output}.", markup=False)
