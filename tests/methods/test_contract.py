"""What every registered method must satisfy; a new method is tested here by itself."""

import json
import re
import subprocess
import sys
from dataclasses import replace
from hashlib import sha256

import numpy as np
import pytest
import torch
from torch import Tensor

from frem_core.datasets import Part
from frem_core.errors import ConfigError
from frem_core.methods import Method, available_methods, get_method
from frem_core.training import Member, TrainingStack, grid, train
from frem_core.training.loop import adversary_steps, descend, make_batch
from frem_core.training.task_loss import task_loss
from tests.training.problems import CONFIG, small_part, weights_of

FORMS: list[Method] = [get_method(name)() for name in available_methods()]
FORMS += [get_method("mmd")(cut="bins", bins=5), get_method("mmd")(cut="mean")]
FORMS += [
    get_method(name)(fairness="eo")
    for name in available_methods()
    if get_method(name).supports_equal_opportunity
]


def label(method: Method) -> str:
    return "-".join(
        str(value) for value in (method.name, method.fairness, getattr(method, "cut", ""))
    )


every_form = pytest.mark.parametrize("method", FORMS, ids=label)
every_method = pytest.mark.parametrize("name", available_methods())


def stack_of(part: Part, method: Method, members: int = 2) -> TrainingStack:
    return TrainingStack(
        part,
        task="classification",
        method=method,
        config=CONFIG,
        members=grid([0.5], range(members)),
    )


def one_step(stack: TrainingStack, rows: Tensor) -> tuple[Tensor, Tensor]:
    """Steps as the loop does; returns the total loss before and after, against one adversary."""

    def total() -> Tensor:
        z = stack.encoder(stack.data.inputs, rows)
        logits, p = stack.predict(z)
        batch = make_batch(stack.data, rows, z, p)
        adversary = stack.adversary
        penalty = stack.method.penalty(batch) if adversary is None else -adversary(batch)
        return task_loss(stack.task, logits, p, batch.y) + stack.fairness_weights * penalty

    if stack.adversary is not None:
        z = stack.encoder(stack.data.inputs, rows).detach()
        adversary_steps(stack, make_batch(stack.data, rows, z, stack.predict(z)[1]))
    before = total()
    descend(stack.optimiser, before)
    return before.detach(), total().detach()


def assert_finite(stack: TrainingStack) -> None:
    for network in stack.networks().values():
        for name, parameter in network.named_parameters():
            assert torch.isfinite(parameter).all(), name
            assert parameter.grad is None or torch.isfinite(parameter.grad).all(), name


@every_form
def test_one_step_lowers_the_total_loss(method: Method) -> None:
    stack = stack_of(small_part(), method)
    before, after = one_step(stack, torch.arange(80).expand(2, -1))
    assert (after < before).all()
    assert_finite(stack)


def _edge_parts() -> dict[str, Part]:
    part = small_part()
    return {
        "3 rows": small_part(3),
        "one class": replace(part, y=np.ones_like(part.y)),
        "no positive outcome": replace(part, y=np.zeros_like(part.y)),
        "all-equal S": replace(part, s=np.full_like(part.s, 0.4)),
        "S with a far outlier": replace(part, s=np.where(np.arange(80) == 0, 1.0, part.s / 100)),
        "constant features": replace(part, x=np.zeros_like(part.x)),
    }


@every_form
@pytest.mark.parametrize("edge", _edge_parts())
def test_it_survives_odd_batches(method: Method, edge: str) -> None:
    part = _edge_parts()[edge]
    stack = stack_of(part, method)
    for _ in range(3):
        before, after = one_step(stack, torch.arange(len(part.x)).expand(2, -1))
        assert torch.isfinite(before).all()
        assert torch.isfinite(after).all()
        assert_finite(stack)


@every_form
def test_it_survives_a_batch_with_an_empty_group(method: Method) -> None:
    part = small_part()
    stack = stack_of(part, method)
    low = torch.from_numpy(np.flatnonzero(part.s < np.median(part.s)))
    before, after = one_step(stack, low[:20].expand(2, -1))
    assert torch.isfinite(before).all()
    assert torch.isfinite(after).all()
    assert_finite(stack)


