"""How many edges fit into memory."""

import psutil

from frem_core.errors import DataError

# Reading, numbering, sorting and the sparse matrix together peak at about this much.
BYTES_PER_EDGE = 120


def edge_limit(given: int | None) -> int:
    """Returns the most edges to read: as given, or what half of the free memory holds."""
    if given is not None:
        return given
    return int(psutil.virtual_memory().available // 2 // BYTES_PER_EDGE)


def check_edge_count(name: str, count: int, limit: int) -> None:
    """Refuses an edge list as soon as it is known to be too long."""
    if count > limit:
        raise DataError(
            f"'{name}' has more than {limit:,} edges; at about {BYTES_PER_EDGE} bytes an edge "
            f"({limit * BYTES_PER_EDGE / 1e9:.1f} GB) more would not fit into memory safely. Take "
            "the edges among a sample of the nodes, or raise max_edges."
        )
