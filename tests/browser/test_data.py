import csv
import io
import re
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from tests.browser.conftest import PATIENCE, Dashboard, settle

HOSTILE = "<b>dose</b>"
LATEX = "ward $x$ **n** :smile:"
FORMULA = '=HYPERLINK("x")'


def _clinic() -> bytes:
    rng = np.random.default_rng(0)
    age = rng.integers(18, 90, size=300)
    frame = pd.DataFrame(
        {
            "patient_id": [f"P{number:04d}" for number in range(300)],
            "age": age,
            HOSTILE: age / 10 + rng.normal(size=300),
            LATEX: rng.choice(["north", "south", FORMULA], size=300),
            "recovered": np.where(rng.random(300) < age / 100, "yes", "no"),
        }
    )
    return frame.to_csv(index=False).encode()


CLINIC = _clinic()


def _upload(page: Page, name: str, content: bytes) -> None:
    page.locator("input[type=file]").set_input_files(
        {"name": name, "mimeType": "text/csv", "buffer": content}
    )


def _use_columns(page: Page) -> None:
    page.get_by_role("button", name="Use these columns").click()
    expect(page.get_by_role("heading", name="How the data differs along age")).to_be_visible(
        timeout=PATIENCE
    )
    settle(page)


def _metric(page: Page, label: str) -> str:
    box = page.get_by_test_id("stMetric").filter(has_text=label)
    return box.get_by_test_id("stMetricValue").inner_text()


def test_from_a_card_to_the_view_and_back_after_a_refresh(visit: Callable[..., Page]) -> None:
    page = visit("Data")
    page.locator(".st-key-choose-crime").get_by_role("button").click()
    expect(page.get_by_role("heading", name="Communities and Crime")).to_be_visible()
    settle(page)
    assert _metric(page, "Rows") == "1,994"
    expect(page.locator(".js-plotly-plot")).to_have_count(7, timeout=PATIENCE)
    slider = page.get_by_role("slider", name="Groups along the share of Black residents")
    slider.press("ArrowRight")
    page.wait_for_url(re.compile("groups=6"))
    page.reload()
    settle(page)
    assert _metric(page, "Rows") == "1,994"
    expect(
        page.get_by_role("slider", name="Groups along the share of Black residents")
    ).to_have_value("6")
    for name in ("PctKids2Par", "PctPopUnderPov", "PctHousOccup"):
        expect(page.locator(".g-ytitle").filter(has_text=name)).to_have_count(1, timeout=PATIENCE)


def test_an_uploaded_table_survives_refresh_and_restart_until_it_is_forgotten(
    visit: Callable[..., Page], server: Dashboard, start_server: Callable[[Path], Dashboard]
) -> None:
    page = visit("Data")
    _upload(page, "clinic.csv", CLINIC)
    expect(page.get_by_role("heading", name="What are the columns of clinic.csv?")).to_be_visible()
    settle(page)
    _use_columns(page)
    assert _metric(page, "Rows") == "300"
    page.reload()
    settle(page)
    assert _metric(page, "Rows") == "300"
    address = page.url.removeprefix(f"{server.address}/")
    # A second server over the same folder is what a restarted dashboard is.
    second = visit(address, at=start_server(server.home))
    assert _metric(second, "Rows") == "300"
    second.close()
    page.get_by_text("Columns of clinic.csv").click()
    page.get_by_role("button", name="Forget this table").click()
    page.get_by_role("button", name="Delete the copy").click()
    expect(page.get_by_role("heading", name="Bring a table of your own")).to_be_visible()
    page.goto(f"{server.address}/{address}")
    expect(page.get_by_text("not kept on this computer")).to_be_visible()


def test_a_packed_table_is_read_by_a_child_with_progress(visit: Callable[..., Page]) -> None:
    buffer = io.BytesIO()
    pd.read_csv(io.BytesIO(CLINIC)).to_parquet(buffer)
    page = visit("Data")
    _upload(page, "clinic.parquet", buffer.getvalue())
    expect(
        page.get_by_role("heading", name="What are the columns of clinic.parquet?")
    ).to_be_visible(timeout=PATIENCE)
    assert "reading=" not in page.url


def test_bad_files_get_one_message_each_and_the_dataset_stays(visit: Callable[..., Page]) -> None:
    page = visit("Data?dataset=crime&groups=4")
    page.get_by_text("Choose another dataset").click()
    for content, message in (
        (b"<!DOCTYPE html><html><body>no table</body></html>", "is a web page (HTML)"),
        (b"", "is empty"),
        (b"a,a\n1,2\n", "more than one column called 'a'"),
        (b"\x89PNG\r\n\x1a\n", "is a picture"),
    ):
        _upload(page, "bad.csv", content)
        alert = page.get_by_test_id("stAlert")
        expect(alert).to_contain_text(message, timeout=PATIENCE)
        expect(alert).to_have_count(1)
        settle(page)
        assert _metric(page, "Rows") == "1,994"
        assert "groups=4" in page.url
        assert page.get_by_text("Traceback").count() == 0


