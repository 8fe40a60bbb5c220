import click
from click.testing import CliRunner

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
