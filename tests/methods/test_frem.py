"""What FREM's penalty is made of, and that runs stored before it could be chosen stay the same."""

from dataclasses import replace
from itertools import product

import numpy as np
import pytest
import torch

from frem_core.eipm import eipm
from frem_core.methods import Batch, Method, get_method
from frem_core.methods.frem import Frem
from frem_core.methods.named_forms import PAPERS_FORM

MEMBERS, ROWS, SIZE = 3, 40, 5
CHOICES = {
    name: parameter.choices
    for name, parameter in Frem.parameters().items()
    if name in ("judges", "units", "form", "noise")
}
FLOOR = 0.4
BOTH = "representation_and_prediction"


def example(kind: str = "continuous", rows: int = ROWS) -> Batch:
    generator = torch.Generator().manual_seed(0)
    z = torch.randn(MEMBERS, rows, SIZE, generator=generator, dtype=torch.float64)
    s = torch.rand(MEMBERS, rows, generator=generator, dtype=torch.float64)
    if kind == "one seed":
        s = (s[:1] * 8).round().div(8).expand(MEMBERS, -1)
    y = (torch.rand(MEMBERS, rows, generator=generator) > 0.4).double()
    z = torch.cat([z[..., :1] + 2 * s.unsqueeze(-1), z[..., 1:]], -1)
    return Batch(z=z, p=torch.sigmoid(z[..., 0]), y=y, s=s)


def written_out(batch: Batch, judges: str, **settings: str) -> list[float]:
    """By the public estimator, one member after the other."""
    found = []
    columns = (batch.z, batch.p, batch.y, batch.s)
    for z, p, y, s in zip(*(column.numpy() for column in columns), strict=True):
        value = eipm(z, s, gamma=0.1, sigma=0.8, **settings)
        if judges == BOTH:
            spread = np.sqrt(p.var() + FLOOR**2 * y.var())
            plain = {name: settings[name] for name in ("form", "noise")}
            value = (value + eipm(p / spread, s, gamma=0.1, **plain)) / 2
        found.append(value)
    return found


@pytest.mark.parametrize("kind", ["continuous", "one seed"])
@pytest.mark.parametrize("chosen", list(product(*CHOICES.values())))
def test_every_combination_is_what_its_words_say(chosen: tuple[str, ...], kind: str) -> None:
    settings = dict(zip(CHOICES, chosen, strict=True))
    batch = example(kind)
    method = get_method("frem")(gamma=0.1, sigma=0.8, prediction_floor=FLOOR, **settings)
    found = method.penalty(batch)
    np.testing.assert_allclose(found, written_out(batch, **settings), rtol=1e-8, atol=1e-12)


@pytest.mark.parametrize("computation", ["exact", "linear"])
@pytest.mark.parametrize(("form", "noise"), [("root", "kept"), ("square", "removed")])
def test_planned_ahead_it_is_the_same(form: str, noise: str, computation: str) -> None:
    batch = example("one seed")
    method = Frem(
        judges=BOTH, units="standardised", form=form, noise=noise, computation=computation
    )
    (plan,) = method.planner(batch.s[0])([torch.arange(ROWS).expand(MEMBERS, -1)])
    assert plan is not None
    outcomes = []
    for one in (None, plan):
        z = batch.z.clone().requires_grad_()
        p = torch.sigmoid(z[..., 0])
        value = method.penalty(replace(batch, z=z, p=p, plan=one))
        (gradient,) = torch.autograd.grad(value.sum(), z)
        outcomes.append((value.detach(), gradient))
    torch.testing.assert_close(*(value for value, _ in outcomes), rtol=1e-6, atol=1e-9)
    torch.testing.assert_close(*(gradient for _, gradient in outcomes), rtol=1e-5, atol=1e-9)


@pytest.mark.parametrize("units", CHOICES["units"])
@pytest.mark.parametrize("fairness", ["dp", "eo"])
def test_gradient_through_encoder_and_head(units: str, fairness: str) -> None:
    batch = example("one seed", rows=14)
    batch = replace(batch, judged=batch.y == 1 if fairness == "eo" else None)
    method = Frem(
        judges=BOTH, units=units, form="square", noise="removed", gamma=0.2, fairness=fairness
    )
    head = torch.linspace(-1, 1, SIZE, dtype=torch.float64)

    def penalty(z: torch.Tensor) -> torch.Tensor:
        return method.penalty(replace(batch, z=z, p=torch.sigmoid(z @ head)))

    assert torch.autograd.gradcheck(penalty, batch.z.clone().requires_grad_())


