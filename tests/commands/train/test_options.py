"""Help, and what is said of options and data that are wrong."""

import subprocess
import sys

import pytest

from frem_core.cli import frem, main
from frem_core.console.method_command import MethodCommand
from frem_core.errors import ConfigError, DataError
from frem_core.methods import available_methods, get_method
from tests.commands.train.command import run


def test_the_help_of_each_method_lists_its_settings():
    for name in available_methods():
        text = run("--method", name, "--help").stdout
        assert f"Method {get_method(name).title}" in text
        for setting in get_method(name).parameters():
            assert f"-{setting.replace('_', '-')} " in text
        assert ("--fairness-weight NUMBER" in text) == get_method(name).uses_fairness_weight
    assert "--batch-size" in text


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--method", "fremm"), "Did you mean 'frem'?"),
        (("--gama", "1"), "--gamma"),
        (("--gamma", "0"), "must be a number from 0.001 up to 10 or 'auto'"),
        (("--cut", "mean"), "--cut is no setting of FREM; it belongs to --method laftr or mmd"),
        (("--method=unfair", "--fairness-weight", "1"), "Unfair has no fairness weight"),
        (("--epochs", "many"), "a whole number from 1"),
        (("--fairness", "equal"), "'dp' or 'eo'"),
        (("--split", "half"), "half"),
        (("--threads", "0"), "--threads"),
        ((), "Missing option '--dataset'"),
    ],
)
def test_wrong_options_are_explained(arguments, words):
    result = run(*arguments)
    assert result.exit_code == 2
    assert words in " ".join(result.stderr.split())


@pytest.mark.parametrize(
    ("arguments", "error", "words"),
    [
        (("--dataset", "crimes"), ConfigError, "Did you mean 'crime'?"),
        (("--dataset", "nowhere.csv", "--target", "a", "--sensitive", "b"), DataError, "nowhere"),
        (("--dataset", "people.csv"), ConfigError, "target and sensitive"),
        (("--dataset", "crime", "--target", "x"), ConfigError, "columns of 'crime' are fixed"),
        (("--dataset", "crime", "--fairness", "eo"), ConfigError, "classification"),
        (("--dataset", "gaussian_bivariate", "--split", "paper_table"), ConfigError, "partition"),
    ],
)
def test_wrong_data_is_explained(arguments, error, words):
    result = run(*arguments)
    assert isinstance(result.exception, error)
    assert words in str(result.exception)


def test_users_see_the_message_of_an_error_and_exit_code_2(monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["frem", "train", "--dataset", "crimes"])
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == 2
    message = capsys.readouterr().err
    assert message.startswith("Error: There is no built-in dataset 'crimes'")
    assert "Traceback" not in message


def test_options_are_looked_up_only_when_they_are_needed():
    code = (
        "import sys; from click.testing import CliRunner; from frem_core.commands import train, "
        "audit; assert 'torch' not in sys.modules and 'pandas' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
    assert isinstance(frem.get_command(None, "train"), MethodCommand)
