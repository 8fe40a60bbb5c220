"""Representations without a target: an auto-encoder whose Z does not follow S."""

import json
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import pandas as pd
import torch
from safetensors import SafetensorError
from safetensors.torch import load_file, save_file
from torch import Tensor, nn

from frem_core.datasets import Part
from frem_core.errors import ConfigError, DataError
from frem_core.methods.batch import Batch
from frem_core.methods.method import FEWEST_ROWS, Method
from frem_core.networks import ENCODERS, Encoder, StackedLinear
from frem_core.networks.activation import activation_of
from frem_core.training.adam import Adam
from frem_core.training.config import TrainingConfig
from frem_core.training.divergence import TrainingDivergedError
from frem_core.training.loop import descend
from frem_core.training.member import Member
from frem_core.training.seeds import generators
from frem_core.training.tensors import Tensors
from frem_core.training.train_members import torch_threads

_FORMAT = 1

# Columns that vary less than this are not asked for: nothing is lost without them.
_SMALLEST_VARIANCE = 1e-6

# Batches that tell how much the features depend on S, and the least that this counts as: noise of
# features that do not must not become the measure.
_LOOKED_AT = 8
_SMALLEST_PENALTY = 1e-3


@dataclass(frozen=True, eq=False)
class TrainedAutoencoder:
    """What a training without a target gives.

    Attributes:
        encoder: of one member.
        inputs: number of features d.
        method: what made it fair.
        config: network, epochs, batch size and optimiser.
        member: fairness weight and seed.
        history: one row for each epoch: ``reconstruction_loss``, the share of the features'
            variance that is lost, and ``penalty``, relative to that of the features.
    """

    encoder: Encoder
    inputs: int
    method: Method
    config: TrainingConfig
    member: Member
    history: pd.DataFrame

    def transform(self, x: object) -> Tensor:
        """Representations ``(n, m)`` of features ``(n, d)``."""
        inputs = self.encoder.read(x)  # type: ignore[arg-type]
        rows = torch.arange(len(inputs.features)).unsqueeze(0)
        with torch.no_grad():
            return self.encoder(inputs, rows)[0]

    def save(self, directory: Path | str) -> None:
        """Writes model.safetensors and model.json; neither can execute code when loaded."""
        folder = Path(directory)
        folder.mkdir(parents=True, exist_ok=True)
        save_file(self.encoder.state_dict(), folder / "model.safetensors")
        about = {
            "format": _FORMAT,
            "inputs": self.inputs,
            "task": None,
            "method": self.method.to_dict(),
            "config": self.config.to_dict(),
            "member": self.member.to_dict(),
            "history": self.history.to_dict(orient="list"),
        }
        (folder / "model.json").write_text(json.dumps(about, indent=2), encoding="utf-8")

    @classmethod
    def load(cls, directory: Path | str) -> "TrainedAutoencoder":
        """Reads what `save` wrote; a damaged or foreign folder raises a DataError."""
        folder = Path(directory)
        try:
            about = json.loads((folder / "model.json").read_text(encoding="utf-8"))
            return cls._rebuilt(about, load_file(folder / "model.safetensors"))
        except (OSError, SafetensorError, KeyError, TypeError, RuntimeError, ValueError) as error:
            raise DataError(
                f"{folder} does not hold a representation that this version can read ({error}). "
                "Give the folder that FREMRepresentation.save wrote."
            ) from error

    @classmethod
    def _rebuilt(cls, about: dict[str, Any], weights: dict[str, Tensor]) -> "TrainedAutoencoder":
        if about["format"] != _FORMAT or about["task"] is not None:
            raise ValueError("it is no model without a target")
        config, inputs = TrainingConfig.from_dict(about["config"]), int(about["inputs"])
        encoder = _encoder(config, inputs, [torch.Generator()])
        encoder.load_state_dict(weights)
        return cls(
            encoder=encoder.eval(),
            inputs=inputs,
            method=Method.from_dict(about["method"]),
            config=config,
            member=Member.from_dict(about["member"]),
            history=pd.DataFrame(about["history"]),
        )


def _encoder(config: TrainingConfig, inputs: int, random: list[torch.Generator]) -> Encoder:
    return ENCODERS.get(config.encoder)(
        inputs, hidden=config.hidden, activation=config.activation, generators=random
    )


