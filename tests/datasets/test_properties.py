"""Whatever the table or file: a Dataset or a FremError, nothing else."""

import io

import numpy as np
import pandas as pd
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from frem_core.datasets import Dataset, load_table, prepare, split_dataset
from frem_core.errors import FremError
from tests.datasets.people import people

relaxed = settings(
    deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large]
)

cells = st.one_of(
    st.none(),
    st.integers(-(2**70), 2**70),
    st.integers(0, 3),
    st.floats(),
    st.booleans(),
    st.datetimes(),
    st.dates(),
    st.text(max_size=8),
    st.sampled_from(["yes", "no", "NA", "?", "1,5", "12 %", "$3", "1.234,5", "2020-01-31", "inf"]),
)
typed_columns = st.sampled_from(
    [
        np.arange(60),
        np.linspace(-1, 1, 60),
        np.resize([0.0, 1.0], 60),
        np.full(60, np.nan),
        np.resize([1e300, -1e300, 0], 60),
        np.resize([0, 5e-324, 1], 60),
        pd.array(np.resize([1, 2, 3], 60), dtype="Int8"),
        pd.Categorical(np.resize(["a", "b", "c"], 60)),
        pd.Categorical(np.resize([1.5, 2.5, 9.0], 60)),
        pd.date_range("1900-01-01", periods=60, freq="500D"),
        pd.timedelta_range("1D", periods=60),
        pd.interval_range(0, 60),
        np.resize(["x", "y"], 60).astype(object),
        np.array([1 + 2j] * 60),
        np.resize(np.array([b"a", b"b"], dtype=object), 60),
    ]
)
columns = typed_columns | st.lists(cells, min_size=1, max_size=12).map(
    lambda values: pd.Series([values[row % len(values)] for row in range(60)], dtype=object)
)
names = st.one_of(
    st.sampled_from(["y", "s", "a", "b", "", " y", "c=d"]), st.text(max_size=4), st.integers(0, 3)
)


@st.composite
def tables(draw):
    parts = draw(st.lists(st.tuples(names, columns), min_size=0, max_size=5))
    frame = pd.DataFrame({position: pd.Series(part) for position, (_, part) in enumerate(parts)})
    if draw(st.booleans()):
        # Half of the tables have good names and good roles: only the features are strange.
        frame.columns = [f"c{position}" for position in range(len(parts))]
        return people(60).rename(columns={"hired": "y", "age": "s"}).join(frame)
    frame.columns = pd.Index([name for name, _ in parts], dtype=object)
    return frame


def usable(load):
    """Loads, and trains nothing but goes all the way to the arrays."""
    try:
        dataset = load()
        assert isinstance(dataset, Dataset)
        assert len(dataset.fingerprint) == 64
        data = prepare(dataset, split_dataset(dataset, validation_size=0.2))
    except FremError:
        return
    for part in (data.train, data.validation, data.test):
        assert np.isfinite(part.x).all()
        assert np.isfinite(part.y).all()
        assert ((part.s >= 0) & (part.s <= 1)).all()


@given(frame=tables(), task=st.sampled_from(["auto", "classification", "regression"]))
@settings(relaxed, max_examples=100)
def test_any_frame(frame, task):
    usable(lambda: load_table(frame, target="y", sensitive="s", task=task))


@given(frame=tables(), separator=st.sampled_from([",", ";", "\t"]))
@settings(relaxed, max_examples=60)
def test_any_frame_written_as_text(frame, separator):
    text = frame.to_csv(index=False, sep=separator).encode("utf-8", "replace")
    usable(lambda: load_table(io.BytesIO(text), target="y", sensitive="s"))


@given(data=st.binary(max_size=400))
@example(b"\xef\xbb\xbf")
@example(b"\xff\xfe")
@example(b"\xff\xfea")
@example(b"PK\x05\x06" + b"\x00" * 18)
@example(b"PAR1PAR1")
@example(b"y,s\r1,2\r")
@example(b'"')
@example(b"\x1f\x8b\x08\x00")
@settings(relaxed, max_examples=150)
def test_any_bytes(data):
    usable(lambda: load_table(io.BytesIO(data), target="y", sensitive="s"))


def _files():
    frame = people(60)
    excel, parquet = io.BytesIO(), io.BytesIO()
    frame.to_excel(excel, index=False)
    frame.to_parquet(parquet)
    return [excel.getvalue(), parquet.getvalue(), frame.to_csv(index=False).encode("cp1252")]


@given(
    data=st.sampled_from(_files()),
    changes=st.lists(st.tuples(st.floats(0, 1), st.integers(0, 255)), min_size=1, max_size=6),
    kept=st.floats(0.2, 1.0),
)
@settings(relaxed, max_examples=150)
def test_damaged_files(data, changes, kept):
    damaged = bytearray(data[: int(len(data) * kept)] if kept < 0.9 else data)
    for place, value in changes:
        damaged[int(place * (len(damaged) - 1))] = value
    usable(lambda: load_table(io.BytesIO(bytes(damaged)), target="hired", sensitive="age"))


@given(text=st.text(alphabet='ys,;\t"\n\r 01.5-%?é', max_size=300))
@settings(relaxed, max_examples=150)
def test_any_text(text):
    usable(lambda: load_table(io.BytesIO(text.encode()), target="y", sensitive="s"))