@every_form
def test_it_leaves_its_inputs_alone(method: Method) -> None:
    part = small_part()
    train(part, task="classification", method=method, config=CONFIG)
    fresh = small_part()
    for column in ("x", "y", "s"):
        np.testing.assert_array_equal(getattr(part, column), getattr(fresh, column))


@every_form
def test_a_stack_trains_like_its_members_alone(method: Method) -> None:
    part = small_part()
    members = grid([0.0, 0.3, 2.0], seeds=[0, 7])
    together = train(
        part, task="classification", method=method, config=CONFIG, members=members, stack_size=6
    )
    for model, member in zip(together, members, strict=True):
        (alone,) = train(
            part, task="classification", method=method, config=CONFIG, members=[member]
        )
        np.testing.assert_allclose(weights_of(model), weights_of(alone), atol=2e-4)
        np.testing.assert_allclose(
            model.history["task_loss"], alone.history["task_loss"], rtol=1e-4
        )


@every_method
def test_it_trains_regression_too(name: str) -> None:
    part = small_part(task="regression")
    config = replace(CONFIG, epochs=30, learning_rate=0.01)
    (model,) = train(
        part,
        task="regression",
        method=get_method(name)(),
        config=config,
        members=[Member(fairness_weight=0.01)],
    )
    assert np.abs(model.predict(part.x) - part.y).mean() < np.abs(part.y - part.y.mean()).mean()


def digests() -> dict[str, str]:
    part = small_part()
    trained = {
        name: train(part, task="classification", method=get_method(name)(), config=CONFIG)[0]
        for name in available_methods()
    }
    return {name: sha256(weights_of(one).tobytes()).hexdigest() for name, one in trained.items()}


def test_a_fresh_process_repeats_every_method_to_the_bit() -> None:
    script = f"import json; from {__name__} import digests; print(json.dumps(digests()))"
    fresh = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    here = digests()
    assert json.loads(fresh.stdout) == here
    assert len(set(here.values())) == len(available_methods())


@every_form
def test_it_survives_plain_values(method: Method) -> None:
    plain = json.loads(json.dumps(method.to_dict()))
    assert Method.from_dict(plain) == method
    assert type(method).from_dict(plain) == method


@every_method
def test_it_describes_itself(name: str) -> None:
    method = get_method(name)
    assert method.name == name
    assert re.fullmatch(r"#[0-9A-F]{6}", method.colour)
    assert method.explanation.endswith(".")
    assert method.citation
    for parameter in method.parameters().values():
        assert parameter.label
        assert parameter.help.endswith(".")


@pytest.mark.parametrize(
    "method",
    [
        *FORMS,
        get_method("frem")(units="standardised"),
        get_method("frem")(units="standardised", judges="representation_and_prediction"),
    ],
)
def test_advice_on_leakage_fits_the_method(method: Method) -> None:
    advice = method.advice_on_leakage
    assert advice.endswith(".")
    for name, value in re.findall(r"(\w+) = '(\w+)'", advice):
        assert value in method.parameters()[name].choices
        assert getattr(method, name) != value


def test_methods_can_be_told_apart_in_a_figure() -> None:
    methods = [get_method(name) for name in available_methods()]
    for attribute in ("title", "colour", "symbol"):
        assert len({getattr(method, attribute) for method in methods}) == len(methods)


@every_method
def test_equal_opportunity_is_offered_or_refused_clearly(name: str) -> None:
    method = get_method(name)
    if method.supports_equal_opportunity:
        with pytest.raises(ConfigError, match="needs a classification task"):
            train(small_part(task="regression"), task="regression", method=method(fairness="eo"))
    else:
        assert method.parameters()["fairness"].choices == ("dp",)
        with pytest.raises(ConfigError, match="FREM"):
            method(fairness="eo")


def test_an_unknown_method_gets_a_suggestion() -> None:
    with pytest.raises(ConfigError, match="Did you mean 'reg_gdp'"):
        get_method("reg_gpd")
    with pytest.raises(ConfigError, match="no method"):
        Method.from_dict({"gamma": 0.1})
    with pytest.raises(ConfigError, match="not a form of FREM"):
        get_method("frem").from_dict({"method": "mmd"})
