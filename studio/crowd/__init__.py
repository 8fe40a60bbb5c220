"""What lets many viewers share one server: results found once for all, live parts in good time."""
