"""The table of a clinic, and whether what is taken home from it is right."""

import io
import subprocess
from pathlib import Path

import numpy as np
import pandas as pd
from playwright.sync_api import Page, expect

from frem_core.store import Store
from frem_core.sweeps import load_predictions
from tests.browser.conftest import Dashboard
from tests.installed import outside

HOSTILE = "<b>dose</b> $x$"


def clinic(rows: int = 300) -> bytes:
    rng = np.random.default_rng(0)
    age = rng.integers(18, 90, size=rows)
    frame = pd.DataFrame(
        {
            "age": age,
            HOSTILE: age / 10 + rng.normal(size=rows),
            "visits": rng.poisson(3, size=rows),
            "recovered": np.where(rng.random(rows) < age / 100, "yes", "no"),
        }
    )
    return frame.to_csv(index=False).encode()


def check_predictions(dashboard: Dashboard, run: str, programs: Path, folder: Path) -> None:
    """Where only the wheel is, the downloaded model predicts what the store holds of test rows."""
    store = Store(folder=dashboard.home)
    kept = load_predictions(store, store.runs.get(run).id)
    store.close()
    rows = pd.read_csv(io.BytesIO(clinic())).iloc[kept["row"]].drop(columns=["age", "recovered"])
    rows.to_csv(folder / "new.csv", index=False)
    subprocess.run(
        [programs / "frem", "predict", "model.zip", "new.csv", "-o", "predictions.csv"],
        cwd=folder,
        env=outside() | {"FREM_HOME": str(folder / "home")},
        check=True,
    )
    predicted = pd.read_csv(folder / "predictions.csv")
    np.testing.assert_allclose(predicted["probability"], kept["p"], rtol=0, atol=1e-6)


def check_report(page: Page, file: Path) -> None:
    """The report draws every figure without a request, and nothing is cut off on paper."""
    offline = page.context.browser.new_context(offline=True)  # type: ignore[union-attr]
    sheet = offline.new_page()
    requests: list[str] = []
    sheet.on("request", lambda request: requests.append(request.url))
    sheet.on("pageerror", lambda error: requests.append(str(error)))
    html = file.rename(file.with_suffix(".html"))
    sheet.goto(html.as_uri())
    sheet.wait_for_selector("html[data-charts]")
    charts = sheet.locator(".chart")
    assert charts.count() >= 8
    drawn = ".cartesianlayer :is(.trace, .hm, .bars)"
    assert sheet.locator(".chart").filter(has=sheet.locator(drawn)).count() == charts.count()
    assert requests == [html.as_uri()]
    expect(sheet.get_by_text(HOSTILE).first).to_be_attached()  # a name, not markup
    sheet.emulate_media(media="print")
    sheet.set_viewport_size({"width": 680, "height": 1000})  # A4 between its margins
    sheet.evaluate("() => dispatchEvent(new Event('beforeprint'))")
    wide = sheet.evaluate(
        """() => [...document.querySelectorAll('main *')].filter((one) => {
            const box = one.getBoundingClientRect();
            return box.width && (box.right > innerWidth + 1 || box.left < -1);
        }).map((one) => one.outerHTML.slice(0, 120))"""
    )
    assert wide == []
    assert len(sheet.pdf(prefer_css_page_size=True)) > 50_000
    offline.close()
