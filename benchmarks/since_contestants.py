"""What `python -m benchmarks since` times, with whichever version of the library it is given.

Reads names from standard input, runs each once and answers with the seconds of processor time.
"""

import sys
from collections.abc import Callable
from functools import partial
from time import process_time
from typing import Any

import torch

from frem_core.datasets import load_dataset, prepare, social_graph_dataset, split_dataset
from frem_core.eipm import eipm
from frem_core.methods import get_method
from frem_core.training import TrainingStack, grid, suggested_config
from frem_core.training.loop import run_epoch

try:
    from frem_core.methods.named_forms import PAPERS_FORM
except ModuleNotFoundError:  # before there were others
    PAPERS_FORM = {}

ROWS, DIMENSIONS, DISTINCT, GAMMA = 1024, 50, 74, 0.05


def contestants() -> dict[str, Callable[[], object]]:
    """One unit of work each, by name."""
    torch.manual_seed(0)
    z, s = torch.randn(ROWS, DIMENSIONS), torch.rand(ROWS)
    repeated = (s * DISTINCT).round() / DISTINCT
    frem, unfair = get_method("frem")(**PAPERS_FORM), get_method("unfair")()
    linear = get_method("frem")(**PAPERS_FORM, computation="linear")
    crime, adult = _table("crime"), _table("adult")
    network = social_graph_dataset(20_000, n_edges=250_000, n_features=100)
    graph = prepare(network, split_dataset(network))
    some = grid([0.01 * n for n in range(1, 11)])
    return {
        "EIPM, repeated S": partial(_step, z, repeated),
        "EIPM, continuous S": partial(_step, z, s),
        "EIPM, random features": partial(_step, z, s, method="linear"),
        "EIPM, 8,192 rows": partial(eipm, z.repeat(8, 1), repeated.repeat(8), gamma=GAMMA),
        "Crime, unfair": _epoch(crime, unfair, grid([0.0])),
        "Crime, FREM": _epoch(crime, frem, grid([0.1])),
        "Crime, ten FREM in a stack": _epoch(crime, frem, some),
        "Adult, unfair": _epoch(adult, unfair, grid([0.0])),
        "Adult, FREM": _epoch(adult, frem, grid([1.0])),
        "Adult, FREM with random features": _epoch(adult, linear, grid([1.0])),
        "graph, unfair SGC": _epoch(graph, unfair, grid([0.0]), graph=True, encoder="sgc"),
        "graph, FREM with SGC": _epoch(graph, frem, grid([1.0]), graph=True, encoder="sgc"),
    }


def _table(name: str) -> Any:
    dataset = load_dataset(name)
    return prepare(dataset, split_dataset(dataset, seed=0))


def _step(z: torch.Tensor, s: torch.Tensor, method: str = "exact") -> None:
    z = z.clone().requires_grad_()
    torch.autograd.grad(eipm(z, s, gamma=GAMMA, method=method), z)


def _epoch(data: Any, method: Any, members: Any, **settings: Any) -> Callable[[], object]:
    config = suggested_config("", len(data.train), batch_size=512, **settings)
    stack = TrainingStack(data.train, task=data.task, method=method, config=config, members=members)
    return lambda: run_epoch(stack, lambda: None)


def main() -> None:
    torch.set_num_threads(1)
    work = contestants()
    print(*work, sep="\t", flush=True)
    for line in sys.stdin:
        began = process_time()
        work[line.strip()]()
        print(process_time() - began, flush=True)


if __name__ == "__main__":
    main()
