"""The model of a finished run: as it was trained, trained again, or trained on all rows."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from frem_core.datasets import DatasetSpec, PreparedData, Split, prepare, split_dataset
from frem_core.errors import DataError, FremError
from frem_core.estimators.table_predictor import TablePredictor
from frem_core.evaluation import get_score
from frem_core.figures.run_titles import run_titles
from frem_core.methods import Method
from frem_core.model_package.card import ModelCard, Score
from frem_core.model_package.uncertainty import (
    INTERVAL_WORDS,
    SHUFFLES,
    chance_of,
    score_interval,
)
from frem_core.roles import Roles
from frem_core.store import Run, RunState, Store
from frem_core.sweeps.outcome import load_model, load_outcomes, load_predictor
from frem_core.sweeps.run_config import RunConfig
from frem_core.training import Callback, Member, train
from frem_core.words import NOTIONS, counted, per_cent

_ALL_ROWS: Final = "all rows"


@dataclass(frozen=True, eq=False)
class RunModel:
    """A model with its card, ready for `save_model` or `pack_model`."""

    predictor: TablePredictor
    card: ModelCard


def has_model(store: Store, run: str) -> bool:
    """Whether the model of a run can be had without training it again."""
    return {"weights", "model"} <= set(store.artefacts.of_run(run))


def run_model(store: Store, run: str, *, sweep: str | None = None) -> RunModel:
    """The model of a finished run as it was trained.

    Args:
        store: where the run is.
        run: its id, or an unambiguous beginning of it.
        sweep: to find the model without fairness that belongs to it.

    Raises:
        FremError: the run is not finished, or its files or its table are gone.
    """
    found = _finished(store, run)
    if not has_model(store, found.id):
        raise DataError(
            f"The weights of run {found.id[:12]} are not kept; train it again to have its model."
        )
    predictor = load_predictor(store, found.id)
    if predictor is None:  # a run of before this was kept: its table tells
        predictor = TablePredictor.of(_prepared(store, found), load_model(store, found.id))
    return RunModel(predictor, _card(store, found, sweep=sweep, on_all_rows=False))


def train_model(
    store: Store,
    run: str,
    *,
    all_rows: bool,
    sweep: str | None = None,
    callbacks: Sequence[Callback] = (),
) -> RunModel:
    """Trains the model of a finished run once more, with its settings and its seed.

    Args:
        store: where the run is.
        run: its id, or an unambiguous beginning of it.
        all_rows: on all rows instead of its training rows; the scores in the card stay those of
            the model that did not see the test rows.
        sweep: to find the model without fairness that belongs to it.
        callbacks: are told about every epoch.

    Raises:
        FremError: the run is not finished, or its table is gone or has changed.
    """
    found = _finished(store, run)
    config = RunConfig.from_dict(found.config)
    data = _prepared(store, found, all_rows=all_rows)
    (model,) = train(
        data.train,
        task=data.task,
        method=_method(found, config),
        config=config.training,
        members=[_member(found, config)],
        callbacks=callbacks,
    )
    card = _card(store, found, sweep=sweep, on_all_rows=all_rows)
    return RunModel(TablePredictor.of(data, model), card)


def _finished(store: Store, run: str) -> Run:
    found = store.runs.get(run)
    if found.state != RunState.DONE:
        raise DataError(f"Run {found.id[:12]} is {found.state}; a model is there when it is done.")
    return found


def _method(run: Run, config: RunConfig) -> Method:
    """The method as it was trained, with the γ that was chosen for it."""
    chosen = run.facts.get("gamma")
    if chosen is None:
        return config.method
    return Method.from_dict({**config.method.to_dict(), "gamma": chosen})


def _member(run: Run, config: RunConfig) -> Member:
    """Seed and fairness weight as they were, also where training had to find the weight."""
    weight = run.facts.get("fairness_weight", config.member.fairness_weight)
    return replace(config.member, fairness_weight=float(weight))


def _prepared(store: Store, run: Run, *, all_rows: bool = False) -> PreparedData:
    config = RunConfig.from_dict(run.config)
    dataset = DatasetSpec.from_dict(store.datasets.get(config.dataset).source).load(store.tables)
    if dataset.fingerprint != config.dataset:
        raise DataError(f"'{dataset.name}' has changed since this run was trained.")
    dataset = replace(dataset, task=config.task)
    if not all_rows:
        return prepare(dataset, split_dataset(dataset, **config.split))
    none = np.empty(0, dtype=np.int64)
    every = np.arange(dataset.n_rows, dtype=np.int64)
    return prepare(dataset, Split(every, none, none, _ALL_ROWS, config.member.seed))


def _card(store: Store, run: Run, *, sweep: str | None, on_all_rows: bool) -> ModelCard:
    record = store.datasets.get(run.dataset)
    spec = DatasetSpec.from_dict(record.source)
    roles, classes, notes = _roles(store, spec, record.description)
    title = run_titles(store.runs.frame(sweep).query("id == @run.id"))[0]
    scores = _scores(store, run, _unfair(store, run, sweep))
    method = _method(run, RunConfig.from_dict(run.config))
    config = run.config
    return ModelCard(
        title=f"{title} on {record.name}",
        task=str(config["task"]),
        dataset=record.name,
        target=roles.target or "the target",
        sensitive=roles.sensitive or "the sensitive attribute",
        classes=classes,
        data={
            "Name": record.name,
            "Rows": f"{record.rows:,}",
            "Inputs": f"{record.features:,} after encoding",
            "About": record.description,
            "What was left out or converted": " ".join(notes),
        },
        protocol=_protocol(run, on_all_rows),
        scores=scores,
        score_note=(
            f"{INTERVAL_WORDS} Chance level: mean over {SHUFFLES} shuffles of the sensitive "
            "attribute. "
            + (
                "These scores are those of the same settings trained without the test rows; the "
                "model itself saw all rows."
                if on_all_rows
                else "The model never saw these rows."
            )
        ),
        trade_off=_trade_off(method, _member(run, RunConfig.from_dict(config)), scores),
        settings={
            **config,
            **({"gamma, as chosen": run.facts["gamma"]} if "gamma" in run.facts else {}),
        },
        versions=dict(run.versions),
        hashes={"Run": run.id, "Data (fingerprint)": run.dataset},
        on_all_rows=on_all_rows,
    )


def _roles(
    store: Store, spec: DatasetSpec, description: str
) -> tuple[Roles, tuple[str, ...] | None, tuple[str, ...]]:
    """Names of target and S, classes and notes; less of them when the table is gone."""
    try:
        dataset = spec.load(store.tables)
    except FremError:
        return spec, None, ()
    roles = Roles(target=dataset.target_name, sensitive=dataset.sensitive_name)
    return roles, dataset.class_names, dataset.notes


def _protocol(run: Run, on_all_rows: bool) -> dict[str, str]:
    config, split = run.config, run.config["split"]
    notion = config["method"].get("fairness", "dp")
    tested = (
        "the fixed partition of the paper"
        if split["kind"] == "paper_table"
        else f"a random {per_cent(split['test_size'])} of the rows, drawn with seed {split['seed']}"
    )
    return {
        "Notion of fairness": NOTIONS.get(notion, notion),
        "Tested on": tested,
        "Trained on": "all rows" if on_all_rows else "the other rows",
        "Seed of the networks": str(config["seed"]),
        "Training": f"{counted(config['training']['epochs'], 'epoch')}, batches of "
        f"{config['training']['batch_size']:,}",
    }


def _unfair(store: Store, run: Run, sweep: str | None) -> dict[str, float | None]:
    """The test scores of the model without fairness on the same split, where there is one."""
    if run.method == "unfair":
        return {}
    table = store.runs.frame(sweep, [RunState.DONE])
    beside = table[(table["method"] == "unfair") & (table["dataset"] == run.dataset)]
    for name in beside["id"]:
        other = store.runs.get(str(name))
        if other.config["split"] == run.config["split"] and other.seed == run.seed:
            return dict(other.scores.get("test", {}))
    return {}


def _scores(store: Store, run: Run, unfair: dict[str, float | None]) -> tuple[Score, ...]:
    try:
        rows = load_outcomes(store, run.id)
    except FremError:  # an example without files: the scores are still what they are
        rows = None
    found = []
    for name, value in run.scores.get("test", {}).items():
        if value is None:
            continue
        metric = get_score(name)
        low, high, chance = None, None, None
        if rows is not None:
            y, p, s = (rows[column] for column in ("y", "p", "s"))
            low, high = score_interval(metric, value, y, p, s)
            chance = chance_of(metric, y, p, s)
        found.append(
            Score(
                name=name,
                label=metric.full_name,
                value=value,
                low=low,
                high=high,
                unfair=unfair.get(name),
                chance=chance,
                better=metric.own_direction,
            )
        )
    return tuple(found)


def _trade_off(method: Method, member: Member, scores: Sequence[Score]) -> tuple[str, ...]:
    words = [f"Method: {method.title}. {method.explanation}"]
    if method.uses_fairness_weight:
        words.append(f"Fairness weight (λ): {member.fairness_weight:g}.")
    words += [
        f"{one.label} is {one.value:.4f}, against {one.unfair:.4f} without fairness."
        for one in scores
        if one.unfair is not None
    ]
    return tuple(words)
