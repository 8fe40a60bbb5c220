"""Two cases of docs/audit.md: bins that see nothing where the curve does, and the other way round.

Draws the pictures of that page.
"""

from pathlib import Path
from typing import Final

import numpy as np
import pandas as pd

from benchmarks.report import Check, Report, Table
from frem_core.audit.cells import Cells
from frem_core.audit.chances import Chances
from frem_core.audit.cuts import Cuts
from frem_core.figures.looks import GREY, ORANGE, TEAL, SeriesLook
from frem_core.reproduction.drawing import Panel, draw

PICTURES: Final = Path(__file__).parents[1] / "docs" / "pictures"
ROWS: Final = 3000
SEEDS: Final = 30
_WAVES, _HEIGHT, _SPREAD = 10, 0.09, 0.3
_LOOKS: Final = {
    "mean": SeriesLook("curve", TEAL, "circle"),
    "low": SeriesLook("band, lower end", GREY, "triangle-up"),
    "high": SeriesLook("band, upper end", GREY, "triangle-down"),
    "bins": SeriesLook("means of quantile bins", ORANGE, "square"),
}


def look(case: str, seed: int) -> dict[str, object]:
    """What bins and curve say about one data set."""
    random = np.random.default_rng([5, seed])
    s = random.random(ROWS)
    height = _HEIGHT if case == "wave" else 0.0
    p = 0.5 + height * np.sin(2 * np.pi * _WAVES * s) + random.normal(0, _SPREAD, ROWS)
    weights = np.ones(ROWS)
    chances = Chances(200, 99, 0.95, 0)
    cells = Cells.along(s, weights)
    fit = chances.curve(p, cells, weights)
    difference = fit.band(of_difference=True)
    tested = chances.of_curve(fit, p, cells, weights)["gap"]
    binned = Cuts(p, s, weights, 0.95).binned(range(2, 11))
    quantile = binned[binned["kind"] == "quantile"]
    return {
        "seed": seed,
        "curve_p": tested[4],
        "curve_finds": bool(
            tested[4] <= 0.05 and ((difference.low > 0) | (difference.high < 0)).any()
        ),
        "bins_find": int((quantile["p_value"] <= 0.05).sum()),
        "smallest_bin_p": float(quantile["p_value"].min()),
        "loudest": int(quantile["bins"].to_numpy()[quantile["p_value"].to_numpy().argmin()]),
        "picture": (s, p, fit),
    }


def panel(case: str, found: dict[str, object]) -> Panel:
    """The curve with its band, and the means of some bins."""
    s, p, fit = found["picture"]  # type: ignore[misc]
    band = fit.band()
    count = int(found["loudest"])  # type: ignore[call-overload]
    edges = np.quantile(s, np.linspace(0, 1, count + 1))
    places = np.clip(np.searchsorted(edges, s, side="right") - 1, 0, count - 1)
    means = [float(p[places == k].mean()) for k in range(count)]
    middles = (edges[:-1] + edges[1:]) / 2
    lines = {"mean": band.mean, "low": band.low, "high": band.high}
    parts = [
        pd.DataFrame({"series": name, "x": fit.x[::2], "y": line[::2]})
        for name, line in lines.items()
    ]
    parts.append(pd.DataFrame({"series": "bins", "x": middles, "y": means}))
    points = pd.concat(parts, ignore_index=True).assign(x_error=0.0, y_error=0.0, on_front=True)
    title = {
        "wave": f"Wave: p {found['smallest_bin_p']:.2g} in {count} bins",
        "flat": f"Flat: p {found['smallest_bin_p']:.2g} in {count} bins",
    }[case]
    return Panel(
        f"{title}, curve {found['curve_p']:.2g}", "S", "mean prediction (flat is fair)", points
    )


def run() -> Report:
    """Counts over seeds; the first seed of each kind is drawn."""
    rows, checks, panels = [], [], []
    for case, words in (("wave", "curve finds, no bins do"), ("flat", "bins find, curve does not")):
        found = [look(case, seed) for seed in range(SEEDS)]
        if case == "wave":
            right = [one for one in found if one["curve_finds"] and one["bins_find"] == 0]
        else:
            right = [one for one in found if not one["curve_finds"] and one["bins_find"]]
        rows.append(
            (
                case,
                f"{sum(bool(one['curve_finds']) for one in found)} of {SEEDS}",
                f"{sum(bool(one['bins_find']) for one in found)} of {SEEDS}",
                f"{len(right)} of {SEEDS}",
            )
        )
        checks.append(Check(f"{case}: {words}, at least once", f"{len(right)} times", bool(right)))
        if right:
            panels.append(panel(case, right[0]))
    PICTURES.mkdir(exist_ok=True)
    (PICTURES / "audit-binning.svg").write_text(draw(panels, _LOOKS), encoding="utf-8")
    return Report(
        "Bins against the curve",
        [
            Table(
                f"{SEEDS} data sets of {ROWS:,} rows, quantile bins 2 to 10, level 5 %",
                ("data", "curve finds something", "some bins do", "the case shown"),
                rows,
                f"Wave: 0.5 + {_HEIGHT} sin(2π·{_WAVES}·S) with noise of {_SPREAD}; flat: without "
                "the wave.",
            )
        ],
        checks,
    )
