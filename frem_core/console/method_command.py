"""A command whose options are the settings of the method it is called with."""

from functools import cache

import click

from frem_core.console.setting_option import SectionedOption, flag_of, setting_option
from frem_core.errors import ConfigError

DEFAULT_METHOD = "frem"
AUTO = "auto"
_DEFAULT_WORDS = {"batch_size": "the paper's for the dataset"}
_LAST = ("Output", "Other")
_METHOD = "frem_core.method"


class MethodCommand(click.Command):
    """Adds the settings of ``--method``, of the training and of the fairness weight.

    ``frem train --method mmd --help`` shows what MMD can be told. Settings are looked up at the
    first use, so that ``frem --help`` does not have to load the networks.
    """

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Finds the method first, then reads everything with its options."""
        ctx.meta[_METHOD] = _named_method(args, ctx)
        try:
            return super().parse_args(ctx, args)
        except click.NoSuchOption as error:
            raise _explained(error, ctx.meta[_METHOD]) from error

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        """The command's own options and those of the method."""
        *own, help_option = super().get_params(ctx)
        taken = frozenset(flag for option in own for flag in option.opts)
        method = ctx.meta.get(_METHOD, DEFAULT_METHOD)
        return [*own, *_method_options(method, taken), help_option]

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Lists options under their headings."""
        sections: dict[str, list[tuple[str, str]]] = {}
        for option in self.get_params(ctx):
            record = option.get_help_record(ctx)
            if record is not None:
                sections.setdefault(getattr(option, "section", "Other"), []).append(record)
        # What to do with the result comes after all that shapes it.
        for title, records in sorted(sections.items(), key=lambda item: item[0] in _LAST):
            with formatter.section(title):
                formatter.write_dl(records)


@cache
def _method_options(name: str, taken: frozenset[str]) -> tuple[SectionedOption, ...]:
    from dataclasses import replace

    from frem_core.methods import get_method
    from frem_core.methods.frem import Frem
    from frem_core.training import Member, TrainingConfig

    method = get_method(name)
    settings = method.parameters()
    if issubclass(method, Frem):
        words = " 'auto' chooses on a fifth of the training rows."
        gamma = settings["gamma"]
        settings["gamma"] = replace(gamma, choices=(*gamma.choices, AUTO), help=gamma.help + words)
    member = Member.parameters()
    if not method.uses_fairness_weight:
        del member["fairness_weight"]
    title = f"Method {method.title}"
    sections = [
        (title, member),
        (title, {field: one for field, one in settings.items() if not one.advanced}),
        (f"{title}, seldom changed", {f: one for f, one in settings.items() if one.advanced}),
        ("Training", TrainingConfig.parameters()),
    ]
    return tuple(
        setting_option(
            field,
            one,
            section=section,
            flag=f"--{name}{flag_of(field)[1:]}" if flag_of(field) in taken else None,
            default=_DEFAULT_WORDS.get(field),
        )
        for section, fields in sections
        for field, one in fields.items()
    )


def _named_method(args: list[str], ctx: click.Context) -> str:
    from frem_core.methods import get_method

    name = DEFAULT_METHOD
    for position, word in enumerate(args):
        if word == "--":
            break
        if word == "--method" and position + 1 < len(args):
            name = args[position + 1]
        elif word.startswith("--method="):
            name = word.removeprefix("--method=")
    try:
        get_method(name)
    except ConfigError as error:
        raise click.BadParameter(str(error), ctx=ctx, param_hint="'--method'") from error
    return name


def _explained(error: click.NoSuchOption, method: str) -> click.UsageError:
    """An option of another method gets told which."""
    from frem_core.methods import available_methods, get_method

    field = error.option_name.lstrip("-").replace("-", "_")
    if field == "fairness_weight":
        return click.UsageError(f"{get_method(method).title} has no fairness weight.", error.ctx)
    owners = [name for name in available_methods() if field in get_method(name).parameters()]
    if not owners:
        return error
    return click.UsageError(
        f"{error.option_name} is no setting of {get_method(method).title}; it belongs to "
        f"--method {' or '.join(owners)}.",
        ctx=error.ctx,
    )
