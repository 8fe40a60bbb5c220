import torch

from frem_core.methods import Batch


def batch(judged: torch.Tensor | None) -> Batch:
    torch.manual_seed(0)
    z = torch.randn(2, 6, 3)
    return Batch(z=z, p=z[..., 0], y=z[..., 1], s=z[..., 2], judged=judged)


def test_without_judged_rows_every_row_counts() -> None:
    rows = batch(None)
    torch.testing.assert_close(rows.mean(rows.p), rows.p.mean(dim=1))
    assert rows.per_member(lambda one: one.p.sum(dim=1)).shape == (2,)


def test_only_judged_rows_count() -> None:
    judged = torch.tensor([[1, 1, 1, 0, 0, 0], [0, 1, 1, 1, 1, 0]], dtype=torch.bool)
    rows = batch(judged)
    expected = torch.stack([rows.p[0, :3].mean(), rows.p[1, 1:5].mean()])
    torch.testing.assert_close(rows.mean(rows.p), expected)
    torch.testing.assert_close(rows.per_member(lambda one: one.p.mean(dim=1)), expected)


def test_too_few_judged_rows_give_nothing() -> None:
    judged = torch.tensor([[1, 1, 0, 0, 0, 0], [0, 0, 0, 0, 0, 0]], dtype=torch.bool)
    rows = batch(judged)
    assert rows.mean(rows.p).tolist() == [0.0, 0.0]
    assert rows.per_member(lambda one: one.p.mean(dim=1)).tolist() == [0.0, 0.0]
