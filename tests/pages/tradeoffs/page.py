"""The Trade-offs page without a browser: opening and reading it."""

import base64
import json

import numpy as np
from streamlit.testing.v1 import AppTest

from studio.store import forget_sweeps
from tests.pages.conftest import ROOT

HOSTILE = "<b>a</b> $x$ **b**"


def open_page(**address: str | list[str]) -> AppTest:
    forget_sweeps()
    app = AppTest.from_file(str(ROOT / "pages" / "3_Trade-offs.py"), default_timeout=240)
    for name, value in address.items():
        app.query_params[name] = value
    return checked(app.run())


def checked(app: AppTest) -> AppTest:
    assert not app.exception
    return app


def figure(app: AppTest) -> dict:
    return json.loads(app.get("plotly_chart")[0].proto.spec)


def points(app: AppTest, name: str) -> list[tuple[float, float]]:
    own = [trace for trace in figure(app)["data"] if trace["name"] == name]
    return sorted((x, y) for trace in own for x, y in zip(*axes(trace), strict=True))


def axes(trace: dict) -> tuple[list[float], list[float]]:
    return numbers(trace["x"]), numbers(trace["y"])


def numbers(values: object) -> list[float]:
    if isinstance(values, dict):  # Plotly packs arrays
        raw = base64.b64decode(values["bdata"])
        return np.frombuffer(raw, dtype=values["dtype"]).tolist()
    return list(values)


def words(app: AppTest) -> str:
    parts = [*app.markdown, *app.caption, *app.info, *app.subheader]
    return " ".join(str(part.value) for part in parts).replace("&#45;", "-")


def select(app: AppTest, label: str):
    return next(box for box in app.selectbox if box.label == label)


def slider(app: AppTest, label: str):
    return next(one for one in app.slider if one.label.startswith(label))
