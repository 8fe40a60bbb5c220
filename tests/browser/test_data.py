import csv
import io
import re
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from playwright.sync_api import Page, expect

from tests.browser.access import check_access, check_descriptions
from tests.browser.clicks import click_for
from tests.browser.conftest import Dashboard, settle
from tests.browser.downloads import download

HOSTILE = "<b>dose</b>"
LATEX = "ward $x$ **n** :smile:"
FORMULA = '=HYPERLINK("x")'


def _clinic() -> pd.DataFrame:
    rng = np.random.default_rng(0)
    age = rng.integers(18, 90, size=300)
    return pd.DataFrame(
        {
            "patient_id": [f"P{number:04d}" for number in range(300)],
            "age": age,
            HOSTILE: age / 10 + rng.normal(size=300),
            LATEX: rng.choice(["north", "south", FORMULA], size=300),
            "recovered": np.where(rng.random(300) < age / 100, "yes", "no"),
        }
    )


def _upload(page: Page, name: str, content: bytes) -> None:
    page.locator("input[type=file]").set_input_files(
        {"name": name, "mimeType": "text/csv", "buffer": content}
    )


def _metric(page: Page, label: str) -> str:
    box = page.get_by_test_id("stMetric").filter(has_text=label)
    return box.get_by_test_id("stMetricValue").inner_text()


def test_from_a_card_to_the_view_and_back_after_a_refresh(visit: Callable[..., Page]) -> None:
    page = visit("Data")
    check_access(page)
    rows = page.get_by_test_id("stMetric").filter(has_text="Rows")
    click_for(page.locator(".st-key-choose-crime").get_by_role("button"), rows)
    expect(page.get_by_role("heading", name="Communities and Crime")).to_be_visible()
    settle(page)
    assert _metric(page, "Rows") == "1,994"
    expect(page.locator(".js-plotly-plot")).to_have_count(7)
    slider = page.get_by_role("slider", name="Groups along the share of Black residents")
    slider.press("ArrowRight")
    page.wait_for_url(re.compile("groups=6"))
    page.reload()
    settle(page)
    assert _metric(page, "Rows") == "1,994"
    expect(slider).to_have_value("6")
    for name in ("PctKids2Par", "PctPopUnderPov", "PctHousOccup"):
        expect(page.locator(".g-ytitle").filter(has_text=name)).to_have_count(1)
    _check_table_behind_a_chart(page)


def _check_table_behind_a_chart(page: Page) -> None:
    behind = page.locator(".st-key-ranking-table")
    click_for(behind.get_by_text("Table and downloads"), behind.get_by_test_id("stDataFrame"))
    file = download(behind.get_by_role("button", name="Download as CSV"))
    table = pd.read_csv(file.path())
    assert table["feature"][0] == "PctKids2Par"
    assert len(table) == 121
    file = download(behind.get_by_role("button", name="Download chart as PNG"))
    assert file.suggested_filename == "dependence-ranking.png"
    assert Path(file.path()).read_bytes().startswith(b"\x89PNG")


def test_an_uploaded_table_is_text_everywhere_and_stays_until_it_is_forgotten(
    visit: Callable[..., Page], server: Dashboard
) -> None:
    packed = io.BytesIO()  # so that a child of the server reads it
    _clinic().to_parquet(packed)
    page = visit("Data")
    _upload(page, "<i>clinic</i>.parquet", packed.getvalue())
    expect(
        page.get_by_role("heading", name="What are the columns of <i>clinic</i>.parquet?")
    ).to_be_visible()
    settle(page)
    expect(page).not_to_have_url(re.compile("reading="))
    view = page.get_by_role("heading", name="How the data differs along age")
    click_for(page.get_by_role("button", name="Use these columns"), view)
    settle(page)
    _check_that_all_is_text(page)
    _check_that_downloads_cannot_run(page)
    page.reload()
    settle(page)
    assert _metric(page, "Rows") == "300"
    address = page.url
    forget = page.get_by_role("button", name="Forget this table")
    delete = page.get_by_role("button", name="Delete the copy")
    click_for(page.get_by_text("Columns of <i>clinic</i>.parquet"), forget)
    click_for(forget, delete)
    click_for(delete, page.get_by_role("heading", name="Bring a table of your own"))
    page.goto(address)
    expect(page.get_by_text("not kept on this computer")).to_be_visible()


def _check_that_all_is_text(page: Page) -> None:
    main = page.get_by_test_id("stMain")
    expect(page.locator(".g-ytitle").filter(has_text=HOSTILE)).to_have_count(1)
    expect(page.locator(".ytick").filter(has_text=HOSTILE)).to_have_count(1)
    expect(main.get_by_role("heading", name="<i>clinic</i>.parquet")).to_be_visible()
    assert main.locator(".katex").count() == 0
    assert main.locator("b, i").count() == 0
    drawn = "".join(page.locator(".js-plotly-plot text").all_text_contents())
    assert LATEX in drawn.replace("\u2060", "").replace("\xa0", " ")


def _check_that_downloads_cannot_run(page: Page) -> None:
    file = download(page.get_by_role("button", name="Download these rows as CSV"))
    text = Path(file.path()).read_text(encoding="utf-8-sig")
    cells = [cell for row in csv.reader(io.StringIO(text)) for cell in row]
    assert f"'{FORMULA}" in cells
    assert not any(cell.startswith(("=", "@", "+")) for cell in cells)


@pytest.mark.slow  # tests/pages/data/test_uploads.py asks the same without a browser
def test_bad_files_get_one_message_each_and_the_dataset_stays(visit: Callable[..., Page]) -> None:
    page = visit("?dataset=crime&groups=4")  # an address from before there was a page for data
    expect(page.get_by_role("heading", level=1)).to_have_text("Data")
    slider = page.get_by_role("slider", name="Groups along the share of Black residents")
    expect(slider).to_have_value("4")
    page.get_by_text("Choose another dataset").click()
    alert = page.get_by_test_id("stAlert")
    for content, message in (
        (b"<!DOCTYPE html><html><body>no table</body></html>", "is a web page (HTML)"),
        (b"", "is empty"),
        (b"a,a\n1,2\n", "more than one column called 'a'"),
        (b"\x89PNG\r\n\x1a\n", "is a picture"),
    ):
        _upload(page, "bad.csv", content)
        expect(alert).to_contain_text(message)
        expect(alert).to_have_count(1)
        settle(page)
        assert _metric(page, "Rows") == "1,994"
        expect(page).to_have_url(re.compile("groups=4"))
        assert page.get_by_text("Traceback").count() == 0
    # A table that can be read but not used is explained beside the form.
    _upload(page, "words.csv", b"colour,shape\n" + b"red,round\nblue,square\n" * 60)
    use = page.get_by_role("button", name="Use these columns")
    click_for(use, alert.filter(has_text="cannot be used"))
    expect(use).to_be_visible()
    check_access(page)


def test_the_largest_view_is_accessible_and_fits(visit: Callable[..., Page]) -> None:
    page = visit("Data?dataset=adult")
    check_descriptions(page, charts=7)
    check_access(page)
