"""Puts the report of sweeps together from what the store holds."""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

import pandas as pd

from frem_core import __version__
from frem_core.errors import DataError
from frem_core.figures.run_titles import WEIGHT, run_titles
from frem_core.report import Chart, Commands, Facts, Listing, Notice, Paragraph, Report, Section
from frem_core.report import Table as TableBlock
from frem_core.report.blocks import Block
from frem_core.store import Store
from frem_core.sweep_report import charts
from frem_core.sweep_report.answer import Answer
from frem_core.sweep_report.chance import chance_table
from frem_core.sweep_report.subject import Subject, subjects_of
from frem_core.sweeps.portable import portable_sweep
from frem_core.words import NOTIONS, counted, listed

_MOST_DRAWN = 4
_MOST_LISTED = 20
_SETTINGS = ("config.method.", "config.training.", "config.split.")


def sweep_report(store: Store, sweeps: Sequence[str], *, runs: Sequence[str] = ()) -> Report:
    """Builds the report of one or more sweeps from the store, not from what a page shows.

    Args:
        store: where they are.
        sweeps: their ids.
        runs: ids of the runs whose curves are drawn; by default the model without fairness and
            the best setting of each method.

    Raises:
        DataError: the sweeps hold no runs.
    """
    subjects = subjects_of(store, sweeps)
    if not subjects:
        raise DataError("These sweeps have no runs; choose others (`frem status` lists them).")
    parts = [_Part(subject, runs) for subject in subjects]
    several = len(parts) > 1
    first = subjects[0]
    return Report(
        title=f"Can {first.target} be predicted without following {first.sensitive}?",
        subtitle=_subtitle(store, sweeps),
        sections=tuple(
            section for part in parts for section in part.sections(name_subject=several)
        ),
        data={"frem_studio": __version__, "subjects": [part.values() for part in parts]},
    )


def _subtitle(store: Store, sweeps: Sequence[str]) -> str:
    known = store.sweeps.frame()
    chosen = known[known["id"].isin(sweeps)]
    names = ", ".join(chosen["name"])
    when = datetime.fromtimestamp(float(chosen["created_at"].max()), UTC)
    return (
        f"Sweep {names} ({', '.join(sweeps)}), queued {when:%-d %b %Y, %H:%M} UTC. "
        f"FREM Studio {__version__}."
    )


