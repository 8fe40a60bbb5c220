"""Points of the fronts on the Trade-offs page."""

from playwright.sync_api import Error, Locator, Page, expect

from tests.browser.conftest import PATIENCE

_ATTEMPTS = 4
_CHART = "[class*=st-key-tradeoffs-chart] .js-plotly-plot"
# Points with a marker that stands for runs; rings and the paper's points do not.
COUNT = f"""() => [...document.querySelectorAll('{_CHART}')]
 .flatMap(chart => chart.data ?? [])
 .filter(trace => !trace.marker.symbol.endsWith('-open'))
 .reduce((sum, trace) => sum + (trace.customdata ?? []).length, 0)"""


def wait_for_points(page: Page, condition: str = "> 0") -> None:
    """Waits until the chart has as many points as the condition says."""
    page.wait_for_function(f"({COUNT})() {condition}")


def open_point(page: Page, name: str) -> Locator:
    """Clicks the leftmost marker of a method's front; returns what is told of its setting.

    Once more where the chart was drawn anew under the mouse, as when what chance gives arrives.
    """
    inspection = page.locator(".st-key-tradeoffs-inspection")
    for _ in range(_ATTEMPTS):
        try:
            _click_point(page, name)
            expect(inspection).to_be_visible(timeout=PATIENCE / _ATTEMPTS)
            break
        except (AssertionError, Error):  # a chart that is replaced is no longer part of the page
            continue
    expect(inspection).to_be_visible()
    return inspection


def _click_point(page: Page, name: str) -> None:
    chart = page.locator(_CHART).first
    chart.scroll_into_view_if_needed()
    place = chart.evaluate(
        """(chart, name) => {
          const trace = chart._fullData.findIndex(t => t.name === name && t.showlegend);
          const {xaxis, yaxis} = chart._fullLayout;
          const full = chart._fullData[trace], box = chart.getBoundingClientRect();
          return [box.x + xaxis._offset + xaxis.l2p(full.x[0]),
                  box.y + yaxis._offset + yaxis.l2p(full.y[0])]}""",
        name,
    )
    page.mouse.move(place[0] - 3, place[1])
    page.mouse.move(*place)
    expect(chart.locator(".hoverlayer .hovertext").first).to_be_visible()
    page.mouse.click(*place)
