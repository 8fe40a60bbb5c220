import sys

import click
import pytest
from click.testing import CliRunner
from rich.table import Table

from frem_core.cli import main
from frem_core.console.terminal import messages, results, stoppable


@click.command()
def work():
    with stoppable("Half is done."):
        results().print("a table")
        messages().print("a remark")
        raise KeyboardInterrupt


def test_ctrl_c_is_exit_code_130_with_a_sentence():
    result = CliRunner().invoke(work)
    assert result.exit_code == 130
    assert result.stdout == "a table\n"
    assert result.stderr == "a remark\nStopped. Half is done.\n"


def test_names_cannot_steer_the_terminal(capsys):
    table = Table("name\x1b[31m")
    table.add_row("people\x1b]0;owned\x07\x1b[2J")
    results().print(table)
    results().print("[bold]bold[/bold] \x9b2J", markup=True)
    messages().print("one\ntwo \x1b[1A", markup=False)
    shown = capsys.readouterr()
    assert not set(shown.out + shown.err) & {"\x1b", "\x07", "\x9b"}
    assert "one\ntwo" in shown.err
    assert "bold" in shown.out


def test_nor_can_what_an_error_repeats(capsys, monkeypatch):
    monkeypatch.setattr(sys, "argv", ["frem", "status", "sweep\x1b]0;owned\x07\x9b2J"])
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == 2
    shown = capsys.readouterr().err
    assert "There is no sweep 'sweep" in shown
    assert not set(shown) & {"\x1b", "\x07", "\x9b"}
