"""Do the audit's intervals hold the truth, and does its test keep its promises?

Data sets are drawn whose curves and scores are known; the audit's settings were chosen on other
seeds. What a study found is kept beside the results, so that a run that was stopped goes on where
it was; delete that file after a change of the audit.
"""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import numpy as np
from scipy.stats import norm

from benchmarks import RESULTS
from benchmarks.audit_simulations import NOTHING_THERE, SETTINGS, Array, Drawn, Setting
from benchmarks.report import Check, Report, Table
from frem_core.audit.cells import Cells
from frem_core.audit.chances import Chances, p_value
from frem_core.audit.curve import Curve
from frem_core.audit.factors import AdjustedCurve, Strata
from frem_core.audit.information import information_interval
from frem_core.audit.joint import JointTable
from frem_core.audit.whole_distribution import WholeDistribution
from frem_core.metrics import mutual_information
from frem_core.metrics.sensitive_grid import gdp_bandwidth
from frem_core.words import per_cent

DATA_SETS: Final = 500
"""Behind coverage: of 300, one true share of 95 % in sixty would leave 92 to 98 %, by chance."""
TESTED: Final = 2_000
"""Behind false alarms: even of 1,000, shares of 5 % came out below 3 % once, by chance."""
ROWS: Final = 800
_SEED: Final = 83_000
_LARGE: Final = 400_000
_INSIDE: Final = (0.92, 0.98)
_KEPT: Final = RESULTS / "audit_coverage.json"
Shares = dict[str, float]


def fitted(one: Drawn, seed: int) -> tuple[Curve, Cells]:
    """The curve of a data set."""
    cells = Cells.along(one.s, one.weights)
    return Curve(one.values, cells, one.weights, random_state=seed, offset=one.offset), cells


