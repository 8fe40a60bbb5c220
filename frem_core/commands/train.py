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
    from frem_core.limits import Limit, WithinLimit
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
@section_option(
    "Limit",
    "--limit",
    metavar="SCORE=VALUE",
    multiple=True,
    help="Largest allowed dependence on the sensitive attribute, as hgr=0.2; the fairness weight "
    "is found for it. Scores: hgr, gdp, mi, eipm, geo. Of several attributes name one, as "
    "age:hgr=0.2; give it again for further ones, all are to be kept.",
)
@section_option(
    "Limit",
    "--keep",
    metavar="SHARE",
    multiple=True,
    help="The same as a share of what the unfair model has: 50% (of ΔHGR), gdp=50% or sex:gdp=50%.",
)
@section_option(
    "Output",
    "--save",
    type=click.Path(path_type=Path),
    help="Write the model into this folder, or into a .zip: with its card and what 'frem predict' "
    "needs.",
)
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
    frem train --dataset crime --keep 50%
    frem train --dataset people.csv --edges friends.csv --id who --target joined --sensitive age
    """  # noqa: D301
    with stoppable(_consequence(options)):
        _run(options)


def _run(options: dict[str, Any]) -> None:
    from frem_core.console.training_card import training_card
    from frem_core.console.training_report import TrainingReport
    from frem_core.datasets import prepare, split_dataset
    from frem_core.estimators import TablePredictor
    from frem_core.limits import check_limit, words_before_training
    from frem_core.model_package import check_may_save, save_model

    saved, limit = options["save"], _limit(options)
    if saved is not None:
        check_may_save(saved)
    dataset = load_with_progress(described_dataset(options))
    method, member = _method(options), _member(options)
    method.check_task(dataset.task)
    if limit is not None:
        limit.check_task(dataset.task)
        limit.check_attributes(dataset.attributes, dataset.sensitive_name)
    seed = member.seed if options["split_seed"] is None else options["split_seed"]
    data = prepare(dataset, split_dataset(dataset, kind=options["split"], seed=seed))
    config = _config(options, data)
    if limit is not None and (remark := words_before_training(limit, len(data.test))):
        messages().print(remark, style="yellow", markup=False)
    started = time.perf_counter()
    if limit is None:
        found, (model, choice) = None, _train(options, data, method, config, member)
    else:
        found, choice = _train_within(options, data, method, config, member.seed, limit), None
        model = found.model
    seconds = time.perf_counter() - started
    predictor = TablePredictor.of(data, model)
    if saved is not None:  # before the scores are measured: a stop there must not cost the model
        save_model(saved, predictor, training_card(dataset, data, model))
    with messages().status("Scoring"):
        report = TrainingReport.of(
            data,
            model,
            permutations=options["permutations"],
            seconds=seconds,
            gamma_choice=choice,
            saved=saved,
            limit=None if found is None else check_limit(found, data),
        )
    if saved is not None:
        save_model(saved, predictor, training_card(dataset, data, model, report))
    if options["as_json"]:
        click.echo(report.to_json())
        return
    report.show(results())
    if limit is None:
        _suggest_weights(options, data, model)


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


def _limit(options: dict[str, Any]) -> "Limit | None":
    """Returns the limit that was asked for, or None where a fairness weight is given."""
    from frem_core.limits import Limit
    from frem_core.training import Member

    given_texts = {"--limit": options["limit"], "--keep": options["keep"]}
    flag = next((name for name, texts in given_texts.items() if texts), None)
    if flag is None:
        return None
    if "fairness_weight" in given(Member, options):
        raise click.UsageError(f"{flag} finds the fairness weight; leave out --fairness-weight.")
    if _chooses_gamma(options):
        raise click.UsageError(
            f"--gamma auto compares bandwidths at one fairness weight, and {flag} finds that "
            "weight; give --gamma a number."
        )
    found = []
    for name, read in (("--limit", Limit.parse), ("--keep", Limit.parse_keep)):
        try:
            found += [read(one) for one in given_texts[name]]
        except ConfigError as error:
            raise click.BadParameter(str(error), param_hint=f"'{name}'") from error
    return Limit.together(found)


def _train_within(
    options: dict[str, Any],
    data: "PreparedData",
    method: "Method",
    config: "TrainingConfig",
    seed: int,
    limit: "Limit",
) -> "WithinLimit":
    from frem_core.console.training_progress import TrainingProgress
    from frem_core.limits import train_within

    with TrainingProgress(method.title) as progress:
        (found,) = train_within(
            data.train,
            task=data.task,
            method=method,
            config=config,
            limits=[limit],
            seed=seed,
            callbacks=[progress],
            callbacks_of_unfair=[progress],
            checkpoints=options["checkpoints"],
            threads=options["threads"],
        )
    return found


def _suggest_weights(options: dict[str, Any], data: "PreparedData", model: "TrainedModel") -> None:
    """Says which fairness weights matter on these rows, where none was given."""
    from frem_core.training import Member, spanning_weights

    method = model.method
    if "fairness_weight" in given(Member, options) or not method.uses_fairness_weight:
        return
    with messages().status("Measuring which fairness weights matter on these rows"):
        weights = spanning_weights(data.train, task=data.task, method=method, config=model.config)
    results().print(
        f"Useful fairness weights for {method.title} here: {weights[0]:g} to {weights[-1]:g} "
        "(--fairness-weight); or say what you need, as --keep 50%."
    )


def _consequence(options: dict[str, Any]) -> str:
    if options["checkpoints"] is None:
        return "Nothing was saved."
    return f"The same command goes on from the last checkpoint in {options['checkpoints']}."
