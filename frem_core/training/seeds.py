"""Random streams of a training, one per member and purpose."""

from collections.abc import Sequence
from typing import Literal, get_args

import numpy as np
import torch

from frem_core.training.member import Member

Purpose = Literal["networks", "batches", "adversary", "fresh head"]


def generators(members: Sequence[Member], purpose: Purpose) -> list[torch.Generator]:
    """Returns one generator per member.

    Purposes have streams of their own: with the same seed every method starts from the same
    weights and sees the same batches, whatever else it draws.
    """
    stream = get_args(Purpose).index(purpose)
    return [
        torch.Generator().manual_seed(
            int(np.random.SeedSequence([member.seed, stream]).generate_state(1, np.uint64)[0] >> 1)
        )
        for member in members
    ]
