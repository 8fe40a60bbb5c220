import torch
from torch import nn

from frem_core.training.adam import Adam


def parameters() -> list[nn.Parameter]:
    random = torch.Generator().manual_seed(0)
    shapes = (3, 50, 7), (3, 64), (3, 11)
    return [nn.Parameter(torch.randn(shape, generator=random)) for shape in shapes]


def move(optimiser: "Adam | torch.optim.Adam", moved: list[nn.Parameter], steps: range) -> None:
    for step in steps:
        optimiser.zero_grad()
        loss = sum((one.square() * (step + 1) + one.sin()).sum() for one in moved)
        torch.autograd.backward(torch.as_tensor(loss), inputs=moved)
        optimiser.step()


def test_it_moves_as_torch_does() -> None:
    ours, theirs = parameters(), parameters()
    move(Adam(ours, 1e-2, 1e-2), ours, range(30))
    move(torch.optim.Adam(theirs, lr=1e-2, weight_decay=1e-2), theirs, range(30))
    for one, other in zip(ours, theirs, strict=True):
        torch.testing.assert_close(one, other, rtol=1e-5, atol=1e-6)


def test_it_goes_on_from_its_state_to_the_bit() -> None:
    whole = parameters()
    first = Adam(whole, 1e-2, 1e-2)
    move(first, whole, range(5))
    kept = {name: value.clone() for name, value in first.state().items()}
    again = [nn.Parameter(one.detach().clone()) for one in whole]
    second = Adam(again, 1e-2, 1e-2)
    second.restore(kept)
    move(first, whole, range(5, 10))
    move(second, again, range(5, 10))
    for one, other in zip(whole, again, strict=True):
        assert torch.equal(one, other)
