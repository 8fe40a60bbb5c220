"""A training ends the same, to the bit, whichever others share its stack.

What is stored under a run's id must depend on nothing but what the id names: a bundle of runs may
be cut anew when a worker dies, and λ = 0.3 may be asked for alone or among others.
"""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest
import torch

from frem_core.eipm import eipm
from frem_core.eipm.weights import BatchWeights
from frem_core.methods import available_methods, get_method
from frem_core.methods.frem import Frem
from frem_core.methods.method import Method
from frem_core.training import Member, TrainingConfig, train
from tests.training.problems import small_part, weights_of

# A tail of 47 rows and 13 columns leaves something over for every vector unit.
CONFIG = TrainingConfig(epochs=3, batch_size=60, hidden=(16, 13))
ONE = Member(fairness_weight=0.3, seed=0)
COMPANIES = {
    "one λ more": [Member(fairness_weight=0.1, seed=0)],
    "another seed": [Member(fairness_weight=0.1, seed=1)],
    "two λ more": [Member(fairness_weight=weight, seed=0) for weight in (0.05, 2.0)],
    "λ and seeds": [
        Member(fairness_weight=weight, seed=seed) for weight, seed in ((0.1, 0), (1.0, 1), (0.1, 2))
    ],
}

FORMS = (
    {"judges": "representation", "units": "as_is", "form": "root", "noise": "kept"},
    {
        "judges": "representation_and_prediction",
        "units": "standardised",
        "form": "square",
        "noise": "removed",
    },
    {"units": "whitened"},
    {"computation": "linear"},
    {"sigma": "median"},
    {"sensitive_kernel": "epanechnikov", "representation_kernel": "triangular"},
)


def kinds() -> Iterator[tuple[str, Method]]:
    for name in available_methods():
        method = get_method(name)
        if method.uses_fairness_weight:
            yield name, method()
        if method.supports_equal_opportunity:
            yield f"{name}, equal opportunity", method(fairness="eo")
    for form in FORMS:
        yield f"frem {form}", Frem(**form)  # type: ignore[arg-type]


@pytest.mark.parametrize("method", [pytest.param(one, id=name) for name, one in kinds()])
def test_a_training_ends_the_same_in_any_company(method: Method) -> None:
    part = small_part(107)
    settings = {"task": "classification", "method": method, "config": CONFIG}
    (alone,) = train(part, members=[ONE], **settings)  # type: ignore[arg-type]
    for name, others in COMPANIES.items():
        *_, together = train(part, members=[*others, ONE], stack_size=8, **settings)  # type: ignore[arg-type]
        np.testing.assert_array_equal(weights_of(together), weights_of(alone), err_msg=name)


@pytest.mark.parametrize("form", FORMS[:2], ids=["root", "square"])
@pytest.mark.parametrize("rows", [120, 800])
def test_a_training_with_continuous_s_ends_the_same_in_any_company(
    rows: int, form: dict[str, str]
) -> None:
    """With batches that pick their weights from one factor, also over half of the matrix."""
    part = small_part(rows + 50)
    part = replace(part, s=(part.s + np.random.default_rng(0).random(rows + 50)) / 2)
    method = Frem(gamma=0.5, **form)  # type: ignore[arg-type]
    ((_, weights),) = next(method.planner(torch.tensor(part.s))([torch.arange(rows)[None]]))
    assert isinstance(weights, BatchWeights)
    config = TrainingConfig(epochs=2, batch_size=rows, hidden=(16, 13))
    settings = {"task": "classification", "method": method, "config": config}
    (alone,) = train(part, members=[ONE], **settings)  # type: ignore[arg-type]
    *_, together = train(part, members=[*COMPANIES["λ and seeds"], ONE], stack_size=8, **settings)  # type: ignore[arg-type]
    np.testing.assert_array_equal(weights_of(together), weights_of(alone))


def test_a_member_with_rows_far_out_does_not_widen_the_others() -> None:
    """Large representations are computed in double precision, they alone."""
    random = np.random.default_rng(0)
    z = torch.tensor(random.normal(size=(3, 50, 4)), dtype=torch.float32)
    z[1] *= 1e4
    s = torch.tensor(random.random(50)).expand(3, -1)

    def value_and_gradient(rows: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        rows = rows.clone().requires_grad_()
        value = eipm(rows, s[: len(rows)], gamma=0.1)
        value.sum().backward()  # type: ignore[no-untyped-call]
        assert rows.grad is not None
        return value.detach(), rows.grad

    together = value_and_gradient(z)
    for member in range(3):
        alone = value_and_gradient(z[member : member + 1])
        for one, all_ in zip(alone, together, strict=True):
            assert torch.equal(one[0], all_[member])
