"""The ``frem`` command: one file per subcommand in ``frem_core/commands``."""

import pkgutil
import sys

import click

from frem_core import __version__, commands
from frem_core.errors import FremError
from frem_core.extras import import_module


class _CommandFiles(click.Group):
    """Finds subcommands by file name and imports only the one that is called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted(module.name for module in pkgutil.iter_modules(commands.__path__))

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in self.list_commands(ctx):
            return None
        command = import_module(f"{commands.__name__}.{cmd_name}").command
        assert isinstance(command, click.Command)
        return command


@click.group(cls=_CommandFiles, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="frem")
def frem() -> None:
    """Models that a continuous attribute (age, income, a share) must not drive."""


def main() -> None:
    """Entry point: users see the message of a FremError, never its traceback."""
    try:
        frem(prog_name="frem")
    except FremError as error:
        from frem_core.console.terminal import harmless  # rich is slow to load

        click.secho(f"Error: {harmless(str(error))}", fg="red", err=True)
        sys.exit(2)