def test_a_table_without_numbers_is_explained_in_the_form(visit: Callable[..., Page]) -> None:
    page = visit("Data")
    _upload(page, "words.csv", b"colour,shape\n" + b"red,round\nblue,square\n" * 60)
    page.get_by_role("button", name="Use these columns").click()
    alert = page.get_by_test_id("stAlert")
    expect(alert).to_contain_text("cannot be used", timeout=PATIENCE)
    expect(page.get_by_role("button", name="Use these columns")).to_be_visible()


def test_names_and_values_are_text_everywhere(visit: Callable[..., Page]) -> None:
    page = visit("Data")
    _upload(page, "<i>clinic</i>.csv", CLINIC)
    page.get_by_role("button", name="Use these columns").wait_for()
    settle(page)
    _use_columns(page)
    main = page.get_by_test_id("stMain")
    expect(page.locator(".g-ytitle").filter(has_text=HOSTILE)).to_have_count(1, timeout=PATIENCE)
    expect(page.locator(".ytick").filter(has_text=HOSTILE)).to_have_count(1, timeout=PATIENCE)
    expect(main.get_by_role("heading", name="<i>clinic</i>.csv")).to_be_visible()
    assert main.locator(".katex").count() == 0
    assert main.locator("b, i").count() == 0
    drawn = "".join(page.locator(".js-plotly-plot text").all_text_contents())
    assert LATEX in drawn.replace("\u2060", "").replace("\xa0", " ")
    _check_that_downloads_cannot_run(page)


def _check_that_downloads_cannot_run(page: Page) -> None:
    with page.expect_download() as download:
        page.get_by_role("button", name="Download these rows as CSV").click()
    text = Path(download.value.path()).read_text(encoding="utf-8-sig")
    cells = [cell for row in csv.reader(io.StringIO(text)) for cell in row]
    assert f"'{FORMULA}" in cells
    assert not any(cell.startswith(("=", "@", "+")) for cell in cells)


def test_the_table_behind_a_chart_is_one_click_away(visit: Callable[..., Page]) -> None:
    page = visit("Data?dataset=crime")
    behind = page.locator(".st-key-ranking-table")
    behind.get_by_text("Table and downloads").click()
    expect(behind.get_by_test_id("stDataFrame")).to_be_visible()
    with page.expect_download() as download:
        behind.get_by_role("button", name="Download as CSV").click()
    table = pd.read_csv(download.value.path())
    assert table["feature"][0] == "PctKids2Par"
    assert len(table) == 121
    with page.expect_download() as download:
        behind.get_by_role("button", name="Download chart as PNG").click()
    assert download.value.suggested_filename == "dependence-ranking.png"
    assert Path(download.value.path()).read_bytes().startswith(b"\x89PNG")


FITS = """() => {const main = document.querySelector('[data-testid=stMain]');
 return main.scrollWidth <= main.clientWidth + 1}"""


@pytest.mark.parametrize("context", ["light", "dark"], indirect=True)
def test_cards_view_form_and_errors_are_accessible_and_fit(visit: Callable[..., Page]) -> None:
    page = visit("Data")
    _check_access(page)
    _upload(page, "words.csv", b"colour,shape\n" + b"red,round\nblue,square\n" * 60)
    page.get_by_role("button", name="Use these columns").click()
    expect(page.get_by_test_id("stAlert")).to_be_visible(timeout=PATIENCE)
    _check_access(page)
    page = visit("Data?dataset=adult")
    charts = page.get_by_test_id("stPlotlyChart")
    expect(charts).to_have_count(7, timeout=PATIENCE)
    _check_access(page)
    for chart in charts.all():
        label = chart.locator("xpath=descendant-or-self::*[@aria-label]").first
        assert len(label.get_attribute("aria-label") or "") > 20


def _check_access(page: Page) -> None:
    for width in (1024, 1440):
        page.set_viewport_size({"width": width, "height": 900})
        page.wait_for_function(FITS)
    settle(page)
    found = Axe().run(page).response["violations"]
    serious = [
        (item["id"], [node["html"][:120] for node in item["nodes"]])
        for item in found
        if item["impact"] in {"serious", "critical"}
    ]
    assert serious == []
