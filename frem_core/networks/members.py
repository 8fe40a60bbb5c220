"""Takes single members out of a stacked network."""

from torch import Tensor, nn


def member_state(network: nn.Module, member: int) -> dict[str, Tensor]:
    """Returns the state of one member, as a stack of one.

    Parameters are cut along their first dimension; buffers (a graph, a scale) are shared by all
    members and taken whole.
    """
    shared = {name for name, _ in network.named_buffers()}
    return {
        name: (value if name in shared else value[member : member + 1]).detach().cpu().clone()
        for name, value in network.state_dict().items()
    }
