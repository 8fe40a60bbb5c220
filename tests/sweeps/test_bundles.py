import pytest

from frem_core.datasets import Dataset, load_dataset
from frem_core.sweeps import SweepSpec
from frem_core.sweeps.bundles import new_runs

TOML = """
name = "bundles"
seeds = [0, 1, 2]
[dataset]
name = "crime"
[training]
batch_size = {batch}
[[methods]]
method = "frem"
fairness_weights = {weights}
gamma = [0.05, 0.1]
"""


@pytest.fixture(scope="module")
def crime() -> Dataset:
    return load_dataset("crime")


def bundles(crime: Dataset, weights: list[float], batch: int) -> list[list[tuple[float, int]]]:
    spec = SweepSpec.from_toml(TOML.format(batch=batch, weights=weights))
    groups: dict[str | None, list[tuple[float, int]]] = {}
    for run in new_runs(spec.expand(crime), rows=1595):
        member = (run.config["fairness_weight"], run.config["seed"])
        groups.setdefault(run.bundle, []).append(member)
    return list(groups.values())


def test_the_weights_of_a_seed_are_trained_together(crime: Dataset) -> None:
    groups = bundles(crime, [0.1, 0.2, 0.3], 200)
    assert len(groups) == 6  # three seeds, two bandwidths
    assert all(len({seed for _, seed in group}) == 1 for group in groups)
    assert all(sorted(weight for weight, _ in group) == [0.1, 0.2, 0.3] for group in groups)


def test_large_batches_make_small_bundles(crime: Dataset) -> None:
    sizes = {len(group) for group in bundles(crime, [i / 10 for i in range(1, 21)], 1500)}
    assert max(sizes) < 20


def test_nothing_is_lost_or_doubled(crime: Dataset) -> None:
    weights = [i / 100 for i in range(1, 61)]
    members = [member for group in bundles(crime, weights, 200) for member in group]
    assert len(members) == 60 * 3 * 2
    assert len(set(members)) == 60 * 3
