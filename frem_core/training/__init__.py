"""One training loop for every method.

Every training is a stack: members that differ in fairness weight and seed run side by side, and
a single training is a stack of one.

    data = prepare(dataset, split)                                   # frem_core.datasets
    models = train(
        data.train,
        task=data.task,
        method=get_method("frem")(gamma=0.05),                       # frem_core.methods
        config=suggested_config(data.preset, len(data.train)),
        members=grid(fairness_weights=[0.01, 0.1], seeds=[0, 1, 2]),
        validation=data.validation,         # optional: scores after every epoch
        callbacks=[...],                    # optional: a Callback that watches
        should_stop=event.is_set,           # optional: cancels, TrainingCancelledError
        checkpoints=Path("run-17"),         # optional: goes on where it stopped
    )
    models[0].predict(data.test.x)          # (n,)  needs no sensitive attribute
    models[0].transform(data.test.x)        # (n, m)
    models[0].history                       # one row per epoch
    models[0].save("model")                 # TrainedModel.load("model")

`select_bandwidth` chooses FREM's γ on a held-out fifth of the training rows first.
"""

from frem_core.training.bandwidth import (
    BandwidthChoice,
    hold_out,
    select_bandwidth,
    select_bandwidths,
)
from frem_core.training.callback import Callback, Controller
from frem_core.training.cancellation import TrainingCancelledError
from frem_core.training.components import Components
from frem_core.training.config import TrainingConfig
from frem_core.training.continuation import Continuation
from frem_core.training.divergence import TrainingDivergedError
from frem_core.training.early_stopping import EarlyStopping
from frem_core.training.member import Member, grid
from frem_core.training.model import TrainedModel
from frem_core.training.presets import suggested_config, suggested_fairness_weights
from frem_core.training.stack import EpochRecord, TrainingStack
from frem_core.training.train import torch_threads, train
from frem_core.training.weight_range import balance, relative_weights, spanning_weights

__all__ = [
    "BandwidthChoice",
    "Callback",
    "Components",
    "Continuation",
    "Controller",
    "EarlyStopping",
    "EpochRecord",
    "Member",
    "TrainedModel",
    "TrainingCancelledError",
    "TrainingConfig",
    "TrainingDivergedError",
    "TrainingStack",
    "balance",
    "grid",
    "hold_out",
    "relative_weights",
    "select_bandwidth",
    "select_bandwidths",
    "spanning_weights",
    "suggested_config",
    "suggested_fairness_weights",
    "torch_threads",
    "train",
]
