"""All scores of a trained model on the training and the test rows."""

from typing import Any

from frem_core.attributes import Attributes
from frem_core.datasets import Part, PreparedData
from frem_core.evaluation.constant import ConstantScore, against_constant
from frem_core.evaluation.evaluate import MAX_ROWS, evaluate
from frem_core.evaluation.representing_model import RepresentingModel
from frem_core.evaluation.several import several_scores
from frem_core.evaluation.subset import random_rows
from frem_core.types import Floats

#: Representation (n, m) and predictions (n,), or (n, classes), by part of the split.
Outputs = dict[str, tuple[Floats, Floats]]


def outputs_of(model: RepresentingModel, data: PreparedData) -> Outputs:
    """What a model makes of the rows it was trained on, of validation and of test rows."""
    found: Outputs = {}
    for name, part in _parts(data).items():
        z = model.transform(part.x)
        found[name] = z, model.predict_from_representation(z)
    return found


def evaluate_split(
    model: RepresentingModel, data: PreparedData, outputs: Outputs | None = None, **settings: Any
) -> dict[str, dict[str, float]]:
    """Evaluates a model on the rows it was trained on and on the test rows.

    Args:
        model: a trained model.
        data: the prepared data it was trained on.
        outputs: what it makes of the rows, where the caller knows that already.
        **settings: gamma, sigma, kernels, noise, max_rows and random_state of
            :func:`~frem_core.evaluation.evaluate`.

    Returns:
        ``{"train": scores, "test": scores}``, and ``"validation"`` where the split has such rows;
        with several sensitive attributes also those of
        `several_scores`, such as ``"gdp@sex"`` and ``"eipm@joint"``.
    """
    known = outputs_of(model, data) if outputs is None else outputs
    scores = {}
    for name, part in _parts(data).items():
        z, p = known[name]
        scores[name] = evaluate(part.y, p, z, sensitive_features=part.s, task=data.task, **settings)
        if part.attributes is not None:
            scores[name] |= _of_attributes(p, z, part.attributes, **settings)
    return scores


def _of_attributes(
    p: Floats,
    z: Floats,
    attributes: Attributes,
    gamma: float = 0.05,
    max_rows: int | None = MAX_ROWS,
    random_state: int = 0,
    **settings: Any,
) -> dict[str, float]:
    """As ``evaluate`` does for the first attribute, on as many rows."""
    rows = random_rows(len(p), max_rows, random_state)
    of_each = [
        several_scores(column, z[rows], attributes.of(rows), gamma=gamma, **settings)
        for column in (p[rows].T if p.ndim == 2 else [p[rows]])
    ]
    # With more than two classes: the mean over each class against all others.
    return {name: sum(one[name] for one in of_each) / len(of_each) for name in of_each[0]}


def constants_beside(data: PreparedData, outputs: Outputs) -> dict[str, dict[str, ConstantScore]]:
    """The best constant beside a model, by part of the split and score."""
    return {
        name: against_constant(part.y, outputs[name][1], data.task)
        for name, part in _parts(data).items()
    }


def _parts(data: PreparedData) -> dict[str, Part]:
    parts = {"train": data.train, "test": data.test}
    return parts if data.validation is None else parts | {"validation": data.validation}
