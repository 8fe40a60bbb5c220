"""The settings that all methods share, so that a comparison compares methods only."""

from dataclasses import dataclass

from frem_core.methods.parameter import parameter
from frem_core.methods.settings import Settings


# Asked for when a setting is checked or shown, and then only: networks bring torch along.
def _encoders() -> tuple[str, ...]:
    from frem_core.networks import available_encoders

    return available_encoders()


def _activations() -> tuple[str, ...]:
    from frem_core.networks import ACTIVATIONS

    return tuple(ACTIVATIONS)


@dataclass(frozen=True, kw_only=True)
class TrainingConfig(Settings):
    """How a model is trained; the defaults are the paper's, but for the weight decay.

    The paper prints 0.01. With 0.001 its unfair model comes out, and models predict better; FREM
    needs no weight decay against a shrunken representation.
    """

    epochs: int = parameter(
        200,
        label="epochs",
        help="How often every training row is seen.",
        minimum=1,
        maximum=100_000,
    )
    batch_size: int = parameter(
        1024,
        label="batch size",
        help="Rows per step. Fairness is measured within a batch, so small batches see little.",
        minimum=3,
        maximum=1_000_000,
        log_scale=True,
    )
    learning_rate: float = parameter(
        1e-3,
        label="learning rate",
        help="Length of a step of the Adam optimiser.",
        minimum=1e-7,
        maximum=1.0,
        log_scale=True,
    )
    weight_decay: float = parameter(
        1e-3,
        label="weight decay",
        help="Pulls weights towards 0 within Adam's gradient (coupled, not AdamW); more costs "
        "accuracy, and keeps a method that is fooled by a shrunken representation from shrinking.",
        minimum=0.0,
        maximum=10.0,
        log_scale=True,
    )
    encoder: str = parameter(
        "mlp",
        label="encoder",
        help="The network that turns features into a representation.",
        choices=_encoders,
        advanced=True,
    )
    hidden: tuple[int, ...] = parameter(
        (50, 50),
        label="layer sizes",
        help="Units of each encoder layer; the last is the size of the representation.",
        minimum=1,
        maximum=10_000,
        advanced=True,
    )
    activation: str = parameter(
        "selu",
        label="activation",
        help="What follows each encoder layer.",
        choices=_activations,
        advanced=True,
    )
