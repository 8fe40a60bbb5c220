"""Reads numbers as people write them: 1.234,5 and 1,234.5, 12 %, $3,000."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

PER_CENT = "was read as numbers in per cent (the % sign was taken off)"
"""What is remarked of a column of per cent."""
_CURRENCIES = "$€£¥₹"
_GROUP_MARKS = "'’ \u00a0\u202f"


@dataclass(frozen=True)
class WrittenNumbers:
    """The numbers, and a word on how they were written."""

    values: NDArray[np.float64]
    remark: str | None


def read_written_numbers(texts: Sequence[str], decimal: str) -> WrittenNumbers | None:
    """Reads every text as a number, or returns None when one of them is not.

    Thousands may be grouped, and all numbers may carry the same unit: a per cent sign or a currency
    sign. Per cent stay per cent: ``"12 %"`` is 12.

    >>> read_written_numbers(["1.234,5", "7"], decimal=",").values.tolist()
    [1234.5, 7.0]
    """
    pattern = _pattern(decimal)
    values = np.empty(len(texts))
    units: set[str] = set()
    grouped = False
    for row, text in enumerate(texts):
        match = pattern.fullmatch(text)
        if match is None or not (match["whole"] or match["fraction"]):
            return None
        units.add(match["before"] or match["after"] or "")
        whole = re.sub(r"\D", "", match["whole"] or "")
        grouped = grouped or len(whole) < len(match["whole"] or "")
        fraction = (match["fraction"] or "").replace(decimal, ".")
        values[row] = float(f"{match['sign'] or ''}{whole or '0'}{fraction}{match['power'] or ''}")
    # "0.5" among percentages may mean 50 % or half a per cent: not for us to decide.
    if len(units) > 1:
        return None
    return WrittenNumbers(values, _remark(units.pop() if units else "", grouped))


def _pattern(decimal: str) -> re.Pattern[str]:
    marks = re.escape(_GROUP_MARKS + ("." if decimal == "," else ","))
    mark = re.escape(decimal)
    return re.compile(
        rf"(?P<before>[{_CURRENCIES}])?\s?(?P<sign>[+-])?"
        # A group never starts with 0: "0.123" beside a decimal comma is no 123.
        rf"(?P<whole>[1-9]\d{{0,2}}(?:[{marks}]\d{{3}})+|\d+)?"
        rf"(?P<fraction>{mark}\d+|(?<=\d){mark})?(?P<power>[eE][+-]?\d{{1,3}})?"
        rf"\s?(?P<after>[%{_CURRENCIES}])?(?<=[\d{mark}%{_CURRENCIES}])"
    )


def _remark(unit: str, grouped: bool) -> str | None:
    if unit == "%":
        return PER_CENT
    if unit:
        return f"was read as numbers (the {unit} sign was taken off)"
    if grouped:
        return "was read as numbers (thousands separators were taken out)"
    return None
