"""A scikit-learn model's predictions through the Audit page to a report, and by command alike."""

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner
from playwright.sync_api import Page, expect
from sklearn.linear_model import LogisticRegression

from frem_core.cli import frem
from tests.browser.access import check_access
from tests.browser.clicks import click_for
from tests.browser.conftest import settle
from tests.browser.downloads import download


def _predictions() -> pd.DataFrame:
    random = np.random.default_rng(0)
    age = random.integers(18, 90, 500)
    skill = random.normal(size=500)
    hired = (skill + age / 40 - 1.3 + random.normal(size=500) > 0).astype(int)
    features = np.column_stack([age, skill])
    score = LogisticRegression().fit(features, hired).predict_proba(features)[:, 1]
    return pd.DataFrame({"age": age, "skill": skill, "hired": hired, "score": score.round(6)})


def test_from_predictions_to_a_report(visit: Callable[..., Page], tmp_path: Path) -> None:
    file = tmp_path / "scored.csv"
    _predictions().to_csv(file, index=False)
    page = visit("Audit")
    page.locator("input[type=file]").set_input_files(str(file))
    expect(page.get_by_text("What the columns mean")).to_be_visible()
    settle(page)
    verdict = page.get_by_text("Predictions follow age")
    click_for(page.get_by_role("button", name="Audit", exact=True), verdict)
    settle(page)
    check_access(page)
    address = page.url
    page.reload()
    expect(verdict).to_be_visible()
    assert page.url == address
    settle(page)
    slider = page.get_by_role("slider", name="Cut age here")
    click_for(page.get_by_role("tab", name="Cut-off view"), slider)
    slider.press("ArrowRight")
    expect(page.get_by_text("A cut decides")).to_be_visible()
    whole = page.get_by_role("button", name="Report (HTML)")
    click_for(page.get_by_role("tab", name="Documents"), whole)
    report = download(whole)
    assert "along age" in Path(report.path()).read_text()
    numbers = download(page.get_by_role("button", name="Numbers (JSON)"))
    shown = json.loads(Path(numbers.path()).read_text())
    told = CliRunner().invoke(
        frem,
        [
            *("audit", "--dataset", str(file), "--prediction", "score", "--sensitive", "age"),
            *("--permutations", "199", "--json"),
        ],
        catch_exceptions=False,
    )
    facts = json.loads(told.stdout)
    for name, row in shown["scores"].items():
        for column in ("value", "low", "high", "chance", "p_value"):
            assert facts["scores"][name][column] == pytest.approx(row[column], rel=1e-9)
    assert facts["curve"] == shown["curve"]
