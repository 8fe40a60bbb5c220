from dataclasses import replace

import numpy as np
import pytest
import torch
from torch import nn

from frem_core.errors import ConfigError, DataError
from frem_core.methods import Method, get_method
from frem_core.training import (
    Callback,
    EpochRecord,
    Member,
    TrainingCancelledError,
    TrainingDivergedError,
    TrainingStack,
    grid,
    loop,
    train,
)
from frem_core.training.loop import batches, clip_per_member
from tests.training.problems import CONFIG, small_part, weights_of


def test_it_is_plain_adam_with_coupled_weight_decay() -> None:
    """The loop against the same training written with torch's own modules."""
    part = small_part(60, task="regression")
    config = replace(CONFIG, epochs=3, batch_size=25, hidden=(8, 6))
    stack = TrainingStack(
        part, task="regression", method=get_method("unfair")(), config=config, members=[Member()]
    )
    model = nn.Sequential(nn.Linear(5, 8), nn.SELU(), nn.Linear(8, 6), nn.SELU(), nn.Linear(6, 1))
    layers = [*stack.encoder.layers, stack.head]  # type: ignore[misc]
    for plain, stacked in zip((model[0], model[2], model[4]), layers, strict=True):
        plain.load_state_dict({"weight": stacked.weight[0].T, "bias": stacked.bias[0, 0]})
    optimiser = torch.optim.Adam(model.parameters(), lr=1e-3, weight_decay=CONFIG.weight_decay)
    x, y = torch.tensor(part.x), torch.tensor(part.y, dtype=torch.float32)
    for _ in range(config.epochs):
        for rows in batches(stack):
            optimiser.zero_grad()
            prediction = torch.sigmoid(model(x[rows[0]]))[:, 0]
            nn.functional.mse_loss(prediction, y[rows[0]]).backward()  # type: ignore[no-untyped-call]
            optimiser.step()
    (ours,) = train(part, task="regression", method=get_method("unfair")(), config=config)
    expected = torch.sigmoid(model(x))[:, 0].detach().numpy()
    np.testing.assert_allclose(ours.predict(part.x), expected, atol=1e-5)


def test_every_row_is_seen_once_an_epoch_and_a_tiny_tail_is_dropped() -> None:
    def sizes(rows: int, batch_size: int) -> list[int]:
        stack = TrainingStack(
            small_part(rows),
            task="classification",
            method=get_method("unfair")(),
            config=replace(CONFIG, batch_size=batch_size),
            members=grid([0.0], range(2)),
        )
        order = list(batches(stack))
        seen = torch.cat(order, dim=1)
        assert all(len(set(member.tolist())) == seen.shape[1] for member in seen)
        return [rows.shape[1] for rows in order]

    assert sizes(80, 32) == [32, 32, 16]
    assert sizes(66, 32) == [32, 32]
    assert sizes(67, 32) == [32, 32, 3]


def test_the_same_seed_gives_all_methods_the_same_start_and_batches() -> None:
    stacks = [
        TrainingStack(
            small_part(),
            task="classification",
            method=get_method(name)(),
            config=CONFIG,
            members=[Member(seed=3)],
        )
        for name in ("unfair", "laftr")
    ]
    assert torch.equal(stacks[0].head.weight, stacks[1].head.weight)
    assert all(
        torch.equal(one, other)
        for one, other in zip(batches(stacks[0]), batches(stacks[1]), strict=True)
    )


def test_a_seed_decides_the_result() -> None:
    part = small_part()
    members = [Member(seed=1), Member(seed=1), Member(seed=2)]
    models = train(
        part,
        task="classification",
        method=get_method("frem")(),
        config=CONFIG,
        members=members,
        stack_size=1,
    )
    first, again, other = (weights_of(model) for model in models)
    np.testing.assert_array_equal(first, again)
    assert not np.allclose(first, other)


def test_the_history_tells_losses_and_validation_scores() -> None:
    config = replace(CONFIG, epochs=40, learning_rate=0.01)
    (model,) = train(
        small_part(),
        task="classification",
        method=get_method("frem")(),
        config=config,
        validation=small_part(40, seed=1),
    )
    history = model.history
    assert history["epoch"].tolist() == list(range(1, 41))
    assert set(history) == {
        "epoch",
        "phase",
        "task_loss",
        "penalty",
        "validation_loss",
        "validation_accuracy",
        "validation_gdp",
    }
    assert history["task_loss"].iloc[-1] < history["task_loss"].iloc[0]
    held_out = small_part(40, seed=1)
    accuracy = ((model.predict(held_out.x) > 0.5) == held_out.y).mean()
    assert history["validation_accuracy"].iloc[-1] == pytest.approx(accuracy)


def test_head_only_epochs_keep_the_representation() -> None:
    part = small_part()
    finished = {}
    for head_epochs in (0, 3):
        method = get_method("laftr")(head_epochs=head_epochs)
        (finished[head_epochs],) = train(part, task="classification", method=method, config=CONFIG)
    short, long = finished[0], finished[3]
    np.testing.assert_array_equal(short.transform(part.x), long.transform(part.x))
    assert not np.allclose(short.predict(part.x), long.predict(part.x))
    assert long.history["phase"].tolist() == ["joint"] * 4 + ["head"] * 3


