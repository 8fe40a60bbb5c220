"""Whose a kept table is, and from whom it and the sweeps about it are hidden."""

from frem_core.store.sharing.table_owners import TableOwners

__all__ = ["TableOwners"]
