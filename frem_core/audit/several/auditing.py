"""The audit of any model's predictions for several sensitive attributes."""

from dataclasses import replace
from typing import Any, Final

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from frem_core.attributes import Attributes, read_attributes
from frem_core.audit.auditing import Progress, audit
from frem_core.audit.curve import MOST_GROUPS
from frem_core.audit.given import Given, drawn_rows, factor_table
from frem_core.audit.result import AuditResult, row_of
from frem_core.audit.several.places import Places
from frem_core.audit.several.result import AttributesAudit
from frem_core.crossing import named_places
from frem_core.eipm import eipm_attributes
from frem_core.errors import DataError

_MOST_PAIRED: Final = 1_000
"""Rows whose pairs the joint EIPM compares."""
_ALONG_NUMBERS: Final = ("gdp", "hgr", "mutual_information", "eipm", "geo")
_OTHERS: Final = "all others"


def audit_attributes(
    y_true: ArrayLike | None,
    y_pred: ArrayLike,
    *,
    sensitive_features: pd.DataFrame | ArrayLike,
    sample_weight: ArrayLike | None = None,
    factors: ArrayLike | pd.Series | pd.DataFrame | None = None,
    positive_label: Any = 1,
    progress: Progress | None = None,
    **settings: Any,
) -> AttributesAudit:
    """Says how far predictions follow each of several attributes, and where they come together.

    Every attribute is audited along its own values, raw and between people who are alike in all
    the others: so one that only goes along with another is told apart from one that matters by
    itself. Combinations are looked at in words ("Female, age under 30"): which of them gets more
    or less than average, with intervals that hold for all at once, and whether the largest
    difference could be chance.

    Args:
        y_true: true outcomes, (n,), or None.
        y_pred: probabilities, decisions or numbers, (n,).
        sensitive_features: two or more columns; text, booleans and categories count as categories,
            whose levels are compared as they are.
        sample_weight: what each row counts, (n,).
        factors: columns in which people may legitimately differ, beside the other attributes.
        positive_label: of y_true, and of y_pred where it holds classes in words.
        progress: called with what is being done and the share that is done.
        settings: of each :func:`frem_core.audit.audit`.

    Raises:
        DataError: rows do not match, are missing or too few, or there are fewer than two columns.

    Example:
        >>> random = np.random.default_rng(0)
        >>> people = pd.DataFrame({"age": random.integers(18, 80, 400)})
        >>> people["sex"] = random.choice(["Female", "Male"], 400)
        >>> p = 0.5 - 0.2 * ((people["age"] < 30) & (people["sex"] == "Female"))
        >>> found = audit_attributes(None, p, sensitive_features=people, n_permutations=19)
        >>> found.places["place"].iloc[0]
        'Female, age under 41'
    """
    attributes = _with_few_levels(read_attributes(sensitive_features, len(np.asarray(y_pred))))
    if len(attributes.names) < 2:
        raise DataError(
            f"There is one sensitive attribute only, '{attributes.names[0]}'; use audit() for it."
        )
    say = progress or (lambda what, share: None)
    given = Given.read(y_true, y_pred, attributes.values[:, 0], sample_weight, positive_label)
    columns = attributes.shown(attributes.values)
    extra = None if factors is None else factor_table(factors, len(columns))
    results: dict[str, AuditResult] = {}
    count = len(attributes.names)
    for place, name in enumerate(attributes.names):
        others = columns.drop(columns=name)
        others = others if extra is None else pd.concat([others, extra], axis=1)

        def part(what: str, share: float, *, name: str = name, place: int = place) -> None:
            say(f"{name}: {what}", (place + share) / (count + 1))

        result = audit(
            y_true,
            y_pred,
            sensitive_features=attributes.values[:, place],
            sample_weight=sample_weight,
            factors=others,
            positive_label=positive_label,
            sensitive_name=name,
            progress=part,
            **settings,
        )
        if attributes.levels[place] is not None:  # levels have no order that these could follow
            fits = ~result.scores["score"].isin(_ALONG_NUMBERS)
            result = replace(result, scores=result.scores[fits].reset_index(drop=True))
        results[name] = result
    say("All attributes together", count / (count + 1))
    some = drawn_rows(given.weights, sample_weight is not None, 0)
    some = np.sort(np.random.default_rng(0).permutation(some)[:_MOST_PAIRED])
    kept = attributes.of(given.kept)
    joint = eipm_attributes(given.p[some], kept.shown(kept.values[some]), sigma="median")
    words, codes = named_places(kept)
    first = next(iter(results.values()))
    places = Places(given.p, codes, given.weights, words)
    table, p_value = places.compared(
        confidence=first.settings["confidence"],
        n_permutations=first.settings["n_permutations"],
        seed=first.settings["random_state"],
    )
    say("Done", 1.0)
    return AttributesAudit(
        results=results,
        levels=dict(zip(attributes.names, attributes.levels, strict=True)),
        attributes=_summary(results, attributes),
        joint=joint,
        joint_rows=len(some),
        places=table,
        places_p_value=p_value,
    )


def _with_few_levels(attributes: Attributes) -> Attributes:
    """The same with the rarer levels of long categories as one: each level stands for itself."""
    values, levels = attributes.values.copy(), list(attributes.levels)
    for place, own in enumerate(levels):
        if own is None or len(own) <= MOST_GROUPS:
            continue
        codes = values[:, place].astype(np.intp)
        common = np.sort(np.argsort(-np.bincount(codes, minlength=len(own)))[: MOST_GROUPS - 1])
        places = np.full(len(own), len(common))
        places[common] = np.arange(len(common))
        values[:, place] = places[codes]
        levels[place] = (*(own[one] for one in common), _OTHERS)
    return Attributes(attributes.names, values, tuple(levels))


def _summary(results: dict[str, AuditResult], attributes: Attributes) -> pd.DataFrame:
    rows = []
    for name, levels in zip(attributes.names, attributes.levels, strict=True):
        result = results[name]
        assert result.adjusted_scores is not None  # the others are its factors
        raw, left = result.score("gap"), row_of(result.adjusted_scores, "gap")
        rows.append(
            {
                "attribute": name,
                "kind": "number" if levels is None else "category",
                **{column: raw[column] for column in ("value", "low", "high", "p_value")},
                **{f"{key}_left": left[key] for key in ("value", "low", "high", "p_value")},
            }
        )
    return pd.DataFrame(rows)
