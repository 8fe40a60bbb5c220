"""EIPM in one's own training loop."""

import os
import subprocess
import sys
import warnings

import numpy as np
import pytest
import torch

from frem_core import EIPMLoss, eipm
from frem_core.eipm.loss import BandwidthWarning
from frem_core.errors import ConfigError, DataError
from tests.without_doubles import Elsewhere
from tools.dashboard import free_port

random = torch.Generator().manual_seed(0)
Z = torch.randn(200, 4, generator=random)
AGE = 18 + 62 * torch.rand(200, generator=random, dtype=torch.float64)


def test_it_is_the_estimator_on_the_scaled_attribute():
    scaled = (AGE - AGE.min()) / (AGE.max() - AGE.min())
    value = EIPMLoss(gamma=0.1)(Z, AGE)
    assert float(value) == pytest.approx(eipm(Z.numpy(), scaled.numpy(), gamma=0.1), rel=1e-5)
    settings = {"gamma": 0.1, "form": "square", "noise": "removed", "units": "standardised"}
    value = EIPMLoss(**settings)(Z, AGE)
    expected = eipm(Z.numpy(), scaled.numpy(), **settings)
    assert float(value) == pytest.approx(expected, rel=1e-3, abs=1e-6)


def test_the_range_is_learned_in_training_and_kept():
    fair = EIPMLoss(gamma=0.2)
    young = AGE < 50
    fair(Z[young], AGE[young])
    fair(Z[~young], AGE[~young])
    assert fair.sensitive_range == (float(AGE.min()), float(AGE.max()))
    again = EIPMLoss(gamma=0.2)
    again.load_state_dict(fair.state_dict())
    again.eval()
    again(Z, AGE + 5)  # beyond what was seen: clipped, and nothing is learned
    assert again.sensitive_range == fair.sensitive_range
    with pytest.raises(DataError, match="not known yet"):
        EIPMLoss().eval()(Z, AGE)
    assert EIPMLoss(sensitive_range=(0, 100)).eval().sensitive_range == (0, 100)


def test_equal_opportunity_judges_the_positive_rows():
    labels = (Z[:, 0] > 0).long()
    keep = labels == 1
    given = {"gamma": 0.1, "sensitive_range": (18, 80)}
    value = EIPMLoss(**given)(Z, AGE, labels)
    assert float(value) == float(EIPMLoss(**given)(Z[keep], AGE[keep]))


def test_minimising_it_makes_a_representation_independent():
    torch.manual_seed(1)
    layer = torch.nn.Linear(2, 2)
    x = torch.stack([AGE.float() / 80, Z[:, 0]], dim=1)
    fair = EIPMLoss(gamma=0.1, units="standardised", form="square", noise="removed")
    optimiser = torch.optim.Adam(layer.parameters(), lr=0.05)
    before = fair(layer(x), AGE).item()
    for _ in range(150):
        optimiser.zero_grad()
        loss = fair(layer(x), AGE)
        loss.backward()
        optimiser.step()
    assert loss.item() < 0.5 * before


def test_a_bandwidth_that_does_not_fit_is_told_once():
    for gamma, words in ((0.0005, "too small for batches of 200 rows"), (0.9, "look alike")):
        fair = EIPMLoss(gamma=gamma)
        with pytest.warns(BandwidthWarning, match=words):
            fair(Z, AGE)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            fair(Z, AGE)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        EIPMLoss(gamma=0.05)(Z, AGE)


def test_mixed_precision_gives_the_same_value_and_a_gradient_in_its_own_type():
    exact = Z.clone().requires_grad_()
    EIPMLoss(gamma=0.1)(exact, AGE).backward()
    rounded = Z.to(torch.bfloat16).requires_grad_()
    with torch.autocast("cpu", dtype=torch.bfloat16):
        value = EIPMLoss(gamma=0.1)(rounded, AGE)
    value.backward()
    assert value.dtype == torch.float32
    assert rounded.grad is not None
    assert rounded.grad.dtype == torch.bfloat16
    assert exact.grad is not None
    cosine = torch.nn.functional.cosine_similarity(
        rounded.grad.float().flatten(), exact.grad.flatten(), dim=0
    )
    assert float(cosine) > 0.999


def test_a_device_without_double_precision_will_do():
    z = Z.clone().requires_grad_()
    labels = (Z[:, 0] > 0).long()
    away = [one.as_subclass(Elsewhere) for one in (z, AGE.float(), labels)]
    with pytest.raises(TypeError, match="float64"):
        away[1].double()
    fair = EIPMLoss(gamma=0.1)
    value = fair(*away)
    value.backward()
    here = Z.clone().requires_grad_()
    expected = EIPMLoss(gamma=0.1)(here, AGE.float(), labels)
    expected.backward()
    assert value.item() == expected.item()
    torch.testing.assert_close(z.grad, here.grad)


def test_bad_input_is_refused_with_a_sentence():
    with pytest.raises(DataError, match="z has 200 rows and s 3"):
        EIPMLoss()(Z, AGE[:3])
    with pytest.raises(ConfigError, match="gamma"):
        EIPMLoss(gamma=-1)
    with pytest.raises(ConfigError, match="sensitive_range"):
        EIPMLoss(sensitive_range=(5, 5))


PROCESS = """
import sys, warnings
import numpy as np, torch, torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from frem_core import EIPMLoss
rank, port, folder = int(sys.argv[1]), sys.argv[2], sys.argv[3]
dist.init_process_group("gloo", init_method=f"tcp://127.0.0.1:{port}", rank=rank, world_size=2)
torch.manual_seed(0)
layer = torch.nn.Linear(4, 3)
x, age = torch.randn(90, 4), 18 + 62 * torch.rand(90)
rows = slice(0, 50) if rank == 0 else slice(50, 90)  # batches of unequal size
model = DistributedDataParallel(layer)
value = EIPMLoss(gamma=0.1, gather=True)(model(x[rows]), age[rows])
value.backward()
np.savez(f"{folder}/{rank}.npz", value=value.item(), gradient=layer.weight.grad.numpy())
dist.destroy_process_group()
"""


def test_processes_judge_their_batches_together(tmp_path):
    torch.manual_seed(0)
    layer = torch.nn.Linear(4, 3)
    x, age = torch.randn(90, 4), 18 + 62 * torch.rand(90)
    expected = EIPMLoss(gamma=0.1)(layer(x), age)
    expected.backward()
    port = str(free_port())
    both = [
        subprocess.Popen(
            [sys.executable, "-c", PROCESS, rank, port, str(tmp_path)],
            env=os.environ | {"GLOO_SOCKET_IFNAME": "lo"},
            stderr=subprocess.PIPE,
            text=True,
        )
        for rank in ("0", "1")
    ]
    said = [one.communicate(timeout=600)[1] for one in both]
    assert [one.returncode for one in both] == [0, 0], said
    for rank in (0, 1):
        found = np.load(tmp_path / f"{rank}.npz")
        assert float(found["value"]) == pytest.approx(expected.item(), rel=1e-5)
        assert layer.weight.grad is not None
        np.testing.assert_allclose(
            found["gradient"], layer.weight.grad.numpy(), rtol=1e-3, atol=1e-6
        )
