import torch
from torch import nn

from frem_core.networks import StackedLinear


def generators(*seeds: int) -> list[torch.Generator]:
    return [torch.Generator().manual_seed(seed) for seed in seeds]


def test_every_member_computes_what_a_linear_layer_with_its_weights_does() -> None:
    layer = StackedLinear(4, 3, generators(0, 1))
    x = torch.randn(2, 7, 4)
    for member in range(2):
        alone = nn.Linear(4, 3)
        with torch.no_grad():
            alone.weight.copy_(layer.weight[member].T)
            alone.bias.copy_(layer.bias[member, 0])
        torch.testing.assert_close(layer(x)[member], alone(x[member]))


def test_a_member_starts_the_same_alone_and_in_company() -> None:
    together = StackedLinear(4, 3, generators(5, 6, 7))
    alone = StackedLinear(4, 3, generators(6))
    assert torch.equal(together.weight[1:2], alone.weight)
    assert torch.equal(together.bias[1:2], alone.bias)
    assert not torch.equal(together.weight[0], together.weight[1])


def test_first_weights_have_the_range_of_torch_linear_layers() -> None:
    weight = StackedLinear(100, 200, generators(0)).weight
    assert weight.abs().max() <= 0.1
    assert weight.abs().max() > 0.099
    assert weight.mean().abs() < 0.002


def test_draw_replaces_weights_in_place() -> None:
    layer = StackedLinear(4, 3, generators(0))
    weight, before = layer.weight, layer.weight.detach().clone()
    layer.draw(generators(1))
    assert layer.weight is weight
    assert not torch.equal(layer.weight, before)
