"""What a chart is about: runs on one dataset under one notion of fairness, and how far they are."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import cast

import pandas as pd
import streamlit as st

from frem_core.datasets import available_datasets, dataset_card, load_dataset
from frem_core.figures import method_looks, plain_text
from frem_core.figures.run_titles import WEIGHT
from frem_core.types import Task
from frem_core.words import NOTIONS, counted, per_cent
from studio.crowd.shared import Shared
from studio.engine import keep_engine, time_left_of
from studio.link import page_link
from studio.store import runs_table, runs_to_choose, store_of
from studio.words import Point, duration_words, target_title, the_sensitive


@dataclass(frozen=True, eq=False)
class Question:
    """Runs that may stand in one chart.

    Attributes:
        key: short name in the address.
        dataset: the dataset as users call it.
        builtin: its name when it is a built-in one, else "".
        sensitive: what predictions should not follow, in words.
        target: what is predicted, in words.
        task: what is predicted.
        notion: ``"dp"`` or ``"eo"``.
        sweeps: the sweeps the runs are from.
        runs: one row per run, each once.
    """

    key: str
    dataset: str
    builtin: str
    sensitive: str
    target: str
    task: Task
    notion: str
    sweeps: tuple[str, ...]
    runs: pd.DataFrame

    @cached_property
    def version(self) -> tuple[object, ...]:
        """Changes whenever a run is finished: stands for ``runs`` where results are kept."""
        done = self.runs[self.runs["state"] == "done"]
        return (self.key, self.sweeps, len(done), float(done["finished_at"].max()))

    def sweep_of(self, run: str) -> str:
        """The sweep to read a run's files from."""
        return self._homes.get(run, self.sweeps[0])

    @cached_property
    def _homes(self) -> dict[str, str]:
        return dict(zip(self.runs["id"], self.runs["sweep"], strict=True))


def questions_of(sweeps: Sequence[str]) -> list[Question]:
    """Sorts the runs of sweeps by dataset and notion; what cannot be compared stays apart."""
    for sweep in sweeps:
        store_of(sweep)  # what is kept for all viewers is not for all to see
    return list(_questions(tuple(sweeps)))


@Shared
def _questions(sweeps: tuple[str, ...]) -> list[Question]:
    tables = [runs_table(sweep).assign(sweep=sweep) for sweep in sweeps]
    filled = [table for table in tables if len(table)]
    if not filled:
        return []
    runs = pd.concat(filled, ignore_index=True)
    groups = runs.groupby(["dataset", "config.method.fairness"], sort=False)
    return [_question(str(dataset), str(notion), some) for (dataset, notion), some in groups]


def _question(dataset: str, notion: str, runs: pd.DataFrame) -> Question:
    sweeps = tuple(dict.fromkeys(runs["sweep"]))
    name, builtin, sensitive, target = _about(sweeps[0], dataset)
    return Question(
        key=f"{dataset[:8]}-{notion}",
        dataset=name,
        builtin=builtin,
        sensitive=sensitive,
        target=target,
        task=cast(Task, runs["config.task"].iloc[0]),
        notion=notion,
        sweeps=sweeps,
        runs=runs.drop_duplicates("id").reset_index(drop=True),
    )


# A dataset is never described anew, so its words can be kept.
@st.cache_data(max_entries=256, show_spinner=False)
def _about(sweep: str, dataset: str) -> tuple[str, str, str, str]:
    record = store_of(sweep).datasets.get(dataset)
    builtin = str(record.source.get("name") or "")
    if builtin in available_datasets():
        known = load_dataset(builtin)
        return (
            dataset_card(builtin).title,
            builtin,
            the_sensitive(known),
            target_title(known),
        )
    target = str(record.source.get("target") or "the target")
    return record.name, "", record.sensitive_words, target


def show_state(question: Question) -> None:
    """Draws one line on what is shown, progress while runs are under way, and failures."""
    runs = question.runs
    counts = runs["state"].value_counts()
    done, total = int(counts.get("done", 0)), len(runs)
    st.markdown(
        f"**{plain_text(question.dataset)}**: predictions should not follow "
        f"**{plain_text(question.sensitive)}** ({NOTIONS.get(question.notion, question.notion)}). "
        f"{done:,} of {total:,} runs are done."
    )
    missing = sum(runs_to_choose().get(sweep, 0) for sweep in question.sweeps)
    if missing:
        st.caption(f"A search is under way: {counted(missing, 'run')} are still to be chosen.")
    waiting = int(counts.get("queued", 0) + counts.get("running", 0)) + missing
    if waiting:
        keep_engine()
        rest = time_left_of((question.key, question.sweeps), runs, missing=missing)
        left = "" if rest.seconds is None else f", about {duration_words(rest.seconds)} left"
        under_way = int(counts.get("running", 0))
        words = (
            f"{counted(under_way, 'run')} under way"
            if under_way
            else "the next runs wait for their turn"
        )
        st.progress(
            rest.share,
            text=f"{per_cent(rest.share)} done, {words}{left}. Points appear as runs finish.",
        )
    _show_lost(runs[runs["state"].isin(["failed", "cancelled"])])


def _show_lost(lost: pd.DataFrame) -> None:
    if lost.empty:
        return
    failed = int((lost["state"] == "failed").sum())
    cancelled = len(lost) - failed
    parts = [f"{failed} failed"] * (failed > 0) + [f"{cancelled} cancelled"] * (cancelled > 0)
    title = f"{counted(len(lost), 'run')} without a result: {', '.join(parts)}"
    with st.expander(title, icon=":material/error:", key="tradeoffs-lost"):
        st.markdown(
            "These are not in the charts, so an average may rest on fewer seeds than planned. "
            "Resume the sweep on the Train page, or with `frem resume`, to try them again."
        )
        titles = {name: look.title for name, look in method_looks(lost["method"]).items()}
        st.dataframe(
            pd.DataFrame(
                {
                    "Method": lost["method"].map(titles),
                    "Fairness weight (λ)": lost[WEIGHT],
                    "Seed": lost["seed"],
                    "State": lost["state"],
                    "Reason": [text or "cancelled by a user" for text in lost["error"]],
                    "Run": lost["id"].str[:12],
                }
            ),
            hide_index=True,
            alt="Runs without a result and the reason",
        )


def compare_link(label: str, runs: Sequence[str], question: Question) -> None:
    """Draws a link that opens runs on the Compare page."""
    page_link(
        "pages/4_Compare.py",
        label,
        icon=":material/compare:",
        sweep=list(dict.fromkeys(question.sweep_of(run) for run in runs)),
        run=list(runs),
    )


def tested_alike(question: Question, points: Sequence[Point]) -> list[str]:
    """One run of each point, all of the seed that most of them have: seeds split the rows."""
    seeds = question.runs.set_index("id")["seed"]
    own = [{int(seeds[run]): str(run) for run in point["runs"]} for point in points]
    counts = Counter(seed for runs in own for seed in runs)
    common = max(counts, key=lambda seed: (counts[seed], -seed))
    return [runs.get(common, next(iter(runs.values()))) for runs in own]
