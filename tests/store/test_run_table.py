"""Both readers of the run table give the same columns."""

import json
import math

import pandas as pd
from hypothesis import given, settings
from hypothesis import strategies as st

from frem_core.store.run_table import _flat, _leaves_by_json, _with_earlier_settings

names = st.sampled_from(["gamma", "sigma", "hidden", "kernel", "warnings"])
leaf = (
    st.none()
    | st.booleans()
    | st.integers(-(2**53), 2**53)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=6)
    | st.just("2024-01-01 10:00:00")
    | st.lists(st.integers(0, 99), max_size=3)
)
objects = st.dictionaries(names, leaf | st.dictionaries(names, leaf, max_size=3), max_size=4)


def same(left: object, right: object) -> bool:
    if left is None or right is None or left != left or right != right:
        return all(value is None or value != value for value in (left, right))
    if isinstance(left, float) and isinstance(right, float):
        return math.isclose(left, right, rel_tol=1e-15)
    return left == right


@settings(deadline=None)
@given(st.lists(objects, max_size=6))
def test_fast_and_plain_reader_agree(documents: list[dict[str, object]]) -> None:
    texts = [json.dumps(document) for document in documents]
    fast, plain = _flat(texts, ""), _leaves_by_json(texts)
    for name in fast.keys() | plain.keys():
        left = list(fast.get(name, [None] * len(texts)))
        right = list(plain.get(name, [None] * len(texts)))
        assert all(same(a, b) for a, b in zip(left, right, strict=True)), (name, left, right)


def test_a_word_beside_numbers_stays_a_word() -> None:
    columns = _flat(['{"sigma": 1.0}', '{"sigma": "median"}', "{}"], "config.")
    assert list(columns["config.sigma"])[:2] == [1.0, "median"]


def test_settings_that_came_later_are_written_out() -> None:
    """Runs stored before a setting existed would otherwise differ from equal ones by a gap."""
    table = pd.DataFrame(
        {"method": ["frem", "frem", "unfair", "of yours"], "config.method.noise": None}
    )
    table.loc[1, "config.method.noise"] = "removed"
    found = _with_earlier_settings(table)
    assert found["config.method.noise"].tolist()[:2] == ["kept", "removed"]
    assert found["config.method.noise"].isna().tolist() == [False, False, True, True]
    assert found["config.method.units"].tolist()[:2] == ["as_is", "as_is"]
