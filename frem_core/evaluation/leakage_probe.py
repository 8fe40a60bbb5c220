"""What a representation still gives away about the sensitive attribute, whatever EIPM says."""

from dataclasses import dataclass

from numpy.typing import ArrayLike

from frem_core.eipm import eipm
from frem_core.evaluation.probe_rows import ProbeRows, check_probe_rows
from frem_core.evaluation.probe_score import ProbeScore, probe_score
from frem_core.evaluation.subset import random_rows
from frem_core.words import per_cent

MAX_ROWS = 10_000
_EIPM_ROWS = 4_000

# EIPM counts as low below this share of its reference, the EIPM of X at its own scale.
LOW_EIPM = 0.8
# A probe counts as high when Z keeps this share of what X tells about S ...
HIGH_SHARE = 0.5
# ... or, without X, when it explains this share of the variance of S.
HIGH_R2 = 0.25
# Below this R² the features tell nothing about S, so that nothing made from them can leak it.
_NOTHING_TO_LEAK = 0.01
_ADVICE = (
    "Judge the representation in units of its own spread (units='standardised'), which no scale "
    "deceives."
)


@dataclass(frozen=True)
class LeakageProbe:
    """How well S is predicted from Z on held-out rows, beside the same from X.

    Attributes:
        representation: scores of the probes on Z.
        features: scores of the probes on X; None when X was not given.
        kept_share: best R² from Z over best R² from X, between 0 and 1 unless Z helps the
            probes; None without X or when X tells nothing about S.
        eipm: EIPM of Z at the given σ.
        reference_eipm: EIPM of X at its median distance (without X: of Z at its own).
        warning: what is wrong when EIPM is low and the probes are not, else None.
    """

    representation: ProbeScore
    features: ProbeScore | None
    kept_share: float | None
    eipm: float
    reference_eipm: float
    warning: str | None


def leakage_probe(
    z: ArrayLike,
    s: ArrayLike,
    x: ArrayLike | None = None,
    *,
    held_out: tuple[ArrayLike | None, ...] | None = None,
    held_out_share: float = 0.3,
    gamma: float = 0.05,
    sigma: float | str = 1.0,
    max_rows: int | None = MAX_ROWS,
    random_state: int = 0,
    advice: str = _ADVICE,
) -> LeakageProbe:
    """Lets fresh models predict S from Z, and warns when EIPM hides what they find.

    EIPM with a fixed σ falls when an encoder merely shrinks Z, or moves what it knows about S
    into directions of small variance; a prediction head can enlarge them again. The probes do
    not care for scale. The warning is given when both hold:

    * EIPM(Z) is at most 0.8 of the reference, EIPM(X) with σ = median distance;
    * the better probe keeps at least half of the R² it reaches from X.

    Both limits are a choice, made on trainings with and without weight decay. Also a collapsed
    representation is warned of when a linear model still finds the attribute in what is left.

    Without X the reference is EIPM(Z) with σ = median distance, and an R² of 0.25 or more counts
    as high; then only a shrunken representation is noticed.

    Args:
        z: representation, (n, m).
        s: sensitive values in [0, 1], (n,).
        x: the features Z was made from, (n, d).
        held_out: ``(z, s)`` or ``(z, s, x)`` of other rows to score on, e.g. the test part; by
            default a share of the given rows is held out.
        held_out_share: that share.
        gamma: bandwidth of EIPM on the sensitive attribute.
        sigma: scale of EIPM on the representation, as used in training.
        max_rows: the probes are fitted and scored on at most so many random rows; None: all.
        random_state: seed of the split, of the subsets and of the probes.
        advice: what the warning tells to do; `Method.advice_on_leakage` fits a trained model.

    Returns:
        Scores, references and the warning.

    Raises:
        DataError: fewer than 20 rows to fit or to score on, constant S, or rows that do not match.

    Example:
        >>> import numpy as np
        >>> random = np.random.default_rng(0)
        >>> s = random.random(300)
        >>> z = 0.001 * np.column_stack([s, random.random(300)])
        >>> probe = leakage_probe(z, s)
        >>> probe.eipm < 0.001, probe.representation.best_r2 > 0.95, probe.warning is None
        (True, True, False)
    """
    known = ProbeRows.check(z, s, x)
    if held_out is None:
        known, other = known.split(held_out_share, random_state)
    else:
        other = ProbeRows.check(*held_out)
    known = known.take(random_rows(len(known.s), max_rows, random_state))
    other = other.take(random_rows(len(other.s), max_rows, random_state))
    check_probe_rows(known, other)
    representation = probe_score(known.z, known.s, other.z, other.s, random_state=random_state)
    features = None
    if known.x is not None and other.x is not None:
        features = probe_score(known.x, known.s, other.x, other.s, random_state=random_state)
    some = other.take(random_rows(len(other.s), _EIPM_ROWS, random_state))
    value = float(eipm(some.z, some.s, gamma=gamma, sigma=sigma))
    scale_free = some.z if some.x is None else some.x
    reference = float(eipm(scale_free, some.s, gamma=gamma, sigma="median"))
    return LeakageProbe(
        representation=representation,
        features=features,
        kept_share=_kept_share(representation, features),
        eipm=value,
        reference_eipm=reference,
        warning=_warning(representation, features, value, reference, advice),
    )


def _kept_share(representation: ProbeScore, features: ProbeScore | None) -> float | None:
    if features is None or features.best_r2 == 0:
        return None
    return representation.best_r2 / features.best_r2


def _warning(
    representation: ProbeScore,
    features: ProbeScore | None,
    value: float,
    reference: float,
    advice: str,
) -> str | None:
    if value > LOW_EIPM * reference:
        return None
    found = representation.best_r2
    if features is None:
        if found < HIGH_R2:
            return None
        beside = f"the EIPM of the same representation at its own scale is {reference:.3g}"
    else:
        if features.best_r2 < _NOTHING_TO_LEAK or found < HIGH_SHARE * features.best_r2:
            return None
        beside = (
            f"the features themselves have EIPM {reference:.3g} at their own scale and explain "
            f"{per_cent(features.best_r2)}"
        )
    return (
        f"EIPM is low ({value:.3g}), but a fresh model still explains {per_cent(found)} of the "
        f"variance of the sensitive attribute from the representation; {beside}. The attribute "
        f"is hidden, not removed. {advice}"
    )
