"""The forms of the weights against each other."""

import numpy as np
import pytest
import torch

from frem_core.attributes import read_attributes
from frem_core.eipm import eipm, eipm_test
from frem_core.eipm.several import plan as joint_plan
from frem_core.eipm.several.kernel import JointKernel
from frem_core.eipm.weights import AnchorWeights, GroupedWeights, ProductWeights
from frem_core.kernels import get_kernel
from tests.eipm.several.definition import people


def forms_of_weights(n: int, gamma: float):
    """EIPM and gradient of one sample by groups, by a factor of the kernel, and by a sample."""
    z, S = people(n)
    scaled = S[["age", "income"]] / [60.0, 100.0]
    rows = torch.from_numpy(z)

    def both(form: str, noise: str):
        given = rows.clone().requires_grad_()
        value = eipm(given, scaled, gamma=gamma, form=form, noise=noise)
        value.backward()
        return value.item(), given.grad

    return both


@pytest.mark.parametrize(("form", "noise"), [("root", "kept"), ("square", "removed")])
def test_a_factor_of_the_kernel_gives_what_groups_give(monkeypatch, form: str, noise: str) -> None:
    both = forms_of_weights(300, 0.05)
    monkeypatch.setattr(joint_plan, "_FEWEST_TUPLES", 1000)
    seen = [both(form, noise)]
    monkeypatch.setattr(joint_plan, "_FEWEST_TUPLES", 0)
    monkeypatch.setattr(joint_plan, "_FEW_TUPLES", 0)
    seen.append(both(form, noise))
    assert seen[1][0] == pytest.approx(seen[0][0], rel=1e-7)
    torch.testing.assert_close(seen[1][1], seen[0][1], rtol=1e-5, atol=1e-10)


def test_a_sample_of_all_anchors_is_exact(monkeypatch) -> None:
    both = forms_of_weights(200, 0.05)
    exact = both("root", "kept")
    for limit in ("_FEWEST_TUPLES", "_FEW_TUPLES", "_MOST_TUPLES"):
        monkeypatch.setattr(joint_plan, limit, 0)
    monkeypatch.setattr(joint_plan, "kernel_factor", lambda *_: None)
    sampled = both("root", "kept")
    assert sampled[0] == pytest.approx(exact[0], rel=1e-10)
    torch.testing.assert_close(sampled[1], exact[1])
    monkeypatch.setattr(joint_plan, "_SAMPLE", 100)
    assert both("root", "kept")[0] == pytest.approx(exact[0], rel=0.1)


def test_the_form_is_chosen_by_the_tuples(monkeypatch) -> None:
    monkeypatch.setattr(joint_plan, "_FEWEST_TUPLES", 100)
    monkeypatch.setattr(joint_plan, "_FEW_TUPLES", 100)
    monkeypatch.setattr(joint_plan, "_MOST_TUPLES", 400)
    monkeypatch.setattr(joint_plan, "MOST_COLUMNS", 250)
    rng = np.random.default_rng(0)

    def form(S: np.ndarray, kernel: str = "rbf") -> type:
        attributes = read_attributes(S, len(S))
        joint = JointKernel.of(attributes, get_kernel(kernel), 0.3)
        plan = joint_plan.plan_joint(
            torch.from_numpy(attributes.values), joint, n_min=5, dtype=torch.float32
        )
        return type(plan.weights)

    plane = rng.random((300, 2))
    assert form(plane) is ProductWeights
    assert form((plane * 5).round() / 5) is GroupedWeights
    assert form(rng.random((300, 4))) is GroupedWeights  # no short factor, yet few enough
    assert form(plane, "triangular") is GroupedWeights
    assert form(rng.random((90, 4))) is GroupedWeights
    monkeypatch.setattr(joint_plan, "_FEW_TUPLES", 400)
    assert form(rng.random((300, 4))) is AnchorWeights  # all of them
    assert form(rng.random((500, 4))) is AnchorWeights


def test_drawn_anchors_are_not_counted_as_dropped(monkeypatch: pytest.MonkeyPatch) -> None:
    for limit in ("_FEWEST_TUPLES", "_FEW_TUPLES", "_MOST_TUPLES"):
        monkeypatch.setattr(joint_plan, limit, 100)
    monkeypatch.setattr(joint_plan, "_SAMPLE", 50)
    rng = np.random.default_rng(0)
    z, S = rng.normal(size=300), rng.random((300, 3))
    settings = {"sensitive_kernel": "triangular", "permutations": 1}
    assert eipm_test(z, S, gamma=1.5, **settings).dropped == 0
    assert 0 < eipm_test(z, S, gamma=0.35, **settings).dropped < 50
