import json
from dataclasses import FrozenInstanceError, dataclass, replace
from typing import Any

import numpy as np
import pytest

from frem_core.errors import ConfigError
from frem_core.kernels import KERNELS, get_kernel
from frem_core.methods import Method, Settings, get_method, parameter
from frem_core.networks import ENCODERS
from frem_core.training import TrainingConfig


@dataclass(frozen=True, kw_only=True)
class Example(Settings):
    share: float = parameter(0.5, label="share", help="How much.", minimum=0.0, maximum=1.0)
    scale: float = parameter(1.0, label="scale", help="Size.", minimum=0.1, choices=("median",))
    steps: int = parameter(3, label="steps", help="How many.", minimum=1)
    sizes: tuple[int, ...] = parameter((5, 5), label="sizes", help="Of layers.", minimum=1)
    kernel: str = parameter("rbf", label="kernel", help="Shape.", choices=("rbf", "triangular"))
    loud: bool = parameter(False, label="loud", help="Whether to say so.")


def test_settings_survive_json() -> None:
    settings = Example(share=1, scale="median", sizes=(7,), loud=True)  # type: ignore[arg-type]
    again = Example.from_dict(json.loads(json.dumps(settings.to_dict())))
    assert again == settings
    assert hash(again) == hash(settings)


def test_a_setting_that_came_later_is_written_only_where_it_changes_something() -> None:
    @dataclass(frozen=True, kw_only=True)
    class Later(Example):
        colour: str = parameter(
            "red", label="colour", help="Look.", choices=("red", "grey"), before="grey"
        )

    assert Later.from_dict(Example().to_dict()).colour == "grey"
    assert Later().colour == "red"
    for colour in ("red", "grey"):
        settings = Later(colour=colour)
        assert Later.from_dict(settings.to_dict()) == settings
    assert Later(colour="grey").to_dict() == Example().to_dict()


def test_equal_values_look_equal() -> None:
    given = Example(share=1, steps=np.int64(4), sizes=[2, 3])  # type: ignore[arg-type]
    assert given.to_dict() == Example(share=1.0, steps=4, sizes=(2, 3)).to_dict()
    assert type(given.steps) is int
    assert type(given.share) is float
    assert given.sizes == (2, 3)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("share", 1.5),
        ("share", float("nan")),
        ("share", True),
        ("share", "median"),
        ("share", None),
        ("scale", "mean"),
        ("scale", 0.0),
        ("steps", 0),
        ("steps", 2.5),
        ("sizes", ()),
        ("sizes", (3, 0)),
        ("sizes", 3),
        ("kernel", "cosine"),
        ("kernel", 3),
        ("loud", 1),
    ],
)
def test_a_wrong_value_is_refused_with_what_is_allowed(name: str, value: Any) -> None:
    with pytest.raises(ConfigError, match=f"{name} = .* must be") as error:
        Example(**{name: value})
    assert Example.parameters()[name].allowed in str(error.value)


def test_a_mistyped_name_or_word_gets_a_suggestion() -> None:
    with pytest.raises(ConfigError, match="Did you mean 'kernel'"):
        Example.from_dict({"kernal": "rbf"})
    with pytest.raises(ConfigError, match="Did you mean 'triangular'"):
        Example(kernel="triangle")


def test_settings_do_not_change() -> None:
    with pytest.raises(FrozenInstanceError):
        Example().steps = 4  # type: ignore[misc]


def test_the_kind_of_a_setting_follows_from_its_default() -> None:
    kinds = {name: one.kind for name, one in Example.parameters().items()}
    assert kinds == {
        "share": "number",
        "scale": "number",
        "steps": "integer",
        "sizes": "integers",
        "kernel": "choice",
        "loud": "flag",
    }


def test_choices_given_by_a_function_are_asked_for_each_time() -> None:
    offered = ["rbf"]

    @dataclass(frozen=True, kw_only=True)
    class Late(Settings):
        kernel: str = parameter("rbf", label="kernel", help="Shape.", choices=lambda: offered)

    declared = Late.parameters()["kernel"]
    assert declared.choices == ("rbf",)
    with pytest.raises(ConfigError, match="must be 'rbf'"):
        Late(kernel="cosine")
    offered.append("cosine")
    assert declared.choices == ("rbf", "cosine")
    assert declared.allowed == "'rbf' or 'cosine'"
    assert Late(kernel="cosine").to_dict() == {"kernel": "cosine"}
    fewer = replace(declared, choices=("cosine",))
    assert (fewer.choices, declared.choices) == (("cosine",), ("rbf", "cosine"))


def test_what_is_registered_later_is_offered_by_the_settings_that_name_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert "late" not in get_method("frem").parameters()["sensitive_kernel"].choices
    assert "late" not in TrainingConfig.parameters()["encoder"].choices
    # What is registered stays registered, so these registrations are taken back.
    monkeypatch.setattr(KERNELS, "_things", dict(KERNELS._things))
    monkeypatch.setattr(ENCODERS, "_things", dict(ENCODERS._things))
    KERNELS.register("late")(get_kernel("rbf"))
    ENCODERS.register("late")(ENCODERS.get("mlp"))
    frem = get_method("frem")(sensitive_kernel="late", representation_kernel="late")
    assert Method.from_dict(frem.to_dict()) == frem
    assert TrainingConfig(encoder="late").encoder == "late"
    assert "late" in get_method("frem").parameters()["sensitive_kernel"].allowed
