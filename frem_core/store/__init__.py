"""The store: sweeps, runs and their files in SQLite or PostgreSQL."""

from frem_core.extras import naming_the_extra

with naming_the_extra():
    from frem_core.store.artefacts import Artefact
    from frem_core.store.copying import copy_finished_runs
    from frem_core.store.datasets import DatasetRecord
    from frem_core.store.errors import (
        DamagedFileError,
        FinishedRunError,
        FullDiskError,
        LeaseLostError,
        NewerStoreError,
        ReadOnlyError,
        StoreBusyError,
        StoreError,
        UnreachableError,
    )
    from frem_core.store.identity import canonical_json, identity_of
    from frem_core.store.leases import Lease
    from frem_core.store.progress import Orders, Progress
    from frem_core.store.queue import MOST_RETRIES
    from frem_core.store.read_only import ReadOnlyStore, open_store_to_read
    from frem_core.store.results import RunResult
    from frem_core.store.rows import ClaimedRun, NewRun
    from frem_core.store.runs import Run
    from frem_core.store.schema import RunState
    from frem_core.store.store import Store, open_store
    from frem_core.store.tables import KeptTable, Tables, table_id_of

__all__ = [
    "MOST_RETRIES",
    "Artefact",
    "ClaimedRun",
    "DamagedFileError",
    "DatasetRecord",
    "FinishedRunError",
    "FullDiskError",
    "KeptTable",
    "Lease",
    "LeaseLostError",
    "NewRun",
    "NewerStoreError",
    "Orders",
    "Progress",
    "ReadOnlyError",
    "ReadOnlyStore",
    "Run",
    "RunResult",
    "RunState",
    "Store",
    "StoreBusyError",
    "StoreError",
    "Tables",
    "UnreachableError",
    "canonical_json",
    "copy_finished_runs",
    "identity_of",
    "open_store",
    "open_store_to_read",
    "table_id_of",
]
