"""The tables of the store as they are in the newest schema version.

Written twice on purpose: here for queries, and step by step in ``migrations`` for files that
exist already. A test compares the two.
"""

from enum import StrEnum

from sqlalchemy import (
    BigInteger,
    Boolean,
    CheckConstraint,
    Column,
    Float,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
)

metadata = MetaData()


class RunState(StrEnum):
    """Where a run is in its life; ``DONE`` is for ever."""

    QUEUED = "queued"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
    CANCELLED = "cancelled"


datasets = Table(
    "datasets",
    metadata,
    Column("hash", String(64), primary_key=True),
    Column("name", Text, nullable=False),
    Column("description", Text, nullable=False),
    Column("source", Text, nullable=False),  # JSON: how to load it again
    Column("rows", BigInteger, nullable=False),
    Column("features", Integer, nullable=False),
    Column("added_at", Float, nullable=False),
)

sweeps = Table(
    "sweeps",
    metadata,
    Column("id", String(16), primary_key=True),
    Column("name", Text, nullable=False),
    Column("spec", Text, nullable=False),  # TOML, replayable as it stands
    Column("created_at", Float, nullable=False),
    Column("cancelled_at", Float),
    Column("queued_by", Text),  # a person; None: nobody in particular
    Column("priority", Integer, nullable=False, server_default="0"),  # among one's own
)

runs = Table(
    "runs",
    metadata,
    Column("id", String(64), primary_key=True),  # its identity: see identity.py
    Column("bundle", String(64), nullable=False),  # runs trained together as one stack
    Column("dataset", String(64), ForeignKey("datasets.hash"), nullable=False),
    Column("method", String(64), nullable=False),
    Column("seed", BigInteger, nullable=False),
    Column("config", Text, nullable=False),  # canonical JSON
    Column("state", String(9), nullable=False),
    Column("queued_at", Float, nullable=False),
    Column("position", Integer, nullable=False),  # order within one submission
    Column("started_at", Float),
    Column("finished_at", Float),
    Column("stage", Text),
    Column("epoch", Integer, nullable=False),
    Column("epochs", Integer, nullable=False),
    Column("attempts", Integer, nullable=False),
    Column("deaths", Integer, nullable=False),  # workers lost in a row without progress
    Column("death_epoch", Integer, nullable=False),
    Column("cancel_requested", Boolean, nullable=False),
    Column("owner", Text),
    Column("lease_until", Float),  # of earlier versions; nothing reads or writes it any more
    Column("error", Text),
    Column("scores", Text),  # JSON, nested by split: {"test": {"hgr": 0.2}}
    Column("facts", Text),  # JSON: what else came out, e.g. the chosen bandwidth
    Column("timings", Text),
    Column("versions", Text),
    CheckConstraint(
        "state IN ('queued', 'running', 'done', 'failed', 'cancelled')", name="known_state"
    ),
    Index("runs_by_state", "state", "queued_at", "position"),
    Index("runs_by_bundle", "bundle"),
)

sweep_runs = Table(
    "sweep_runs",
    metadata,
    Column("sweep", String(16), ForeignKey("sweeps.id", ondelete="CASCADE"), primary_key=True),
    Column("run", String(64), ForeignKey("runs.id", ondelete="CASCADE"), primary_key=True),
    Column("position", Integer, nullable=False),
    Index("sweep_runs_by_run", "run"),
)

# Which kept tables a sweep is about: who may not see the table may not see the sweep.
sweep_tables = Table(
    "sweep_tables",
    metadata,
    Column("sweep", String(16), ForeignKey("sweeps.id", ondelete="CASCADE"), primary_key=True),
    Column("table_id", String(20), primary_key=True),
)

# A row outlives its file (is_kept is false then), or sweeps about it would become everybody's.
table_owners = Table(
    "table_owners",
    metadata,
    Column("table_id", String(20), primary_key=True),
    Column("owner", Text, primary_key=True),
    Column("is_shared", Boolean, nullable=False),
    Column("is_kept", Boolean, nullable=False),
)

# A running run gains one row per report; finishing replaces them by a single one, so that
# 10,000 runs of 200 epochs are 10,000 rows and not two million.
epochs = Table(
    "epochs",
    metadata,
    Column("run", String(64), ForeignKey("runs.id", ondelete="CASCADE"), primary_key=True),
    Column("first", Integer, primary_key=True),
    Column("records", LargeBinary, nullable=False),  # see history.py
)

artefacts = Table(
    "artefacts",
    metadata,
    Column("run", String(64), ForeignKey("runs.id", ondelete="CASCADE"), primary_key=True),
    Column("kind", String(64), primary_key=True),
    Column("hash", String(64), nullable=False),
    Column("size", BigInteger, nullable=False),
    Index("artefacts_by_hash", "hash"),
)

# Contents of files by their hash, where FREM_FILES says that they lie in the database.
contents = Table(
    "contents",
    metadata,
    Column("hash", String(64), primary_key=True),
    Column("content", LargeBinary, nullable=False),
    Column("written_at", Float, nullable=False),
)

# Apart from runs, because a note may change after its run has become immutable.
notes = Table(
    "notes",
    metadata,
    Column("run", String(64), ForeignKey("runs.id", ondelete="CASCADE"), primary_key=True),
    Column("text", Text, nullable=False),
    Column("written_at", Float, nullable=False),
)

leases = Table(
    "leases",
    metadata,
    Column("name", String(64), primary_key=True),
    Column("owner", Text, nullable=False),
    Column("until", Float, nullable=False),
    Column("info", Text, nullable=False),  # JSON: process, machine, address
)