class _Decoder(nn.Module):
    """The encoder's layers backwards; the last is linear."""

    def __init__(
        self, sizes: tuple[int, ...], activation: str, random: list[torch.Generator]
    ) -> None:
        super().__init__()
        self._layers = nn.ModuleList(StackedLinear(a, b, random) for a, b in pairwise(sizes))
        self._activation = activation_of(activation)

    def forward(self, z: Tensor) -> Tensor:
        for place, layer in enumerate(self._layers):
            z = layer(z if place == 0 else self._activation(z))
        return z


def train_autoencoder(
    part: Part, *, method: Method, config: TrainingConfig, member: Member
) -> TrainedAutoencoder:
    """Minimises reconstruction + λ · penalty(Z; S), on mini-batches.

    The reconstruction is the mean over columns of the squared error relative to the column's
    variance, so that a rare category counts as much as a number with a wide spread: 1 is what
    column means alone give, 0 loses nothing. The penalty is relative to that of the features
    themselves, so that λ = 1 weighs all of the dependence against all of the content, whatever
    data and settings. There is no prediction, so that the penalty has to judge the representation.

    Args:
        part: training rows; the target is not looked at.
        method: what makes the representation fair, e.g. FREM; it must not need an adversary.
        config: network, epochs, batch size and optimiser.
        member: fairness weight and seed.
    """
    if not method.judges_representation or method.fairness != "dp":
        raise ConfigError(
            f"{method.title} ({method.fairness}) judges predictions, and without a target there "
            "are none; use FREM, HSIC or dCov with fairness = 'dp'."
        )
    if part.attributes is not None:
        method.check_several(part.attributes.names)
    random = generators([member], "networks")
    width = part.x.shape[1]
    encoder = _encoder(config, width, random)
    sizes = (encoder.representation_size, *config.hidden[-2::-1], width)
    decoder = _Decoder(sizes, config.activation, random)
    data = Tensors.of(part, method, encoder.read(part.x))
    variance = data.inputs.features.var(0, correction=0)
    asked = variance > _SMALLEST_VARIANCE
    wanted = asked / variance.clamp(min=_SMALLEST_VARIANCE) / asked.sum().clamp(min=1)
    planner = method.planner(data.s)
    scale = 1.0 / _penalty_of_features(data, method, config.batch_size)
    optimiser = Adam(
        [*encoder.parameters(), *decoder.parameters()], config.learning_rate, config.weight_decay
    )
    (stream,) = generators([member], "batches")
    history = []
    with torch_threads(1):
        for epoch in range(config.epochs):
            order = torch.randperm(len(data), generator=stream).unsqueeze(0)
            batches = [
                rows
                for rows in torch.split(order, config.batch_size, dim=1)
                if rows.shape[1] >= FEWEST_ROWS
            ]
            lost = judged = 0.0
            for rows, plan in zip(batches, planner(batches), strict=True):
                z = encoder(data.inputs, rows)
                error = (decoder(z) - data.inputs.gather(rows)).square().mean(1)  # (1, d)
                loss = (error * wanted).sum(1)
                penalty = method.penalty(_batch(data, rows, z, plan)) * scale
                descend(optimiser, loss + member.fairness_weight * penalty)
                lost += loss.item() / len(batches)
                judged += penalty.item() / len(batches)
            if not lost < float("inf"):
                raise TrainingDivergedError(
                    f"The auto-encoder diverged in epoch {epoch + 1}: its loss is no longer "
                    "finite. Use a smaller learning rate."
                )
            history.append({"epoch": epoch + 1, "reconstruction_loss": lost, "penalty": judged})
    return TrainedAutoencoder(encoder.eval(), width, method, config, member, pd.DataFrame(history))


def _penalty_of_features(data: Tensors, method: Method, batch_size: int) -> float:
    """What the features themselves show, on average over a few batches."""
    order = torch.randperm(len(data), generator=torch.Generator().manual_seed(0))
    some = [rows for rows in torch.split(order, batch_size) if len(rows) >= FEWEST_ROWS]
    with torch.no_grad():
        found = [
            method.penalty(_batch(data, rows, data.inputs.gather(rows), None))
            for rows in (one.unsqueeze(0) for one in some[:_LOOKED_AT])
        ]
    return max(float(torch.cat(found).mean()), _SMALLEST_PENALTY)


def _batch(data: Tensors, rows: Tensor, z: Tensor, plan: object) -> Batch:
    """What a method may look at; there is no prediction."""
    nothing = torch.zeros_like(z[..., 0]).detach()
    return Batch(
        z=z,
        p=nothing,
        y=nothing,
        s=data.s[rows],
        group=None if data.group is None else data.group[rows],
        plan=plan,
        places=None if data.places is None else data.places[rows],
        levels=data.levels,
    )
