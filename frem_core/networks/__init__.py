"""The encoders and heads that methods train."""

from frem_core.networks.encoder import ENCODERS, Encoder, EncoderBuilder
from frem_core.networks.members import member_state
from frem_core.networks.mlp import ACTIVATIONS, MLP
from frem_core.networks.stacked_linear import StackedLinear

__all__ = [
    "ACTIVATIONS",
    "ENCODERS",
    "MLP",
    "Encoder",
    "EncoderBuilder",
    "StackedLinear",
    "member_state",
]
