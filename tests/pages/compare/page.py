"""The Compare page without a browser: opening and reading it."""

import json
from html import unescape
from typing import Any

import numpy as np
import pandas as pd
from streamlit.testing.v1 import AppTest

from tests.pages.conftest import ROOT

PAGE = str(ROOT / "pages" / "4_Compare.py")


def open_page(**address: str | list[str]) -> AppTest:
    app = AppTest.from_file(PAGE, default_timeout=240)
    for name, value in address.items():
        app.query_params[name] = value
    return checked(app.run())


def checked(app: AppTest) -> AppTest:
    assert not app.exception
    assert not [error for error in app.error if "not foreseen" in str(error)]
    return app


def asked(app: AppTest, name: str) -> list[str]:
    """A parameter of the address; the test frame unpacks single values."""
    value = app.query_params[name]
    return [value] if isinstance(value, str) else list(value)


def figures(app: AppTest) -> list[dict[str, Any]]:
    return [json.loads(chart.proto.spec) for chart in app.get("plotly_chart")]


def profile_of(app: AppTest) -> dict[str, Any]:
    return next(spec for spec in figures(app) if "IPM" in spec["layout"]["yaxis"]["title"]["text"])


def lines(figure: dict[str, Any]) -> dict[str, Any]:
    return {
        unescape(trace["name"]): trace
        for trace in figure["data"]
        if trace.get("mode") == "lines+markers" and "name" in trace
    }


def numbers(values: Any) -> np.ndarray:
    if isinstance(values, dict):  # plotly packs arrays
        import base64

        return np.frombuffer(base64.b64decode(values["bdata"]), dtype=values["dtype"])
    return np.array(values, dtype=float)


def picked(crime: pd.DataFrame, method: str, weight: float = 0.0, seed: int = 0) -> str:
    rows = crime[(crime["method"] == method) & (crime["seed"] == seed)]
    return str(rows.loc[rows["config.fairness_weight"] == weight, "id"].iloc[0])
