"""``python -m studio.audit.child``: audits what its standard input describes.

The order comes as JSON. Progress is reported as it goes; the last report holds the result.
"""

import base64
import json
import pickle
import sys

import torch

from frem_core.audit import repair_costs
from frem_core.errors import FremError
from studio.audit.order import AuditOrder
from studio.child import Report, run_child


def main(report: Report) -> None:
    """Audits and reports."""
    torch.set_num_threads(1)
    order = AuditOrder.from_dict(json.load(sys.stdin))
    report(what="Reading rows", share=0.0)
    rows = order.rows()
    part = 1.0 if rows.further is None else 1 / (2 + len(order.further))
    result = order.measure(rows, progress=lambda what, share: report(what=what, share=part * share))
    together = order.measure_all(
        rows, progress=lambda what, share: report(what=what, share=part + (1 - part) * share)
    )
    try:
        costs = repair_costs(rows.y, rows.p, sensitive_features=rows.s, sample_weight=rows.weights)
    except FremError:  # decisions cannot be repaired
        costs = None
    content = pickle.dumps((result, costs, together))
    report(result=base64.b64encode(content).decode())


if __name__ == "__main__":
    run_child(main)
