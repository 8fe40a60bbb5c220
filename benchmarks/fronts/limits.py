"""Whether limits are kept on rows never seen: five tables, three of them drawn anew.

What is trained is written to ``results/limits`` at once, and a later run goes on from there; the
unfair model of a table is the same for all methods and trained once.
"""

from dataclasses import asdict, dataclass
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

import numpy as np
import pandas as pd

from benchmarks import RESULTS
from benchmarks.fronts.limit_tables import SEED, TABLES
from benchmarks.report import Check, Report, Table
from frem_core.datasets import PreparedData, prepare, split_dataset
from frem_core.limits import Limit, LimitReport, WithinLimit, check_limit, train_within
from frem_core.methods import get_method
from frem_core.training import suggested_config

KEPT = RESULTS / "limits"
METHODS = ("frem", "reg_hgr", "mmd")
SHARES = (0.5, 0.2)
EPOCHS = 60
FRONT_SHARES = (0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2)
CLOSE = 0.15


@dataclass(frozen=True)
class Outcome:
    """One limit on one table."""

    table: str
    method: str
    rows: int
    test_rows: int
    keep: float
    unfair: float
    limit: float
    score: float
    low: float
    high: float
    held_out: float
    collapsed: bool
    chance: float
    weight: float
    seconds: float

    @property
    def ratio(self) -> float:
        """Of the score on the test rows to the limit."""
        return self.score / self.limit

    @property
    def report(self) -> LimitReport:
        """What users are told."""
        return LimitReport(
            limit=Limit(keep=self.keep),
            value=self.limit,
            unfair=self.unfair,
            score=self.score,
            low=self.low,
            high=self.high,
            rows=self.test_rows,
            fairness_weight=self.weight,
            collapsed=self.collapsed,
            method=self.method,
            chance=self.chance,
        )

    @property
    def verdict(self) -> str:
        """How sure it is that the limit is kept."""
        return self.report.verdict

    @property
    def reached(self) -> bool:
        """Whether users are told that it is."""
        return self.report.reached


def run() -> Report:
    with TemporaryDirectory() as folder:
        checkpoints = Path(folder)
        outcomes = [
            one
            for table in TABLES
            for method in METHODS
            for one in outcomes_of(table, method, checkpoints / table)
        ]
        front = outcomes_of("crime", "frem", checkpoints / "crime", FRONT_SHARES, "front")
    return Report("Limits", [_table(outcomes), _front_table(front)], _checks(outcomes, front))


def outcomes_of(
    table: str,
    method: str,
    checkpoints: Path,
    shares: tuple[float, ...] = SHARES,
    what: str = "keep",
) -> list[Outcome]:
    """Trains one stack, or reads what was trained before."""
    file = KEPT / f"{what}-{table}-{method}.csv"
    if not file.exists():
        dataset = TABLES[table]()
        data = prepare(dataset, split_dataset(dataset, seed=SEED))
        started = perf_counter()
        config = suggested_config(data.preset, len(data.train), epochs=EPOCHS)
        found = train_within(
            data.train,
            task=data.task,
            method=get_method(method)(),
            config=config,
            limits=[Limit(keep=share) for share in shares],
            seed=SEED,
            checkpoints=checkpoints,
            checkpoint_every=EPOCHS,
        )
        for own in checkpoints.glob("limits-*"):
            own.unlink()
        seconds = (perf_counter() - started) / len(shares)
        rows = [asdict(_outcome(one, data, table, seconds)) for one in found]
        file.parent.mkdir(parents=True, exist_ok=True)
        pd.DataFrame(rows).to_csv(file, index=False, float_format="%.6g")
    return [Outcome(**{str(k): v for k, v in row.items()}) for row in _records(file)]


def _records(file: Path) -> list[dict[str, object]]:
    return [
        {str(name): value for name, value in row.items() if name in Outcome.__dataclass_fields__}
        for row in pd.read_csv(file).to_dict("records")
    ]


def _outcome(found: WithinLimit, data: PreparedData, table: str, seconds: float) -> Outcome:
    report = check_limit(found, data)
    assert found.limit.keep is not None
    assert report.chance is not None
    return Outcome(
        table=table,
        method=found.model.method.title,
        rows=len(data.train),
        test_rows=len(data.test),
        keep=found.limit.keep,
        unfair=report.unfair,
        limit=report.value,
        score=report.score,
        low=report.low,
        high=report.high,
        held_out=found.held_out.score(found.limit, 0)
        / found.limit.value(found.held_out_unfair.score(found.limit, 0)),
        collapsed=report.collapsed,
        chance=report.chance,
        weight=report.fairness_weight,
        seconds=seconds,
    )


