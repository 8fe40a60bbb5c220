"""The paper's only printed scores: HGR and MI of one model per method on Adult and Crime."""

from typing import Any

import pandas as pd

from frem_core.paper import paper_scores
from frem_core.reproduction.front_panels import score_words
from frem_core.reproduction.report import Claim, Finding, Report, Section, Verdict
from frem_core.reproduction.results import Results
from frem_core.reproduction.series import series_title
from frem_core.reproduction.target import Target, effort, register

_DATASETS = {
    "adult": (("pareto_adult", "pareto_adult_binary"), "accuracy"),
    "crime": (("pareto_crime",), "mae"),
}
_FAIRNESS = ("hgr", "mutual_information")
Printed = dict[str, dict[str, float]]
ONE_SEED = "Fewer than two seeds are trained; the table below shows what there is."


@register
class TableOther(Target):
    """Matched prediction."""

    name = "table-other"
    title = "HGR and MI at matched prediction"
    where = "tab:other"
    specs = ("pareto_crime", "pareto_adult", "pareto_adult_binary")

    def report(self, results: Results, *, quick: bool = False) -> Report:
        """Puts the paper's numbers beside ours."""
        findings, sections = [], []
        for dataset, (specs, prediction) in _DATASETS.items():
            runs = pd.concat([results.runs(spec) for spec in specs], ignore_index=True)
            paper = _paper(dataset)
            # At the prediction score that the paper prints for each method.
            printed = {series: scores[prediction] for series, scores in paper.items()}
            own = matched_settings(runs, prediction, printed)
            # At the prediction score that the paper prints for FREM, for all methods.
            level = dict.fromkeys(paper, paper["frem"][prediction])
            same = matched_settings(runs, prediction, level)
            findings += [_best(dataset, prediction, same, score) for score in _FAIRNESS]
            findings.append(_unfair(dataset, prediction, own, paper))
            sections.append(
                Section(
                    f"{dataset.title()}: ours / paper",
                    "For each method the fairness weight whose mean prediction is nearest to the "
                    "one the paper prints for it; ± is the standard error over seeds.",
                    tables=(_table(own, paper, prediction),) if len(own) else (),
                )
            )
            sections.append(
                Section(
                    f"{dataset.title()}: all methods near FREM's prediction",
                    f"For each method the fairness weight whose mean {score_words(prediction)} is "
                    f"nearest to {paper['frem'][prediction]:.3f}, which the paper prints for "
                    "FREM.",
                    tables=(_table(same, None, prediction),) if len(same) else (),
                )
            )
        return Report(
            target=self.name,
            title=self.title,
            where=self.where,
            protocol=(
                "The runs of `pareto-adult` and `pareto-crime`; nothing else is trained.",
                *effort(results, self.specs),
            ),
            findings=tuple(findings),
            sections=tuple(sections),
        )


def _paper(dataset: str) -> Printed:
    """The printed scores by series and score."""
    table: Printed = {}
    for row in paper_scores().to_dict("records"):
        if row["dataset"] == dataset:
            series = f"{row['method']}:{row['cut']}" if row["cut"] else row["method"]
            table.setdefault(series, {})[row["score"]] = float(row["value"])
    return table


def _best(dataset: str, prediction: str, same: pd.DataFrame, score: str) -> Finding:
    claim = Claim(
        f"{dataset.title()}: at comparable prediction FREM has the lowest {score_words(score)}.",
        "tab:other",
    )
    others = same[~same["series"].isin(["frem", "unfair"])] if len(same) else same
    ours = same[same["series"] == "frem"] if len(same) else same
    if len(ours) == 0 or len(others) == 0:
        return Finding(claim, Verdict.OPEN, "No runs yet.")
    if min(int(ours["seeds"].iloc[0]), int(others["seeds"].min())) < 2:
        return Finding(claim, Verdict.OPEN, ONE_SEED)
    mine, error = float(ours[score].iloc[0]), float(ours[f"{score}.se"].iloc[0])
    # Two standard errors of the difference: less is neither a victory nor a defeat.
    noise = (
        2 * (others[f"{score}.se"].fillna(0) ** 2 + (0 if error != error else error) ** 2) ** 0.5
    )
    beaten, beating = mine + noise < others[score], others[score] + noise < mine
    lower = others[others[score] < mine].sort_values(score)
    near = lower if len(lower) else others.nsmallest(1, score)
    words = ", ".join(
        f"{series_title(str(r['series']))} {r[score]:.3f}" for _, r in near.iterrows()
    )
    verdict = (
        Verdict.REPRODUCED if beaten.all() else Verdict.NOT if beating.any() else Verdict.PARTLY
    )
    return Finding(
        claim,
        verdict,
        f"FREM {mine:.3f} at {score_words(prediction)} {float(ours[prediction].iloc[0]):.3f}; "
        + (f"lower: {words}." if len(lower) else f"next: {words}.")
        + f" Within two standard errors of FREM: {int((~beaten & ~beating).sum())} of "
        f"{len(others)} methods.",
    )


