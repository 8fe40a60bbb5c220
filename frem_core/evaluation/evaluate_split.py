"""All scores of a trained model on the training and the test rows."""

from typing import Any

from frem_core.datasets import PreparedData
from frem_core.evaluation.evaluate import evaluate
from frem_core.evaluation.representing_model import RepresentingModel


def evaluate_split(
    model: RepresentingModel, data: PreparedData, **settings: Any
) -> dict[str, dict[str, float]]:
    """Evaluates a model on the rows it was trained on and on the test rows.

    Args:
        model: a trained model.
        data: the prepared data it was trained on.
        **settings: gamma, sigma, kernels, noise, max_rows and random_state of
            :func:`~frem_core.evaluation.evaluate`.

    Returns:
        ``{"train": scores, "test": scores}``.
    """
    scores = {}
    for name, part in {"train": data.train, "test": data.test}.items():
        z = model.transform(part.x)
        scores[name] = evaluate(
            part.y,
            model.predict_from_representation(z),
            z,
            sensitive_features=part.s,
            task=data.task,
            **settings,
        )
    return scores
