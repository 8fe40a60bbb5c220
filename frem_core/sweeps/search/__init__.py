"""Search instead of grid: a sweep that chooses its next settings from the results so far."""

from frem_core.sweeps.search.open_searches import OpenSearch, open_searches
from frem_core.sweeps.search.search_spec import SearchSpec

__all__ = ["OpenSearch", "SearchSpec", "open_searches"]
