"""Reports as one HTML file that opens offline and prints, with the same content as JSON.

A report is a title and sections; a section is a heading and blocks. All text is text: what a column
is called can never become markup. A page of a report holds plotly once, however many charts it has,
and its own content policy forbids every request and every script but its own.

>>> import pandas as pd
>>> scores = pd.DataFrame({"score": ["accuracy"], "value": [0.83125]})
>>> report = Report(
...     title="Income without age",
...     sections=(
...         Section("In short", (
...             Facts({"Question": "Does the model follow age?", "Answer": "Hardly."}),
...             Paragraph("Measured on 1,000 people the model never saw."),
...         )),
...         Section("Scores", (Table(scores, caption="Test rows"), Commands(("frem status",)))),
...     ),
... )
>>> "<h2>In short</h2>" in report.to_html()
True
>>> report.to_dict()["sections"][1]["blocks"][0]["rows"]
[['accuracy', 0.83125]]

A chart is a :class:`Chart` of any plotly figure, best one of :mod:`frem_core.figures`; its caption
is the title, ``alt`` says the main point in words, and the table it was drawn from is given beside
it, folded in HTML and whole in JSON. ``report.save("report.html")`` or ``save("report.json")``
writes a file whole or not at all. Numbers that programs read go into ``Report(data={…})``.
"""

from frem_core.report.blocks import Chart, Commands, Facts, Listing, Notice, Paragraph, Table
from frem_core.report.report import Report, Section

__all__ = [
    "Chart",
    "Commands",
    "Facts",
    "Listing",
    "Notice",
    "Paragraph",
    "Report",
    "Section",
    "Table",
]
