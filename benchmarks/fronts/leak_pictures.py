"""The pictures of docs/penalty.md, drawn as those of docs/results are."""

from pathlib import Path

import pandas as pd

from benchmarks.fronts.leak_runs import BOTH_JUDGED, DECAY, FORMS, PAPER, WITH_NOISE_OR_WITHOUT
from frem_core.figures.looks import SERIES, SeriesLook
from frem_core.reproduction.drawing import Panel, draw

PICTURES = Path(__file__).parents[2] / "docs" / "pictures"
QUANTITIES = {
    "seen_left": "EIPM it sees",
    "hgr_left": "ΔHGR",
    "linear_left": "R² of a linear probe",
    "scale_left": "scale of Z",
}
_LEFT = ("EIPM it sees, share left", "ΔHGR, share left")
_FOLLOWS = ("share of the variance of Z", "share of that of the prediction")


def draw_pictures(
    crime: pd.DataFrame, schools: pd.DataFrame, batches: pd.DataFrame, permuted: pd.DataFrame
) -> None:
    """Writes one picture for each leak.

    Args:
        crime: trainings along λ, with what is left of the unfair model.
        schools: the same on another table.
        batches: penalties of batches with S as it is and in random order, on Crime.
        permuted: trainings with S in random order, on Crime.
    """
    PICTURES.mkdir(exist_ok=True)
    crime = crime[crime["decay"] == DECAY]
    start = float(crime["scale"].iloc[0])
    shrinking = [
        _left("Crime, the paper's penalty", crime, PAPER),
        _left("Schools, the paper's penalty", schools, PAPER),
        _left("Schools, standardised, both judged", schools, BOTH_JUDGED),
    ]
    hiding = [
        _plane("Crime", crime, ("seen_left", "hgr_left"), _LEFT),
        _plane("Schools", schools, ("seen_left", "hgr_left"), _LEFT),
        _plane("Crime: variance that follows S", crime, ("z_by_s", "y_by_s"), _FOLLOWS),
    ]
    noise = [_chance(batches, 200), _chance(batches, 1024), _scale(permuted, start)]
    forms = _looks({form: form.removeprefix("standardised, ") for form in FORMS})
    pictures = {
        "leak-shrinking": draw(shrinking, _looks(QUANTITIES)),
        "leak-hiding": draw(hiding, forms),
        "leak-noise": draw(noise, _looks({form: form for form in WITH_NOISE_OR_WITHOUT})),
    }
    for name, picture in pictures.items():
        (PICTURES / f"{name}.svg").write_text(picture, encoding="utf-8")


def _looks(titles: dict[str, str]) -> dict[str, SeriesLook]:
    return {
        name: SeriesLook(title=title, colour=colour, symbol=symbol)
        for (name, title), (colour, symbol, _) in zip(titles.items(), SERIES, strict=False)
    }


def _points(series: str, x: pd.Series, y: pd.Series) -> pd.DataFrame:
    points = pd.DataFrame({"series": series, "x": x.to_numpy(), "y": y.to_numpy()})
    return points.assign(x_error=0.0, y_error=0.0, on_front=True)


def _left(title: str, runs: pd.DataFrame, form: str) -> Panel:
    rows = runs[(runs["form"] == form) & (runs["weight"] > 0)]
    points = pd.concat([_points(name, rows["weight"], rows[name]) for name in QUANTITIES])
    return Panel(title, "fairness weight λ", "share of the unfair model's", points, log_x=True)


def _plane(
    title: str, runs: pd.DataFrame, columns: tuple[str, str], axes: tuple[str, str]
) -> Panel:
    x, y = columns
    parts = [_points(form, rows[x], rows[y]) for form, rows in runs.groupby("form")]
    return Panel(title, *axes, pd.concat(parts))


def _chance(batches: pd.DataFrame, rows: int) -> Panel:
    means = batches[batches["batch"] == rows].groupby(["form", "gamma"]).mean().reset_index()
    points = pd.concat(
        [
            _points(form, found["gamma"], found["independent"] / found["real"])
            for form, found in means.groupby("form")
        ]
    )
    title = f"Batches of {rows:,} rows"
    return Panel(title, "bandwidth γ", "share of the penalty that is chance", points)


def _scale(permuted: pd.DataFrame, start: float) -> Panel:
    points = pd.concat(
        [
            _points(form, found["weight"], found["scale"] / start)
            for form, found in permuted.groupby("form")
        ]
    )
    title = "Trained with S in random order"
    return Panel(title, "fairness weight λ", "scale of Z, share left", points, log_x=True)
