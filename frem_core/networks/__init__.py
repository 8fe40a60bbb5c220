"""The encoders and heads that methods train."""

from frem_core.networks.activation import ACTIVATIONS, sigmoid
from frem_core.networks.encoder import (
    ENCODERS,
    Encoder,
    EncoderBuilder,
    available_encoders,
    check_reads,
)
from frem_core.networks.gcn import GCN
from frem_core.networks.inputs import Inputs
from frem_core.networks.members import member_state
from frem_core.networks.mlp import MLP
from frem_core.networks.propagation import adjacency_tensor, propagate, propagated_features
from frem_core.networks.sgc import SGC
from frem_core.networks.stacked_linear import StackedLinear

__all__ = [
    "ACTIVATIONS",
    "ENCODERS",
    "GCN",
    "MLP",
    "SGC",
    "Encoder",
    "EncoderBuilder",
    "Inputs",
    "StackedLinear",
    "adjacency_tensor",
    "available_encoders",
    "check_reads",
    "member_state",
    "propagate",
    "propagated_features",
    "sigmoid",
]
