"""What FREM's penalty is made of, and that runs stored before it could be chosen stay the same."""

from dataclasses import replace
from itertools import product

import numpy as np
import pytest
import torch

from frem_core.eipm import eipm
from frem_core.methods import Batch, Method, get_method
from frem_core.methods.frem import PAPERS_FORM, Frem

MEMBERS, ROWS, SIZE = 3, 40, 5
CHOICES = {
    name: parameter.choices for name, parameter in Frem.parameters().items() if name in PAPERS_FORM
}
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
    for z, p, s in zip(batch.z.numpy(), batch.p.numpy(), batch.s.numpy(), strict=True):
        value = eipm(z, s, gamma=0.1, sigma=0.8, **settings)
        if judges == BOTH:
            spread = np.sqrt(((p - p.mean()) ** 2).mean())
            plain = {name: settings[name] for name in ("form", "noise")}
            value = (value + eipm(p / spread, s, gamma=0.1, **plain)) / 2
        found.append(value)
    return found


@pytest.mark.parametrize("kind", ["continuous", "one seed"])
@pytest.mark.parametrize("chosen", list(product(*CHOICES.values())))
def test_every_combination_is_what_its_words_say(chosen: tuple[str, ...], kind: str) -> None:
    settings = dict(zip(CHOICES, chosen, strict=True))
    batch = example(kind)
    found = get_method("frem")(gamma=0.1, sigma=0.8, **settings).penalty(batch)
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
    form = {"form": "square", "noise": "removed"}
    alone, both = (Frem(judges=one, **form).penalty(batch) for one in CHOICES["judges"])
    assert float(both) > 0.05 > 10 * abs(float(alone))


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