def test_gradients_are_clipped_for_each_member_as_if_alone() -> None:
    parameters = [nn.Parameter(torch.zeros(2, 3, 4)), nn.Parameter(torch.zeros(2, 1, 4))]
    for parameter in parameters:
        parameter.grad = torch.randn_like(parameter)
        parameter.grad[1] *= 0.01
    alone = [nn.Parameter(torch.zeros(one.shape[1:])) for one in parameters]
    for single, stacked in zip(alone, parameters, strict=True):
        assert stacked.grad is not None
        single.grad = stacked.grad[0].clone()
    small = [one.grad[1].clone() for one in parameters if one.grad is not None]
    clip_per_member(parameters, 1.5)
    nn.utils.clip_grad_norm_(alone, 1.5)
    for stacked, single, kept in zip(parameters, alone, small, strict=True):
        assert stacked.grad is not None
        assert single.grad is not None
        torch.testing.assert_close(stacked.grad[0], single.grad)
        assert torch.equal(stacked.grad[1], kept)


class Recorder(Callback):
    def __init__(self) -> None:
        self.seen: list[str] = []

    def on_training_start(self, stack: TrainingStack) -> None:
        self.seen.append(f"start {len(stack.members)}")

    def on_epoch_end(self, stack: TrainingStack, record: EpochRecord) -> None:
        self.seen.append(f"epoch {record.epoch}")

    def on_training_end(self, stack: TrainingStack) -> None:
        self.seen.append("end")


def test_callbacks_see_every_stack() -> None:
    recorder = Recorder()
    train(
        small_part(),
        task="classification",
        method=get_method("unfair")(),
        config=replace(CONFIG, epochs=2),
        members=grid([0.0], range(3)),
        stack_size=2,
        callbacks=[recorder],
    )
    once = ["epoch 1", "epoch 2", "end"]
    assert recorder.seen == ["start 1", *once, "start 2", *once]


def test_a_stop_ends_the_training_at_the_next_epoch() -> None:
    recorder = Recorder()
    with pytest.raises(TrainingCancelledError):
        train(
            small_part(),
            task="classification",
            method=get_method("unfair")(),
            config=CONFIG,
            callbacks=[recorder],
            should_stop=lambda: "epoch 2" in recorder.seen,
        )
    assert recorder.seen == ["start 1", "epoch 1", "epoch 2"]


def test_a_stop_is_noticed_inside_a_long_epoch(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("frem_core.training.cancellation.SECONDS_BETWEEN_CHECKS", 0.0)
    recorder, asked = Recorder(), []

    def should_stop() -> bool:
        asked.append(True)
        return len(asked) == 3

    with pytest.raises(TrainingCancelledError):
        train(
            small_part(),
            task="classification",
            method=get_method("unfair")(),
            config=CONFIG,
            callbacks=[recorder],
            should_stop=should_stop,
        )
    assert recorder.seen == ["start 1"]


def test_unusable_rows_are_refused() -> None:
    part = small_part()

    def attempt(**changes: np.ndarray) -> None:
        train(replace(part, **changes), task="classification", method=get_method("unfair")())

    with pytest.raises(DataError, match="x has 80, y 79"):
        attempt(y=part.y[1:])
    with pytest.raises(DataError, match="missing or infinite"):
        attempt(s=np.where(part.s > 0.5, np.nan, part.s))
    with pytest.raises(DataError, match=r"sensitive values must lie in \[0, 1\], but one is 52"):
        attempt(s=np.where(part.s > 0.5, 52.0, part.s))
    with pytest.raises(DataError, match="targets must lie in 0 and 1, but one is 2"):
        attempt(y=part.y + 1)
    with pytest.raises(DataError, match="too few"):
        attempt(x=part.x[:2], y=part.y[:2], s=part.s[:2])
    with pytest.raises(ConfigError, match="at least one member"):
        TrainingStack(
            part, task="classification", method=get_method("unfair")(), config=CONFIG, members=[]
        )


def test_a_runaway_training_says_which_and_what_to_do() -> None:
    part = small_part()
    for name in ("unfair", "frem"):
        with pytest.raises(
            TrainingDivergedError, match=r"epoch 1 \(λ = 1, seed 0\).*learning rate"
        ):
            train(
                replace(part, x=part.x * np.float32(3e38)),
                task="classification",
                method=get_method(name)(),
                config=CONFIG,
            )


def test_training_restores_the_number_of_threads() -> None:
    before = torch.get_num_threads()
    train(small_part(), task="classification", method=get_method("unfair")(), config=CONFIG)
    assert torch.get_num_threads() == before


@pytest.mark.parametrize("computation", ["exact", "linear"])
def test_planning_ahead_changes_no_result(
    computation: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    part = small_part()
    frem = get_method("frem")(computation=computation)
    planned: list[bool] = []
    step = loop.joint_step

    def watched(stack: TrainingStack, rows: torch.Tensor, plan: object) -> object:
        planned.append(plan is not None)
        return step(stack, rows, plan)  # type: ignore[arg-type]

    def predictions() -> np.ndarray:
        planned.clear()
        models = train(
            part, task="classification", method=frem, config=CONFIG, members=grid([0.5, 2.0])
        )
        return np.stack([model.predict(part.x) for model in models])

    monkeypatch.setattr(loop, "joint_step", watched)
    ahead = predictions()
    assert len(planned) == 4 * 3  # epochs × batches, both members at once
    assert all(planned)
    monkeypatch.setattr(type(frem), "planner", Method.planner)
    alone = predictions()
    assert not any(planned)
    np.testing.assert_allclose(ahead, alone, atol=1e-6)
