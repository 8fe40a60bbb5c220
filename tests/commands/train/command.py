"""`frem train` without a process of its own."""

import json

from click.testing import CliRunner

from frem_core.cli import frem

QUICK = ("--epochs", "2", "--permutations", "0")


def run(*arguments, **options):
    return CliRunner().invoke(frem, ["train", *map(str, arguments)], **options)


def as_json(*arguments):
    result = run(*arguments, "--json", catch_exceptions=False)
    assert result.exit_code == 0, result.stderr
    return json.loads(result.stdout)
