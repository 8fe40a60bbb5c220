import numpy as np
import pytest

from frem_core.audit import between_group_share, box_statistics, dimension_boxes, quantile_groups

RNG = np.random.default_rng(0)
S = RNG.random(200)
GROUPS = quantile_groups(S, 5)


def test_the_share_is_one_minus_the_variance_within_groups() -> None:
    z = np.column_stack([S + 0.3 * RNG.normal(size=200), RNG.normal(size=200), S**2])
    for column, share in zip(z.T, between_group_share(z, GROUPS), strict=True):
        within = sum(
            ((column[GROUPS.codes == code] - column[GROUPS.codes == code].mean()) ** 2).sum()
            for code in range(5)
        )
        assert share == pytest.approx(1 - within / ((column - column.mean()) ** 2).sum())


def test_scale_and_shift_do_not_matter_and_constants_have_none() -> None:
    z = np.column_stack([S, 1e-4 * S + 5, np.full(200, 0.1)])
    shares = between_group_share(z.astype(np.float64), GROUPS)
    assert shares[1] == pytest.approx(shares[0])
    assert shares[2] == 0


def test_standardised_boxes_do_not_shrink_with_the_representation() -> None:
    z = RNG.normal(size=(200, 4)) + S[:, None]
    usual = dimension_boxes(z, GROUPS, [2, 0], standardise=True)
    small = dimension_boxes(0.01 * z, GROUPS, [2, 0], standardise=True)
    assert usual["dimension"].drop_duplicates().tolist() == [3, 1]
    assert small["median"].to_numpy() == pytest.approx(usual["median"].to_numpy())
    raw = dimension_boxes(z, GROUPS, [2], standardise=False)
    assert raw["q3"].tolist() == box_statistics(z[:, 2], GROUPS)["q3"].tolist()


def test_a_collapsed_dimension_is_a_flat_line() -> None:
    boxes = dimension_boxes(np.zeros((200, 1)), GROUPS, [0], standardise=True)
    assert (boxes[["q1", "median", "q3"]] == 0).all(axis=None)
