from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from frem_core.errors import ConfigError, DataError
from frem_core.methods import available_methods, get_method
from frem_core.training import (
    Callback,
    EpochRecord,
    TrainedModel,
    TrainingCancelledError,
    TrainingStack,
    grid,
    train,
)
from tests.store.disks import small_disk
from tests.training.problems import CONFIG, small_part, weights_of

MEMBERS = grid([0.1, 1.0], seeds=[0, 1])


class Stopper(Callback):
    """Asks to stop once an epoch is reached."""

    def __init__(self, epoch: int) -> None:
        self._epoch = epoch
        self.reached = False

    def on_epoch_end(self, stack: TrainingStack, record: EpochRecord) -> None:
        self.reached = self.reached or record.epoch == self._epoch

    def should_stop(self) -> bool:
        return self.reached


def run(name: str, folder: Path | None, stop_after: int | None = None) -> list[TrainedModel]:
    settings = {"head_epochs": 3} if "head_epochs" in get_method(name).parameters() else {}
    stopper = Stopper(stop_after or -1)
    return train(
        small_part(),
        task="classification",
        method=get_method(name)(**settings),
        config=CONFIG,
        members=MEMBERS,
        validation=small_part(20, seed=1),
        stack_size=3,
        checkpoints=folder,
        checkpoint_every=1,
        callbacks=[stopper],
        should_stop=stopper.should_stop,
    )


@pytest.mark.parametrize("stop_after", [1, 3, 5])
@pytest.mark.parametrize("name", available_methods())
def test_a_resumed_training_ends_as_an_uninterrupted_one_to_the_bit(
    name: str, stop_after: int, tmp_path: Path
) -> None:
    whole = run(name, None)
    if stop_after < len(whole[0].history):
        with pytest.raises(TrainingCancelledError):
            run(name, tmp_path, stop_after)
    resumed = run(name, tmp_path)
    for one, other in zip(whole, resumed, strict=True):
        np.testing.assert_array_equal(weights_of(one), weights_of(other))
        pd.testing.assert_frame_equal(one.history, other.history, check_exact=True)


def test_a_finished_training_is_not_repeated(tmp_path: Path) -> None:
    first = run("frem", tmp_path)
    stopper = Stopper(1)
    again = train(
        small_part(),
        task="classification",
        method=get_method("frem")(),
        config=CONFIG,
        members=MEMBERS,
        stack_size=3,
        checkpoints=tmp_path,
        callbacks=[stopper],
    )
    assert not stopper.reached
    np.testing.assert_array_equal(weights_of(first[3]), weights_of(again[3]))


def test_a_checkpoint_of_another_training_is_refused(tmp_path: Path) -> None:
    run("frem", tmp_path)
    part = small_part()
    for method, config, rows in [
        (get_method("frem")(gamma=0.1), CONFIG, part),
        (get_method("frem")(), replace(CONFIG, epochs=9), part),
        (get_method("frem")(), CONFIG, replace(part, s=part.s[::-1].copy())),
    ]:
        with pytest.raises(ConfigError, match="another training"):
            train(
                rows,
                task="classification",
                method=method,
                config=config,
                members=MEMBERS,
                stack_size=3,
                checkpoints=tmp_path,
            )


def test_a_damaged_checkpoint_is_named(tmp_path: Path) -> None:
    (tmp_path / "stack-0.safetensors").write_bytes(b"\x08\x00 not a checkpoint")
    with pytest.raises(DataError, match=r"stack-0\.safetensors cannot be read"):
        run("frem", tmp_path)


def test_a_failed_write_leaves_the_last_checkpoint(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(TrainingCancelledError):
        run("frem", tmp_path, stop_after=2)
    before = (tmp_path / "stack-0.safetensors").read_bytes()

    def broken(tensors: object, path: Path, metadata: object) -> None:
        path.write_bytes(b"half a file")
        raise OSError("disk full")

    monkeypatch.setattr("frem_core.training.checkpoint.save_file", broken)
    models = run("frem", tmp_path)
    assert (tmp_path / "stack-0.safetensors").read_bytes() == before
    assert [path.name for path in tmp_path.iterdir()] == ["stack-0.safetensors"]
    monkeypatch.undo()
    for model, undisturbed in zip(models, run("frem", None), strict=True):
        same_weights(model, undisturbed)


def test_a_training_outlives_a_full_disk(tmp_path: Path) -> None:
    with small_disk(tmp_path / "disk", "8k") as disk:
        models = run("frem", disk / "checkpoints")
        assert not list(disk.rglob("*.safetensors"))
    for model, undisturbed in zip(models, run("frem", None), strict=True):
        same_weights(model, undisturbed)


def same_weights(left: TrainedModel, right: TrainedModel) -> None:
    np.testing.assert_array_equal(weights_of(left), weights_of(right))
