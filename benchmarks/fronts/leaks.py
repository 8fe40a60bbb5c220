"""Three ways to lower the paper's penalty without becoming fair, and what closes each of them.

Writes the tables that docs/penalty.md cites, and draws its pictures from the same numbers.
"""

import pandas as pd

from benchmarks.fronts.leak_pictures import draw_pictures
from benchmarks.fronts.leak_runs import (
    DECAY,
    DRAWS,
    FORMS,
    KEPT,
    OTHER_DECAYS,
    PAPER,
    PERMUTATIONS,
    WITH_NOISE_OR_WITHOUT,
    Study,
    along_weights,
    along_weights_permuted,
    penalties_of_batches,
    seen_by,
    unfair,
)
from benchmarks.measuring import threads
from benchmarks.report import Report, Table

CRIME = Study("crime", 200, (20, 21))
SCHOOLS = Study("michigan_schools", 200, (20,))

# A penalty is fooled where at most this share of what it sees is left, and this of ΔHGR.
LITTLE_SEEN, MUCH_LEFT = 0.5, 0.75


def run() -> Report:
    KEPT.mkdir(exist_ok=True)
    with threads(1):
        crime, schools = _runs(CRIME, (DECAY, *OTHER_DECAYS)), _runs(SCHOOLS, (DECAY,))
        permuted = _means(
            pd.concat([along_weights_permuted(CRIME, form) for form in WITH_NOISE_OR_WITHOUT])
        )
        batches = penalties_of_batches(CRIME)
    draw_pictures(crime, schools, batches, permuted)
    tables = [
        _seen_table(CRIME, crime),
        _place_table(CRIME, crime),
        _seen_table(SCHOOLS, schools),
        _place_table(SCHOOLS, schools),
        _noise_table(batches),
        _permuted_table(crime, permuted),
    ]
    return Report("Leaks of the paper's penalty", tables)


def _runs(study: Study, decays: tuple[float, ...]) -> pd.DataFrame:
    """Means over seeds, with what is left of the unfair model at the same weight decay."""
    parts = []
    for decay in decays:
        start = _means(unfair(study, decay))
        for form in FORMS if decay == DECAY else (PAPER,):
            found = pd.concat([start.assign(form=form), _means(along_weights(study, form, decay))])
            own = seen_by(form)
            found["seen"], found["chance"] = found[f"seen_{own}"], found[f"chance_{own}"]
            for name in ("seen", "hgr", "linear", "boosted", "scale"):
                found[f"{name}_left"] = found[name] / found[name].iloc[0]
            parts.append(found)
    runs = pd.concat(parts, ignore_index=True)
    runs["fooled"] = (runs["seen_left"] <= LITTLE_SEEN) & (runs["hgr_left"] >= MUCH_LEFT)
    return runs


def _means(rows: pd.DataFrame) -> pd.DataFrame:
    means = rows.groupby(["form", "decay", "weight"], sort=False).mean().drop(columns="seed")
    return means.reset_index()


def _seen_table(study: Study, runs: pd.DataFrame) -> Table:
    rows = [
        [
            row.form, f"{row.decay:g}", f"{row.weight:.3g}", f"{row.quality:.3f}",
            f"{row.seen:.3f}", f"{row.chance:.3f}", f"{row.seen_left:.0%}",
            f"{row.hgr:.3f}", f"{row.hgr_left:.0%}", f"{row.linear:.2f}", f"{row.boosted:.2f}",
            "**yes**" if row.fooled else "",
        ]
        for row in runs.itertuples()
    ]  # fmt: skip
    return Table(
        f"{study.dataset}: what the penalty sees, and what is left",
        [
            "penalty", "weight decay", "λ", "1 − MAE", "EIPM it sees", "of that chance", "left",
            "ΔHGR", "left", "R² linear probe", "R² trees", "fooled",
        ],
        rows,
        "EIPM it sees: the paper's EIPM on the test rows in the units that the penalty judges in, "
        "averaged with that of the prediction where both are judged; of that chance: the same with "
        f"S in random order (mean of {PERMUTATIONS}). Left: of the model with λ = 0. Probes: S "
        "predicted from Z. Fooled: at most half of the EIPM is left, and at least three quarters "
        f"of ΔHGR. {_setting(study)}",
    )  # fmt: skip


def _place_table(study: Study, runs: pd.DataFrame) -> Table:
    rows = [
        [
            row.form, f"{row.decay:g}", f"{row.weight:.3g}", f"{row.scale:.3g}", f"{row.head:.3g}",
            f"{row.read:.1%}", f"{row.z_by_s:.1%}", f"{row.y_by_s:.1%}", f"{row.hgr:.3f}",
        ]
        for row in runs.itertuples()
    ]  # fmt: skip
    return Table(
        f"{study.dataset}: where the sensitive attribute sits",
        [
            "penalty", "weight decay", "λ", "scale of Z", "norm of the head",
            "variance of Z that the head reads", "variance of Z along S",
            "variance of the prediction along S", "ΔHGR",
        ],
        rows,
        "Scale: root mean square distance of Z to its centre. What the head reads: variance of Z "
        "in the direction of the head's weights. Along S: explained by a straight line in S; the "
        f"prediction before its sigmoid. {_setting(study)}",
    )  # fmt: skip


def _noise_table(batches: pd.DataFrame) -> Table:
    rows = []
    for (batch, gamma, form), found in batches.groupby(["batch", "gamma", "form"], sort=False):
        real, independent = found["real"].mean(), found["independent"].mean()
        error = found["independent"].sem()
        rows.append(
            [
                batch, gamma, form, f"{real:.4f}", f"{independent:.4f} ± {error:.4f}",
                f"{abs(independent) / real:.1%}", f"{independent / error:+.1f}",
            ]
        )  # fmt: skip
    return Table(
        "crime: the penalty of a batch in which nothing depends on S",
        [
            "rows", "γ", "penalty", "S as it is", "S in random order", "share that is chance",
            "standard errors from 0",
        ],
        rows,
        f"Mean ± standard error of {DRAWS} batches of training rows, Z of the unfair model "
        f"(seed {CRIME.seeds[0]}).",
    )  # fmt: skip


def _permuted_table(runs: pd.DataFrame, permuted: pd.DataFrame) -> Table:
    start = next(runs[runs["decay"] == DECAY].itertuples())
    rows = [["none", "0", f"{start.quality:.3f}", f"{start.scale:.3g}", "", f"{start.head:.3g}"]]
    rows += [
        [
            row.form, f"{row.weight:.3g}", f"{row.quality:.3f}", f"{row.scale:.3g}",
            f"{row.scale / start.scale:.0%}", f"{row.head:.3g}",
        ]
        for row in permuted.itertuples()
    ]  # fmt: skip
    return Table(
        "crime: trained with S in random order",
        ["penalty", "λ", "1 − MAE", "scale of Z", "of the unfair model's", "norm of the head"],
        rows,
        "Nothing depends on this S, so a penalty should change nothing. The λ are those of the "
        f"real S. {_setting(CRIME)}",
    )


def _setting(study: Study) -> str:
    seeds = " and ".join(map(str, study.seeds))
    several = "means over seeds" if len(study.seeds) > 1 else "seed"
    return f"{study.epochs} epochs; {several} {seeds}; weight decay {DECAY:g} unless named."
