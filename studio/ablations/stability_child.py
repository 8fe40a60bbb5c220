"""``python -m studio.ablations.stability_child RESAMPLES RUN …``: bootstraps MI(Ŷ, S) of runs.

One JSON object per run on standard output. A process of its own keeps the server free.
"""

import contextlib
import json
import os
import sys
from dataclasses import asdict

from frem_core.ablations.mi_bootstrap import bootstrap_mutual_information
from frem_core.errors import FremError
from frem_core.store import open_store
from frem_core.sweeps import load_predictions

_POLITENESS = 10  # the server answers viewers first


def main(resamples: str, *runs: str) -> None:
    """Resamples and reports."""
    with contextlib.suppress(AttributeError, OSError):
        os.nice(_POLITENESS)
    store = open_store()
    for run in runs:
        try:
            predictions = load_predictions(store, run)
            result = bootstrap_mutual_information(predictions, n_resamples=int(resamples))
        except FremError as error:
            _report(run=run, error=str(error))
        else:
            _report(run=run, rows=len(predictions), **asdict(result))


def _report(**news: object) -> None:
    sys.stdout.write(json.dumps(news) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main(*sys.argv[1:])
