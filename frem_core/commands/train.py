"""``frem train``: one model on one split, with its scores."""

import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from frem_core.console.dataset_options import dataset_options, described_dataset, load_with_progress
from frem_core.console.method_command import AUTO, DEFAULT_METHOD, MethodCommand
from frem_core.console.setting_option import given, section_option
from frem_core.console.terminal import messages, results, stoppable
from frem_core.errors import ConfigError

if TYPE_CHECKING:
    import pandas as pd

    from frem_core.datasets import PreparedData
    from frem_core.methods import Method
    from frem_core.training import Member, TrainedModel, TrainingConfig

_FOLDER = click.Path(file_okay=False, path_type=Path)


@click.command(cls=MethodCommand)
@dataset_options
@section_option(
    "Data",
    "--split",
    type=click.Choice(["random", "paper_table"]),
    default="random",
    show_default=True,
    help="A random fifth to test on, or the partition of the paper's table of datasets.",
)
@section_option(
    "Data",
    "--split-seed",
    type=click.IntRange(0),
    help="Chooses the test rows of a random split.  [default: the seed]",
)
@section_option(
    "Data",
    "--method",
    default=DEFAULT_METHOD,
    metavar="NAME",
    help="How to be fair; the options below are those of the method, see --method NAME --help.  "
    "[default: frem]",
)
@section_option("Output", "--save", type=_FOLDER, help="Write the model into this folder.")
@section_option("Output", "--json", "as_json", is_flag=True, help="Print JSON instead of tables.")
@section_option(
    "Output",
    "--permutations",
    type=click.IntRange(0),
    default=20,
    show_default=True,
    help="Shuffles that measure each score's chance level; 0 leaves it out.",
)
@section_option(
    "Output",
    "--checkpoints",
    type=_FOLDER,
    help="Keep the state of the training here; after a stop the same command goes on from it.",
)
@section_option(
    "Output",
    "--threads",
    type=click.IntRange(1),
    default=1,
    show_default=True,
    help="Processor threads; more than one pays for large batches only.",
)
def command(**options: Any) -> None:
    """Train one model and print its scores.

    \b
    frem train --dataset crime --fairness-weight 0.1 --save model/
    frem train --dataset people.csv --target income --sensitive age
    frem train --dataset people.csv --edges friends.csv --id who --target joined --sensitive age
    """  # noqa: D301
    with stoppable(_consequence(options)):
        _run(options)


def _run(options: dict[str, Any]) -> None:
    from frem_core.console.training_report import TrainingReport
    from frem_core.datasets import prepare, split_dataset
    from frem_core.estimators import TablePredictor

    saved = options["save"]
    if saved is not None:
        _check_may_write(saved)
    dataset = load_with_progress(described_dataset(options))
    method, member = _method(options), _member(options)
    method.check_task(dataset.task)
    seed = member.seed if options["split_seed"] is None else options["split_seed"]
    data = prepare(dataset, split_dataset(dataset, kind=options["split"], seed=seed))
    config = _config(options, data)
    started = time.perf_counter()
    model, choice = _train(options, data, method, config, member)
    seconds = time.perf_counter() - started
    if saved is not None:
        TablePredictor.of(data, model).save(saved)
    with messages().status("Scoring"):
        report = TrainingReport.of(
            data,
            model,
            permutations=options["permutations"],
            seconds=seconds,
            gamma_choice=choice,
            saved=saved,
        )
    if options["as_json"]:
        click.echo(report.to_json())
        return
    report.show(results())
    _suggest_weights(options, data, method)


def _method(options: dict[str, Any]) -> "Method":
    from frem_core.methods import get_method

    kind = get_method(options["method"])
    settings = given(kind, options)
    if _chooses_gamma(options):
        del settings["gamma"]
    return kind(**settings)


def _chooses_gamma(options: dict[str, Any]) -> bool:
    from frem_core.methods import get_method

    return bool(given(get_method(options["method"]), options).get("gamma") == AUTO)


def _member(options: dict[str, Any]) -> "Member":
    from frem_core.training import Member

    return Member(**given(Member, options))


def _config(options: dict[str, Any], data: "PreparedData") -> "TrainingConfig":
    from frem_core.datasets import NodeFeatures
    from frem_core.networks import check_reads
    from frem_core.training import TrainingConfig, suggested_config

    changes = given(TrainingConfig, options)
    graph = isinstance(data.train.x, NodeFeatures)
    config = suggested_config(data.preset, len(data.train), graph=graph, **changes)
    check_reads(config.encoder, graph=graph)
    return config


def _train(
    options: dict[str, Any],
    data: "PreparedData",
    method: "Method",
    config: "TrainingConfig",
    member: "Member",
) -> tuple["TrainedModel", "pd.DataFrame | None"]:
    """Returns the model and, with ``--gamma auto``, the table behind the choice."""
    from frem_core.console.training_progress import TrainingProgress
    from frem_core.training import select_bandwidth, train

    settings: dict[str, Any] = {"task": data.task, "config": config, "members": [member]}
    table = None
    if _chooses_gamma(options):
        with messages().status("Choosing γ on a fifth of the training rows"):
            choice = select_bandwidth(data.train, method=method, seed=member.seed, **settings)
        method, table = choice.method, choice.table
    with TrainingProgress(method.title) as progress:
        (model,) = train(
            data.train,
            method=method,
            callbacks=[progress],
            checkpoints=options["checkpoints"],
            threads=options["threads"],
            **settings,
        )
    return model, table


def _check_may_write(folder: Path) -> None:
    """Before the training, not after it."""
    from frem_core.estimators.folder import TABLE

    if folder.is_dir() and any(folder.iterdir()) and not (folder / TABLE).is_file():
        raise ConfigError(
            f"The folder {folder} holds other files; give --save a new or empty folder."
        )
    folder.mkdir(parents=True, exist_ok=True)


def _suggest_weights(options: dict[str, Any], data: "PreparedData", method: "Method") -> None:
    from frem_core.training import Member, suggested_fairness_weights

    if "fairness_weight" in given(Member, options) or not method.uses_fairness_weight:
        return
    weights = suggested_fairness_weights(type(method), data.preset)
    results().print(
        f"Useful fairness weights for {method.title} here: {weights[0]:g} to {weights[-1]:g} "
        "(--fairness-weight)."
    )


def _consequence(options: dict[str, Any]) -> str:
    if options["checkpoints"] is None:
        return "Nothing was saved."
    return f"The same command goes on from the last checkpoint in {options['checkpoints']}."
