
// Draws every chart of the page from the JSON beside it; charts follow the width of the page.
(() => {
  const PRINTED_WIDTH = 660;
  const ink = "#14262B", line = "#D3E0E1";
  const axis = { automargin: true, gridcolor: "#E6EEEF", linecolor: line, zerolinecolor: line,
    ticks: "outside", tickcolor: line };
  const template = { layout: { font: { family: "system-ui, sans-serif", size: 13, color: ink },
    paper_bgcolor: "#FFFFFF", plot_bgcolor: "#FFFFFF", xaxis: axis, yaxis: axis,
    colorway: ["#0A8692", "#DA5A2A", "#8A63C9", "#B07D00", "#2F7FC1", "#CE4A7E", "#7A8288"] } };
  const name = (text) => (text || "chart").toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "-").slice(0, 60);
  const charts = [...document.querySelectorAll(".chart")];
  for (const chart of charts) {
    const { data, layout } = JSON.parse(chart.parentElement.querySelector("script").textContent);
    const title = chart.parentElement.querySelector("figcaption").textContent;
    Plotly.newPlot(chart, data, { ...layout, template, autosize: true }, { responsive: true,
      displaylogo: false, modeBarButtonsToRemove: ["select2d", "lasso2d", "autoScale2d"],
      toImageButtonOptions: { format: "png", scale: 2, filename: name(title) } });
  }
  document.documentElement.dataset.charts = charts.length;
  const resize = (change) => charts.forEach((chart) => Plotly.relayout(chart, change));
  addEventListener("beforeprint", () => resize({ width: PRINTED_WIDTH, autosize: false }));
  addEventListener("afterprint", () => resize({ width: null, autosize: true }));
})();
