"""Where along S a representation is unfair: for one bandwidth, or from sums for any."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
import torch
from numpy.typing import ArrayLike, NDArray
from torch import Tensor

from frem_core.attributes import Attributes
from frem_core.eipm.evaluation import contrast_ipm
from frem_core.eipm.inputs import as_arrays, as_points
from frem_core.eipm.settings import ANY_GAMMA, ARRAY_FEATURES, EipmSettings, Noise, check_settings
from frem_core.eipm.several.kernel import JointKernel, one_or_several
from frem_core.eipm.tiles import KernelTiles, is_mirrored, keep_freed_memory
from frem_core.eipm.units import comparable_rows
from frem_core.kernels import get_kernel
from frem_core.types import Floats

_MOST_DISTINCT = 200
_QUANTILES = 101

# Values of each number on a map by default, and weights that are made at a time.
_GRID = 21
_MAP_ENTRIES = 2**24

# Steps that continuous S is rounded to for sums.
_CELLS = 400


def eipm_profile(
    z: ArrayLike | Tensor,
    s: Any,
    *,
    gamma: float | Sequence[float] | None = None,
    sigma: float | str = 1.0,
    sensitive_kernel: str = "rbf",
    representation_kernel: str = "rbf",
    labels: ArrayLike | Tensor | None = None,
    positive_label: Any = 1,
    method: str = "auto",
    noise: str = "kept",
    units: str = "as_is",
    at: Any = None,
) -> pd.DataFrame:
    """How far the representations of people with S near s are from those of everybody.

    At each value s, over all rows j: ``w_j = K_γ(s, s_j) / Σ_l K_γ(s, s_l)`` and
    ``ipm = √(Σ_jk (w_j - 1/n)(w_k - 1/n) κ(z_j, z_k))``. EIPM averages the same quantity over the
    rows, each time without the row itself.

    Args:
        z: representation, ``(n, m)`` or ``(n,)``.
        s: sensitive attribute, ``(n,)``, or several, as in ``eipm``: a map.
        gamma: bandwidth γ of the kernel on S, or one for each of several attributes.
        sigma: scale σ of the kernel on Z, or ``"median"``.
        sensitive_kernel: name of the kernel on S.
        representation_kernel: name of the kernel on Z.
        labels: when given, only rows with the positive label count.
        positive_label: which label that is.
        method: as in ``eipm``.
        noise: ``"kept"``, or ``"removed"``: less the square that rows independent of S give on
            average, ``Σ_j (w_j - 1/n)² (κ(0) - κ̄)``; where less is left than nothing, ``ipm`` is
            minus the root of what lacks.
        units: of ``z``, as in ``eipm``.
        at: values of s to look at; by default the distinct values of S, or 101 quantiles when
            there are more than 200. Of several attributes a table with their columns; by default
            every category with every number of a grid.

    Returns:
        One row for each value: ``s`` (or a column for each of several attributes), ``ipm``, and
        ``effective_n = 1 / Σ w_j²``, the number of rows that effectively speak there. Where it is
        small, ``ipm`` is mostly noise. Where no row is in reach ``ipm`` is NaN and
        ``effective_n`` is 0.

    Example:
        >>> import numpy as np
        >>> s = np.repeat([0.0, 0.5, 1.0], 40)
        >>> z = np.where(s == 1.0, 3.0, 0.0) + np.sin(np.arange(120))
        >>> eipm_profile(z, s, gamma=0.05).round(2)
             s   ipm  effective_n
        0  0.0  0.37         40.0
        1  0.5  0.37         40.0
        2  1.0  0.73         40.0
    """
    s, several = one_or_several(s, z)
    settings = check_settings(
        gamma=gamma if several is None else ANY_GAMMA,
        sigma=sigma,
        sensitive_kernel=sensitive_kernel,
        representation_kernel=representation_kernel,
        method=method,
        features=ARRAY_FEATURES,
        random_state=0,
        noise=noise,
        units=units,
    )
    if several is not None:
        return _map(z, several, gamma, settings, labels, positive_label, at)
    rows, attribute = as_arrays(z, s, labels, positive_label)
    points = _default_points(attribute[0]) if at is None else as_points(at)
    if rows.shape[1] < 3:
        nothing = np.full(len(points), np.nan)
        return pd.DataFrame({"s": points.numpy(), "ipm": nothing, "effective_n": 0.0})
    gaps = (points.unsqueeze(1) - attribute[0]) / settings.gamma
    logits = settings.sensitive_kernel.log_sensitive(gaps)
    return pd.DataFrame({"s": points.numpy()} | _profile(rows, logits, settings))


def _profile(rows: Tensor, logits: Tensor, settings: EipmSettings) -> dict[str, Any]:
    """IPM and effective rows at points with ``log K`` ``(points, n)`` to the rows."""
    # A row of zeros where nothing is in reach.
    weights = torch.softmax(logits, dim=1).nan_to_num_(nan=0.0)
    reachable = (weights.sum(1) > 0).numpy()
    ipm = contrast_ipm(rows, weights - 1.0 / rows.shape[1], settings).numpy()
    return {
        "ipm": np.where(reachable, ipm, np.nan),
        "effective_n": np.where(reachable, 1.0 / weights.square().sum(1).clamp(min=1e-300), 0),
    }


def _map(
    z: ArrayLike | Tensor,
    attributes: Attributes,
    gamma: float | Sequence[float] | None,
    settings: EipmSettings,
    labels: ArrayLike | Tensor | None,
    positive_label: Any,
    at: Any,
) -> pd.DataFrame:
    """The profile over several attributes."""
    rows, _ = as_arrays(z, attributes.values[:, 0], labels, positive_label)
    if labels is not None:
        attributes = attributes.of(np.asarray(labels) == positive_label)
    joint = JointKernel.of(attributes, settings.sensitive_kernel, gamma)
    places = attributes.grid(_GRID) if at is None else attributes.places(at)
    shown, everybody = attributes.shown(places), torch.from_numpy(attributes.values)
    if rows.shape[1] < 3:
        return shown.assign(ipm=np.nan, effective_n=0.0)
    parts = [
        pd.DataFrame(_profile(rows, joint.log(some, everybody), settings))
        for some in torch.split(torch.from_numpy(places), max(1, _MAP_ENTRIES // rows.shape[1]))
    ]
    return pd.concat([shown, pd.concat(parts, ignore_index=True)], axis=1)


def _default_points(s: Tensor) -> Tensor:
    distinct = np.unique(s.numpy())
    if len(distinct) > _MOST_DISTINCT:
        distinct = np.unique(np.quantile(s.numpy(), np.linspace(0, 1, _QUANTILES)))
    return torch.from_numpy(distinct)


@dataclass(frozen=True, eq=False)
class ProfileSums:
    """κ summed over all pairs of rows of two values of S; what any bandwidth needs of Z.

    Attributes:
        s: values of S, rising, (U,).
        rows: how many rows have each value, (U,).
        kernel: Σ κ(z_j, z_k) over the rows j of one value and k of another, (U, U).
        sensitive_kernel: name of the kernel on S.
        at_zero: κ of a row with itself.
    """

    s: Floats
    rows: Floats
    kernel: Floats
    sensitive_kernel: str
    at_zero: float

    def profile(self, *, gamma: float, noise: Noise = "kept") -> pd.DataFrame:
        """What :func:`frem_core.eipm.eipm_profile` gives, in well under a millisecond.

        Args:
            gamma: bandwidth γ of the kernel on S.
            noise: kept, or removed.

        Returns:
            Columns ``s``, ``ipm`` and ``effective_n``.
        """
        points, n = self._points(), self.rows.sum()
        if n < 3:
            return pd.DataFrame({"s": points, "ipm": np.nan, "effective_n": 0.0})
        gaps = torch.from_numpy((points[:, None] - self.s) / gamma)
        logits = get_kernel(self.sensitive_kernel).log_sensitive(gaps)
        logits += torch.from_numpy(np.log(self.rows))
        shares = torch.softmax(logits, dim=1).nan_to_num_(nan=0.0).numpy()  # (points, U)
        weights = shares / self.rows  # of one row
        contrasts = weights - 1.0 / n
        squared = ((contrasts @ self.kernel) * contrasts).sum(axis=1)
        if noise == "removed":
            average = (self.kernel.sum() - n * self.at_zero) / (n * (n - 1))
            weight = (contrasts**2 * self.rows).sum(axis=1)
            squared -= weight * (self.at_zero - average)
        else:
            squared = squared.clip(min=0.0)
        reachable = shares.sum(axis=1) > 0
        speaking = np.where(reachable, (shares * weights).sum(axis=1), np.inf)
        ipm = np.where(reachable, np.sign(squared) * np.sqrt(np.abs(squared)), np.nan)
        return pd.DataFrame({"s": points, "ipm": ipm, "effective_n": 1.0 / speaking})

    def _points(self) -> Floats:
        if len(self.s) <= _MOST_DISTINCT:
            return self.s
        heard = np.cumsum(self.rows) / self.rows.sum()
        return np.unique(self.s[np.searchsorted(heard, np.linspace(0, 1, _QUANTILES))])


def profile_sums(
    z: ArrayLike | Tensor,
    s: ArrayLike | Tensor,
    *,
    sigma: float | str = 1.0,
    sensitive_kernel: str = "rbf",
    representation_kernel: str = "rbf",
    labels: ArrayLike | Tensor | None = None,
    positive_label: Any = 1,
) -> ProfileSums:
    """Prepares profiles of one representation for any bandwidth γ.

    ``ipm(s)² = Σ_jk (w_j - 1/n)(w_k - 1/n) κ(z_j, z_k)``, and ``w_j`` depends on row j only
    through s_j. So κ is needed only as sums over the rows of two values of S: n² once, then U²
    for every γ. Where S has more than 400 distinct values it is rounded to 400 even steps, which
    is far finer than any useful γ.

    Args:
        z: representation, ``(n, m)`` or ``(n,)``.
        s: sensitive attribute, ``(n,)``.
        sigma: scale σ of the kernel on Z, or ``"median"``.
        sensitive_kernel: name of the kernel on S.
        representation_kernel: name of the kernel on Z.
        labels: when given, only rows with the positive label count.
        positive_label: which label that is.

    Example:
        >>> s = np.repeat([0.0, 0.5, 1.0], 40)
        >>> z = np.where(s == 1.0, 3.0, 0.0) + np.sin(np.arange(120))
        >>> profile_sums(z, s).profile(gamma=0.05)["ipm"].round(2).tolist()
        [0.37, 0.37, 0.73]
    """
    settings = check_settings(
        gamma=ANY_GAMMA,
        sigma=sigma,
        sensitive_kernel=sensitive_kernel,
        representation_kernel=representation_kernel,
        method="exact",
        features=ARRAY_FEATURES,
        random_state=0,
    )
    keep_freed_memory()
    table, attribute = as_arrays(z, s, labels, positive_label)
    values, codes = _cells(attribute[0].numpy())
    order = np.argsort(codes, kind="stable")
    codes = codes[order]
    kernel = np.zeros((len(values), len(values)))
    if len(codes) >= 3:
        # Single precision: distances to 1e-6 are far below what a chart can show.
        rows, _ = comparable_rows(table[:, order].float(), settings)
        for first, second, tile in KernelTiles(rows, settings.representation_kernel):
            sums = _summed(_summed(tile[0].numpy(), codes[second]).T, codes[first]).T
            here = np.ix_(np.unique(codes[first]), np.unique(codes[second]))
            kernel[here] += sums
            if is_mirrored(first, second):
                kernel.T[here] += sums
    counts = np.bincount(codes, minlength=len(values)).astype(np.float64)
    at_zero = settings.representation_kernel.at_zero
    return ProfileSums(values, counts, kernel, sensitive_kernel, at_zero)


def _summed(table: NDArray[Any], codes: NDArray[np.intp]) -> NDArray[Any]:
    """Adds up neighbouring columns with the same code, (rows, distinct codes)."""
    starts = np.flatnonzero(np.diff(codes, prepend=-1))
    return np.add.reduceat(table, starts, axis=1, dtype=np.float64)


def _cells(s: Floats) -> tuple[Floats, NDArray[np.intp]]:
    """Distinct values of S, or 400 even steps, and the place of each row among them."""
    values, codes = np.unique(s, return_inverse=True)
    if len(values) > _CELLS:
        low, step = values[0], (values[-1] - values[0]) / (_CELLS - 1)
        steps, codes = np.unique(np.round((s - low) / step), return_inverse=True)
        values = low + steps * step
    return values, codes.astype(np.intp)
