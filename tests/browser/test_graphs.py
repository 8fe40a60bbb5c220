"""From a node file and an edge file in the browser to a trained front."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

from frem_core.store import Store
from frem_core.sweeps import SweepSpec
from tests.browser.clicks import click_for
from tests.browser.conftest import PATIENCE, Dashboard, address, settle
from tests.datasets.graphs.people import friendships, people

LONG = 2 * PATIENCE


def give(page: Page, name: str, content: bytes) -> None:
    page.locator("input[type=file]").last.set_input_files(
        {"name": name, "mimeType": "text/csv", "buffer": content}
    )


def join(page: Page, name: str, content: bytes) -> None:
    button = page.get_by_role("button", name="Join the rows by edges")
    expect(button).to_be_visible()
    settle(page)
    click_for(button, page.get_by_text("List of edges: two ids a line"))
    give(page, name, content)


def use_columns(page: Page, outcome: Locator) -> None:
    settle(page)
    click_for(page.get_by_role("button", name="Use these columns"), outcome)


@pytest.mark.slow  # its forms: tests/pages/data/test_graphs.py; its training: tests/training
def test_an_uploaded_graph_is_trained_with_a_graph_network(
    training_server: Dashboard, visit: Callable[..., Page]
) -> None:
    page = visit("Data", at=training_server)
    give(page, "people.csv", people().to_csv(index=False).encode())
    expect(page.get_by_role("heading", name="What are the columns of people.csv?")).to_be_visible()

    join(page, "friends.csv", friendships().to_csv(index=False).encode())
    expect(page.get_by_text("The rows are joined by friends.csv (180 lines)")).to_be_visible()
    # The id column was found; target and sensitive attribute were proposed.
    edges = page.get_by_test_id("stMetric").filter(has_text="Edges")
    use_columns(page, edges)
    expect(edges).to_contain_text("180")
    expect(page).to_have_url(re.compile("node_id=who"))
    page.reload()
    expect(edges).to_contain_text("180")

    train(page, training_server)


def train(page: Page, server: Dashboard) -> None:
    page.goto(page.url.replace("/Data", "/Train"))
    settle(page)
    page.get_by_role("slider", name="Repetitions (seeds)").press("Home")
    epochs = page.get_by_role("spinbutton", name="Epochs", exact=True)
    epochs.fill("20")
    epochs.press("Enter")
    page.get_by_role("radio", name="Explore a range of fairness weights").click()
    page.get_by_role("radio", name="A range of my own").first.click()
    count = page.get_by_role("slider", name="How many values between them")
    count.press("Home")
    count.press("ArrowRight")
    page.get_by_role("button", name="Train 3 runs").click()
    page.wait_for_url(re.compile("sweep="))
    expect(page.get_by_text("3 of 3 runs done").first).to_be_visible(timeout=LONG)
    [sweep] = address(page)["sweep"]
    store = Store(folder=server.home)
    spec = SweepSpec.from_toml(store.sweeps.spec(sweep))
    runs = store.runs.frame(sweep)
    store.close()
    assert spec.dataset.is_graph
    assert spec.training["encoder"] == "gcn"
    assert (runs["state"] == "done").all()