def _unfair(dataset: str, prediction: str, own: pd.DataFrame, paper: Printed) -> Finding:
    scores = (prediction, *_FAIRNESS)
    claim = Claim(
        f"{dataset.title()}: the unfair model has "
        + ", ".join(f"{score_words(one)} {paper['unfair'][one]:.3f}" for one in scores)
        + ".",
        "tab:other",
    )
    ours = own[own["series"] == "unfair"] if len(own) else own
    if len(ours) == 0:
        return Finding(claim, Verdict.OPEN, "No runs yet.")
    row = ours.iloc[0]
    if row["seeds"] < 2:
        return Finding(claim, Verdict.OPEN, ONE_SEED)
    close = [_is_close(float(row[one]), paper["unfair"][one]) for one in scores]
    words = ", ".join(
        f"{score_words(one)} {row[one]:.3f}" + _error(row[f"{one}.se"]) for one in scores
    )
    verdict = Verdict.REPRODUCED if all(close) else Verdict.PARTLY if any(close) else Verdict.NOT
    return Finding(claim, verdict, f"Ours: {words} (counted as equal within 10 %).")


def _is_close(ours: float, paper: float) -> bool:
    return abs(ours - paper) <= 0.1 * paper


def _table(rows: pd.DataFrame, paper: Printed | None, prediction: str) -> pd.DataFrame:
    table = []
    for row in rows.to_dict("records"):
        series = str(row["series"])
        cells = {"method": series_title(series), "λ": f"{row['weight']:g}", "seeds": row["seeds"]}
        for score in (prediction, *_FAIRNESS):
            ours = f"{row[score]:.3f}{_error(row[f'{score}.se'])}"
            printed = "" if paper is None else f" / {paper[series][score]:.3f}"
            cells[score_words(score)] = ours + printed
        table.append(cells)
    return pd.DataFrame(table)


def _error(value: float) -> str:
    return f" ± {value:.3f}" if value == value else ""


def matched_settings(runs: pd.DataFrame, prediction: str, levels: dict[str, float]) -> pd.DataFrame:
    """Returns for each series the fairness weight whose mean prediction is nearest to a level.

    Args:
        runs: tidy runs.
        prediction: score as charts show it.
        levels: the prediction score to match, by series; series without runs are left out.

    Returns:
        One row per series: ``series, weight, seeds``, and mean and standard error (``.se``) of
        every score over seeds.
    """
    scores = [name for name in _SCORES if name in runs.columns]
    rows: list[dict[str, Any]] = []
    for series, level in levels.items():
        own = runs[runs["series"] == series]
        if own.empty:
            continue
        groups = own.groupby("weight")[scores]
        means, errors = groups.mean(), groups.sem()
        place = int((means[prediction] - level).abs().to_numpy().argmin())
        weight = float(means.index[place])
        seeds = int(own.loc[own["weight"] == weight, "seed"].nunique())
        row: dict[str, Any] = {"series": series, "weight": weight, "seeds": seeds}
        for name in scores:
            row[name] = means[name].iloc[place]
            row[f"{name}.se"] = errors[name].iloc[place]
        rows.append(row)
    return pd.DataFrame(rows)


_SCORES = ("accuracy", "average_precision", "mae", "mse", "gdp", "hgr", "mutual_information")
