import pandas as pd
import pytest

from frem_core.datasets import (
    available_datasets,
    load_dataset,
    load_table,
    prepare,
    split_dataset,
)
from frem_core.methods import available_methods, get_method
from frem_core.training import grid, suggested_config, suggested_fairness_weights
from frem_core.training.stack_size import stacks


def test_batch_sizes_are_those_of_the_paper() -> None:
    assert suggested_config("adult", 36_177).batch_size == 1024
    assert suggested_config("crime", 1_595).batch_size == 200
    assert suggested_config("my table", 50_000).batch_size == 1024
    assert suggested_config("my table", 900).batch_size == 200
    assert suggested_config("crime", 1_595, batch_size=64, epochs=5).to_dict()["batch_size"] == 64


def test_only_the_built_in_dataset_itself_has_a_preset() -> None:
    for name in available_datasets():
        dataset = load_dataset(name)
        assert dataset.preset == name
        assert prepare(dataset, split_dataset(dataset)).preset == name
    frame = pd.DataFrame({"age": range(60), "hours": [8, 4] * 30, "paid": [0, 1, 1] * 20})
    assert load_table(frame, target="paid", sensitive="age", name="adult").preset == ""


@pytest.mark.parametrize("dataset", ["adult", "crime", "my table"])
@pytest.mark.parametrize("name", available_methods())
def test_every_method_suggests_rising_fairness_weights(name: str, dataset: str) -> None:
    weights = suggested_fairness_weights(get_method(name), dataset)
    assert list(weights) == sorted(set(weights))
    assert len(grid(weights)) == len(weights)
    assert len(weights) >= (5 if get_method(name).uses_fairness_weight else 1)


def test_members_are_stacked_evenly() -> None:
    members = grid([0.1], range(12))

    def sizes(batch_rows: int, size: int | None = None) -> list[int]:
        return [len(stack) for stack in stacks(members, batch_rows, size)]

    assert sizes(200) == [12]
    assert sizes(1024) == [6, 6]
    assert sizes(100_000) == [1] * 12
    assert sizes(200, size=5) == [4, 4, 4]
    assert [one for stack in stacks(members, 200, 5) for one in stack] == members
