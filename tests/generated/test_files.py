"""Whatever a file holds: it is read, or a FremError says why not. Nothing else comes out.

500 examples in all run with every test, 10,000 with the slow ones; both are the same every time.
"""

import contextlib
import gzip
import io
import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pandas as pd
import pytest
import tomli_w
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

from frem_core.datasets import load_dataset, load_graph, load_table, read_edges, read_table
from frem_core.errors import FremError
from frem_core.model_package import load_model, pack_model, predict_table
from frem_core.sweeps import SweepSpec
from tests.datasets.graphs.people import friendships
from tests.datasets.graphs.people import people as members
from tests.generated.damage import damaged, generated, values
from tests.model_package.people import people, predictor, prepared
from tests.model_package.test_archive import _card

SWEEP: dict[str, Any] = {
    "name": "generated",
    "seeds": [0, 1],
    "fairness": "dp",
    "dataset": {"name": "crime"},
    "split": {"kind": "random", "test_size": 0.2},
    "gamma": {"policy": "validate", "candidates": [0.1, 0.2]},
    "training": {"epochs": 3, "batch_size": 64, "hidden": [8, 8]},
    "methods": [{"method": "frem", "fairness_weights": [0.1, 1.0]}, {"method": "unfair"}],
}


@contextlib.contextmanager
def refused_clearly() -> Iterator[None]:
    """What was given may be fine, or a FremError says in words what is wrong."""
    with contextlib.suppress(FremError):
        yield


@cache
def tables() -> list[bytes]:
    frame = people(60)
    parquet, excel = io.BytesIO(), io.BytesIO()
    frame.to_parquet(parquet)
    frame.head(20).to_excel(excel, index=False)
    text = frame.to_csv(index=False).encode()
    return [text, gzip.compress(text), parquet.getvalue(), excel.getvalue()]


@cache
def edges() -> list[bytes]:
    parquet, matrix = io.BytesIO(), io.BytesIO()
    friendships().to_parquet(parquet)
    sparse.save_npz(matrix, sparse.random(120, 120, 0.05, format="csr", random_state=0))
    text = friendships().to_csv(index=False, sep="\t").encode()
    return [text, parquet.getvalue(), matrix.getvalue()]


@cache
def model_zip() -> bytes:
    with TemporaryDirectory() as folder:
        return pack_model(predictor(prepared("paid", Path(folder))), _card())


@cache
def model_files() -> dict[str, bytes]:
    with TemporaryDirectory() as folder:
        predictor(prepared("paid", Path(folder))).save(Path(folder) / "model")
        return {one.name: one.read_bytes() for one in (Path(folder) / "model").iterdir()}


def a_table(content: bytes) -> None:
    with refused_clearly():
        frame = read_table(io.BytesIO(content))
        assert isinstance(frame, pd.DataFrame)
        load_table(frame, target="paid", sensitive="age")


def an_edge_list(content: bytes) -> None:
    with refused_clearly():
        found = read_edges(io.BytesIO(content), max_edges=100_000)
        assert list(found.columns) == ["source", "target"]
        load_graph(members(), found, id="who", target="joined", sensitive="age")


def a_model(zipped: bytes | None, changed: tuple[str, bytes | None]) -> None:
    with TemporaryDirectory() as folder, refused_clearly():
        place = Path(folder) / "model"
        if zipped is not None:
            place = place.with_suffix(".zip")
            place.write_bytes(zipped)
        else:
            place.mkdir()
            for name, content in (model_files() | {changed[0]: changed[1]}).items():
                if content is not None:
                    (place / name).write_bytes(content)
        answer = predict_table(load_model(place), people(8))
        assert len(answer.frame) == 8


def a_sweep(text: str) -> None:
    with refused_clearly():
        spec = SweepSpec.from_toml(text)
        assert spec.count() > 0
        if spec.count() < 1000 and spec.dataset.name == "crime":
            spec.expand(load_dataset("crime"))
            assert SweepSpec.from_toml(spec.to_toml()) == spec


bad_tables = st.sampled_from(range(4)).flatmap(lambda kind: damaged(tables()[kind]))
bad_edges = st.sampled_from(range(3)).flatmap(lambda kind: damaged(edges()[kind]))


@st.composite
def bad_models(draw: st.DrawFn) -> tuple[bytes | None, tuple[str, bytes | None]]:
    if draw(st.booleans()):
        return draw(damaged(model_zip())), ("", None)
    name = draw(st.sampled_from(sorted(model_files())))
    match draw(st.sampled_from(["gone", "damaged", "changed"])):
        case "gone":
            return None, (name, None)
        case "changed" if name.endswith(".json"):
            settings = json.loads(model_files()[name])
            _set_something(draw, settings)
            return None, (name, json.dumps(settings).encode())
        case _:
            return None, (name, draw(damaged(model_files()[name])))


@st.composite
def bad_sweeps(draw: st.DrawFn) -> str:
    settings = json.loads(json.dumps(SWEEP))
    for _ in range(draw(st.integers(1, 3))):
        _set_something(draw, settings)
    try:
        text = tomli_w.dumps(settings)
    except (TypeError, ValueError, AttributeError):  # TOML knows no null
        text = json.dumps(settings)
    if draw(st.booleans()):
        return draw(damaged(text.encode())).decode("utf-8", "replace")
    return text


def _set_something(draw: st.DrawFn, settings: Any) -> None:
    """Puts another value somewhere into nested settings, or takes something out."""
    while True:
        keys = list(settings) if isinstance(settings, dict) else list(range(len(settings)))
        if not keys:
            return
        key = draw(st.sampled_from(keys))
        if isinstance(settings[key], dict | list) and settings[key] and draw(st.booleans()):
            settings = settings[key]
            continue
        if draw(st.integers(0, 4)) == 0:
            del settings[key]
        else:
            settings[key] = draw(values)
        return


@generated(150)
@given(bad_tables)
def test_tables(content: bytes) -> None:
    a_table(content)


@generated(150)
@given(bad_edges)
def test_edge_lists(content: bytes) -> None:
    an_edge_list(content)


@generated(75)
@given(bad_models())
def test_models(model: tuple[bytes | None, tuple[str, bytes | None]]) -> None:
    a_model(*model)


@generated(100)
@given(bad_sweeps())
def test_sweep_files(text: str) -> None:
    a_sweep(text)


@pytest.mark.slow
@generated(3000)
@given(bad_tables)
def test_many_tables(content: bytes) -> None:
    a_table(content)


@pytest.mark.slow
@generated(3000)
@given(bad_edges)
def test_many_edge_lists(content: bytes) -> None:
    an_edge_list(content)


@pytest.mark.slow
@generated(1500)
@given(bad_models())
def test_many_models(model: tuple[bytes | None, tuple[str, bytes | None]]) -> None:
    a_model(*model)


@pytest.mark.slow
@generated(2000)
@given(bad_sweeps())
def test_many_sweep_files(text: str) -> None:
    a_sweep(text)
