"""What every penalty owes the trainer: stacks, and finite gradients in degenerate batches."""

from collections.abc import Callable

import pytest
import torch
from torch import Tensor

from frem_core.errors import DataError
from frem_core.metrics import penalties

Penalty = Callable[[Tensor, Tensor], Tensor]

every_penalty = pytest.mark.parametrize(
    "penalty", [getattr(penalties, name) for name in penalties.__all__]
)


def _batch(*shape: int, dtype: torch.dtype = torch.float64) -> tuple[Tensor, Tensor]:
    generator = torch.Generator().manual_seed(3)
    s = torch.rand(*shape, generator=generator, dtype=dtype)
    p = torch.sigmoid(4 * s - 2 + torch.randn(*shape, generator=generator, dtype=dtype))
    return p, s


DEGENERATE = {
    "constant predictions": (torch.full((20,), 0.3), torch.linspace(0, 1, 20)),
    "constant sensitive values": (torch.linspace(0, 1, 20), torch.full((20,), 0.3)),
    "both constant": (torch.full((20,), 0.3), torch.full((20,), 0.3)),
    "all predictions 0": (torch.zeros(20), torch.linspace(0, 1, 20)),
    "predictions equal up to rounding": (
        0.5 + 1e-7 * torch.linspace(0, 1, 20),
        torch.linspace(0, 1, 20),
    ),
    "hard predictions": ((torch.arange(20) % 2).float(), torch.linspace(0, 1, 20)),
    "one row differs": (torch.eye(20)[0], torch.linspace(0, 1, 20)),
    "three rows": (torch.tensor([0.1, 0.9, 0.4]), torch.tensor([0.0, 0.5, 1.0])),
    "two rows": (torch.tensor([0.1, 0.9]), torch.tensor([0.0, 1.0])),
    "one row": (torch.tensor([0.1]), torch.tensor([0.0])),
    "no rows": (torch.zeros(0), torch.zeros(0)),
    "two sensitive values": (torch.linspace(0, 1, 20), (torch.arange(20) % 2).float()),
}


@every_penalty
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64], ids=str)
@pytest.mark.parametrize("case", DEGENERATE)
def test_degenerate_batches_give_finite_values_and_gradients(
    penalty: Penalty, case: str, dtype: torch.dtype
) -> None:
    p, s = (part.to(dtype, copy=True) for part in DEGENERATE[case])
    p.requires_grad_()
    value = penalty(p, s)
    value.backward()
    assert value.dtype == dtype
    assert torch.isfinite(value)
    assert p.grad is not None
    assert torch.isfinite(p.grad).all()


@every_penalty
@pytest.mark.parametrize(
    "case", ["constant predictions", "constant sensitive values", "both constant", "two rows"]
)
def test_without_dependence_to_measure_the_value_is_zero(penalty: Penalty, case: str) -> None:
    p, s = (part.double() for part in DEGENERATE[case])
    assert penalty(p, s).item() == pytest.approx(0, abs=1e-15)


@every_penalty
def test_gradcheck(penalty: Penalty) -> None:
    p, s = _batch(2, 25)
    assert torch.autograd.gradcheck(lambda x: penalty(x, s), p.requires_grad_())


@every_penalty
def test_stack_equals_one_model_at_a_time(penalty: Penalty) -> None:
    p, s = _batch(4, 60)
    alone = torch.stack([penalty(p[k], s[k]) for k in range(4)])
    torch.testing.assert_close(penalty(p, s), alone, rtol=1e-12, atol=1e-14)


@every_penalty
def test_one_batch_of_rows_serves_a_whole_stack(penalty: Penalty) -> None:
    p, s = _batch(4, 60)
    torch.testing.assert_close(penalty(p, s[0]), penalty(p, s[0].expand(4, 60)))


@every_penalty
def test_a_constant_model_in_a_stack_leaves_the_others_alone(penalty: Penalty) -> None:
    p, s = _batch(3, 60)
    p[1] = 0.25
    p.requires_grad_()
    penalty(p, s).sum().backward()
    alone = p[2].detach().clone().requires_grad_()
    penalty(alone, s[2]).backward()
    assert p.grad is not None
    torch.testing.assert_close(p.grad[2], alone.grad)


@every_penalty
def test_float32_agrees_with_float64(penalty: Penalty) -> None:
    p, s = _batch(1024)
    torch.testing.assert_close(
        penalty(p.float(), s.float()).double(), penalty(p, s), rtol=2e-5, atol=1e-6
    )


@every_penalty
def test_inputs_stay_untouched_and_sensitive_values_get_no_gradient(penalty: Penalty) -> None:
    p, s = _batch(50)
    kept = p.clone(), s.clone()
    p.requires_grad_()
    s.requires_grad_()
    penalty(p, s).backward()
    assert torch.equal(p, kept[0])
    assert torch.equal(s, kept[1])
    assert s.grad is None


@every_penalty
def test_a_step_along_the_gradient_lowers_the_penalty(penalty: Penalty) -> None:
    p, s = _batch(200)
    p.requires_grad_()
    before = penalty(p, s)
    before.backward()
    assert p.grad is not None
    step = 1e-3 * p.grad / p.grad.norm()
    assert penalty(p.detach() - step, s) < before


@every_penalty
@pytest.mark.parametrize(("rows_p", "rows_s"), [((5,), (4,)), ((2, 5), (2, 4)), ((), (3,))])
def test_different_numbers_of_rows_are_refused(
    penalty: Penalty, rows_p: tuple[int, ...], rows_s: tuple[int, ...]
) -> None:
    with pytest.raises(DataError, match="same number of rows"):
        penalty(torch.zeros(rows_p), torch.zeros(rows_s))
