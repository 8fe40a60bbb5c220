"""A finished training: encoder, head and how they came about."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import torch
from numpy.typing import ArrayLike, NDArray
from safetensors import SafetensorError
from safetensors.torch import load_file, save_file
from torch import Tensor

from frem_core.datasets.graphs import NodeFeatures
from frem_core.errors import DataError
from frem_core.methods.method import Method
from frem_core.networks import Encoder, StackedLinear, member_state, sigmoid
from frem_core.networks.own import MakeNetwork, find_again, name_of
from frem_core.training.components import Components
from frem_core.training.config import TrainingConfig
from frem_core.training.member import Member
from frem_core.training.stack import TrainingStack
from frem_core.types import Task

ROWS_AT_ONCE = 8192
FORMAT = 1


@dataclass(frozen=True, eq=False)
class TrainedModel:
    """Encodes and predicts; needs no sensitive attribute.

    Attributes:
        encoder: a stack of one.
        head: a stack of one.
        inputs: number of features d.
        task: "classification" or "regression".
        method: what made it fair.
        config: what all methods share.
        member: fairness weight and seed.
        history: one row per epoch: epoch, phase, task_loss, penalty, validation scores.
        make_encoder: what made the encoder, where it is a user's own network.
    """

    encoder: Encoder
    head: StackedLinear
    inputs: int
    task: Task
    method: Method
    config: TrainingConfig
    member: Member
    history: pd.DataFrame
    make_encoder: MakeNetwork | None = None

    def transform(self, x: ArrayLike | NodeFeatures) -> NDArray[np.float32]:
        """Returns the representations (n, m) of encoded rows (n, d), such as ``data.test.x``."""
        return np.concatenate([z[0].numpy() for z in self._encoded(x)])

    def predict(self, x: ArrayLike | NodeFeatures) -> NDArray[np.float64]:
        """Returns the probability of class 1 or the target on its [0, 1] scale, (n,).

        With more than two classes: the probability of each, (n, classes).
        """
        return self.predict_from_representation(self.transform(x))

    @torch.inference_mode()
    def predict_from_representation(self, z: NDArray[np.float32]) -> NDArray[np.float64]:
        """Returns predictions from what `transform` gave, without encoding again."""
        return probabilities(self.head(torch.tensor(z).unsqueeze(0)))

    @torch.inference_mode()
    def _encoded(self, x: ArrayLike | NodeFeatures) -> list[Tensor]:
        shape = x.shape if isinstance(x, NodeFeatures) else np.shape(x)
        if len(shape) != 2 or shape[1] != self.inputs:
            raise DataError(
                f"The model was trained on {self.inputs} features; "
                f"x has shape {tuple(shape)}, give (rows, {self.inputs})."
            )
        inputs = self.encoder.read(x)
        rows = torch.arange(shape[0]).unsqueeze(0)
        # A network that computes every node anyway does so once.
        at_once = max(1, shape[0]) if self.encoder.walks_graph(self.config.hidden) else ROWS_AT_ONCE
        return [self.encoder(inputs, part) for part in torch.split(rows, at_once, dim=1)]

    def save(self, directory: Path | str) -> None:
        """Writes model.safetensors and model.json; neither can execute code when loaded."""
        folder = Path(directory)
        folder.mkdir(parents=True, exist_ok=True)
        weights = {f"encoder.{key}": value for key, value in self.encoder.state_dict().items()}
        weights |= {f"head.{key}": value for key, value in self.head.state_dict().items()}
        save_file(weights, folder / "model.safetensors")
        text = json.dumps(
            {
                "format": FORMAT,
                "inputs": self.inputs,
                "task": self.task,
                "method": self.method.to_dict(),
                "config": self.config.to_dict(),
                "member": self.member.to_dict(),
                "history": json.loads(self.history.to_json(orient="columns", double_precision=15)),
            }
            | ({} if self.make_encoder is None else {"own_encoder": name_of(self.make_encoder)}),
            indent=2,
        )
        (folder / "model.json").write_text(text, encoding="utf-8")

    @classmethod
    def load(cls, directory: Path | str, *, encoder: MakeNetwork | None = None) -> "TrainedModel":
        """Reads what `save` wrote; a damaged or foreign folder raises a DataError.

        Args:
            directory: the folder.
            encoder: what made the encoder, for a model with a user's own network. Without it,
                the function is looked for in the modules that are imported already.
        """
        folder = Path(directory)
        try:
            about = json.loads((folder / "model.json").read_text(encoding="utf-8"))
            weights = load_file(folder / "model.safetensors")
            return cls._rebuilt(about, weights, encoder)
        except DataError:
            raise
        except (OSError, SafetensorError, KeyError, TypeError, RuntimeError, ValueError) as error:
            raise DataError(
                f"{folder} does not hold a model that this version can read ({error}). "
                "Give the folder that save() wrote."
            ) from error

    @classmethod
    def _rebuilt(
        cls, about: dict[str, Any], weights: dict[str, Tensor], make_encoder: MakeNetwork | None
    ) -> "TrainedModel":
        if about["format"] != FORMAT:
            raise ValueError(f"format {about['format']}, not {FORMAT}")
        config = TrainingConfig.from_dict(about["config"])
        if "own_encoder" in about:
            make_encoder = make_encoder or find_again(str(about["own_encoder"]))
        return cls._assembled(
            {"encoder": _below(weights, "encoder."), "head": _below(weights, "head.")},
            inputs=int(about["inputs"]),
            task=about["task"],
            method=Method.from_dict(about["method"]),
            config=config,
            member=Member.from_dict(about["member"]),
            history=pd.DataFrame({k: list(v.values()) for k, v in about["history"].items()}),
            make_encoder=make_encoder if "own_encoder" in about else None,
        )

    @classmethod
    def of_member(cls, stack: TrainingStack, number: int) -> "TrainedModel":
        """Takes one member out of a stack."""
        return cls._assembled(
            {
                "encoder": stack.encoder.state_of_member(number),
                "head": member_state(stack.head, number),
            },
            inputs=stack.data.inputs.width,
            task=stack.task,
            method=stack.method,
            config=stack.config,
            member=stack.members[number],
            history=_history(stack, number),
            make_encoder=stack.components.encoder,
        )

    @classmethod
    def _assembled(
        cls,
        states: dict[str, dict[str, Tensor]],
        *,
        inputs: int,
        config: TrainingConfig,
        make_encoder: MakeNetwork | None,
        **rest: Any,
    ) -> "TrainedModel":
        one = [torch.Generator()]
        encoder = Components(encoder=make_encoder).build_encoder(config, inputs, one)
        head = StackedLinear(encoder.representation_size, states["head"]["bias"].shape[-1], one)
        encoder.load_state_dict(states["encoder"])
        head.load_state_dict(states["head"])
        encoder.eval()
        return cls(
            encoder=encoder,
            head=head,
            inputs=inputs,
            config=config,
            make_encoder=make_encoder,
            **rest,
        )


def probabilities(logits: Tensor) -> NDArray[np.float64]:
    """From what a head gives, (1, n, outputs), to (n,) or, with several classes, (n, classes)."""
    if logits.shape[-1] > 1:
        return torch.softmax(logits, dim=-1)[0].double().numpy()
    return sigmoid(logits)[0, :, 0].double().numpy()


def _below(tensors: dict[str, Tensor], prefix: str) -> dict[str, Tensor]:
    return {k.removeprefix(prefix): v for k, v in tensors.items() if k.startswith(prefix)}


def _history(stack: TrainingStack, number: int) -> pd.DataFrame:
    return pd.DataFrame(
        [
            {"epoch": record.epoch, "phase": record.phase}
            | {name: values[number] for name, values in record.values.items()}
            for record in stack.history
        ]
    )
