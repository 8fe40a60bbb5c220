"""``frem audit``: how far predictions or recorded outcomes follow the sensitive attribute."""

import json
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from rich.markup import escape
from rich.table import Table

from frem_core.console.dataset_options import (
    SECTION,
    dataset_options,
    described_dataset,
    load_with_progress,
)
from frem_core.console.setting_option import section_option
from frem_core.console.terminal import messages, results, stoppable
from frem_core.errors import ConfigError
from frem_core.words import counted

if TYPE_CHECKING:
    import pandas as pd

    from frem_core.console.audited import Audited
    from frem_core.metrics import NoiseFloor

_SHOWN_FEATURES = 10
_OF_A_COLUMN = "Dependence of the whole distribution on the sensitive attribute"


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
@click.option(
    "--permutations",
    type=click.IntRange(2),
    default=100,
    show_default=True,
    help="Shuffles of the sensitive attribute that measure the chance level.",
)
@click.option(
    "--eipm-noise",
    type=click.Choice(["kept", "removed"]),
    default="kept",
    show_default=True,
    help="Removed: EIPM less what chance alone gives, about 0 where nothing depends on the "
    "sensitive attribute.",
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON instead of tables.")
def command(*, permutations: int, eipm_noise: str, as_json: bool, **options: Any) -> None:
    """Say how far predictions follow the sensitive attribute, and whether it could be chance.

    With --prediction it judges a column of a file, with --model a saved model, without either the
    recorded outcome that a model would learn to repeat.

    \b
    frem audit --dataset scored.csv --prediction score --sensitive age
    frem audit --dataset crime --model model/
    """  # noqa: D301
    with stoppable("Nothing was changed."):
        audited = _audited(**options).with_eipm(noise=eipm_noise)
        with messages().status("Measuring"):
            scores, chance, p_value = _measure(audited, permutations)
            ranking = _ranking(audited)
        if as_json:
            click.echo(_as_json(audited, scores, chance, p_value, ranking))
        else:
            _show(audited, scores, chance, p_value, ranking)


def _audited(*, prediction: str | None, model: Path | None, **options: Any) -> "Audited":
    from frem_core.console.audited import audited_column, audited_model, audited_outcome

    if prediction is not None and model is not None:
        raise ConfigError("Give --prediction or --model, not both.")
    spec = described_dataset(options)
    if prediction is not None:
        return audited_column(spec, prediction)
    dataset = load_with_progress(spec)
    return audited_outcome(dataset) if model is None else audited_model(dataset, model)


def _measure(
    audited: "Audited", permutations: int
) -> tuple[dict[str, float], dict[str, "NoiseFloor"], float]:
    """Returns the fairness scores and their chance levels by name, and EIPM's p-value."""
    from frem_core.console.chance_levels import MAX_ROWS, chance_levels, eipm_level
    from frem_core.evaluation import available_scores, get_score
    from frem_core.evaluation.subset import random_rows

    y, p, z, s = audited.y, audited.p, audited.z, audited.s
    positives = 0 if y is None else int((y == 1).sum())
    rows = random_rows(len(s), MAX_ROWS, 0)
    scores: dict[str, float] = {}
    for metric in map(get_score, available_scores()):
        if metric.purpose != "fairness" or metric.measures != "predictions":
            continue
        if not metric.given_label or positives >= max(1, metric.fewest_positives):
            some = rows if metric.slow_on_many_rows else slice(None)
            labels = None if y is None else y[some]
            scores[metric.name] = metric(labels, p[some], sensitive_features=s[some])
    chance = chance_levels(scores, y, p, None, s, permutations=permutations)
    chance["eipm"], test = eipm_level(
        z, s, permutations=permutations, settings=audited.eipm_settings
    )
    return {**scores, "eipm": test.statistic}, chance, test.p_value


def _ranking(audited: "Audited") -> "pd.DataFrame | None":
    from frem_core.audit import rank_dependence

    if audited.features is None:
        return None
    return rank_dependence(audited.features, audited.s).head(_SHOWN_FEATURES)


def _as_json(
    audited: "Audited",
    scores: dict[str, float],
    chance: dict[str, "NoiseFloor"],
    p_value: float,
    ranking: "pd.DataFrame | None",
) -> str:
    facts = {
        "subject": audited.title,
        "sensitive": audited.sensitive_name,
        "rows": len(audited.s),
        "scores": {
            name: {"value": value, **asdict(chance[name]), "beyond_chance": value > level.upper}
            for name, value in scores.items()
            if (level := chance[name])
        },
        "eipm_test": {**audited.eipm_settings, "p_value": p_value},
        "features": None if ranking is None else json.loads(ranking.to_json(orient="records")),
        "notes": list(audited.notes),
    }
    return json.dumps(facts, ensure_ascii=False, indent=2)


def _show(
    audited: "Audited",
    scores: dict[str, float],
    chance: dict[str, "NoiseFloor"],
    p_value: float,
    ranking: "pd.DataFrame | None",
) -> None:
    from frem_core.evaluation import get_score

    console = results()
    rows = counted(len(audited.s), "row")
    about = f"{audited.title}: {rows}, sensitive attribute {audited.sensitive_name}"
    console.print(escape(about[0].upper() + about[1:]))
    for note in audited.notes:
        console.print(f"• {escape(note)}")
    table = Table()
    for heading in (
        "score (lower is fairer)",
        "value",
        "by chance",
        "chance, 95th percentile",
        "verdict",
    ):
        table.add_column(heading, justify="left" if heading[0] in "sv" else "right")
    for name, value in scores.items():
        metric, level = get_score(name), chance[name]
        verdict = "more than chance" if value > level.upper else "no more than chance"
        numbers = (f"{number:.4f}" for number in (value, level.mean, level.upper))
        label = _OF_A_COLUMN if metric.name == "eipm" and audited.is_column else metric.label
        table.add_row(f"{label}, {metric.symbol}", *numbers, verdict)
    console.print(table)
    console.print(f"Permutation test of EIPM: p = {p_value:.3g}.")
    if audited.eipm_settings["noise"] == "removed":
        console.print("EIPM is without the noise of small samples; chance may put it below 0.")
    if ranking is not None:
        console.print(_feature_table(ranking, audited.sensitive_name))


def _feature_table(ranking: "pd.DataFrame", sensitive: str) -> Table:
    table = Table(title=escape(f"Features that tell most about {sensitive}"))
    table.add_column("feature")
    table.add_column("strength (0–1)", justify="right")
    table.add_column("direction")
    for row in ranking.itertuples(index=False):
        table.add_row(escape(str(row.feature)), f"{row.strength:.2f}", str(row.direction))
    return table