def _true_scores(setting: Setting, fit: Curve, rows: int) -> dict[str, float]:
    """What the formulas give for endlessly many rows, by the bandwidth that so few have."""
    s = setting.density
    true = setting.shape(s)
    seen = setting.shape(fit.x[fit.speaking])
    few = s[:: max(len(s) // 2000, 1)]
    kernel = np.exp(
        -0.5 * ((np.linspace(0.001, 0.998, 200)[:, None] - few) / gdp_bandwidth(rows, None)) ** 2
    )
    pull = np.abs(kernel @ (setting.shape(few) - true.mean()))
    found = {
        "gap": float(np.abs(true - true.mean()).mean()),
        "range": float(np.ptp(seen)),
        "gdp": float(pull.sum() / kernel.sum()),
    }
    if seen.min() > 0:
        found["ratio"] = float(seen.min() / seen.max())
    return found


def _held(setting: Setting, one: Drawn, seed: int) -> dict[str, bool]:
    """Which bands and intervals of one data set hold the truth."""
    fit, cells = fitted(one, seed)
    truth = _true_scores(setting, fit, int(fit.rows))
    centre = float(setting.shape(setting.density).mean())
    wanted = setting.shape(fit.x)
    if one.factors is not None:
        alike = AdjustedCurve(one.values, cells, one.weights, Strata.of(one.factors), fit)
        band = alike.band()
        wanted = wanted - fit.share @ wanted + fit.overall  # the level is that of the rows
        held = {"band of the curve": _holds(band.low, wanted, band.high)}
        scores = alike.scores(one.values, 2, seed).set_index("score")
        ends = {name: (scores["low"][name], scores["high"][name]) for name in scores.index}
    else:
        band, apart = fit.band(), fit.band(of_difference=True)
        held = {
            "band of the curve": _holds(band.low, wanted, band.high),
            "band of the difference": _holds(apart.low, wanted - centre, apart.high),
        }
        ends = dict(fit.intervals())
    for score, (low, high) in ends.items():
        if score in truth:
            held[score] = low - 1e-9 <= truth[score] <= high + 1e-9
    return held


def _holds(low: Array, wanted: Array, high: Array) -> bool:
    return bool(((low <= wanted + 1e-12) & (wanted - 1e-12 <= high)).all())


def _counted(found: list[dict[str, bool]]) -> Shares:
    """Shares; a ratio is left out where some data sets have none, for values below 0."""
    names = [what for what in found[0] if all(what in one for one in found)]
    return {what: float(np.mean([one[what] for one in found])) for what in names}


def cover_curve(name: str, data_sets: int, rows: int = ROWS, first: int = _SEED) -> Shares:
    """Shares of data sets whose band or interval holds the truth."""
    setting = SETTINGS[name]
    drawn = (setting.draw(rows, np.random.default_rng([first, k])) for k in range(data_sets))
    return _counted([_held(setting, one, k) for k, one in enumerate(drawn)])


def normal_pair(rho: float, rows: int, random: np.random.Generator) -> tuple[Array, Array]:
    """Predictions and S, normal with correlation ρ."""
    s = random.standard_normal(rows)
    return rho * s + np.sqrt(1 - rho**2) * random.standard_normal(rows), s


def cover_dependence(rho: float, data_sets: int, rows: int = ROWS, first: int = _SEED) -> Shares:
    """The same for HGR, EIPM and MI of a normal pair.

    The truths of HGR and EIPM are what the estimator gives for 400,000 rows with the bandwidths
    that fewer rows have; that of MI has a closed form.
    """
    p, s = normal_pair(rho, _LARGE, np.random.default_rng(1))
    large = JointTable(p, s, np.ones(_LARGE), bandwidth=rows ** (-1 / 6))
    settings: dict[str, Any] = {"gamma": 0.05, "sigma": 1.0}
    truth = {
        "hgr": float(large.hgr(large.table[None])[0]) if rho else 0.0,
        "eipm": _true_eipm(p, norm.cdf(s), squared=False) if rho else 0.0,
        "eipm without noise": _true_eipm(p, norm.cdf(s), squared=True) if rho else 0.0,
        "mutual_information": float(-0.5 * np.log(1 - rho**2)),
    }
    hits: dict[str, list[bool]] = {name: [] for name in truth}
    common: dict[str, Any] = {"n_resamples": 200, "confidence": 0.95}
    for k in range(data_sets):
        p, s = normal_pair(rho, rows, np.random.default_rng([first, 1, k]))
        common["seed"] = k
        column, level = p[:, None], norm.cdf(s)
        value = mutual_information(None, p, sensitive_features=s)
        ends = {
            "hgr": JointTable(p, s, np.ones(rows)).interval(**common),
            "eipm": WholeDistribution(column, level, noise="kept", **settings).interval(**common),
            "eipm without noise": WholeDistribution(
                column, level, noise="removed", **settings
            ).interval(**common),
            "mutual_information": information_interval(p, s, value=value, **common),
        }
        for name, (low, high) in ends.items():
            hits[name].append(low - 1e-9 <= truth[name] <= high + 1e-9)
    return {what: float(np.mean(ones)) for what, ones in hits.items()}


def _true_eipm(p: Array, s: Array, *, squared: bool) -> float:
    cells = Cells.along(s, np.ones(len(s)))
    across = Cells.along(p, np.ones(len(p)), 400)
    counts = np.zeros((len(cells), len(across)))
    np.add.at(counts, (cells.codes, across.codes), 1.0)
    near = np.exp(-0.5 * ((cells.position[:, None] - cells.position) / 0.05) ** 2)
    smooth = near @ counts
    apart = smooth / smooth.sum(axis=1, keepdims=True) - counts.sum(axis=0) / len(p)
    kernel = np.exp(-0.5 * (across.position[:, None] - across.position) ** 2)
    squares = np.einsum("cp,pq,cq->c", apart, kernel, apart).clip(min=0.0)
    if squared:
        return float(np.sqrt(cells.mass @ squares / len(p)))
    return float(cells.mass @ np.sqrt(squares) / len(p))


def _tested(setting: Setting, one: Drawn, seed: int) -> dict[str, float]:
    """p-values of one data set."""
    chances = Chances(20, 199, 0.95, seed)
    cells = Cells.along(one.s, one.weights)
    fit = chances.curve(one.values, cells, one.weights)
    if one.factors is not None:
        alike = AdjustedCurve(one.values, cells, one.weights, Strata.of(one.factors), fit)
        alone = alike.by_chance(one.values, 199, seed)
        return {name: p_value(value, alone[name]) for name, value in alike.observed.items()}
    nulls = chances.by_chance(fit, one.values, cells, one.weights, even_spread=setting.shuffles)
    found = {name: p_value(fit.observed[name], nulls[name]) for name in ("gap", "range", "gdp")}
    if setting is NOTHING_THERE["numbers"]:
        whole = WholeDistribution(
            one.values[:, None], one.s, gamma=0.05, sigma="median", noise="kept"
        )
        shuffled = whole.shuffled(199, np.random.default_rng(seed))
        found["eipm"] = p_value(whole.observed, shuffled)
        table = JointTable(one.values, one.s, one.weights)
        found["hgr"] = chances.of_hgr(table, one.values, one.s, None)[4]
    return found


def false_alarms(name: str, data_sets: int, rows: int = ROWS, first: int = _SEED) -> Shares:
    """How often p ≤ 0.05 where the mean does not depend on S."""
    setting = NOTHING_THERE[name]
    drawn = (setting.draw(rows, np.random.default_rng([first, 2, k])) for k in range(data_sets))
    found = [_tested(setting, one, k) for k, one in enumerate(drawn)]
    return _counted([{what: p <= 0.05 for what, p in one.items()} for one in found])


def power_kept(weighted: bool, data_sets: int, rows: int = ROWS, first: int = _SEED) -> Shares:
    """How often the effect is found that is promised to be found in 80 %; the mean effect."""
    found, effects = [], []
    for k in range(data_sets):
        random = np.random.default_rng([first, 3, k])
        s = random.random(rows)
        noise = random.normal(0, 0.2, rows)
        weights = np.exp(random.normal(0, 0.5, rows)) if weighted else np.ones(rows)
        effect = fitted(Drawn(0.5 + noise, s, weights), k)[0].smallest_effect()
        effects.append(effect)
        p = 0.5 + effect * s + random.permutation(noise)
        setting = Setting(lambda x: x, lambda n, r: None, s, not weighted)  # type: ignore[arg-type, return-value]
        found.append(_tested(setting, Drawn(p, s, weights), k)["gap"] <= 0.05)
    return {"found": float(np.mean(found)), "effect": float(np.mean(effects))}


def studies() -> dict[str, Callable[[], Shares]]:
    """Every study by name."""
    all_of_them: dict[str, Callable[[], Shares]] = {}
    for name in NOTHING_THERE:
        all_of_them[f"nothing there: {name}"] = lambda name=name: false_alarms(name, TESTED)
    for name in SETTINGS:
        all_of_them[name] = lambda name=name: cover_curve(name, DATA_SETS)
    all_of_them["power"] = lambda: power_kept(False, DATA_SETS)
    all_of_them["power with weights"] = lambda: power_kept(True, DATA_SETS)
    for rho in (0.0, 0.3):
        all_of_them[f"normal pair, ρ = {rho:g}"] = lambda rho=rho: cover_dependence(rho, DATA_SETS)
    return all_of_them


def _kept(file: Path) -> dict[str, Shares]:
    return json.loads(file.read_text(encoding="utf-8")) if file.exists() else {}


def run() -> Report:
    """All studies; those that are kept already are not repeated."""
    kept = _kept(_KEPT)
    for name, study in studies().items():
        if name not in kept:
            kept[name] = study()
            _KEPT.write_text(json.dumps(kept, indent=1, ensure_ascii=False), encoding="utf-8")
            print(name, kept[name], flush=True)
    checks, held, tests = [], [], []
    for name in studies():
        for what, share in kept[name].items():
            shown = per_cent(share, 1)
            if name.startswith("power"):
                if what == "found":
                    words = f"{name}: the smallest effect is found in 75 to 85 %"
                    checks.append(Check(words, shown, 0.75 <= share <= 0.85))
                    words = f"{name}: smallest effect found (mean {kept[name]['effect']:.3g})"
                    tests.append((words, shown))
            elif name.startswith("nothing there"):
                words = f"{name}: false alarms of {what}"
                checks.append(Check(f"{words} in 3 to 7 %", shown, 0.03 <= share <= 0.07))
                tests.append((words, shown))
            else:
                inside = _INSIDE[0] <= round(share, 4) <= _INSIDE[1]
                checks.append(Check(f"{name}: {what} held in 92 to 98 %", shown, inside))
                held.append((name, what, shown))
    note = f"{DATA_SETS} data sets of {ROWS} rows each; 95 % intervals, 200 resamples."
    tested = (
        f"{TESTED:,} data sets of {ROWS} rows each behind false alarms, {DATA_SETS} behind the "
        "smallest effect; 199 shuffles."
    )
    tables = [
        Table("Truth held", ("data", "what", "data sets"), held, note),
        Table("The test at 5 %", ("what", "share"), tests, tested),
    ]
    return Report("Coverage of the audit", tables, checks)
