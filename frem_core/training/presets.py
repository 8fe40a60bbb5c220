"""Settings that work for a dataset, so that nobody has to start from nothing."""

from typing import Any

from frem_core.methods.method import Method
from frem_core.networks import ENCODERS
from frem_core.training.config import TrainingConfig

# Batch sizes of the paper ("Training hyperparameters").
BATCH_SIZES = {"adult": 1024, "crime": 200, "pokec_z": 512, "pokec_n": 512}
LARGE_TABLE = 10_000
GRAPH_BATCH_SIZE = 512  # the paper's on Pokec

# Spans what is useful for losses and penalties of order 1; used where a method names no better.
GENERAL_FAIRNESS_WEIGHTS = (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0)


def suggested_config(
    dataset: str, rows: int, *, graph: bool = False, **changes: Any
) -> TrainingConfig:
    """Returns the paper's settings for a dataset.

    Args:
        dataset: its name; an unknown one gets the batch size of the paper's dataset of like size.
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
    usual = GRAPH_BATCH_SIZE if graph and rows >= GRAPH_BATCH_SIZE else None
    batch_size = BATCH_SIZES.get(dataset, usual or (1024 if rows >= LARGE_TABLE else 200))
    encoder = str(changes.get("encoder", "gcn" if graph else TrainingConfig.encoder))
    own = ENCODERS.get(encoder).suggested
    return TrainingConfig(**{"batch_size": batch_size, "encoder": encoder, **own, **changes})


def suggested_fairness_weights(method: type[Method], dataset: str) -> tuple[float, ...]:
    """Returns fairness weights λ that span a method's trade-off on a dataset.

    They are kept with each method (``fairness_weights``), and were found by short runs over a wide
    grid: from the first λ that moves a fairness score to the last before predictions are constant.

    Example:
        >>> from frem_core.methods import get_method
        >>> suggested_fairness_weights(get_method("unfair"), "crime")
        (0.0,)
    """
    if not method.uses_fairness_weight:
        return (0.0,)
    return method.fairness_weights.get(dataset, GENERAL_FAIRNESS_WEIGHTS)
