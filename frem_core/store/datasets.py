"""What the store knows about the datasets its runs were trained on."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import pandas as pd
from sqlalchemy import Connection, func, select

from frem_core.store.database import Database
from frem_core.store.errors import StoreError
from frem_core.store.schema import datasets, runs
from frem_core.store.timing.clock import now_seconds
from frem_core.words import listed


@dataclass(frozen=True)
class DatasetRecord:
    """A dataset as the store remembers it.

    Attributes:
        hash: the dataset's fingerprint.
        name: what users call it.
        description: one sentence for people.
        source: how to load it again, as plain JSON values.
        rows: number of rows.
        features: number of encoded features.
    """

    hash: str
    name: str
    description: str
    source: Mapping[str, Any]
    rows: int
    features: int

    @property
    def table_ids(self) -> list[str]:
        """The kept tables it is made from."""
        return [self.source[key] for key in ("table", "edge_table") if self.source.get(key)]

    @property
    def sensitive_words(self) -> str:
        """The sensitive attribute, or all of several, in words."""
        given = self.source.get("sensitive") or "the sensitive attribute"
        return given if isinstance(given, str) else listed(given)


class Datasets:
    """The datasets of the store; a known fingerprint is never described anew."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add(self, record: DatasetRecord) -> None:
        """Remembers a dataset; does nothing when its fingerprint is known."""
        self._database.write(lambda connection: self.add_within(connection, record))

    def add_within(self, connection: Connection, record: DatasetRecord) -> None:
        """The same inside a transaction of the caller."""
        values = {
            "hash": record.hash,
            "name": record.name,
            "description": record.description,
            "source": json.dumps(dict(record.source)),
            "rows": record.rows,
            "features": record.features,
            "added_at": now_seconds(),
        }
        connection.execute(self._database.insert_missing(datasets).values(values))

    def get(self, fingerprint: str) -> DatasetRecord:
        """Returns what is known of a dataset."""
        query = select(datasets).where(datasets.c.hash == fingerprint)
        row = self._database.read(lambda connection: connection.execute(query).first())
        if row is None:
            raise StoreError(f"The store knows no dataset {fingerprint[:12]}.")
        return DatasetRecord(
            row.hash, row.name, row.description, json.loads(row.source), row.rows, row.features
        )

    def frame(self) -> pd.DataFrame:
        """Returns one row per dataset with the number of its runs, newest first."""
        count = (
            select(func.count()).where(runs.c.dataset == datasets.c.hash).scalar_subquery()
        ).label("runs")
        query = select(datasets, count).order_by(datasets.c.added_at.desc())
        rows = self._database.read(lambda connection: connection.execute(query).all())
        names = [*(column.name for column in datasets.c), "runs"]
        frame = pd.DataFrame([tuple(row) for row in rows], columns=names)
        frame["source"] = [json.loads(text) for text in frame["source"]]
        return frame
