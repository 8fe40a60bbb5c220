"""One training loop for every method."""

from frem_core.training.callback import Callback
from frem_core.training.cancellation import TrainingCancelledError
from frem_core.training.config import TrainingConfig
from frem_core.training.member import Member, grid
from frem_core.training.model import TrainedModel
from frem_core.training.stack import EpochRecord, TrainingStack
from frem_core.training.threads import torch_threads
from frem_core.training.train import train

__all__ = [
    "Callback",
    "EpochRecord",
    "Member",
    "TrainedModel",
    "TrainingCancelledError",
    "TrainingConfig",
    "TrainingStack",
    "grid",
    "torch_threads",
    "train",
]
