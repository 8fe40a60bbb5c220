"""``python -m studio.ablations.stability_child RESAMPLES RUN …``: bootstraps MI(Ŷ, S) of runs.

One report per run: ``run``, ``rows`` and the numbers, or ``run`` and ``error``.
"""

from dataclasses import asdict

from frem_core.ablations.mi_bootstrap import bootstrap_mutual_information
from frem_core.errors import FremError
from frem_core.store import open_store
from frem_core.sweeps import load_predictions
from studio.child import Report, run_child


def main(report: Report, resamples: str, *runs: str) -> None:
    """Resamples and reports."""
    store = open_store()
    for run in runs:
        try:
            predictions = load_predictions(store, run)
            result = bootstrap_mutual_information(predictions, n_resamples=int(resamples))
        except FremError as error:
            report(run=run, error=str(error))
        else:
            report(run=run, rows=len(predictions), **asdict(result))


if __name__ == "__main__":
    run_child(main)
