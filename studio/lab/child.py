"""``python -m studio.lab.child ADDRESS``: runs one simulation of the Estimator lab.

ADDRESS holds the settings as the page's address does. Every batch of estimates is one report.
"""

from urllib.parse import parse_qs

from frem_core.simulation import simulate
from studio.child import Report, run_child
from studio.lab.settings import LabSettings


def main(report: Report, address: str) -> None:
    """Simulates and reports."""
    settings = LabSettings.from_address(parse_qs(address))
    for batch in simulate(
        settings.cells, settings.grid, replicates=settings.replicates, seed=settings.seed
    ):
        report(**batch.to_dict(orient="split", index=False))


if __name__ == "__main__":
    run_child(main)
