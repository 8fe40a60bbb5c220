"""Evaluations reuse the memory of those before them, also where Dask sets up the C library."""

import os
import subprocess
import sys

import pytest

STEPS = """
import resource, torch
from frem_core.eipm import eipm
torch.set_num_threads(1)
z = torch.randn(1024, 20).requires_grad_()
s = torch.rand(1024).mul(50).round() / 50
def faults():
    return resource.getrusage(resource.RUSAGE_SELF).ru_minflt
for _ in range(5):
    eipm(z, s, gamma=0.05)
before = faults()
for _ in range(10):
    eipm(z, s, gamma=0.05)
print(faults() - before)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="of the GNU C library")
@pytest.mark.parametrize("environment", [{}, {"MALLOC_TRIM_THRESHOLD_": "65536"}])
def test_pages_are_asked_for_once(environment: dict[str, str]) -> None:
    done = subprocess.run(
        [sys.executable, "-c", STEPS],
        env=os.environ | environment,
        capture_output=True,
        text=True,
        check=True,
    )
    assert int(done.stdout) < 1000  # one kernel matrix alone is 1024 pages
