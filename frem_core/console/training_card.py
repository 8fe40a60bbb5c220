"""The card of a model trained by ``frem train --save``."""

from frem_core.console.training_report import TrainingReport
from frem_core.datasets import Dataset, PreparedData
from frem_core.evaluation import get_score
from frem_core.evaluation.evaluate_split import outputs_of
from frem_core.model_package import ModelCard, Score
from frem_core.model_package.uncertainty import INTERVAL_WORDS, score_interval
from frem_core.sweeps.outcome import library_versions
from frem_core.training import TrainedModel
from frem_core.words import NOTIONS, counted


def training_card(
    dataset: Dataset,
    data: PreparedData,
    model: TrainedModel,
    report: TrainingReport | None = None,
) -> ModelCard:
    """Says what the model is; with its scores once they are measured.

    Args:
        dataset: the table it was trained on.
        data: the same, split and encoded.
        model: the model.
        report: its scores.
    """
    weighs = model.method.uses_fairness_weight
    weight = f", λ {model.member.fairness_weight:g}" if weighs else ""
    notion = str(model.method.to_dict().get("fairness", "dp"))
    config = model.config
    return ModelCard(
        title=f"{model.method.title}{weight} on {data.dataset_name}",
        task=data.task,
        dataset=data.dataset_name,
        target=data.target_name,
        sensitive=data.sensitive_name,
        classes=data.class_names,
        data={
            "Name": data.dataset_name,
            "Rows": f"{len(data.train):,} to train, {len(data.test):,} to test",
            "Inputs": f"{len(data.feature_names):,} after encoding",
            "About": dataset.description,
            "What was left out or converted": " ".join(dataset.notes),
        },
        protocol={
            "Notion of fairness": NOTIONS.get(notion, notion),
            "Split": f"{data.split.kind}, seed {data.split.seed}",
            "Seed of the networks": str(model.member.seed),
            "Training": f"{counted(config.epochs, 'epoch')}, batches of {config.batch_size:,}",
        },
        scores=() if report is None else _scores(data, model, report),
        score_note=""
        if report is None
        else f"Measured on test rows that the model never saw. {INTERVAL_WORDS} Chance level: mean "
        "over shuffles of the sensitive attribute.",
        trade_off=_trade_off(model, report),
        settings={
            "method": model.method.to_dict(),
            "training": config.to_dict(),
            "member": model.member.to_dict(),
        },
        versions=library_versions(),
        hashes={"Data (fingerprint)": dataset.fingerprint},
    )


def _scores(data: PreparedData, model: TrainedModel, report: TrainingReport) -> tuple[Score, ...]:
    test = data.test
    _, p = outputs_of(model, data)["test"]
    found = []
    for name, value in report.scores["test"].items():
        metric, chance = get_score(name), report.chance.get(name)
        low, high = score_interval(metric, value, test.y, p, test.s)
        found.append(
            Score(
                name=name,
                label=metric.full_name,
                value=value,
                low=low,
                high=high,
                chance=None if chance is None else chance.mean,
                better=metric.own_direction,
            )
        )
    return tuple(found)


def _trade_off(model: TrainedModel, report: TrainingReport | None) -> tuple[str, ...]:
    words = [f"Method: {model.method.title}. {model.method.explanation}"]
    if model.method.uses_fairness_weight:
        words.append(f"Fairness weight (λ): {model.member.fairness_weight:g}.")
    if report is not None and report.limit is not None:
        words.append(report.limit.sentence)
    if report is not None and not report.beats_constant:
        words.append("It predicts no better than one and the same value for everybody.")
    return tuple(words)
