"""Graphs of Pokec's size: what fairness adds to a training, and how features travel fastest."""

import os
import warnings
from collections.abc import Callable
from importlib.util import find_spec
from time import perf_counter

import numpy as np
import torch
from torch import Tensor

from benchmarks.measuring import in_child, race, threads
from benchmarks.report import Check, Report, Table, megabytes, seconds, times
from frem_core.datasets import (
    Graph,
    GraphFeatures,
    NodeFeatures,
    PreparedData,
    prepare,
    social_graph_dataset,
    split_dataset,
)
from frem_core.methods import Method, get_method
from frem_core.methods.named_forms import PAPERS_FORM
from frem_core.networks import adjacency_tensor, propagate, propagated_features
from frem_core.training import TrainingStack, grid, suggested_config
from frem_core.training.loop import run_epoch

NODES, EDGES, FEATURES = 67_000, 900_000, 265
# Fewer for a first look; every epoch takes the same steps.
EPOCHS = int(os.environ.get("FREM_GRAPH_EPOCHS", "200"))
BATCH = 512
MEMORY_LIMIT = 6e9


def run() -> Report:
    training, checks = _fairness()
    return Report("Graphs", [training, _propagation(), _convolutions()], checks)


def _fairness() -> tuple[Table, list[Check]]:
    """200 epochs of unfair SGC and FREM with SGC, epoch by epoch in turns, in a fresh process."""
    (preparing, spent), _, peak = in_child(_train_all)
    rows = [
        (count, name, seconds(wall), times(wall / spent[count, "unfair"]))
        for (count, name), wall in spent.items()
    ]
    rows.append(("", "generate, encode, propagate", seconds(preparing), ""))
    fastest = {
        name: min(wall for (_, other), wall in spent.items() if other == name) for _, name in spent
    }
    checks = [
        Check(
            f"{name} with SGC, {EPOCHS} epochs: at most 3× unfair SGC, each with the number of "
            "threads that suits it best",
            times(fastest[name] / fastest["unfair"]),
            fastest[name] <= 3 * fastest["unfair"],
        )
        for name in ("FREM", "FREM, linear")
    ]
    checks.append(
        Check("at most 6 GB of memory beside the libraries", megabytes(peak), peak <= MEMORY_LIMIT)
    )
    title = f"SGC, {NODES:,} nodes, {FEATURES} features, {EDGES:,} edges, {EPOCHS} epochs"
    note = f"Batches of {BATCH}, wall time, one epoch of each in turn."
    return Table(title, ("threads", "", "wall", "against unfair"), rows, note), checks


def _train_all() -> tuple[float, dict[tuple[int, str], float]]:
    began = perf_counter()
    data = _prepared()
    methods = {
        "unfair": get_method("unfair")(),
        "FREM": get_method("frem")(**PAPERS_FORM),
        "FREM, linear": get_method("frem")(**PAPERS_FORM, computation="linear"),
    }
    counts = sorted({1, os.cpu_count() or 1})
    stacks = {
        (count, name): _stack(data, method) for count in counts for name, method in methods.items()
    }
    preparing = perf_counter() - began
    spent = dict.fromkeys(stacks, 0.0)
    for _ in range(EPOCHS):
        for (count, name), stack in stacks.items():
            with threads(count):
                wall = perf_counter()
                run_epoch(stack, lambda: None)
                spent[count, name] += perf_counter() - wall
    return preparing, spent


def _prepared() -> PreparedData:
    network = social_graph_dataset(NODES, n_edges=EDGES, n_features=FEATURES)
    return prepare(network, split_dataset(network))


def _stack(data: PreparedData, method: Method) -> TrainingStack:
    config = suggested_config(
        "", len(data.train), graph=True, encoder="sgc", batch_size=BATCH, epochs=EPOCHS
    )
    return TrainingStack(
        data.train, task=data.task, method=method, config=config, members=grid([1.0])
    )


def _random_graph() -> GraphFeatures:
    rng = np.random.default_rng(0)
    graph = Graph(NODES, rng.integers(0, NODES, (EDGES, 2)))
    return GraphFeatures(rng.random((NODES, FEATURES), dtype=np.float32), graph)


