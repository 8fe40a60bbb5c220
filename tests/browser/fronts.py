"""Points of the fronts on the Trade-offs page."""

from playwright.sync_api import Page, expect

_CHART = "[class*=st-key-tradeoffs-chart] .js-plotly-plot"
# Points with a marker that stands for runs; rings and the paper's points do not.
COUNT = f"""() => [...document.querySelectorAll('{_CHART}')]
 .flatMap(chart => chart.data ?? [])
 .filter(trace => !trace.marker.symbol.endsWith('-open'))
 .reduce((sum, trace) => sum + (trace.customdata ?? []).length, 0)"""


def wait_for_points(page: Page, condition: str = "> 0") -> None:
    """Waits until the chart has as many points as the condition says."""
    page.wait_for_function(f"({COUNT})() {condition}")


def click_point(page: Page, name: str) -> None:
    """Clicks the leftmost marker of a method's front."""
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
