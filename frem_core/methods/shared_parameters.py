"""Settings that several methods have, declared once; a method gives its own default and words."""

from typing import Any

from frem_core.methods.parameter import parameter


def opponent_steps(default: int, opponent: str = "adversary") -> Any:
    """How many steps the opponent takes before each step of the model."""
    return parameter(
        default,
        label=f"{opponent} steps",
        help=f"Steps of the {opponent} before each step of the model; more make it stronger.",
        minimum=1,
        maximum=20,
        advanced=True,
    )


def opponent_learning_rate(default: float, opponent: str = "opponent") -> Any:
    """How long the opponent's steps are."""
    return parameter(
        default,
        label=f"learning rate of the {opponent}",
        help="Length of its steps; too long or too short and it teaches the model nothing.",
        minimum=1e-6,
        maximum=1.0,
        log_scale=True,
        advanced=True,
    )


def epochs_of_head(default: int, *, label: str, help: str) -> Any:  # noqa: A002
    """How long only the head is trained, on the finished representation."""
    return parameter(default, label=label, help=help, minimum=0, maximum=1000, advanced=True)


def representation_scale(help: str, **more: Any) -> Any:  # noqa: A002
    """σ, in whose units representations are compared."""
    return parameter(
        1.0,
        label="scale of the representation kernel",
        symbol="σ",
        help=help,
        minimum=0.01,
        maximum=100.0,
        log_scale=True,
        **more,
    )
