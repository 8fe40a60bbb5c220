"""The fronts of the variants on test and training rows, how much they differ, what follows."""

from typing import Final

import pandas as pd
import streamlit as st

from frem_core.ablations import (
    compare_variants,
    conclude_fronts,
    conclude_train_vs_test,
    usual_scores,
    variant_fronts,
    variant_looks,
)
from frem_core.ablations.comparison import Split
from frem_core.evaluation import available_scores, get_score
from frem_core.figures import pareto_fronts_figure, shown_text, spreadsheet_csv
from frem_core.figures.front_points import constant_score
from studio.ablations.experiment import Experiment
from studio.address import names_in_address, to_address
from studio.chart import chart
from studio.style import is_dark

_UNFINISHED = "What follows from it is said when all models are trained."
_TITLES: Final[dict[Split, str]] = {
    "train": "On the rows it was trained on",
    "test": "On rows it has never seen",
}
_AREA_HELP = (
    "The area of the chart that a front dominates, measured from the worst scores of any run, in "
    "per cent of what the best prediction without any unfairness would dominate: one number for a "
    "whole trade-off, larger is better. Intervals are 95 % bootstrap intervals "
    "over seeds; differences are judged seed by seed."
)
_PREDICTION, _FAIRNESS = "prediction", "fairness-score"


def show_fronts(experiment: Experiment, runs: pd.DataFrame, *, is_complete: bool) -> None:
    """Draws conclusion, fronts and areas.

    Args:
        experiment: what is looked at.
        runs: the runs of its sweep.
        is_complete: whether no more runs are to come.
    """
    conclusion = st.container()
    prediction, fairness = _choose_scores(experiment)
    comparison = compare_variants(
        experiment.ablation, runs, prediction=prediction, fairness=fairness
    )
    words = conclude_fronts(comparison) if is_complete else _UNFINISHED
    conclusion.success(words, icon=":material/lightbulb:") if is_complete else conclusion.caption(
        words
    )
    _draw_fronts(experiment, runs, prediction, fairness, "test", words)
    _show_areas(comparison, key="ablation-areas", file_name=f"{experiment.ablation.name}-areas")


def _draw_fronts(
    experiment: Experiment,
    runs: pd.DataFrame,
    prediction: str,
    fairness: str,
    split: Split,
    words: str,
) -> None:
    """Draws the fronts of all variants on one split.

    Args:
        experiment: what is looked at.
        runs: the runs of its sweep.
        prediction: name of the prediction score.
        fairness: name of the fairness score.
        split: ``"train"`` or ``"test"``.
        words: the main point, for readers who cannot see the chart.
    """
    ablation = experiment.ablation
    table = variant_fronts(ablation, runs, prediction=prediction, fairness=fairness, split=split)
    titles = {variant.name: variant.title for variant in ablation.all_variants}
    chart(
        pareto_fronts_figure(
            table,
            prediction=prediction,
            fairness=fairness,
            prediction_title=get_score(prediction).axis_title,
            fairness_title=get_score(fairness).axis_title,
            series="variant",
            looks=variant_looks(ablation),
            constant=constant_score(runs, prediction, split),
            dark=is_dark(),
            height=460,
        ),
        table.assign(variant=table["variant"].map(titles)).drop(columns="words"),
        key=f"ablation-fronts-{split}",
        alt=f"Trade-off of {shown_text(', '.join(titles.values()), longest=None)} on {split} rows. "
        f"{words}",
        file_name=f"{ablation.name}-{split}",
    )


def show_train_vs_test(experiment: Experiment, runs: pd.DataFrame, *, is_complete: bool) -> None:
    """Draws both charts side by side and says whether what holds on one holds on the other.

    Args:
        experiment: what is looked at.
        runs: the runs of its sweep.
        is_complete: whether no more runs are to come.
    """
    conclusion = st.container()
    prediction, fairness = _choose_scores(experiment)
    parts = {
        split: compare_variants(
            experiment.ablation, runs, prediction=prediction, fairness=fairness, split=split
        )
        for split in _TITLES
    }
    if is_complete:
        words = conclude_train_vs_test(parts["train"], parts["test"])
        conclusion.success(words, icon=":material/lightbulb:")
    else:
        conclusion.caption(_UNFINISHED)
    with st.grid(2, min_column_width=420, key="train-and-test") as grid:
        for split, title in _TITLES.items():
            with grid.cell():
                st.subheader(title, anchor=False)
                words = conclude_fronts(parts[split]) if is_complete else _UNFINISHED
                _draw_fronts(experiment, runs, prediction, fairness, split, words)
                _show_areas(
                    parts[split],
                    key=f"ablation-areas-{split}",
                    file_name=f"{experiment.ablation.name}-{split}-areas",
                )


def _show_areas(comparison: pd.DataFrame, *, key: str, file_name: str) -> None:
    """Draws the table with its download.

    Args:
        comparison: as :func:`frem_core.ablations.compare_variants` returns.
        key: unique on the page.
        file_name: of the download, without ending.
    """
    first = comparison["title"].iloc[0]
    st.markdown("**How much each front covers**", help=_AREA_HELP)
    others = comparison["variant"] != comparison["variant"].iloc[0]
    compared = f"Compared with {first}"
    table = pd.DataFrame(
        {
            "Variant": comparison["title"],
            "Area": 100 * comparison["area"],
            compared: 100 * comparison["share"].where(others),
            "from": 100 * comparison["share_low"].where(others),
            "to": 100 * comparison["share_high"].where(others),
            "Seeds": comparison["seeds"],
            "Fairness weights": comparison["settings"],
        }
    )
    numbers = {"Area": st.column_config.NumberColumn(format="%.1f %%")} | {
        name: st.column_config.NumberColumn(format="%+.1f %%") for name in (compared, "from", "to")
    }
    st.dataframe(
        table,
        hide_index=True,
        column_config=numbers,
        placeholder="–",
        key=key,
        alt="Area that the front of each variant covers, and how it compares with the first.",
    )
    st.download_button(
        "Download this table",
        data=lambda: spreadsheet_csv(table),
        file_name=f"{file_name}.csv",
        mime="text/csv",
        key=f"{key}-csv",
        on_click="ignore",
        icon=":material/download:",
    )


def _choose_scores(experiment: Experiment) -> tuple[str, str]:
    """Draws the choice of the two scores; both are kept in the address."""
    task = experiment.dataset.task
    usual_prediction, usual_fairness = usual_scores(task)
    left, right = st.columns(2)
    with left:
        prediction = _choose(
            _PREDICTION,
            "Prediction score",
            available_scores(task, "prediction"),
            usual_prediction,
        )
    with right:
        fairness = _choose(
            _FAIRNESS,
            "Fairness score",
            [
                name
                for name in available_scores(task, "fairness")
                if not get_score(name).given_label
            ],
            usual_fairness,
        )
    return prediction, fairness


def _choose(address: str, label: str, names: list[str], usual: str) -> str:
    [start] = names_in_address(address, allowed=names, default=[usual])[:1]
    key = f"ablation-{address}-{start}"
    chosen = st.selectbox(
        label,
        names,
        index=names.index(start),
        format_func=lambda name: get_score(name).full_name,
        key=key,
        on_change=to_address,
        args=(address, key),
        help="\n\n".join(f"**{get_score(name).symbol}**: {get_score(name).help}" for name in names),
    )
    return str(chosen)
