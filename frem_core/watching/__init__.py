"""How a server is doing: health in numbers, and metrics for Prometheus."""

from frem_core.watching.health import Health, health_of

__all__ = ["Health", "health_of"]
