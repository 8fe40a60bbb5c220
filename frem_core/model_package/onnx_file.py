"""A model as ONNX, for programs that know neither Python nor this package."""

import warnings
from pathlib import Path
from typing import Final

import numpy as np
import torch
from torch import Tensor, nn

from frem_core.errors import ConfigError, DataError
from frem_core.estimators.table_predictor import TablePredictor
from frem_core.extras import naming_the_extra
from frem_core.networks import ENCODERS, Inputs
from frem_core.output_file import write_output

INPUT, PREDICTION, REPRESENTATION = "features", "prediction", "representation"
CLOSE: Final = 1e-5
_TRIED_ROWS: Final = 64


def write_onnx(predictor: TablePredictor, path: Path) -> None:
    """Writes the network as ONNX after comparing it with the model itself.

    The graph reads ``features``, (n, d) float32: columns encoded as ``table.json`` says, numbers
    scaled by ``(x - low) / (high - low)``, categories as 0/1 columns in their order. It gives
    ``prediction``, (n,): the probability of the positive class or the target in its own units, of
    more than two classes (n, classes) the probability of each; and ``representation``, (n, m).

    Args:
        predictor: the model.
        path: where to.

    Raises:
        ConfigError: the network reads the edges of a graph.
        MissingExtraError: the extra ``onnx`` is not installed.
        DataError: the ONNX file gives other predictions than the model.
    """
    encoder = ENCODERS.get(predictor.model.config.encoder)
    if encoder.needs_graph:
        raise ConfigError(f"{encoder.title} reads the edges of a graph; ONNX is for tables only.")
    content = _exported(predictor)
    _check_close(predictor, content)
    write_output(path, content)


class _Network(nn.Module):
    def __init__(self, predictor: TablePredictor) -> None:
        super().__init__()
        self.encoder, self.head = predictor.model.encoder, predictor.model.head
        scale = predictor.target_scale
        self.low, self.range = scale.low, (scale.high - scale.low) or 1.0

    def forward(self, features: Tensor) -> tuple[Tensor, Tensor]:
        rows = torch.arange(features.shape[0]).unsqueeze(0)
        z = self.encoder(Inputs(features), rows)
        logits = self.head(z)[0]
        if logits.shape[-1] > 1:
            return torch.softmax(logits, dim=-1), z[0]
        return torch.sigmoid(logits[:, 0]) * self.range + self.low, z[0]


def _exported(predictor: TablePredictor) -> bytes:
    width = predictor.model.inputs
    network = _Network(predictor).eval()
    with naming_the_extra(), warnings.catch_warnings():
        import onnxscript  # noqa: F401 - torch's exporter needs it and would not name the extra

        warnings.simplefilter("ignore")  # about the exporter's own future
        program = torch.onnx.export(
            network,
            (torch.zeros(2, width),),
            input_names=[INPUT],
            output_names=[PREDICTION, REPRESENTATION],
            dynamic_shapes=({0: torch.export.Dim("rows", min=1)},),
            dynamo=True,
            verbose=False,
        )
    assert program is not None
    content: bytes = program.model_proto.SerializeToString()
    return content


def _check_close(predictor: TablePredictor, content: bytes) -> None:
    with naming_the_extra():
        import onnxruntime

    random = np.random.default_rng(0)
    x = random.random((_TRIED_ROWS, predictor.model.inputs)).astype(np.float32)
    session = onnxruntime.InferenceSession(content, providers=["CPUExecutionProvider"])
    found, z = session.run([PREDICTION, REPRESENTATION], {INPUT: x})
    expected = predictor.target_scale.inverse(predictor.model.predict(x))
    unit = max(1.0, float(np.abs(expected).max()))
    gap = float(np.abs(found - expected).max()) / unit
    far = float(np.abs(z - predictor.model.transform(x)).max())
    if not (gap <= CLOSE and far <= CLOSE * max(1.0, float(np.abs(z).max()))):
        raise DataError(f"The ONNX file gives other predictions (off by {gap:.1e}); leave it out.")
