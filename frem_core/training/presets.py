"""Settings that work for a dataset, so that nobody has to start from nothing."""

from typing import Any

from frem_core.datasets.catalogue import dataset_card, known_datasets
from frem_core.methods.method import Method
from frem_core.networks import ENCODERS
from frem_core.training.config import TrainingConfig

LARGE_TABLE = 10_000
GRAPH_BATCH_SIZE = 512  # the paper's on Pokec

# Spans what is useful for losses and penalties of order 1; used where a method names no better.
GENERAL_FAIRNESS_WEIGHTS = (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0)


def suggested_config(
    preset: str, rows: int, *, graph: bool = False, **changes: Any
) -> TrainingConfig:
    """Returns the paper's settings for a dataset.

    Args:
        preset: which built-in dataset it is (`Dataset.preset`); any other gets the batch size of
            the paper's dataset of like size.
        rows: number of training rows.
        graph: whether the rows are nodes of a graph; the paper uses GCN for these.
        changes: settings to take instead of the suggested ones. The encoder, if among them, brings
            its own layer sizes and activation.

    Example:
        >>> suggested_config("crime", 1595, epochs=20).batch_size
        200
        >>> suggested_config("pokec_z", 33_000, graph=True, encoder="sgc").hidden
        (64,)
    """
    known = dataset_card(preset).batch_size if preset in known_datasets() else None
    usual = GRAPH_BATCH_SIZE if graph and rows >= GRAPH_BATCH_SIZE else None
    batch_size = known or usual or (1024 if rows >= LARGE_TABLE else 200)
    encoder = str(changes.get("encoder", "gcn" if graph else TrainingConfig.encoder))
    own = ENCODERS.get(encoder).suggested
    return TrainingConfig(**{"batch_size": batch_size, "encoder": encoder, **own, **changes})


def suggested_fairness_weights(method: type[Method], preset: str) -> tuple[float, ...]:
    """Returns fairness weights λ that span a method's trade-off on a dataset.

    They are kept with each method (``fairness_weights``), and were found by short runs over a wide
    grid: from the first λ that moves a fairness score to the last before predictions are constant.

    Args:
        method: which one.
        preset: which built-in dataset it is (`Dataset.preset`); any other gets a general range.

    Example:
        >>> from frem_core.methods import get_method
        >>> suggested_fairness_weights(get_method("unfair"), "crime")
        (0.0,)
    """
    if not method.uses_fairness_weight:
        return (0.0,)
    return method.fairness_weights.get(preset, GENERAL_FAIRNESS_WEIGHTS)
