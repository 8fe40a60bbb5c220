"""Whether limits are kept on rows never seen: five tables, three of them drawn anew.

Tables and splits are new every time; ``FREM_DRAW`` names those of an earlier run. What is trained
is written to ``results/limits`` at once, and a later run with the same number goes on from there;
the unfair model of a table is the same for all methods and trained once.
"""

from itertools import pairwise
from math import isnan
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from benchmarks.fronts.limit_outcomes import CLOSE, EPOCHS, FRESH_SETS, Outcome, outcomes_of
from benchmarks.fronts.limit_tables import BUILT_IN, KINDS, VARIABLE, new_draw
from benchmarks.report import Check, Report, Table

METHODS = ("frem", "reg_hgr", "mmd")
FRONT_SHARES = (0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2)


def run() -> Report:
    draw = new_draw()
    print(f"{VARIABLE}={draw} goes on with these tables, or has them again", flush=True)
    with TemporaryDirectory() as folder:
        checkpoints = Path(folder)
        outcomes = [
            one
            for table in (*BUILT_IN, *KINDS)
            for method in METHODS
            for one in outcomes_of(table, method, draw, checkpoints / table)
        ]
        front = outcomes_of("crime", "frem", draw, checkpoints / "crime", FRONT_SHARES, "front")
    tables = [_table(outcomes, draw), _front_table(front)]
    return Report("Limits", tables, _checks(outcomes, front))


def _table(outcomes: list[Outcome], draw: int) -> Table:
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
            "–" if isnan(one.fresh) else f"{one.fresh:.2f}",
            f"{one.chance:.3f}",
            f"±{one.report.precision:.0%}",
            one.verdict + (", collapsed" if one.collapsed else ""),
        )
        for one in outcomes
    ]
    return Table(
        f"Keep 50 % and 20 % of the unfair model's ΔHGR, {EPOCHS} epochs, {VARIABLE}={draw}",
        (*columns, "÷ limit", "held out", "fresh", "chance", "told to", "verdict"),
        rows,
        "Rows: training + test. ÷ limit: the score on test rows as a multiple of the limit; held "
        "out: the same as told by the rows of train on which the weight was found; fresh: the same "
        f"on average over {FRESH_SETS} further test sets of this size, which only tables that are "
        "drawn have: what is left when luck with the test rows is taken away. Chance: 95 % "
        "of random arrangements of the sensitive values stay below. Told to: half the interval as "
        "a share of the limit. Rents, loans and marks were "
        "drawn for this page, with their sizes, units and strength of dependence, and all splits "
        f"are new; {VARIABLE} has the same ones again. Trainings are kept in "
        f"results/limits/{draw}; those found there were not trained again.",
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
    further = [one for one in far if one not in not_reached]
    imprecise = [one for one in further if "rows tell it only" in one.report.explanation]
    fairer = [one for one in further if one not in imprecise and one.score < one.limit]
    untold = [
        one for one in fairer if one.verdict != "fairer than asked" and not one.report.explanation
    ]
    precise = [one for one in outcomes if one.report.precision <= CLOSE]
    gap = largest_gap(front)
    above = [one for one in outcomes if not one.report.is_within_chance]
    knowing, finding = (
        sum(one.luck(finds_weight=finds) for one in above) for finds in (False, True)
    )
    fresh = [one for one in above if not isnan(one.fresh) and not one.collapsed]
    possible = [one for one in outcomes if one.limit > one.chance and not one.collapsed]
    found = sum(abs(one.held_out - 1) <= CLOSE for one in possible)
    collapsed = [one for one in outcomes if one.collapsed]
    return [
        Check(
            "Test ΔHGR within ±15 % of the limit, or “not reached” (or no better than a constant, "
            "or a limit within chance)",
            f"{len(close)} of {len(outcomes)} within; {len(not_reached)} “not reached”; neither: "
            + (", ".join(_named(further)) or "none"),
            not further,
        ),
        Check(
            "What is neither is off by no more than its test rows can tell, and users are told so",
            f"{len(imprecise)} of {len(further)}",
            len(imprecise) == len(further),
        ),
        Check(
            "The same of limits that test rows tell to ±15 %: within ±15 %, or “not reached”",
            f"{sum(one in close for one in precise)} of {len(precise)} within, "
            f"{sum(one in not_reached for one in precise)} “not reached”",
            all(one in close or one in not_reached for one in precise),
        ),
        Check(
            "As many within ±15 % as luck with the test rows lets a perfect method have, of the "
            "limits above chance",
            f"{sum(one in close for one in above)} of {len(above)}; expected of a method that "
            f"knows the right weight {knowing:.1f}, of one that finds it on the held-out rows "
            f"{finding:.1f}",
            sum(one in close for one in above) >= finding,
        ),
        Check(
            "The same without that luck: within ±15 % on average over further test sets, of the "
            "limits above chance that leave something to predict on tables that were drawn",
            f"{sum(abs(one.fresh - 1) <= CLOSE for one in fresh)} of {len(fresh)}",
            all(abs(one.fresh - 1) <= CLOSE for one in fresh),
        ),
        Check(
            "Users are told why a model ends further below its limit: that it is fairer than "
            "asked, or that its rows cannot tell",
            f"{len(fairer)} fairer; not told: {', '.join(_named(untold)) or 'none'}",
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
