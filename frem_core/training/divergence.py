"""The error of a training that ran away."""

from frem_core.errors import FremError


class TrainingDivergedError(FremError):
    """Weights grew without bound; the message says for which members and what to change."""
