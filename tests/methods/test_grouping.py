import pytest
import torch

from frem_core.datasets import load_dataset, prepare, split_dataset
from frem_core.methods.grouping import group_means, group_of, quantile_groups, two_groups


def test_the_median_and_mean_cut_in_two() -> None:
    s = torch.tensor([0.0, 0.1, 0.2, 0.3, 1.0])
    assert group_of(s, two_groups(s, "median")).tolist() == [0, 0, 0, 1, 1]
    assert group_of(s, two_groups(s, "mean")).tolist() == [0, 0, 0, 0, 1]


def test_two_values_always_give_two_groups() -> None:
    s = torch.tensor([0.0, 1.0, 1.0, 1.0, 1.0])
    assert group_of(s, two_groups(s, "median")).tolist() == [0, 1, 1, 1, 1]


def test_equal_values_are_one_group() -> None:
    s = torch.full((5,), 0.3)
    assert group_of(s, two_groups(s, "median")).tolist() == [0] * 5
    assert len(quantile_groups(s, 4)) == 0


def test_quantile_groups_are_about_equal_and_none_is_empty() -> None:
    s = torch.rand(1000, generator=torch.Generator().manual_seed(0))
    sizes = group_of(s, quantile_groups(s, 10)).bincount()
    assert sizes.tolist() == [100] * 10
    heavy = torch.cat([torch.zeros(500), s[:500]])
    assert group_of(heavy, quantile_groups(heavy, 10)).bincount().min() > 0


@pytest.mark.parametrize("seed", range(3))
def test_ten_bins_on_crime_are_nine(seed: int) -> None:
    crime = load_dataset("crime")
    s = torch.tensor(prepare(crime, split_dataset(crime, seed=seed)).train.s)
    assert len(quantile_groups(s, 10)) + 1 == 9


def test_group_means_skip_empty_groups() -> None:
    values = torch.tensor([[1.0, 3.0, 5.0], [1.0, 3.0, 5.0]])
    means, present = group_means(values, torch.tensor([[0, 0, 1], [1, 1, 1]]), 2)
    torch.testing.assert_close(means, torch.tensor([[2.0, 5.0], [0.0, 3.0]]))
    assert present.tolist() == [[True, True], [False, True]]
