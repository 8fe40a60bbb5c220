"""What every method reaches on Communities and Crime, beside the paper's table.

``python -m benchmarks.methods_on_crime`` prints test scores for each method and suggested fairness
weight, averaged over the splits of three seeds (200 epochs, batch 200). ``--seeds`` and
``--methods`` change what is run.
"""

import argparse
import time

import numpy as np
import pandas as pd

from frem_core.datasets import PreparedData, load_dataset, prepare, split_dataset
from frem_core.evaluation import evaluate
from frem_core.methods import Method, available_methods, get_method
from frem_core.training import (
    TrainedModel,
    grid,
    suggested_config,
    suggested_fairness_weights,
    train,
)

COLUMNS = {
    "weight": "λ",
    "one_minus_mae": "1−MAE",
    "gdp": "ΔGDP",
    "hgr": "ΔHGR",
    "mutual_information": "MI(Ŷ,S)",
    "representation_mutual_information": "MI(Z,S)",
    "eipm": "EIPM",
}


def scores_of(model: TrainedModel, data: PreparedData) -> dict[str, float]:
    """All scores of one model on the test rows."""
    z = model.transform(data.test.x)
    scores = evaluate(
        data.test.y,
        model.predict_from_representation(z),
        z,
        sensitive_features=data.test.s,
        task=data.task,
    )
    weight = model.member.fairness_weight
    return {**scores, "weight": weight, "one_minus_mae": 1 - scores["mae"]}


def scores_of_method(method: Method, seeds: list[int]) -> pd.DataFrame:
    """One row per fairness weight and seed; the seed chooses split, first weights and batches."""
    crime = load_dataset("crime")
    weights = suggested_fairness_weights(type(method), "crime")
    rows = []
    for seed in seeds:
        data = prepare(crime, split_dataset(crime, seed=seed))
        models = train(
            data.train,
            task=data.task,
            method=method,
            config=suggested_config("crime", len(data.train)),
            members=grid(weights, [seed]),
        )
        rows += [scores_of(model, data) for model in models]
    return pd.DataFrame(rows)


def table(scores: pd.DataFrame) -> str:
    """Markdown: means over seeds, one row per fairness weight."""
    means = scores.groupby("weight", as_index=False).mean()[list(COLUMNS)]
    lines = ["| " + " | ".join(COLUMNS.values()) + " |", "|" + "---|" * len(COLUMNS)]
    for row in means.itertuples(index=False):
        first, *others = row
        cells = [f"{first:g}", *(f"{np.round(value, 3):.3f}" for value in others)]
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines)


def run(methods: list[Method], seeds: list[int]) -> str:
    """Trains and reports; one section per method."""
    sections = []
    for method in methods:
        start = time.perf_counter()
        scores = scores_of_method(method, seeds)
        seconds = time.perf_counter() - start
        cut = f", cut {method.cut}" if hasattr(method, "cut") else ""
        heading = f"### {method.title} (`{method.name}`{cut}), {seconds:.0f} s"
        sections.append(f"{heading}\n\n{table(scores)}\n")
        print(sections[-1], flush=True)
    return "\n".join(sections)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, nargs="+", default=[0, 1, 2])
    parser.add_argument("--methods", nargs="+", default=list(available_methods()))
    arguments = parser.parse_args()
    run([get_method(name)() for name in arguments.methods], arguments.seeds)


if __name__ == "__main__":
    main()
