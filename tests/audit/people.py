"""Predictions that follow age, and settings that make their audit quick."""

import numpy as np

FEW = {"n_permutations": 39, "n_resamples": 60}


def people(n=600, seed=0):
    random = np.random.default_rng(seed)
    age = random.integers(18, 90, n)
    p = np.clip(0.2 + age / 200 + random.normal(0, 0.08, n), 0, 1)
    return age, p, (random.random(n) < p).astype(int)
