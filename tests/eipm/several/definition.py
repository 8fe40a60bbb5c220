"""The EIPM of several attributes by its definition, row by row, and a sample for it."""

import numpy as np
import pandas as pd

from tests.eipm.reference import REPRESENTATION, SENSITIVE, distances


def joint_weights(S: pd.DataFrame, gammas: dict, kernel: str, n_min: float):
    """A (n, n) by the definition, row by row, and which anchors have n_min effective rows."""
    n = len(S)
    a, kept = np.zeros((n, n)), np.zeros(n, dtype=bool)
    for i in range(n):
        k = np.ones(n)
        for name in S:
            column = S[name].to_numpy()
            if name in gammas:
                k = k * SENSITIVE[kernel]((column - column[i]) / gammas[name])
            else:
                k = k * (column == column[i])
        k[i] = 0.0
        if k.sum() > 0:
            w = k / k.sum()
            kept[i] = 1 / (w**2).sum() >= n_min
            a[i] = np.where(np.arange(n) == i, 0.0, w - 1 / (n - 1))
    return a, kept


def by_definition(z, S, gammas, *, kernel="rbf", on_z="rbf", n_min=0.0, noise=True, root=True):
    a, kept = joint_weights(S, gammas, kernel, n_min)
    n = len(S)
    kappa = REPRESENTATION[on_z](distances(z))
    q = np.einsum("ij,jk,ik->i", a, kappa, a)[kept]
    if noise and root:
        return float(np.sqrt(np.maximum(q, 0)).mean())
    apart = kappa[0, 0] - (kappa.sum() - n * kappa[0, 0]) / (n * (n - 1))
    free = q.mean() - (0.0 if noise else (a[kept] ** 2).sum(1).mean() * apart)
    return float(np.sign(free) * np.sqrt(abs(free))) if root else float(free)


def people(n: int, seed: int = 0) -> tuple[np.ndarray, pd.DataFrame]:
    rng = np.random.default_rng(seed)
    S = pd.DataFrame(
        {
            "age": rng.integers(18, 60, n).astype(float),
            "income": rng.gamma(2.0, 10.0, n),
            "sex": np.where(rng.random(n) < 0.4, "Female", "Male"),
        }
    )
    z = rng.normal(size=(n, 3))
    z[:, 0] += (S["age"].to_numpy() - 40) / 20
    z[:, 1] += S["income"].to_numpy() / 20 * np.where(S["sex"] == "Male", 1, -1)
    return z, S
