"""How loss and penalty move while models are trained."""

from collections.abc import Mapping, Sequence
from typing import Final

import pandas as pd
import plotly.graph_objects as go
from plotly.subplots import make_subplots

from frem_core.figures.layout import lay_out, legend_name
from frem_core.figures.looks import method_looks, readable
from frem_core.figures.plain_text import plain_text

_DASHES: Final = ("solid", "dash", "dot", "dashdot", "longdash", "longdashdot")
_FEW_EPOCHS: Final = 10
_PANELS: Final = {
    "task_loss": "loss (lower is better)",
    "penalty": "penalty (lower is fairer)",
}


def curve_table(histories: Mapping[str, pd.DataFrame], names: Mapping[str, str]) -> pd.DataFrame:
    """The curves as one table: run, epoch, task_loss, penalty and what else was recorded.

    Args:
        histories: by run, as `Store.runs.history` gives them.
        names: what to call each run.
    """
    parts = [
        history.reset_index().assign(run=names[run])
        for run, history in histories.items()
        if len(history)
    ]
    if not parts:
        return pd.DataFrame(columns=["run", "epoch", *_PANELS])
    table = pd.concat(parts, ignore_index=True)
    return table[["run", "epoch", *(name for name in table if name not in ("run", "epoch"))]]


def training_curves_figure(
    histories: Mapping[str, pd.DataFrame],
    *,
    names: Mapping[str, str],
    methods: Mapping[str, str],
    dark: bool = False,
    height: int = 520,
) -> go.Figure:
    """Draws one line per run in two panels, prediction loss above and fairness penalty below.

    A line has the colour of its method; runs of one method differ in their dashes.

    Args:
        histories: by run: one row per epoch, indexed by ``epoch``, with ``task_loss`` and
            ``penalty``; an empty table is a run without epochs yet.
        names: what to call each run.
        methods: registered name of each run's method.
        dark: whether the chart stands on dark ground.
        height: in pixels.

    Example:
        >>> history = pd.DataFrame({"task_loss": [0.7, 0.5], "penalty": [0.2, 0.1]},
        ...                        index=pd.RangeIndex(1, 3, name="epoch"))
        >>> figure = training_curves_figure(
        ...     {"a": history}, names={"a": "FREM, λ 0.1"}, methods={"a": "frem"})
        >>> [list(map(float, trace.y)) for trace in figure.data]
        [[0.7, 0.5], [0.2, 0.1]]
    """
    figure = make_subplots(rows=2, cols=1, shared_xaxes=True, vertical_spacing=0.07)
    looks = method_looks(methods.values())
    dashes = _dashes([methods[run] for run in histories])
    for (run, history), dash in zip(histories.items(), dashes, strict=True):
        if history.empty:
            continue
        title = plain_text(names[run])
        colour = readable(looks[methods[run]].colour, dark=dark)
        for row, column in enumerate(_PANELS, start=1):
            figure.add_scatter(
                x=history.index,
                y=history[column],
                mode="lines",
                name=legend_name(title),
                legendgroup=run,
                showlegend=row == 1,
                line={"color": colour, "dash": dash, "width": 2},
                hovertemplate="epoch %{x}: %{y:.4g}<extra>" + title + "</extra>",
                row=row,
                col=1,
            )
    lay_out(figure, x_title="", y_title=_PANELS["task_loss"], height=height, legend=True)
    figure.update_yaxes(title={"text": _PANELS["penalty"], "standoff": 12}, row=2, col=1)
    longest = max((len(history) for history in histories.values()), default=0)
    if longest <= _FEW_EPOCHS:
        figure.update_xaxes(dtick=1)  # there is no half epoch
    return figure.update_xaxes(title={"text": "epoch"}, automargin=True, row=2, col=1)


def _dashes(methods: Sequence[str]) -> list[str]:
    """A dash for each run: the first run of a method is solid, the next one dashed."""
    seen: dict[str, int] = {}
    dashes = []
    for method in methods:
        dashes.append(_DASHES[seen.get(method, 0) % len(_DASHES)])
        seen[method] = seen.get(method, 0) + 1
    return dashes
