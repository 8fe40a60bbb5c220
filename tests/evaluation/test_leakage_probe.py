"""Representations whose leakage is known by construction."""

import numpy as np
import pytest

from frem_core.errors import ConfigError, DataError
from frem_core.evaluation import leakage_probe

N = 1200


def _people(n: int = N) -> tuple[np.ndarray, np.ndarray, np.random.Generator]:
    """Features whose first column carries the sensitive attribute, and the attribute."""
    random = np.random.default_rng(0)
    s = random.integers(0, 74, n) / 73
    x = random.random((n, 4))
    x[:, 0] = s + 0.1 * random.normal(size=n)
    return x, s, random


def test_a_shrunken_representation_looks_fair_but_is_not() -> None:
    x, s, _ = _people()
    probe = leakage_probe(1e-3 * x, s, x)
    assert probe.eipm < 1e-3
    assert probe.representation.best_r2 > 0.85
    assert probe.kept_share == pytest.approx(1, abs=0.02)
    assert probe.warning is not None
    assert "EIPM is low" in probe.warning
    advised = leakage_probe(1e-3 * x, s, x, advice="Do otherwise.").warning
    assert advised is not None
    assert advised.endswith("Do otherwise.")


def test_without_features_a_shrunken_representation_is_noticed_too() -> None:
    x, s, _ = _people()
    probe = leakage_probe(1e-3 * x, s)
    assert (probe.features, probe.kept_share) == (None, None)
    assert probe.reference_eipm > 0.1
    assert probe.warning is not None


def test_the_attribute_hidden_in_a_small_direction_is_noticed() -> None:
    x, s, random = _people()
    z = np.column_stack([random.normal(size=(N, 3)), 1e-3 * x[:, 0]])
    probe = leakage_probe(z, s, x)
    assert probe.eipm < 0.8 * probe.reference_eipm
    assert probe.warning is not None


def test_a_fair_representation_gives_nothing_away() -> None:
    x, s, random = _people()
    probe = leakage_probe(random.normal(size=(N, 5)), s, x)
    assert probe.representation.best_r2 < 0.05
    assert abs(probe.representation.linear_rank) < 0.2
    assert probe.features is not None
    assert probe.features.best_r2 > 0.85
    assert probe.warning is None


def test_an_openly_unfair_representation_needs_no_warning() -> None:
    x, s, _ = _people()
    assert leakage_probe(3 * x[:, :1], s, x).warning is None


def test_a_noisy_representation_that_hides_the_attribute_needs_no_warning() -> None:
    x, s, random = _people()
    probe = leakage_probe(x[:, :1] + 1.5 * random.normal(size=(N, 1)), s, x)
    assert probe.kept_share is not None
    assert probe.kept_share < 0.2
    assert probe.warning is None


def test_features_without_the_attribute_leave_nothing_to_leak() -> None:
    _, s, random = _people()
    noise = random.normal(size=(N, 2))
    probe = leakage_probe(1e-3 * noise, s, noise)
    assert probe.warning is None


def test_linear_r2_is_the_signal_to_noise_ratio() -> None:
    random = np.random.default_rng(1)
    s = random.random(4000)
    z = s + np.sqrt(s.var()) * random.normal(size=4000)  # as much noise as signal
    probe = leakage_probe(z, s, max_rows=None)
    assert probe.representation.linear_r2 == pytest.approx(0.5, abs=0.04)


def test_trees_see_what_a_line_cannot() -> None:
    x, s, random = _people()
    sign = random.choice([-1, 1], N)
    probe = leakage_probe((sign * (1 + s))[:, None], s, x)
    assert probe.representation.linear_r2 < 0.05
    assert probe.representation.boosted_r2 > 0.95
    assert probe.representation.boosted_rank > 0.95


def test_the_scale_of_the_representation_does_not_matter_to_the_probes() -> None:
    x, s, _ = _people()
    small, large = leakage_probe(2.0**-20 * x, s), leakage_probe(2.0**10 * x, s)
    assert small.representation.linear_r2 == pytest.approx(large.representation.linear_r2)
    assert small.representation.boosted_r2 == pytest.approx(large.representation.boosted_r2)


def test_constant_representations_explain_nothing() -> None:
    x, s, _ = _people()
    probe = leakage_probe(np.ones((N, 3)), s, x)
    assert probe.representation.best_r2 == 0
    assert probe.representation.linear_rank == 0
    assert probe.kept_share == 0
    assert probe.warning is None


def test_other_rows_can_be_held_out() -> None:
    x, s, random = _people()
    unrelated = random.random((200, 4))
    other_s = random.random(200)
    inside = leakage_probe(x, s, x)
    outside = leakage_probe(x, s, x, held_out=(unrelated, other_s, unrelated))
    assert inside.representation.best_r2 > 0.85
    assert outside.representation.best_r2 < 0.2


def test_the_seed_decides() -> None:
    x, s, _ = _people(300)
    assert leakage_probe(x, s, x) == leakage_probe(x, s, x)
    assert leakage_probe(x, s, x, random_state=1) != leakage_probe(x, s, x)


def test_large_data_are_sampled() -> None:
    x, s, _ = _people()
    few = leakage_probe(x, s, max_rows=100)
    assert few.representation.linear_r2 != leakage_probe(x, s).representation.linear_r2
    assert few.representation.linear_r2 > 0.7


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"z": np.zeros((9, 2)), "s": np.linspace(0, 1, 9)}, "needs at least 20"),
        ({"z": np.zeros((99, 2)), "s": np.ones(99)}, "nothing to predict"),
        ({"z": np.zeros((99, 2)), "s": np.linspace(0, 1, 98)}, "same number of rows"),
        ({"z": np.full((99, 2), np.nan), "s": np.linspace(0, 1, 99)}, "missing or infinite"),
    ],
    ids=["few rows", "constant", "lengths", "gaps"],
)
def test_rows_that_cannot_be_used_are_refused(given: dict[str, np.ndarray], message: str) -> None:
    with pytest.raises(DataError, match=message):
        leakage_probe(**given)


def test_parts_must_have_the_same_columns() -> None:
    x, s, _ = _people(100)
    with pytest.raises(DataError, match="z has 4 columns to fit on, but 3 held out"):
        leakage_probe(x, s, held_out=(x[:, :3], s))
    with pytest.raises(DataError, match="x is given for one part only"):
        leakage_probe(x, s, x, held_out=(x, s))


def test_a_share_is_held_out() -> None:
    x, s, _ = _people(100)
    with pytest.raises(ConfigError, match="held_out_share"):
        leakage_probe(x, s, held_out_share=1.0)
