"""Schema versions as Alembic revisions, applied by ``frem_core.store.migrate``."""
