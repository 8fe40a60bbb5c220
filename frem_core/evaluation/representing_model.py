"""What evaluations ask of a model."""

from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray


class RepresentingModel(Protocol):
    """A model with a representation and predictions made from it."""

    def transform(self, x: NDArray[np.float32]) -> NDArray[Any]:
        """Returns the representation (n, m) of features (n, d)."""

    def predict_from_representation(self, z: NDArray[Any]) -> NDArray[Any]:
        """Returns the predictions (n,) for representations (n, m)."""
