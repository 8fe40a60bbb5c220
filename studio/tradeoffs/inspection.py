"""One setting in full: its runs, settings, scores, histories and files."""

from typing import Any

import pandas as pd
import streamlit as st

from frem_core.evaluation import available_scores, get_score
from frem_core.figures import method_looks, plain_text, shown_text
from frem_core.figures.training_curves import curve_table, training_curves_figure
from frem_core.store import Run
from studio.chart import chart
from studio.store import store_of
from studio.style import is_dark
from studio.takehome.model import offer_model
from studio.tradeoffs.question import Question, compare_link
from studio.tradeoffs.view import SPLITS
from studio.words import Point

_CLICKED = "tradeoffs-clicked"
_CURVES = ["task_loss", "penalty"]
_FILES = {
    "weights": "Weights of the network",
    "model": "How to rebuild the model",
    "encoder": "How columns become inputs",
    "predictions": "Predictions for the test rows",
    "representations": "Representations of the test rows",
}


def choose_point(points: pd.DataFrame, clicked: str | None) -> Point | None:
    """The point to look into: the one clicked last, chosen in the list or named in the address."""
    names = points["point"].tolist()
    # A chart keeps its selection through every rerun; only a new one is news.
    if clicked is not None and clicked != st.session_state.get(_CLICKED):
        st.query_params["run"] = clicked
    st.session_state[_CLICKED] = clicked
    chosen = _in_address(points)
    titles = {name: look.title for name, look in method_looks(points["method"]).items()}
    labels = {
        row["point"]: shown_text(f"{titles[row['method']]}: {row['words']}".rstrip(": "))
        for _, row in points.iterrows()
    }
    key = f"tradeoffs-point-{chosen}"
    st.selectbox(
        "Look into a setting",
        names,
        index=names.index(chosen) if chosen else None,
        format_func=labels.__getitem__,
        placeholder="Click a point in the chart, or choose one here",
        key=key,
        on_change=_remember,
        args=(key,),
    )
    return None if chosen is None else points.iloc[names.index(chosen)].to_dict()


def _in_address(points: pd.DataFrame) -> str | None:
    given = st.query_params.get("run", "")
    if len(given) < 6:
        return None
    return next(
        (
            str(name)
            for name, runs in zip(points["point"], points["runs"], strict=True)
            if any(run.startswith(given) for run in runs)
        ),
        None,
    )


def _remember(key: str) -> None:
    chosen = st.session_state[key]
    if chosen is None:
        st.query_params.pop("run", None)
    else:
        st.query_params["run"] = chosen


def _close() -> None:
    st.query_params.pop("run", None)


def show_point(question: Question, point: Point, answer: str) -> None:
    """Draws the tabs of one setting; above them, whether another is better in both scores."""
    store = store_of(question.sweep_of(point["runs"][0]))
    runs = [store.runs.get(name) for name in point["runs"]]
    with st.container(border=True, key="tradeoffs-inspection"):
        title = method_looks([point["method"]])[point["method"]].title
        words = f": {point['words']}" if point["words"] else ""
        st.subheader(plain_text(f"{title}{words}", longest=None), anchor=False)
        if answer:
            st.markdown(answer)
        scores, settings, history, files = st.tabs(["Scores", "Settings", "Training", "Files"])
        with scores:
            _show_scores(question, runs)
        with settings:
            _show_settings(runs)
        with history:
            _show_history(question, runs)
        with files:
            _show_files(question, runs)
        for run in runs:
            if run.note:
                st.markdown(f"Note on seed {run.seed}: {plain_text(run.note, longest=400)}")
        with st.container(horizontal=True, vertical_alignment="center"):
            compare_link("Look at predictions on Compare", [runs[0].id], question)
            st.button("Close", icon=":material/close:", key="tradeoffs-close", on_click=_close)
        first = runs[0]
        own = f"{title}{words}, seed {first.seed}"
        offer_model(question.sweep_of(first.id), first.id, title=own, key="tradeoffs-point")


def _show_scores(question: Question, runs: list[Run]) -> None:
    rows = []
    for metric in map(get_score, available_scores(question.task)):
        for split, words in SPLITS.items():
            values = [run.scores.get(split, {}).get(metric.name) for run in runs]
            if any(value is not None for value in values):
                by_seed = {f"Seed {run.seed}": v for run, v in zip(runs, values, strict=True)}
                mean = pd.Series(values, dtype=float).mean()
                rows.append({"Score": metric.full_name, "On": words, "Mean": mean} | by_seed)
    table = pd.DataFrame(rows)
    numbers = [name for name in table.columns if name not in ("Score", "On")]
    st.dataframe(
        table,
        hide_index=True,
        column_config={name: st.column_config.NumberColumn(format="%.4f") for name in numbers},
        alt="All scores of the runs of this setting",
    )


def _show_settings(runs: list[Run]) -> None:
    rows: dict[str, dict[str, str]] = {}
    for run in runs:
        for name, value in _leaves(run.config):
            rows.setdefault(name, {})[f"Seed {run.seed}"] = shown_text(value)
        if "gamma" in run.facts:
            rows.setdefault("gamma, as chosen", {})[f"Seed {run.seed}"] = str(run.facts["gamma"])
    seeds = pd.DataFrame(rows).T
    same = seeds.nunique(axis=1, dropna=False) == 1
    table = seeds.where(~same, other="").assign(value=seeds.iloc[:, 0].where(same, other="differs"))
    table = table.rename(columns={"value": "Value"}).rename_axis("Setting").reset_index()
    shown = ["Setting", "Value", *(seeds.columns if not same.all() else [])]
    st.dataframe(table[shown], hide_index=True, alt="Everything that determines these runs")


def _leaves(values: Any, prefix: str = "") -> list[tuple[str, Any]]:
    found = []
    for name, value in values.items():
        if isinstance(value, dict):
            found += _leaves(value, f"{prefix}{name}.")
        else:
            found.append((prefix + name, value))
    return found


def _show_history(question: Question, runs: list[Run]) -> None:
    histories = {
        run.id: store_of(question.sweep_of(run.id)).runs.history(run.id).reindex(columns=_CURVES)
        for run in runs
    }
    names = {run.id: f"seed {run.seed}" for run in runs}
    chart(
        training_curves_figure(
            histories,
            names=names,
            methods={run.id: run.method for run in runs},
            dark=is_dark(),
            height=420,
        ),
        curve_table(histories, names),
        key="tradeoffs-history",
        alt="Loss and penalty over epochs, one line per seed",
        file_name="training-curves",
    )


def _show_files(question: Question, runs: list[Run]) -> None:
    rows = []
    for run in runs:
        for kind, file in store_of(question.sweep_of(run.id)).artefacts.of_run(run.id).items():
            rows.append(
                {
                    "Seed": run.seed,
                    "File": _FILES.get(kind, kind),
                    "Kilobytes": file.size / 1000,
                    "SHA-256": file.hash[:16],
                    "Run": run.id[:12],
                }
            )
    st.dataframe(
        pd.DataFrame(rows),
        hide_index=True,
        column_config={"Kilobytes": st.column_config.NumberColumn(format="%.1f")},
        alt="Files that these runs left in the store",
    )
    versions = ", ".join(f"{name} {version}" for name, version in runs[0].versions.items())
    st.caption(plain_text(f"Trained with {versions}." if versions else "", longest=None))