def test_judging_the_prediction_sees_what_a_head_singles_out() -> None:
    generator = torch.Generator().manual_seed(0)
    s = torch.rand(1, 400, generator=generator)
    z = torch.cat([0.01 * s.unsqueeze(-1), torch.randn(1, 400, 9, generator=generator)], -1)
    batch = Batch(z=z, p=100 * z[..., 0], y=s, s=s)
    form = {"units": "as_is", "form": "square", "noise": "removed"}
    alone, both = (Frem(judges=one, **form).penalty(batch) for one in CHOICES["judges"])
    assert float(both) > 0.05 > 10 * abs(float(alone))


def test_predictions_near_a_constant_are_not_held_there() -> None:
    """Without a floor a prediction of any small size counts as much as a large one."""
    s = torch.linspace(0, 1, 200).unsqueeze(0)
    y = torch.sin(40 * s) + s
    pulls = {}
    for floor in (0.0, 0.3):
        p = (0.001 * s).requires_grad_()
        batch = Batch(z=torch.zeros(1, 200, 2), p=p, y=y, s=s)
        value = Frem(prediction_floor=floor, gamma=0.1).penalty(batch)
        (gradient,) = torch.autograd.grad(value.sum(), p)
        pulls[floor] = float(value.detach()), float(gradient.abs().max())
    assert pulls[0.0][0] > 0.1
    assert pulls[0.3][0] < 1e-4
    assert pulls[0.3][1] < pulls[0.0][1] / 1000


def test_equal_opportunity_keeps_the_floor_of_all_targets() -> None:
    """Its judged rows all have one target, whose own spread is 0."""
    batch = example()
    judged = replace(batch, judged=batch.y == 1)
    with_floor, without = (
        Frem(fairness="eo", prediction_floor=floor).penalty(judged) for floor in (1.0, 0.0)
    )
    assert (with_floor < without).all()


OLD = {
    "method": "frem",
    "fairness": "dp",
    "gamma": 0.05,
    "sigma": 1.0,
    "sensitive_kernel": "rbf",
    "representation_kernel": "rbf",
    "computation": "exact",
    "random_features": 128,
}


def test_a_record_from_before_means_the_form_of_the_paper_and_stays_as_it_is() -> None:
    method = Method.from_dict(OLD)
    assert {name: getattr(method, name) for name in PAPERS_FORM} == dict(PAPERS_FORM)
    assert method.to_dict() == OLD


def test_only_what_differs_from_the_paper_is_written() -> None:
    method = Frem(**{**PAPERS_FORM, "noise": "removed"})
    assert method.to_dict() == OLD | {"noise": "removed"}
    assert Method.from_dict(method.to_dict()) == method


def test_units_of_the_sensitive_attribute_are_written_only_when_they_are_ranks() -> None:
    assert "sensitive_units" not in Frem().to_dict()
    assert Frem(sensitive_units="value") == Frem()
    by_rank = Frem(sensitive_units="rank")
    assert by_rank.to_dict() == Frem().to_dict() | {"sensitive_units": "rank"}
    assert Method.from_dict(by_rank.to_dict()) == by_rank


@pytest.mark.parametrize("form", ["square", "root"])
def test_a_linear_probe_is_how_far_the_mean_of_z_moves_in_units_of_every_direction(
    form: str,
) -> None:
    batch = example()
    settings = {**PAPERS_FORM, "gamma": 0.1, "form": form}
    without, with_it = (
        Frem(**settings, linear_probe=weight).penalty(batch) for weight in (0.0, 0.5)
    )
    for b in range(MEMBERS):
        z, s = batch.z[b].numpy(), batch.s[b].numpy()
        weights = np.exp(-((s[:, None] - s) ** 2) / (2 * 0.1**2))
        np.fill_diagonal(weights, 0.0)
        weights /= weights.sum(1, keepdims=True)
        moved = weights @ z - (z.sum(0) - z) / (len(z) - 1)
        covariance = np.cov(z.T, bias=True)
        squared = np.einsum("ia,ab,ib->i", moved, np.linalg.inv(covariance), moved)
        expected = squared.mean() if form == "square" else np.sqrt(squared).mean()
        assert float(with_it[b] - without[b]) == pytest.approx(expected / 2, rel=2e-3)


def test_no_direction_is_too_small_for_the_linear_probe() -> None:
    generator = torch.Generator().manual_seed(0)
    s = torch.rand(1, 400, generator=generator)
    noise = torch.randn(1, 400, 9, generator=generator)
    for size in (0.05, 1.0):
        z = torch.cat([size * s.unsqueeze(-1), noise], -1)
        batch = Batch(z=z, p=torch.zeros_like(s), y=s, s=s)
        settings = {"judges": "representation", "units": "scale"}
        seen = Frem(**settings, linear_probe=1.0).penalty(batch) - Frem(**settings).penalty(batch)
        assert float(seen) > 0.5
