"""Evaluations reuse the memory of those before them, also where Dask sets up the C library."""

import os
import subprocess
import sys

import pytest

STEPS = """
import resource, statistics, torch
from frem_core.eipm import eipm
torch.set_num_threads(1)
z = torch.randn(1024, 20).requires_grad_()
s = torch.rand(1024).mul(50).round() / 50
def faults():
    return resource.getrusage(resource.RUSAGE_SELF).ru_minflt
for _ in range(5):
    eipm(z, s, gamma=0.05)
asked = []
for _ in range(11):
    before = faults()
    eipm(z, s, gamma=0.05)
    asked.append(faults() - before)
print(statistics.median(asked))
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
    # One kernel matrix alone is 1024 pages; now and then the heap grows by one, but not each time.
    assert int(done.stdout) < 100
