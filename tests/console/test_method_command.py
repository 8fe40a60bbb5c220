import click
from click.testing import CliRunner

from frem_core.console.method_command import MethodCommand
from frem_core.console.setting_option import given
from frem_core.methods import get_method
from frem_core.training import Member, TrainingConfig


@click.command(cls=MethodCommand)
@click.option("--method", default="frem")
@click.option("--gamma", help="A ray.")
@click.pass_obj
def measure(seen, method, gamma, **options):
    seen["gamma"] = gamma
    for kind in (get_method(method), TrainingConfig, Member):
        seen[kind.__name__] = given(kind, options)


def run(*arguments):
    seen = {}
    result = CliRunner().invoke(measure, arguments, obj=seen)
    return result, seen


def test_a_setting_whose_flag_is_taken_gets_the_methods_name_in_front():
    result, seen = run("--gamma", "hot", "--frem-gamma", "0.5")
    assert result.exit_code == 0
    assert seen["gamma"] == "hot"
    assert seen["Frem"] == {"gamma": 0.5}


def test_settings_go_to_those_they_belong_to():
    result, seen = run("--method", "mmd", "--cut", "mean", "--epochs", "3", "--seed", "4")
    assert result.exit_code == 0
    assert seen == {
        "gamma": None,
        "MMD": {"cut": "mean"},
        "TrainingConfig": {"epochs": 3},
        "Member": {"seed": 4},
    }


def test_the_last_method_counts_as_in_any_command():
    assert "MMD" in run("--method", "adv", "--method=mmd")[1]


def test_what_follows_a_double_dash_is_no_option():
    result, _ = run("--", "--method", "mmd")
    assert result.exit_code == 2
    assert "unexpected extra argument" in result.stderr.lower()


def test_own_options_come_first_and_output_last():
    text = run("--help")[0].stdout
    places = [text.index(title) for title in ("Method FREM:", "Training:", "Other:")]
    assert places == sorted(places)
