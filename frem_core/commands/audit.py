"""``frem audit``: how far predictions or recorded outcomes follow the sensitive attribute."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from rich.progress import Progress

from frem_core.console.audit_output import json_text, junit_text, show_audit
from frem_core.console.dataset_options import (
    SECTION,
    dataset_options,
    described_dataset,
    load_with_progress,
)
from frem_core.console.setting_option import section_option
from frem_core.console.several_output import attributes_json, show_attributes
from frem_core.console.terminal import messages, stoppable
from frem_core.errors import ConfigError

if TYPE_CHECKING:
    from frem_core.audit import AttributesAudit, AuditResult, RuleResult
    from frem_core.console.audited import Audited

_FILE = click.Path(dir_okay=False, path_type=Path)


@click.command()
@dataset_options
@section_option(
    SECTION,
    "--prediction",
    metavar="COLUMN",
    help="Column of a file that holds predictions: probabilities, numbers or two classes.",
)
@section_option(
    SECTION,
    "--model",
    type=click.Path(file_okay=False, exists=True, path_type=Path),
    help="Folder of a saved model whose predictions to judge.",
)
@section_option(SECTION, "--weight", metavar="COLUMN", help="Column that says what a row counts.")
@section_option(
    SECTION,
    "--factor",
    "factors",
    metavar="COLUMN",
    multiple=True,
    help="Column in which people may legitimately differ; may be given several times.",
)
@click.option(
    "--permutations",
    type=click.IntRange(2),
    default=100,
    show_default=True,
    help="Shuffles of the sensitive attribute that measure the chance level.",
)
@click.option(
    "--resamples",
    type=click.IntRange(20),
    default=200,
    show_default=True,
    help="Resamples behind each interval.",
)
@click.option(
    "--confidence",
    type=click.FloatRange(0.5, 0.999),
    default=0.95,
    show_default=True,
    help="Of intervals and bands.",
)
@click.option(
    "--threshold",
    type=float,
    default=0.5,
    show_default=True,
    help="From which a probability is a positive decision, for error rates.",
)
@click.option(
    "--eipm-noise",
    type=click.Choice(["kept", "removed"]),
    default="kept",
    show_default=True,
    help="Removed: EIPM less what chance alone gives, about 0 where nothing depends on the "
    "sensitive attribute.",
)
@click.option(
    "--require",
    "rules",
    metavar="RULE",
    multiple=True,
    help="A rule such as 'gdp<=0.02', 'range<=0.05', 'ratio>=0.8' or 'above 62 >= rest'. Exit code "
    "1 when one is broken, 2 when one cannot be told (or nothing could be audited: then no file is "
    "written and the reason stands on the error stream).",
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON instead of tables.")
@click.option("--html", type=_FILE, help="Write the report as one HTML file.")
@click.option("--markdown", type=_FILE, help="Write a section for a model card.")
@click.option("--junit", type=_FILE, help="Write the rules as JUnit XML, for CI.")
def command(
    *,
    permutations: int,
    resamples: int,
    confidence: float,
    threshold: float,
    eipm_noise: str,
    rules: tuple[str, ...],
    as_json: bool,
    html: Path | None,
    markdown: Path | None,
    junit: Path | None,
    **options: Any,
) -> None:
    """Say how far predictions follow the sensitive attribute, and whether it could be chance.

    With --prediction it judges a column of a file, with --model a saved model, without either the
    recorded outcome that a model would learn to repeat.

    \b
    frem audit --dataset scored.csv --prediction score --sensitive age
    frem audit --dataset scored.csv --prediction score --sensitive age --require "ratio>=0.8"
    frem audit --dataset scored.csv --prediction score --sensitive age --sensitive sex
    frem audit --dataset crime --model model/ --html audit.html
    """  # noqa: D301
    from frem_core.audit import exit_code
    from frem_core.output_file import write_output

    with stoppable("Nothing was changed."):
        audited = _audited(**options)
        result = _measure(
            audited,
            n_permutations=permutations,
            n_resamples=resamples,
            confidence=confidence,
            threshold=threshold,
            eipm_noise=eipm_noise,
        )
        checked = _checked(result, rules)
        if html is not None:
            result.to_html(html, checked)
        if markdown is not None:
            write_output(markdown, result.to_markdown(checked).encode())
        if junit is not None:
            write_output(junit, junit_text(audited.title, checked).encode())
        _show(audited, result, checked, as_json=as_json)
    code = exit_code(list(checked))
    if code:
        sys.exit(code)


def _audited(
    *,
    prediction: str | None,
    model: Path | None,
    weight: str | None,
    factors: tuple[str, ...],
    **options: Any,
) -> "Audited":
    from frem_core.console.audited import audited_column, audited_model, audited_outcome

    if prediction is not None and model is not None:
        raise ConfigError("Give --prediction or --model, not both.")
    spec = described_dataset(options)
    if prediction is not None:
        return audited_column(spec, prediction, weight=weight, factors=factors)
    if weight is not None or factors:
        raise ConfigError("--weight and --factor name columns of a file: give --prediction too.")
    dataset = load_with_progress(spec)
    return audited_outcome(dataset) if model is None else audited_model(dataset, model)


def _measure(audited: "Audited", **settings: Any) -> "AuditResult | AttributesAudit":
    from frem_core.audit import audit, audit_attributes

    with Progress(console=messages(), transient=True) as bar:
        task = bar.add_task("Measuring", total=1.0)
        settings |= {
            "sample_weight": audited.weights,
            "factors": audited.factors,
            "prediction_name": audited.prediction_name or audited.title,
            "notes": audited.notes,
            "progress": lambda what, share: bar.update(task, completed=share, description=what),
        }
        if audited.attributes is not None:
            return audit_attributes(
                audited.y, audited.p, sensitive_features=audited.attributes, **settings
            )
        return audit(
            audited.y,
            audited.p,
            sensitive_features=audited.s,
            representation=None if audited.is_column else audited.z,
            features=audited.features,
            sensitive_name=audited.sensitive_name,
            **settings,
        )


def _checked(
    result: "AuditResult | AttributesAudit", rules: tuple[str, ...]
) -> "tuple[RuleResult, ...]":
    from frem_core.audit import AttributesAudit

    if isinstance(result, AttributesAudit):
        return tuple(held for rule in rules for held in result.check(rule))
    return tuple(result.check(rule) for rule in rules)


def _show(
    audited: "Audited",
    result: "AuditResult | AttributesAudit",
    checked: "tuple[RuleResult, ...]",
    *,
    as_json: bool,
) -> None:
    from frem_core.audit import AttributesAudit

    if isinstance(result, AttributesAudit):
        if as_json:
            click.echo(attributes_json(audited.title, result, checked))
        else:
            show_attributes(audited, result, checked)
    elif as_json:
        click.echo(json_text(audited, result, checked))
    else:
        show_audit(audited, result, checked)
