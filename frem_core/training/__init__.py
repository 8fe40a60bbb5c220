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

Settings are there at once; what trains, and torch with it, is loaded at first use.
"""

from typing import TYPE_CHECKING

from frem_core.extras import lazy_names
from frem_core.training.config import TrainingConfig
from frem_core.training.member import Member, grid

if TYPE_CHECKING:
    from frem_core.training.bandwidth import BandwidthChoice as BandwidthChoice
    from frem_core.training.bandwidth import hold_out as hold_out
    from frem_core.training.bandwidth import select_bandwidth as select_bandwidth
    from frem_core.training.bandwidth import select_bandwidths as select_bandwidths
    from frem_core.training.callback import Callback as Callback
    from frem_core.training.callback import Controller as Controller
    from frem_core.training.cancellation import TrainingCancelledError as TrainingCancelledError
    from frem_core.training.components import Components as Components
    from frem_core.training.continuation import Continuation as Continuation
    from frem_core.training.divergence import TrainingDivergedError as TrainingDivergedError
    from frem_core.training.early_stopping import EarlyStopping as EarlyStopping
    from frem_core.training.model import TrainedModel as TrainedModel
    from frem_core.training.presets import suggested_config as suggested_config
    from frem_core.training.presets import suggested_fairness_weights as suggested_fairness_weights
    from frem_core.training.stack import EpochRecord as EpochRecord
    from frem_core.training.stack import TrainingStack as TrainingStack
    from frem_core.training.train_members import torch_threads as torch_threads
    from frem_core.training.train_members import train as train
    from frem_core.training.weight_range import balance as balance
    from frem_core.training.weight_range import relative_weights as relative_weights
    from frem_core.training.weight_range import spanning_weights as spanning_weights

_HOMES = {
    "BandwidthChoice": "bandwidth",
    "Callback": "callback",
    "Components": "components",
    "Continuation": "continuation",
    "Controller": "callback",
    "EarlyStopping": "early_stopping",
    "EpochRecord": "stack",
    "TrainedModel": "model",
    "TrainingCancelledError": "cancellation",
    "TrainingDivergedError": "divergence",
    "TrainingStack": "stack",
    "balance": "weight_range",
    "hold_out": "bandwidth",
    "relative_weights": "weight_range",
    "select_bandwidth": "bandwidth",
    "select_bandwidths": "bandwidth",
    "spanning_weights": "weight_range",
    "suggested_config": "presets",
    "suggested_fairness_weights": "presets",
    "torch_threads": "train_members",
    "train": "train_members",
}

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

__getattr__ = lazy_names(__name__, _HOMES)
