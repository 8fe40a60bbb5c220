"""Takes up a training where an earlier one ended, for one more epoch or with other rows."""

from torch import Tensor

from frem_core.errors import ConfigError
from frem_core.training.callback import Callback
from frem_core.training.checkpoint import load_state, state_of
from frem_core.training.stack import TrainingStack


class Continuation(Callback):
    """Starts the training of a stack of one from what an earlier one has left.

    Args:
        state: what was left: networks and, to go on as if there had been no break, optimisers and
            random streams; None starts anew.

    Attributes:
        state: after a training, all that it left.
    """

    def __init__(self, state: dict[str, Tensor] | None = None) -> None:
        self.state = state

    def on_training_start(self, stack: TrainingStack) -> None:
        """Loads what there is."""
        if self.state is None:
            return
        try:
            load_state(stack, self.state)
        except (RuntimeError, KeyError, ValueError) as error:
            raise ConfigError(
                "The model cannot go on from its last training, because its inputs, layers or "
                f"method have changed ({error}). Fit it anew."
            ) from error

    def on_training_end(self, stack: TrainingStack) -> None:
        """Keeps a copy of everything that training changed."""
        self.state = {name: value.detach().clone() for name, value in state_of(stack).items()}
