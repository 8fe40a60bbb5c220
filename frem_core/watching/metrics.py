"""The health of a server as metrics for Prometheus."""

from frem_core.extras import import_module
from frem_core.watching.health import Health


def metrics_text(health: Health) -> bytes:
    """Writes metrics in Prometheus' text format; people are counted, not named."""
    prometheus = import_module("prometheus_client")
    registry = prometheus.CollectorRegistry()

    def gauge(name: str, words: str, value: float) -> None:
        prometheus.Gauge(f"frem_{name}", words, registry=registry).set(value)

    gauge("engine_up", "Whether an engine serves the store", health.engine.is_running)
    gauge("workers", "Bundles that can be computed at once", health.engine.workers)
    gauge("people_waiting", "People with unfinished runs", len(health.waiting_by_person))
    gauge("disk_free_bytes", "Room left on the store's disk", health.free_bytes)
    gauge("slow_queries", "Slow transactions among the last ones", len(health.slow_queries))
    gauge("faults", "Faults that users are told of", len(health.faults))
    runs = prometheus.Gauge("frem_runs", "Runs by state", ["state"], registry=registry)
    for state, count in health.queue.items():
        runs.labels(state).set(count)
    kept = prometheus.Gauge("frem_kept_bytes", "What the store takes", ["part"], registry=registry)
    for part, size in health.kept_bytes.items():
        kept.labels(part).set(size)
    text: bytes = prometheus.generate_latest(registry)
    return text
