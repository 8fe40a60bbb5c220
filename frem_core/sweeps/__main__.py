"""``python -m frem_core.sweeps`` is the engine; `frem_core.sweeps.launch` starts it."""

import argparse
import signal

from frem_core.logs import set_up_logs
from frem_core.settings import seconds
from frem_core.store import open_store
from frem_core.sweeps.cluster import Cluster
from frem_core.sweeps.engine import Engine
from frem_core.sweeps.engine_lease import LAUNCH

_IDLE_SECONDS = 60.0


def main() -> None:
    """Serves the user's store until there is nothing left to do."""
    parser = argparse.ArgumentParser(prog="python -m frem_core.sweeps", description=__doc__)
    parser.add_argument("--launch", default="", help="token of the launch lease to give back")
    token = parser.parse_args().launch
    set_up_logs()
    store = open_store()
    engine = Engine(store, lambda: Cluster(store.folder / "scratch"), _idle_seconds)
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: engine.stop())
    engine.run(on_lease=lambda: store.leases.release(LAUNCH, token))
    store.close()


def _idle_seconds() -> float:
    given = seconds("FREM_ENGINE_IDLE")
    return _IDLE_SECONDS if given is None else given


if __name__ == "__main__":
    main()
