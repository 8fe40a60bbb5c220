"""What the runs predict where several sensitive attributes meet."""

from collections.abc import Sequence
from itertools import combinations
from typing import Final

import numpy as np
import pandas as pd
import streamlit as st

from frem_core.attributes import Attributes
from frem_core.audit import conditional_mean
from frem_core.crossing import FEW_ROWS
from frem_core.eipm import eipm_places
from frem_core.evaluation.several import mean_by_place
from frem_core.figures import plain_text, shown_text
from frem_core.figures.several import category_curves, place_map
from frem_core.types import Floats
from frem_core.words import in_units, listed
from studio.chart import chart
from studio.compare.compared import ComparedRun, People
from studio.compare.scales import Scales
from studio.guard import guard

_SMOOTHING: Final = 0.07
_FEWEST_PEOPLE: Final = 10.0
_FEWEST_NAMED: Final = 10
_PLACES_SHOWN: Final = 8


@st.fragment
@guard()
def show_attributes(runs: Sequence[ComparedRun], scales: Scales, people: People) -> None:
    """Draws curves for each category, maps of two numbers and the worst places of one run."""
    if scales.attributes is None:
        return
    names = [plain_text(name) for name in scales.attributes.names]
    st.header(f"Where {listed(names)} meet", anchor=False)
    titles = [one.look.title for one in runs]
    title = st.segmented_control(
        "Run", titles, default=titles[-1], required=True, key="compare-attributes-run"
    )
    run = runs[titles.index(title or titles[-1])]
    rows = people.of(run)
    attributes = scales.attributes.of(run.outputs.rows).of(rows)
    p = scales.p(run.outputs.p[rows])
    _show_curves(run, attributes, p, scales)
    for first, second in combinations(attributes.numbers, 2):
        _show_map(run, attributes, p, scales, first, second)
    _show_places(run, attributes, np.asarray(run.outputs.z[rows], np.float64))


def _show_curves(run: ComparedRun, attributes: Attributes, p: Floats, scales: Scales) -> None:
    """Along the first number, a line for each category of each other attribute."""
    number = attributes.numbers[0]
    s = attributes.values[:, number]
    for place, levels in enumerate(attributes.levels):
        if levels is None:
            continue
        curves = []
        for code, level in enumerate(levels):
            some = attributes.values[:, place] == code
            if some.sum() >= FEW_ROWS:
                curves.append((level, _mean_along(p[some], s[some])))
        if not curves:
            continue
        name = attributes.names[place]
        spans = ", ".join(f"{level}: {in_units(np.ptp(curve['mean']))}" for level, curve in curves)
        chart(
            category_curves(
                curves,
                sensitive_name=scales.sensitive_title,
                prediction_title=scales.prediction_title,
            ),
            pd.concat([curve.assign(**{name: level}) for level, curve in curves]),
            key=f"compare-categories-{place}",
            alt=f"Mean prediction of {shown_text(run.look.title)} along "
            f"{shown_text(scales.sensitive)} for each {shown_text(name)}, with 95 % bands. "
            f"Largest minus smallest mean: {spans}.",
            file_name="prediction-by-category",
        )


def _mean_along(p: Floats, s: Floats) -> pd.DataFrame:
    low, width = float(s.min()), float(np.ptp(s)) or 1.0
    curve = conditional_mean(p, (s - low) / width, bandwidth=_SMOOTHING)
    return curve.assign(s=low + width * curve["s"])


def _show_map(
    run: ComparedRun, attributes: Attributes, p: Floats, scales: Scales, first: int, second: int
) -> None:
    pair = attributes.chosen((first, second))
    table = mean_by_place(p, pair, gamma=[_SMOOTHING * np.ptp(one) for one in pair.values.T])
    covered = table.loc[table["effective_n"] >= _FEWEST_PEOPLE, "mean"]
    span = (
        f"{in_units(covered.min())} to {in_units(covered.max())}"
        if len(covered)
        else "nowhere enough"
    )
    chart(
        place_map(
            table,
            first=pair.names[0],
            second=pair.names[1],
            value="mean",
            title=scales.prediction_title,
            fewest=_FEWEST_PEOPLE,
        ),
        table,
        key=f"compare-map-{first}-{second}",
        alt=f"Mean prediction of {shown_text(run.look.title)} over {shown_text(pair.names[0])} and "
        f"{shown_text(pair.names[1])}: {span}.",
        file_name="prediction-map",
    )
    st.caption(
        f"Mean prediction of the people near each place; empty where fewer than "
        f"{_FEWEST_PEOPLE:g} people effectively speak. A fair model shows one colour."
    )


def _show_places(run: ComparedRun, attributes: Attributes, z: Floats) -> None:
    table = attributes.shown(attributes.values)
    places = eipm_places(z, table, units="standardised", n_min=_FEWEST_NAMED)
    if places.empty:
        st.caption(f"No combination has {_FEWEST_NAMED} test rows: too few to name a worst one.")
        return
    worst = places.iloc[0]
    st.markdown(
        f"The representation of **{plain_text(run.look.title)}** differs most from everybody's for "
        f"**{plain_text(str(worst['place']))}** (distance {worst['ipm']:.3f}, "
        f"{worst['rows']:,} rows)."
    )
    with st.expander("Distance of each combination", icon=":material/table:"):
        st.dataframe(
            places.head(_PLACES_SHOWN).rename(
                columns={"place": "Who", "ipm": "Distance from everybody", "rows": "Rows"}
            ),
            hide_index=True,
            alt="Distance of the representation of each combination from everybody's",
        )
        st.caption(
            "Distances are without what chance gives; below 0 there is less than chance. "
            f"Combinations with fewer than {_FEWEST_NAMED} rows are left out."
        )