class _Part:
    """One subject of a report."""

    def __init__(self, subject: Subject, runs: Sequence[str]) -> None:
        self.subject = subject
        self.answer = Answer.of(subject)
        own = [run for run in runs if run in set(subject.runs["id"])]
        self.outputs = subject.outputs((own or self._drawn())[:_MOST_DRAWN])

    def _drawn(self) -> list[str]:
        """One run of the model without fairness, of the answer, and of the best of the others."""
        points, best = self.answer.points, self.answer.best
        chosen = [point["runs"][0] for point in (self.answer.unfair, best) if point is not None]
        for method in dict.fromkeys(points["method"]):
            if method != "unfair" and (best is None or method != best["method"]):
                own = points[(points["method"] == method) & points["on_front"]]
                if len(own):
                    chosen.append(own.sort_values("fairness").iloc[len(own) // 2]["runs"][0])
        return chosen

    def sections(self, *, name_subject: bool) -> list[Section]:
        notion = NOTIONS.get(self.subject.notion, self.subject.notion)
        about = f": {self.subject.record.name}, {notion}" if name_subject else ""
        drawn = [
            Section(f"In short{about}", self._summary()),
            Section("What each method can give", self._fronts(), starts_page=True),
            Section(f"Along {self.subject.sensitive}", self._along(), starts_page=True),
            Section("The data", self._data(), starts_page=True),
            Section("How it was done", self._how(), starts_page=True),
        ]
        return [section for section in drawn if section.blocks]

    def _summary(self) -> tuple[Block, ...]:
        runs = self.subject.runs
        facts: list[Block] = [Facts(self.answer.facts(self.subject))]
        lost = int(runs["state"].isin(["failed", "cancelled"]).sum())
        waiting = int(runs["state"].isin(["queued", "running"]).sum())
        if waiting:
            facts.append(Notice(f"{counted(waiting, 'run')} had not finished when this was made."))
        if lost:
            facts.append(
                Notice(f"{counted(lost, 'run')} failed or were cancelled and are not in it.")
            )
        return tuple(facts)

    def _fronts(self) -> tuple[Block, ...]:
        answer, subject = self.answer, self.subject
        if answer.points.empty:
            return ()
        marked = str(answer.best["point"]) if answer.best else ""
        level = answer.chance.upper if answer.chance else None
        blocks: list[Block] = []
        for number, metric in enumerate(subject.fairness_scores):
            blocks.append(
                charts.front_chart(
                    subject,
                    metric,
                    answer.points if number == 0 else subject.points(metric),
                    marked=marked if number == 0 else "",
                    noise_floor=level if number == 0 else None,
                )
            )
        blocks.append(
            Paragraph(
                "Lines join settings that no other setting of the same method beats in both "
                "scores; those that are beaten are faint."
            )
        )
        levels = chance_table(subject, answer.best, answer.unfair)
        if len(levels):
            blocks.append(TableBlock(levels, "What chance alone gives"))
            blocks.append(
                Paragraph(
                    "Chance: the scores of one run of the model in the first column with sensitive "
                    "values dealt out at random. What is at or below the last column cannot be "
                    "told from no dependence at all on so many rows. The page Trade-offs shows "
                    "the chance level of the scores that are not listed."
                )
            )
        shown = (subject.prediction, *subject.fairness_scores)
        blocks.append(Paragraph("What the scores mean:"))
        blocks.append(Facts({metric.axis_full_name: metric.help for metric in shown}))
        return tuple(blocks)

    def _along(self) -> tuple[Block, ...]:
        if not self.outputs:
            return (
                Notice(
                    "The predictions of these runs are not kept, so there are no curves. Train "
                    "them again to see some."
                ),
            )
        subject = self.subject
        drawn: list[Block] = [
            charts.curves_chart(subject, self.outputs),
            charts.prediction_chart(subject, self.outputs),
            charts.representation_chart(subject, self.outputs),
        ]
        return tuple(drawn)

    def _data(self) -> tuple[Block, ...]:
        subject, dataset = self.subject, self.subject.dataset
        facts = {
            "Dataset": subject.record.name,
            "Rows": subject.record.rows,
            "Inputs after encoding": subject.record.features,
            "Target": subject.target,
            "Sensitive attribute": subject.sensitive,
            "Fingerprint": subject.record.hash,
        }
        blocks: list[Block] = [Facts(facts)]
        if dataset is None:
            blocks.append(Notice("The table is not kept any more, so it is not shown here."))
            return tuple(blocks)
        if dataset.notes:
            blocks.append(Paragraph("What was left out or converted when the table was read:"))
            blocks.append(Listing(dataset.notes))
        found: list[Chart | None] = [charts.sensitive_chart(subject)]
        found += charts.feature_charts(subject)
        return (*blocks, *(chart for chart in found if chart is not None))

    def _how(self) -> tuple[Block, ...]:
        store, runs = self.subject.store, self.subject.runs
        blocks: list[Block] = [
            TableBlock(_settings(runs), "Settings"),
            TableBlock(_run_table(self.subject), "Runs", folded=len(runs) > _MOST_LISTED),
        ]
        for sweep in self.subject.sweeps:
            blocks += _repeating(store, sweep)
        return tuple(blocks)

    def values(self) -> dict[str, Any]:
        """What programs want to read."""
        answer, subject = self.answer, self.subject

        def point(one: dict[str, Any] | None) -> dict[str, Any] | None:
            return None if one is None else {**one, "runs": list(one["runs"])}

        return {
            "dataset": subject.record.name,
            "fingerprint": subject.record.hash,
            "rows": subject.record.rows,
            "target": subject.target,
            "sensitive": subject.sensitive,
            "task": subject.task,
            "notion": subject.notion,
            "prediction_score": subject.prediction.name,
            "fairness_score": subject.fairness.name,
            "sweeps": list(subject.sweeps),
            "runs": len(subject.runs),
            "recommended": point(answer.best),
            "unfair": point(answer.unfair),
            "constant": answer.constant,
            "chance": None if answer.chance is None else vars(answer.chance),
            "drawn": [one.id for one in self.outputs],
        }


def _repeating(store: Store, sweep: str) -> list[Block]:
    """The sweep as a file that means the same elsewhere, and what to do with it."""
    files = portable_sweep(store, sweep)
    description, *tables = files
    beside = f" The table {listed(tables)} goes beside it: the first command writes both."
    return [
        Paragraph(f"Sweep {sweep} as a file, {description}.{beside if tables else ''}"),
        Commands((files[description].decode().rstrip(),)),
        Paragraph("To have it again, to train it again, to draw this report, to list its runs:"),
        Commands(
            (
                f"frem export {sweep} --toml -o {description}",
                f"frem sweep {description}",
                f"frem report {sweep} -o report.html",
                f"frem export {sweep} -o runs.csv",
            )
        ),
    ]


def _settings(runs: pd.DataFrame) -> pd.DataFrame:
    """Each setting with the values it takes in the sweep."""
    rows = []
    for column in map(str, runs.columns):
        if column.startswith(_SETTINGS) and column != "config.method.method":
            values = [value for value in runs[column].map(_shown).unique() if value != "nan"]
            if values:
                name = column.removeprefix("config.").replace(".", ": ", 1).replace("_", " ")
                rows.append((name, ", ".join(sorted(values)[:_MOST_LISTED])))
    weights = sorted(set(runs[WEIGHT]))
    rows.append(("fairness weights (λ)", ", ".join(f"{w:g}" for w in weights[:_MOST_LISTED])))
    rows.append(("seeds", ", ".join(map(str, sorted(set(runs["seed"]))))))
    return pd.DataFrame(rows, columns=["setting", "values"])


def _run_table(subject: Subject) -> pd.DataFrame:
    runs = subject.runs
    shown = {
        "run": run_titles(runs, with_seeds=True),
        "state": runs["state"],
    }
    for metric in (subject.prediction, *subject.fairness_scores):
        column = f"test.{metric.name}"
        if column in runs:
            shown[metric.symbol] = runs[column]
    return pd.DataFrame({**shown, "id": runs["id"].str[:12]})


def _shown(value: object) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value)
