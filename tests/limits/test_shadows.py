import numpy as np
import pytest

from frem_core.limits import Limit
from frem_core.limits.shadows import HeldOut, Shadows
from frem_core.metrics import hgr

HALF = Limit(keep=0.5)


def test_shadows_see_all_rows_but_their_own_part():
    shadows = Shadows.of(203, seed=1)
    assert len(shadows) == 5
    held_out = [set(part.tolist()) for part in shadows.held_out]
    assert sum(map(len, held_out)) == len(set.union(*held_out)) == 200
    assert len(shadows.shown[0]) == 203
    for seen, out in zip(shadows.shown[1:], held_out, strict=True):
        assert set(seen.tolist()) == set(range(203)) - out
    assert len(Shadows.of(60_000, seed=0)) == 1


def test_a_shadow_is_compared_with_the_model_on_rows_that_both_learn_from():
    for rows in (203, 30_000, 60_000):
        shadows = Shadows.of(rows, seed=1)
        assert shadows.compared.shape == shadows.held_out.shape
        for seen, compared in zip(shadows.shown[1:], shadows.compared, strict=True):
            assert set(compared.tolist()) <= set(seen.tolist())


def said(predictions: np.ndarray, s: np.ndarray, **more: HeldOut) -> HeldOut:
    """Predictions (shadows, n) of one model without representations."""
    p = predictions[:, None]
    return HeldOut(z=p[..., None].astype(np.float32), p=p, y=s, s=s, **more)


def test_a_model_that_differs_from_its_shadows_has_a_score_of_its_own():
    """Two of three shadows ended without dependence; the model itself did not."""
    s = np.random.default_rng(0).random((3, 400))
    noise = np.random.default_rng(1).random((3, 400))
    shadows = np.stack([s[0], noise[1], noise[2]])
    model = 0.7 * s + 0.3 * noise
    alone = said(shadows, s)
    together = said(shadows, s, of_model=said(model, s), of_shadows=said(shadows, s))
    assert alone.score(HALF, 0) < 0.45
    by_hand = np.mean(
        [hgr(None, p, sensitive_features=one) for p, one in zip(model, s, strict=True)]
    )
    assert together.score(HALF, 0) == pytest.approx(by_hand)
    assert together.of(0).score(HALF, 0) == together.score(HALF, 0)


def test_chance_is_what_independent_predictions_have():
    s = np.random.default_rng(0).random((5, 300))
    noise = [said(np.random.default_rng(seed).random((5, 300)), s) for seed in range(1, 101)]
    scores = np.array([one.score(HALF, 0) for one in noise])
    level = said(s, s).chance(HALF, 0)
    assert 0.88 <= (scores <= level).mean() < 1.0
    assert level < 1.3 * scores.mean()
