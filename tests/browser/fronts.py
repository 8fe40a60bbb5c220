"""Points of the fronts on Trade-offs and Train."""

from playwright.sync_api import Locator, Page, expect

from tests.browser.clicks import until

TRADE_OFFS, TRAIN = "[class*=st-key-tradeoffs-chart]", ".st-key-train-front"
# Points that stand for runs; rings, crosses, the best constant and the paper's points do not.
_COUNT = """where => [...document.querySelectorAll(where + ' .js-plotly-plot')]
 .flatMap(chart => chart.data ?? [])
 .filter(trace => !trace.marker?.symbol.endsWith('-open'))
 .reduce((sum, trace) => sum + (trace.customdata ?? []).length, 0)"""


def wait_for_points(page: Page, condition: str = "> 0", *, chart: str = TRADE_OFFS) -> None:
    """Waits until a page's chart has as many points as the condition says."""
    page.wait_for_function(f"where => ({_COUNT})(where) {condition}", arg=chart)


def open_point(page: Page, name: str) -> Locator:
    """Clicks the leftmost marker of a method's front; returns what is told of its setting."""
    inspection = page.locator(".st-key-tradeoffs-inspection")

    def click(patience: float) -> None:
        if not inspection.is_visible():
            _click_point(page, name, patience)
        expect(inspection).to_be_visible(timeout=patience)

    until(click)
    return inspection


def _click_point(page: Page, name: str, patience: float) -> None:
    chart = page.locator(f"{TRADE_OFFS} .js-plotly-plot").first
    chart.scroll_into_view_if_needed(timeout=patience)
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
    expect(chart.locator(".hoverlayer .hovertext").first).to_be_visible(timeout=patience)
    page.mouse.click(*place)