def _propagation() -> Table:
    """One product of Â with the features, by every library that installs without a compiler."""
    whole = _random_graph()
    adjacency, x = adjacency_tensor(whole.graph), torch.from_numpy(whole.nodes)
    results = {count: _product_times(whole, adjacency, x, count) for count in (1, 2)}
    best = {
        count: found["torch, CSR with a named reduction (ours)"] for count, found in results.items()
    }
    rows = [
        (
            name,
            *(
                f"{seconds(results[n][name])} ({times(results[n][name] / best[n])})"
                for n in results
            ),
        )
        for name in results[1]
    ]
    title = f"One propagation of {FEATURES} features over {EDGES:,} edges"
    # What it would do is among the rows: it gathers and adds over an edge list, and calls the
    # plain product for a sparse tensor.
    missing = "" if find_spec("torch_geometric") else " torch_geometric was not installed."
    return Table(title, ("", "1 thread", "2 threads"), rows, f"(…): against ours.{missing}")


def _product_times(
    whole: GraphFeatures, adjacency: Tensor, x: Tensor, count: int
) -> dict[str, float]:
    matrix = whole.graph.normalised_adjacency()
    with warnings.catch_warnings(), threads(count):
        warnings.simplefilter("ignore", UserWarning)  # torch calls the sparse layouts "beta"
        coordinates = adjacency.to_sparse_coo().coalesce()
        into, out_of = coordinates.indices()
        weight = coordinates.values().unsqueeze(1)
        contestants: dict[str, Callable[[], object]] = {
            "torch, CSR with a named reduction (ours)": lambda: propagate(adjacency, x),
            "torch, CSR product": lambda: adjacency @ x,
            "torch, COO product": lambda: torch.sparse.mm(coordinates, x),
            "torch, gather and index_add": lambda: torch.zeros_like(x).index_add_(
                0, into, x[out_of] * weight
            ),
            "SciPy, CSR product": lambda: matrix @ whole.nodes,
        }
        contestants |= _torch_geometric(coordinates, x)
        return race(contestants, repeats=3, budget=60.0)


def _torch_geometric(coordinates: Tensor, x: Tensor) -> dict[str, Callable[[], object]]:
    """Message passing of torch_geometric without its compiled extras, where it is installed."""
    if find_spec("torch_geometric") is None:
        return {}
    from torch_geometric.nn import SimpleConv

    layer, edges, weight = SimpleConv(), coordinates.indices().flip(0), coordinates.values()
    return {"torch_geometric, message passing": lambda: layer(x, edges, weight)}


def _convolutions() -> Table:
    """One training step of a GCN: ÂX beforehand, against a walk over the graph in every step."""
    whole = _random_graph()
    rng = np.random.default_rng(1)
    rows_of = NodeFeatures(whole, rng.permutation(NODES)[: NODES // 2])
    adjacency, x = adjacency_tensor(whole.graph), torch.from_numpy(whole.nodes)
    spread = propagated_features(whole, 1)
    places = torch.from_numpy(rows_of.rows[:BATCH])
    weight = torch.rand(FEATURES, 64, requires_grad=True)
    second = torch.rand(64, 64, requires_grad=True)

    def beforehand() -> None:
        torch.relu(spread[places] @ weight).sum().backward()

    def walking() -> None:
        torch.relu(propagate(adjacency, x @ weight))[places].sum().backward()

    def two_convolutions() -> None:
        h = torch.relu(spread @ weight)
        torch.relu(propagate(adjacency, h @ second))[places].sum().backward()

    with threads(1):
        found = race(
            {
                "one convolution, ÂX beforehand (ours)": beforehand,
                "one convolution, over the whole graph": walking,
                "two convolutions, the first beforehand (ours)": two_convolutions,
            },
            repeats=5,
            budget=60.0,
        )
    first = next(iter(found.values()))
    rows = [(name, seconds(time), times(time / first)) for name, time in found.items()]
    title = f"Forward and backward of one GCN step, batch {BATCH}, one thread"
    return Table(title, ("", "processor", "against the first"), rows)
