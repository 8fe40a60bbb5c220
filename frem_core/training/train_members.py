"""Trains one model or a whole grid of fairness weights and seeds."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import torch

from frem_core.datasets import Part
from frem_core.eipm.tiles import keep_freed_memory
from frem_core.methods.method import Method
from frem_core.training.callback import Callback
from frem_core.training.cancellation import StopCheck
from frem_core.training.checkpoint import Checkpointing, restore_checkpoint
from frem_core.training.components import STANDARD, Components
from frem_core.training.config import TrainingConfig
from frem_core.training.loop import run
from frem_core.training.member import Member
from frem_core.training.model import TrainedModel
from frem_core.training.stack import TrainingStack
from frem_core.training.stack_size import nodes_of, stacks, step_rows
from frem_core.training.tensors import check_part
from frem_core.training.validation import Validation
from frem_core.types import Task


def train(
    part: Part,
    *,
    task: Task,
    method: Method,
    config: TrainingConfig | None = None,
    members: Sequence[Member] = (Member(),),
    validation: Part | None = None,
    callbacks: Sequence[Callback] = (),
    should_stop: Callable[[], bool] | None = None,
    checkpoints: Path | None = None,
    checkpoint_every: int = 10,
    stack_size: int | None = None,
    threads: int = 1,
    components: Components | None = None,
) -> list[TrainedModel]:
    """Trains every member on the same rows; members run side by side where that is faster.

    With one thread the result does not depend on how members are stacked, to the bit.

    Args:
        part: training rows: x (n, d), y (n,) in {0, 1} or [0, 1], s (n,) in [0, 1].
        task: "classification" or "regression".
        method: e.g. ``get_method("frem")(gamma=0.05)``.
        config: what all methods share; the paper's settings by default.
        members: fairness weight and seed of each training, e.g. from `grid`.
        validation: held-out rows to score after every epoch.
        callbacks: watch the training; they see one stack after another.
        should_stop: asked at each epoch and during long ones; True raises
            `TrainingCancelledError`.
        checkpoints: folder for checkpoints; a training found there goes on where it stopped
            and ends as if it had never been interrupted.
        checkpoint_every: epochs between two checkpoints.
        stack_size: most members side by side; chosen by batch size when None.
        threads: torch threads; more than one pays for large batches on an idle machine only.
        components: what the caller brings itself: a network, a loss, a device.

    Returns:
        One model per member, in their order.

    Example:
        >>> from frem_core.datasets import load_dataset, prepare, split_dataset
        >>> from frem_core.methods import get_method
        >>> crime = load_dataset("crime")
        >>> data = prepare(crime, split_dataset(crime, seed=0))
        >>> config = TrainingConfig(epochs=2, batch_size=200)
        >>> models = train(data.train, task=data.task, method=get_method("frem")(), config=config,
        ...                members=[Member(fairness_weight=0.1, seed=0)])
        >>> models[0].predict(data.test.x).shape == data.test.y.shape
        True
    """
    components = components or STANDARD
    if components.classes is None:
        components = replace(components, classes=part.classes)
    check_part(part, task, "training", components.classes or 2)
    config = config or TrainingConfig()
    rows = step_rows(config, len(part.x), nodes_of(part))
    # With one seed they see the same batches; as neighbours in a stack they share some of the work.
    order = sorted(range(len(members)), key=lambda place: members[place].seed)
    by_seed = [members[place] for place in order]
    models: list[TrainedModel] = []
    with torch_threads(threads):
        held_out = None if validation is None else Validation(validation)
        most = stack_size if components.encoder is None else 1
        for number, together in enumerate(stacks(by_seed, rows, most)):
            stack = TrainingStack(
                part,
                task=task,
                method=method,
                config=config,
                members=together,
                components=components,
            )
            watching = [*callbacks, *_checkpointing(stack, checkpoints, number, checkpoint_every)]
            # A network of somebody's own may draw from torch's common stream, e.g. for dropout.
            with torch.random.fork_rng(devices=[]):
                torch.manual_seed(together[0].seed)
                run(
                    stack,
                    validation=held_out,
                    callbacks=watching,
                    stop_check=StopCheck(should_stop),
                )
            models += [TrainedModel.of_member(stack, b) for b in range(len(together))]
    found = dict(zip(order, models, strict=True))
    return [found[place] for place in range(len(members))]


def _checkpointing(
    stack: TrainingStack, folder: Path | None, number: int, every: int
) -> list[Checkpointing]:
    """Takes up what is found in the folder, and keeps the stack there from now on."""
    if folder is None:
        return []
    file = folder / f"stack-{number}.safetensors"
    if file.exists():
        restore_checkpoint(stack, file)
    return [Checkpointing(file, every)]


@contextmanager
def torch_threads(count: int = 1) -> Iterator[None]:
    """Runs the block with ``count`` torch threads, then restores the number before.

    Trainings here are small: with several workers on one machine a second thread each makes all
    of them slower, and sums in a different order. One thread also makes results independent of
    how many cores a machine has.
    """
    keep_freed_memory()
    before = torch.get_num_threads()
    torch.set_num_threads(count)
    try:
        yield
    finally:
        torch.set_num_threads(before)
