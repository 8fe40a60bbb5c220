"""What limits gave on the tables of `limit_tables`: trained once, kept in ``results/limits``.

Every draw of tables has a folder of its own there, named after the number that draws it.
"""

from dataclasses import asdict, dataclass
from math import nan, sqrt
from pathlib import Path
from statistics import NormalDist
from time import perf_counter

import numpy as np
import pandas as pd

from benchmarks import RESULTS
from benchmarks.fronts.limit_tables import BUILT_IN, DrawnTable, table_of
from frem_core.datasets import PreparedData, prepare, split_dataset
from frem_core.limits import Limit, LimitReport, WithinLimit, check_limit, train_within
from frem_core.methods import get_method
from frem_core.metrics import hgr
from frem_core.training import suggested_config

KEPT = RESULTS / "limits"
SHARES = (0.5, 0.2)
EPOCHS = 60
CLOSE = 0.15
FRESH_SETS = 20


@dataclass(frozen=True)
class Outcome:
    """One limit on one table.

    Attributes:
        held_out: score ÷ limit, as the rows tell on which the weight was found.
        held_out_rows: how many these are.
        fresh: score ÷ limit, the mean over many test sets of the same size drawn anew; unknown
            for a table that was not drawn.
    """

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
    held_out_rows: int
    collapsed: bool
    chance: float
    weight: float
    seconds: float
    fresh: float = nan

    @property
    def ratio(self) -> float:
        """Of the score on the test rows to the limit."""
        return self.score / self.limit

    @property
    def error(self) -> float:
        """Standard error of the score, from its interval."""
        return (self.high - self.low) / 2 / NormalDist().inv_cdf(0.975)

    def luck(self, *, finds_weight: bool) -> float:
        """How probably a perfect method ends close to this limit on so many test rows.

        Args:
            finds_weight: on the held-out rows, by chance too low or too high there; else it
                knows what gives the limit on all rows there could be.
        """
        error = self.error * (sqrt(1 + self.test_rows / self.held_out_rows) if finds_weight else 1)
        return 2 * NormalDist().cdf(CLOSE * self.limit / error) - 1

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
            set_aside=self.held_out,
        )

    @property
    def verdict(self) -> str:
        """How sure it is that the limit is kept."""
        return self.report.verdict

    @property
    def reached(self) -> bool:
        """Whether users are told that it is."""
        return self.report.reached


def outcomes_of(
    table: str,
    method: str,
    draw: int,
    checkpoints: Path,
    shares: tuple[float, ...] = SHARES,
    what: str = "keep",
) -> list[Outcome]:
    """Trains one stack, or reads what was trained before."""
    file = KEPT / str(draw) / f"{what}-{table}-{method}.csv"
    if not file.exists():
        dataset = table_of(table, draw)
        data = prepare(dataset, split_dataset(dataset, seed=draw))
        started = perf_counter()
        config = suggested_config(data.preset, len(data.train), epochs=EPOCHS)
        found = train_within(
            data.train,
            task=data.task,
            method=get_method(method)(),
            config=config,
            limits=[Limit(keep=share) for share in shares],
            seed=draw,
            checkpoints=checkpoints,
            checkpoint_every=EPOCHS,
        )
        for own in checkpoints.glob("limits-*"):
            own.unlink()
        seconds = (perf_counter() - started) / len(shares)
        drawn = None if table in BUILT_IN else DrawnTable(table, draw)
        rows = [asdict(_outcome(one, data, table, seconds, drawn)) for one in found]
        file.parent.mkdir(parents=True, exist_ok=True)
        pd.DataFrame(rows).to_csv(file, index=False, float_format="%.6g")
    return [Outcome(**{str(k): v for k, v in row.items()}) for row in _records(file)]


def _records(file: Path) -> list[dict[str, object]]:
    return [
        {str(name): value for name, value in row.items() if name in Outcome.__dataclass_fields__}
        for row in pd.read_csv(file).to_dict("records")
    ]


def _outcome(
    found: WithinLimit, data: PreparedData, table: str, seconds: float, drawn: DrawnTable | None
) -> Outcome:
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
        held_out_rows=found.held_out.y.size,
        collapsed=report.collapsed,
        chance=report.chance,
        weight=report.fairness_weight,
        seconds=seconds,
        fresh=nan if drawn is None else score_on_further_rows(found, data, drawn),
    )


def score_on_further_rows(found: WithinLimit, data: PreparedData, drawn: DrawnTable) -> float:
    """Score ÷ limit where luck with the test rows is averaged out."""
    size, limit = len(data.test), found.limit
    new = drawn.further(FRESH_SETS * size)
    x = data.encoding.transform(new.features, np.arange(new.n_rows))
    s = np.clip(data.sensitive_scale.transform(new.sensitive), 0.0, 1.0)
    score, unfair = (
        np.mean(
            [
                hgr(None, p, sensitive_features=rows)
                for p, rows in zip(
                    model.predict(x).reshape(-1, size), s.reshape(-1, size), strict=True
                )
            ]
        )
        for model in (found.model, found.unfair)
    )
    return float(score / limit.value(float(unfair)))
