"""The leakage probe of a trained model, fitted on training rows and scored on test rows."""

from typing import Any

from frem_core.datasets import PreparedData
from frem_core.evaluation.leakage_probe import LeakageProbe, leakage_probe
from frem_core.evaluation.representing_model import RepresentingModel


def probe_split(model: RepresentingModel, data: PreparedData, **settings: Any) -> LeakageProbe:
    """Probes a model's representation beside the features it was made from.

    Args:
        model: a trained model.
        data: the prepared data it was trained on.
        **settings: gamma, sigma, max_rows, random_state and advice of
            :func:`~frem_core.evaluation.leakage_probe`.

    Returns:
        Scores on the test rows of probes fitted on the training rows.
    """
    train, test = data.train, data.test
    return leakage_probe(
        model.transform(train.x),
        train.s,
        train.x,
        held_out=(model.transform(test.x), test.s, test.x),
        **settings,
    )
