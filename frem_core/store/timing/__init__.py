"""How long the database takes to answer this process."""

from frem_core.store.timing.slow import SlowQuery, note_query, query_name, slow_queries

__all__ = ["SlowQuery", "note_query", "query_name", "slow_queries"]
