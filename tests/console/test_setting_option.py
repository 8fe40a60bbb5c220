from dataclasses import dataclass

import click
import pytest
from click.testing import CliRunner

from frem_core.console.setting_option import given, setting_option
from frem_core.methods import Settings, available_methods, get_method, parameter
from frem_core.training import Member, TrainingConfig


@dataclass(frozen=True, kw_only=True)
class Kettle(Settings):
    litres: float = parameter(
        1.5, label="volume", symbol="V", help="How much.", minimum=0.5, maximum=3, choices=("full",)
    )
    cups: int = parameter(2, label="cups", help="How many.", minimum=1)
    colour: str = parameter("red", label="colour", help="Which.", choices=("red", "blue"))
    whistle: bool = parameter(True, label="whistle", help="Whether it sings.")
    steps: tuple[int, ...] = parameter((1, 2), label="steps", help="Where it stops.", minimum=1)


@click.command()
@click.pass_context
def boil(ctx, **options):
    ctx.obj.update(given(Kettle, options))


boil.params += [setting_option(n, p, section="Kettle") for n, p in Kettle.parameters().items()]


def run(*arguments):
    values = {}
    result = CliRunner().invoke(boil, arguments, obj=values)
    return result, values


def test_only_what_was_given_is_passed_on():
    assert run()[1] == {}
    assert run("--litres", "2", "--no-whistle")[1] == {"litres": 2.0, "whistle": False}


@pytest.mark.parametrize(
    ("arguments", "value"),
    [
        (("--litres", "0.5"), {"litres": 0.5}),
        (("--litres", "1e0"), {"litres": 1.0}),
        (("--litres", "full"), {"litres": "full"}),
        (("--cups", "7"), {"cups": 7}),
        (("--colour", "blue"), {"colour": "blue"}),
        (("--whistle",), {"whistle": True}),
        (("--steps", "3, 4,5"), {"steps": (3, 4, 5)}),
        (("--steps", "9"), {"steps": (9,)}),
    ],
)
def test_values_are_read_by_kind(arguments, value):
    result, values = run(*arguments)
    assert result.exit_code == 0
    assert values == value
    assert Kettle(**values)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--litres", "9"), "a number from 0.5 up to 3 or 'full'"),
        (("--litres", "ful"), "Did you mean 'full'?"),
        (("--litres", "nan"), "a number from 0.5"),
        (("--cups", "2.5"), "a whole number from 1"),
        (("--colour", "blu"), "Did you mean 'blue'?"),
        (("--steps", "1,x"), "whole numbers"),
        (("--steps", ""), "whole numbers"),
        (("--coulour", "red"), "--colour"),
    ],
)
def test_wrong_values_end_with_the_settings_own_words(arguments, words):
    result, _ = run(*arguments)
    assert result.exit_code == 2
    assert words in " ".join(result.stderr.split())


def test_help_says_label_symbol_default_and_range():
    text = " ".join(CliRunner().invoke(boil, ["--help"]).stdout.split())
    assert "--litres NUMBER|full" in text
    assert "Volume (V). How much. [default: 1.5; a number from 0.5 up to 3 or 'full']" in text
    assert "--colour [red|blue]" in text
    assert "--steps N,N,…" in text
    assert "[default: 1,2; whole numbers from 1]" in text


def test_words_are_offered_for_completion():
    option = setting_option("colour", Kettle.parameters()["colour"], section="Kettle")
    ctx = click.Context(boil)
    assert [item.value for item in option.shell_complete(ctx, "b")] == ["blue"]


@pytest.mark.parametrize("kind", [TrainingConfig, Member, *map(get_method, available_methods())])
def test_every_default_survives_the_command_line(kind):
    for name, declared in kind.parameters().items():
        option = setting_option(name, declared, section="x")
        if declared.kind == "flag":
            continue
        text = option.help.rsplit("[default: ", 1)[1].removesuffix("]").split(";")[0]
        ctx = click.Context(click.Command("x"))
        assert option.type_cast_value(ctx, text) == declared.default
