"""``python -m studio.takehome.model_child SWEEP RUN MODE FILE``: trains a run's model once more.

MODE is ``all_rows`` or ``again``. Reports ``epoch`` and ``epochs``; the package is in FILE when the
child is done.
"""

from pathlib import Path

import torch

from frem_core.library import open_store_with
from frem_core.model_package import pack_model
from frem_core.model_package.of_run import train_model
from frem_core.store.files import write_atomically
from frem_core.training import Callback, EpochRecord, TrainingStack
from studio.child import Report, run_child

_REPORTS = 50


class _Progress(Callback):
    def __init__(self, report: Report) -> None:
        self._report = report

    def on_epoch_end(self, stack: TrainingStack, record: EpochRecord) -> None:
        """Reports now and then: a page looks once a second."""
        total = stack.total_epochs
        if record.epoch % max(1, total // _REPORTS) == 0 or record.epoch == total:
            self._report(epoch=record.epoch, epochs=total)


def main(report: Report, sweep: str, run: str, mode: str, file: str) -> None:
    """Trains, packs and writes."""
    torch.set_num_threads(1)
    found = train_model(
        open_store_with(sweep),
        run,
        all_rows=mode == "all_rows",
        sweep=sweep,
        callbacks=[_Progress(report)],
    )
    write_atomically(Path(file), [pack_model(found.predictor, found.card)])


if __name__ == "__main__":
    run_child(main)
