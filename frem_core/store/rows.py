"""Runs as they go into the queue and as they come out of it."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from frem_core.store.identity import canonical_json, identity_of


@dataclass(frozen=True)
class NewRun:
    """A run to be queued.

    Attributes:
        config: everything that determines the result, as plain JSON values.
        dataset: the fingerprint of its dataset.
        method: the method's registered name.
        seed: the seed of the training.
        epochs: how many epochs it will report.
        bundle: runs with the same bundle are trained together; None trains it alone.
    """

    config: Mapping[str, Any]
    dataset: str
    method: str
    seed: int
    epochs: int
    bundle: str | None = None

    def values(self) -> dict[str, Any]:
        """The run as values of a queued row."""
        identity = identity_of(self.config)
        return {
            "id": identity,
            "bundle": self.bundle or identity,
            "dataset": self.dataset,
            "method": self.method,
            "seed": self.seed,
            "config": canonical_json(self.config),
            "state": "queued",
            "epoch": 0,
            "epochs": self.epochs,
            "attempts": 0,
            "deaths": 0,
            "death_epoch": -1,
            "cancel_requested": False,
        }


@dataclass(frozen=True)
class ClaimedRun:
    """A run that its owner is to train now.

    Attributes:
        id: its identity.
        bundle: the stack it belongs to.
        dataset: the fingerprint of its dataset.
        config: what determines it.
        attempts: how often it was started, this time included.
    """

    id: str
    bundle: str
    dataset: str
    config: Mapping[str, Any]
    attempts: int

    @classmethod
    def of(cls, row: Any) -> "ClaimedRun":
        """Reads a run from its row."""
        return cls(row.id, row.bundle, row.dataset, json.loads(row.config), row.attempts)


def in_batches(names: Sequence[str], size: int = 500) -> Iterator[Sequence[str]]:
    """Cuts a list into pieces that fit into one SQL ``IN (…)``."""
    return (names[start : start + size] for start in range(0, len(names), size))