def _table(outcomes: list[Outcome]) -> Table:
    columns = ("table", "rows", "method", "keep", "unfair", "limit", "test ΔHGR", "95 % interval")
    rows = [
        (
            one.table,
            f"{one.rows:,} + {one.test_rows:,}",
            one.method,
            f"{one.keep:.0%}",
            f"{one.unfair:.3f}",
            f"{one.limit:.3f}",
            f"{one.score:.3f}",
            f"{one.low:.3f} to {one.high:.3f}",
            f"{one.ratio:.2f}",
            f"{one.held_out:.2f}",
            f"{one.chance:.3f}",
            one.verdict + (", collapsed" if one.collapsed else ""),
        )
        for one in outcomes
    ]
    return Table(
        f"Keep 50 % and 20 % of the unfair model's ΔHGR, {EPOCHS} epochs, seed {SEED}",
        (*columns, "÷ limit", "÷ limit, held out", "chance", "verdict"),
        rows,
        "Rows: training + test. ÷ limit: the score on test rows as a multiple of the limit; held "
        "out: the same on the rows of train on which the weight was found. Chance: 95 % "
        "of random arrangements of the sensitive values stay below. Trainings are kept in "
        "results/limits; those found there were not trained again for this page.",
    )


def _front_table(front: list[Outcome]) -> Table:
    rows = [
        (f"{one.keep:.0%}", f"{one.limit:.3f}", f"{one.score:.3f}", f"{one.weight:.3g}")
        for one in front
    ]
    note = f"Unfair {front[0].unfair:.3f}, chance {np.mean([one.chance for one in front]):.3f}."
    return Table(
        "One stack of eight limits: FREM on Crime", ("keep", "limit", "test ΔHGR", "λ"), rows, note
    )


def largest_gap(front: list[Outcome]) -> float:
    """The widest part of the range from chance to unfair in which no model lies, as its share."""
    chance, unfair = float(np.mean([one.chance for one in front])), front[0].unfair
    places = sorted(min(max(one.score, chance), unfair) for one in front)
    gaps = [after - before for before, after in pairwise([chance, *places, unfair])]
    return max(gaps) / (unfair - chance)


def _checks(outcomes: list[Outcome], front: list[Outcome]) -> list[Check]:
    close = [one for one in outcomes if abs(one.ratio - 1) <= CLOSE]
    far = [one for one in outcomes if abs(one.ratio - 1) > CLOSE]
    not_reached = [
        one
        for one in far
        if one.verdict == "not reached" or one.collapsed or one.limit <= one.chance
    ]
    fairer = [one for one in far if one.verdict == "fairer than asked" and one not in not_reached]
    untold = [one for one in far if one not in not_reached and one not in fairer]
    gap = largest_gap(front)
    possible = [one for one in outcomes if one.limit > one.chance and not one.collapsed]
    found = sum(abs(one.held_out - 1) <= CLOSE for one in possible)
    collapsed = [one for one in outcomes if one.collapsed]
    return [
        Check(
            "Test ΔHGR within ±15 % of the limit, or “not reached” (or no better than a constant, "
            "or a limit within chance)",
            f"{len(close)} of {len(outcomes)} within; {len(not_reached)} “not reached”; neither: "
            + (", ".join(_named(fairer + untold)) or "none"),
            not fairer and not untold,
        ),
        Check(
            "Users are told of every model that ends further from its limit: also of one whose "
            "whole interval lies below it, which is called “fairer than asked”",
            f"{len(fairer)} “fairer than asked”, {sum(one.score <= one.chance for one in fairer)} "
            f"of them below chance; not told: {', '.join(_named(untold)) or 'none'}",
            not untold,
        ),
        Check(
            "“Keeps” is said only where the score is at most 15 % below the limit",
            f"{sum(one.verdict == 'keeps' for one in outcomes)} of {len(outcomes)} “keep”",
            all(one.ratio >= 1 - CLOSE for one in outcomes if one.verdict == "keeps"),
        ),
        Check(
            "The weight is found: held-out ΔHGR within ±15 % of the limit, where that lies above "
            "chance and leaves something to predict",
            f"{found} of {len(possible)}",
            found == len(possible),
        ),
        Check(
            "No collapsed model is recommended",
            f"{len(collapsed)} collapsed, {sum(one.reached for one in collapsed)} of them "
            "called “reached”",
            not any(one.reached for one in collapsed),
        ),
        Check(
            "One stack of 8 limits: no gap above a quarter of the range from chance to unfair",
            f"{gap:.0%}",
            gap <= 0.25,
        ),
    ]


def _named(outcomes: list[Outcome]) -> list[str]:
    return [f"{one.table} {one.method} {one.keep:.0%}: {one.ratio:.2f}" for one in outcomes]
