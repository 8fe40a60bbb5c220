"""An audit of several attributes on the terminal and as JSON."""

import json
from typing import TYPE_CHECKING

from rich.markup import escape
from rich.table import Table

from frem_core.console.audit_output import show_rules
from frem_core.console.terminal import results
from frem_core.words import counted, rounded, with_interval

if TYPE_CHECKING:
    from frem_core.audit import AttributesAudit, RuleResult
    from frem_core.console.audited import Audited

_SHOWN_PLACES = 8


def attributes_json(title: str, found: "AttributesAudit", rules: "tuple[RuleResult, ...]") -> str:
    """Everything an audit of several attributes found, for machines."""
    facts = {"subject": title, **found.to_dict(), "requirements": [vars(rule) for rule in rules]}
    return json.dumps(facts, ensure_ascii=False, indent=2)


def show_attributes(
    audited: "Audited", found: "AttributesAudit", rules: "tuple[RuleResult, ...]"
) -> None:
    """Prints sentences, attributes, places and rules for people."""
    console = results()
    first = next(iter(found.results.values()))
    about = f"{audited.title}: {counted(first.rows, 'row')}, along {', '.join(found.results)}"
    console.print(escape(about[0].upper() + about[1:]))
    for line in (*audited.notes, *found.sentences()):
        console.print(f"• {escape(line)}")
    table = Table(title="Mean gap of each attribute")
    for heading in ("attribute", "by itself", "p", "alike in the others", "p"):
        table.add_column(heading, justify="left" if heading == "attribute" else "right")
    for row in found.attributes.to_dict(orient="records"):
        table.add_row(
            escape(str(row["attribute"])),
            with_interval(row, digits=4),
            f"{row['p_value']:.3g}",
            with_interval(row, "_left", 4),
            f"{row['p_value_left']:.3g}",
        )
    console.print(table)
    if not found.places.empty:
        places = Table(title="Combinations against the mean of all")
        for heading in ("place", "difference", "interval", "rows"):
            places.add_column(heading, justify="left" if heading == "place" else "right")
        for row in found.places.head(_SHOWN_PLACES).to_dict(orient="records"):
            places.add_row(
                escape(str(row["place"])),
                rounded(row["difference"], 4),
                f"{rounded(row['low'], 4)} – {rounded(row['high'], 4)}",
                f"{row['rows']:,}",
            )
        console.print(places)
    show_rules(rules)
