"""Train, validation and test rows: the same seed gives the same rows in any process."""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from frem_core.datasets.dataset import Dataset
from frem_core.errors import ConfigError, DataError, did_you_mean
from frem_core.words import per_cent

SplitKind = Literal["random", "paper_table"]
SPLIT_KINDS: tuple[SplitKind, ...] = ("random", "paper_table")
DEFAULT_SEEDS = (0, 1, 2, 3, 4)
Rows = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Split:
    """Row numbers of a dataset's parts: sorted, disjoint, together every row.

    Attributes:
        train: rows to fit on.
        validation: rows to choose settings on; may be empty.
        test: rows to report on.
        kind: how the rows were chosen.
        seed: the seed they were chosen with.
    """

    train: Rows
    validation: Rows
    test: Rows
    kind: str
    seed: int


def split_dataset(
    dataset: Dataset,
    *,
    kind: SplitKind = "random",
    seed: int = 0,
    test_size: float = 0.2,
    validation_size: float = 0.0,
) -> Split:
    """Splits a dataset into train, validation and test rows.

    Args:
        dataset: what to split.
        kind: ``"random"`` draws ``test_size`` of the rows (class shares kept in classification);
            ``"paper_table"`` uses the fixed partition behind the paper's table of datasets.
        seed: chooses the rows. The test rows do not depend on ``validation_size``.
        test_size: share of all rows to test on; ``"paper_table"`` ignores it.
        validation_size: share of the *training* rows to set aside, 0 for none.

    Returns:
        The split.

    Raises:
        ConfigError: a share is out of range, or the kind is unknown or not on offer here.
        DataError: the dataset has too few rows (of a class) for these shares.
    """
    _check_arguments(kind, seed, test_size, validation_size)
    if kind == "paper_table":
        if dataset.folds is None:
            raise ConfigError(
                f"'{dataset.name}' has no partition of the paper; use kind='random' for it."
            )
        train, test = np.flatnonzero(dataset.folds), np.flatnonzero(~dataset.folds)
    else:
        everything = np.arange(dataset.n_rows, dtype=np.int64)
        train, test = _draw(dataset, everything, test_size, np.random.default_rng([seed, 0]))
    validation: Rows = np.empty(0, dtype=np.int64)
    if validation_size > 0:
        # A stream of its own, so that test rows stay when a validation share is asked for.
        train, validation = _draw(dataset, train, validation_size, np.random.default_rng([seed, 1]))
    return Split(train, validation, test, kind, int(seed))


def repeated_splits(
    dataset: Dataset, *, seeds: Iterable[int] = DEFAULT_SEEDS, validation_size: float = 0.0
) -> tuple[Split, ...]:
    """Returns the paper's five random 80/20 splits, one for each seed."""
    return tuple(
        split_dataset(dataset, seed=seed, validation_size=validation_size) for seed in seeds
    )


def _draw(
    dataset: Dataset, rows: Rows, share: float, rng: np.random.Generator
) -> tuple[Rows, Rows]:
    """Takes a share of rows out: (kept, taken), both sorted; stratified in classification."""
    size = math.ceil(share * len(rows))
    if dataset.task == "classification":
        strata = [rows[dataset.target[rows] == label] for label in range(dataset.n_classes)]
    else:
        strata = [rows]
    counts = _apportion([len(stratum) for stratum in strata], size)
    taken = np.sort(
        np.concatenate(
            [
                rng.permutation(stratum)[:count]
                for stratum, count in zip(strata, counts, strict=True)
            ]
        )
    )
    kept = np.setdiff1d(rows, taken, assume_unique=True)
    if not len(kept) or not len(taken):
        raise DataError(
            f"'{dataset.name}' has too few rows ({len(rows)}) to set {per_cent(share)} of them "
            "aside."
        )
    return kept, taken


def _apportion(stratum_sizes: list[int], total: int) -> list[int]:
    """Shares ``total`` out in proportion to the sizes; the largest remainders get the rest."""
    whole = sum(stratum_sizes)
    exact = [total * size / whole if whole else 0.0 for size in stratum_sizes]
    counts = [math.floor(value) for value in exact]
    by_remainder = sorted(range(len(exact)), key=lambda index: counts[index] - exact[index])
    for index in by_remainder[: total - sum(counts)]:
        counts[index] += 1
    return counts


def _check_arguments(kind: str, seed: int, test_size: float, validation_size: float) -> None:
    if kind not in SPLIT_KINDS:
        raise ConfigError(
            f"There is no split called '{kind}'; choose one of {', '.join(SPLIT_KINDS)}."
            + did_you_mean(str(kind), SPLIT_KINDS)
        )
    if not isinstance(seed, int | np.integer) or seed < 0:
        raise ConfigError(f"The seed must be a whole number of at least 0, not {seed!r}.")
    if not 0.0 < test_size < 1.0:
        raise ConfigError(f"test_size is a share between 0 and 1, not {test_size}.")
    if not 0.0 <= validation_size < 1.0:
        raise ConfigError(
            f"validation_size is a share of train, at least 0 and below 1, not {validation_size}."
        )
