import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from frem_core.store import StoreError
from frem_core.store.history import pack, unpack

values = st.floats(width=32, allow_nan=True, allow_infinity=True)
records = st.lists(
    st.dictionaries(st.text(min_size=1, max_size=8), values, max_size=4), max_size=20
)


@settings(deadline=None)
@given(records)
def test_what_goes_in_comes_out(given_records: list[dict[str, float]]) -> None:
    frame = unpack([(0, pack(given_records))])
    assert len(frame) == len(given_records)
    for row, record in zip(frame.to_dict("records"), given_records, strict=True):
        for name, value in row.items():
            expected = record.get(str(name), math.nan)
            assert value == expected or (math.isnan(value) and math.isnan(expected))


def test_two_hundred_epochs_take_a_few_kilobytes() -> None:
    rng = np.random.default_rng(0)
    curve = [{"a": v, "b": v / 2, "c": v * v} for v in np.exp(-np.arange(200) / 50)]
    noise = [{"a": v, "b": v / 2, "c": v * v} for v in rng.random(200)]
    assert len(pack(curve)) < 2_300
    assert len(pack(noise)) < 2_500


@pytest.mark.parametrize("chunk", [b"", b"rubbish", pack([{"a": 1.0}])[:-3]])
def test_damage_is_named(chunk: bytes) -> None:
    with pytest.raises(StoreError, match="damaged"):
        unpack([(0, chunk)])
