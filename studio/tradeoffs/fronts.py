"""The chart: every setting of every method, their fronts, and one number for each front."""

import pandas as pd
import streamlit as st

from frem_core.figures import NO_BETTER, constant_of, method_looks, pareto_fronts_figure
from frem_core.figures.front_marks import BEST_CONSTANT
from frem_core.words import counted, decimals
from studio.chart import chart, kept
from studio.style import is_dark
from studio.tradeoffs.chance import Chance
from studio.tradeoffs.limits import Limits
from studio.tradeoffs.points import best_predicting, fairest, hypervolumes_of, reference_of
from studio.tradeoffs.question import Question
from studio.tradeoffs.uncertainty import Uncertainty
from studio.tradeoffs.view import View


def show_fronts(
    question: Question,
    view: View,
    points: pd.DataFrame,
    chance: Chance,
    *,
    paper: pd.DataFrame | None,
    limits: Limits,
    marked: list[str],
    unsure: Uncertainty,
) -> str | None:
    """Draws the chart with its table; returns the point that was clicked, if any."""
    figure = kept(
        pareto_fronts_figure,
        points,
        prediction="prediction",
        fairness="fairness",
        prediction_title=view.prediction.axis_title,
        fairness_title=view.fairness.axis_title,
        paper=paper,
        noise_floor=chance.level,
        marked=marked,
        constant=constant_of(points),
        bands=unsure.bands(points),
        dark=is_dark(),
        at_most=limits.at_most,
        at_least=limits.at_least if limits.at_least > points["prediction"].min() else None,
    )
    selected = chart(
        figure,
        _table(points, view),
        key=f"tradeoffs-chart-{question.key}-{view.key}",
        alt=_alt(view, points),
        file_name=f"trade-off-{view.prediction.name}-{view.fairness.name}",
        selectable=True,
    )
    st.caption(_caption(points, chance, unsure))
    known = set(points["point"])
    clicked = [str(point["customdata"][0]) for point in selected if point.get("customdata")]
    return next((name for name in clicked if name in known), None)


def _table(points: pd.DataFrame, view: View) -> pd.DataFrame:
    titles = {name: look.title for name, look in method_looks(points["method"]).items()}
    prediction, fairness = view.prediction.axis_symbol, view.fairness.axis_symbol
    table = pd.DataFrame(
        {
            "Method": points["method"].map(titles),
            "Setting": points["words"],
            prediction: points["prediction"],
            f"± {prediction}": points["prediction.se"],
            fairness: points["fairness"],
            f"± {fairness}": points["fairness.se"],
            "Runs": points["seeds"],
            "On the front": points["on_front"],
            NO_BETTER[0].upper() + NO_BETTER[1:]: points["no_better"],
            "First run": points["point"],
        }
    )
    if any(points["units"]):
        table.insert(3, "In its own units", points["units"])
    constant = constant_of(points)
    if constant is None:
        return table
    row = {"Method": BEST_CONSTANT, prediction: constant, fairness: 0.0}
    return pd.concat([table, pd.DataFrame([row])], ignore_index=True)


def _caption(points: pd.DataFrame, chance: Chance, unsure: Uncertainty) -> str:
    words = [
        "Each point is one setting, averaged over its runs; bars are standard errors over seeds. "
        "Lines join the settings that no other of the same method beats in both scores; the "
        "others are faint. Click a point to look into its runs."
    ]
    if points["seeds"].max() == 1:
        words[0] = words[0].replace("bars are standard errors over seeds", "there is one run each")
    if unsure.over:
        words.append(f"Shaded: where 95 % of fronts lie when {unsure.over} are drawn anew.")
    elif unsure.is_pending:
        words.append("Measuring how sure the fronts are …")
    return " ".join([*words, chance.words]).strip()


def _alt(view: View, points: pd.DataFrame) -> str:
    best, fair = best_predicting(points), fairest(points)
    titles = method_looks([best["method"], fair["method"]])
    return (
        f"Points of {counted(points['method'].nunique(), 'method')}, "
        f"{view.fairness.symbol} along x and {view.prediction.axis_symbol} along y. "
        f"Best prediction: {titles[best['method']].title} with {best['prediction']:.3f} at "
        f"{best['fairness']:.3f}. "
        f"Fairest: {titles[fair['method']].title} with {fair['fairness']:.3f} at "
        f"{fair['prediction']:.3f}."
    )


def show_hypervolumes(question: Question, view: View, points: pd.DataFrame) -> None:
    """Draws the table of hypervolumes with their intervals and the common corner."""
    table, corner = hypervolumes_of(question, view, points)
    st.header("Whole fronts in one number", anchor=False)
    st.markdown(_hypervolume_words(points, corner))
    looks = method_looks(table["method"])
    shown = pd.DataFrame(
        {
            "Method": [looks[name].title for name in table["method"]],
            "Share of the possible area": table["share"],
            "95 % from": table["low"],
            "to": table["high"],
            "Seeds": table["seeds"],
        }
    )
    if constant_of(points) is not None:
        row = {"Method": BEST_CONSTANT, "Share of the possible area": 0.0}
        shown = pd.concat([shown, pd.DataFrame([row])], ignore_index=True)
    number = st.column_config.NumberColumn(format="%.1f %%")
    st.dataframe(
        shown,
        hide_index=True,
        placeholder="–",
        column_config={
            "95 % from": number,
            "to": number,
            "Share of the possible area": st.column_config.ProgressColumn(
                format="%.1f %%", min_value=0.0, max_value=100.0
            ),
        },
        key="tradeoffs-hypervolumes",
        alt="Share of the possible area that each method's front dominates, with its bootstrap "
        "interval over seeds",
    )
    if (table["seeds"] == 1).any():
        st.caption("With one seed there is no interval: train more seeds to know how sure this is.")


def _hypervolume_words(points: pd.DataFrame, corner: tuple[float, float]) -> str:
    bottom = "of the best constant" if constant_of(points) is not None else "worst of any run"
    right = "of the model without fairness" if reference_of(points) else "worst of any run"
    return (
        "The **hypervolume** is the area of the chart that a method's front dominates: larger is "
        f"better. It is measured from the prediction {corner[0]:.3f} ({bottom}) and the unfairness "
        f"{corner[1]:.{decimals(corner[1])}f} ({right}). 100 % would be the best prediction of "
        "this chart without any unfairness. Overlapping intervals mean that the order may be "
        "chance."
    )
