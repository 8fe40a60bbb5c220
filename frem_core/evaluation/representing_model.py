"""What evaluations ask of a model."""

from typing import Any, Protocol

from numpy.typing import NDArray

from frem_core.datasets.graphs import Features


class RepresentingModel(Protocol):
    """A model with a representation and predictions made from it."""

    def transform(self, x: Features) -> NDArray[Any]:
        """Returns the representation (n, m) of features (n, d)."""

    def predict_from_representation(self, z: NDArray[Any]) -> NDArray[Any]:
        """Returns the predictions (n,) for representations (n, m)."""
