"""How long trainings take, as ratios measured in one run on one thread.

``python -m benchmarks.training`` prints them:

* Crime: a grid of 10 fairness weights × 5 seeds as one stack, against the same 50 trainings one
  after another with the dense closed form ``((A @ K) * A).sum(1)``;
* Adult: FREM with the exact and the linear penalty against the unfair model;
* both: time per training and step in stacks of different size.

Processor time counts, so that other work on the machine disturbs little. Competitors take turns
and the best turn of each counts.
"""

import argparse
import time
from collections.abc import Callable
from dataclasses import dataclass

import torch
from torch import Tensor

from frem_core.datasets import PreparedData, load_dataset, prepare, split_dataset
from frem_core.methods import Batch, Method, get_method
from frem_core.methods.frem import Frem
from frem_core.training import TrainingStack, grid, suggested_config, torch_threads, train
from frem_core.training.loop import run_epoch

WEIGHTS = (0.01, 0.02, 0.03, 0.05, 0.07, 0.1, 0.15, 0.2, 0.25, 0.3)
SEEDS = range(5)
DENSE_TRAININGS = 3  # timed in full; the other 47 of 50 take the same steps on the same data


@dataclass(frozen=True, kw_only=True)
class DenseFrem(Frem):
    """FREM with the textbook closed form: n × n weights times the kernel matrix."""

    def penalty(self, batch: Batch) -> Tensor:
        """Mean root of the diagonal of A κ Aᵀ."""
        n = batch.z.shape[1]
        gaps = (batch.s.unsqueeze(-1) - batch.s.unsqueeze(-2)).square() / (-2 * self.gamma**2)
        gaps.diagonal(dim1=1, dim2=2).fill_(float("-inf"))
        weights = torch.softmax(gaps, dim=-1) - 1 / (n - 1)
        weights.diagonal(dim1=1, dim2=2).zero_()
        norms = batch.z.square().sum(dim=-1)
        distances = norms.unsqueeze(-1) + norms.unsqueeze(-2) - 2 * batch.z @ batch.z.mT
        kernel = torch.exp(distances.clamp(min=0) / -2)
        squared = ((weights @ kernel) * weights).sum(dim=-1)
        return (squared.clamp(min=0) + 1e-12).sqrt().mean(dim=-1)


def prepared(name: str) -> PreparedData:
    """The split of seed 0."""
    dataset = load_dataset(name)
    return prepare(dataset, split_dataset(dataset, seed=0))


def seconds(work: Callable[[], object]) -> float:
    """Processor seconds of one call."""
    start = time.process_time()
    work()
    return time.process_time() - start


def crime_grid(epochs: int) -> str:
    """The stacked grid against dense trainings one after another."""
    data = prepared("crime")
    config = suggested_config("crime", len(data.train), epochs=epochs)
    members = grid(WEIGHTS, SEEDS)

    def fit(method: Method, which: slice, stack_size: int | None) -> Callable[[], object]:
        return lambda: train(
            data.train,
            task=data.task,
            method=method,
            config=config,
            members=members[which],
            stack_size=stack_size,
        )

    few = slice(None, None, len(members) // DENSE_TRAININGS)
    count = len(members[few])
    fit(DenseFrem(), slice(1), 1)()  # warm-up
    dense = [seconds(fit(DenseFrem(), few, 1)) / count * len(members)]
    single = seconds(fit(Frem(), few, 1)) / count * len(members)
    stacked = seconds(fit(Frem(), slice(None), None))
    dense.append(seconds(fit(DenseFrem(), few, 1)) / count * len(members))
    ratio = stacked / min(dense)
    return "\n".join(
        [
            f"## Crime, FREM, 10 fairness weights × 5 seeds, {epochs} epochs, batch 200",
            "",
            "| way | seconds | share of dense |",
            "|---|---|---|",
            f"| 50 trainings one after another, dense (from {count}) | {min(dense):.1f} | 1.00 |",
            f"| 50 trainings one after another, ours (from {count}) | {single:.1f} "
            f"| {single / min(dense):.2f} |",
            f"| one stacked grid | {stacked:.1f} | {ratio:.2f} |",
            "",
            f"Limit 0.25: {'kept' if ratio <= 0.25 else 'missed'}.",
        ]
    )


def adult_penalties(epochs: int, turns: int) -> str:
    """One training each: unfair, FREM exact, FREM linear."""
    data = prepared("adult")
    config = suggested_config("adult", len(data.train), epochs=epochs)
    competitors = {
        "unfair": get_method("unfair")(),
        "FREM, exact": Frem(),
        "FREM, linear": Frem(computation="linear"),
    }

    def fit(method: Method) -> Callable[[], object]:
        return lambda: train(data.train, task=data.task, method=method, config=config)

    times: dict[str, list[float]] = {name: [] for name in competitors}
    for _ in range(turns):
        for name, method in competitors.items():
            times[name].append(seconds(fit(method)))
    best = {name: min(turn) for name, turn in times.items()}
    limits = {"unfair": "", "FREM, exact": "≤ 6", "FREM, linear": "≤ 3"}
    return "\n".join(
        [
            f"## Adult, one training, {epochs} epochs, batch 1024, best of {turns}",
            "",
            "| method | seconds | times unfair | limit |",
            "|---|---|---|---|",
            *(
                f"| {name} | {spent:.1f} | {spent / best['unfair']:.2f} | {limits[name]} |"
                for name, spent in best.items()
            ),
        ]
    )


def stack_sizes(name: str, sizes: tuple[int, ...], turns: int) -> str:
    """Time per training and step when that many run side by side."""
    data = prepared(name)
    config = suggested_config(name, len(data.train))
    steps = len(data.train) / config.batch_size
    lines = [
        f"## {name.capitalize()}, milliseconds per training and step, by size of the stack",
        "",
        "| method | " + " | ".join(map(str, sizes)) + " |",
        "|---|" + "---|" * len(sizes),
    ]
    for method in (get_method("unfair")(), Frem()):
        cells = []
        for size in sizes:
            stack = TrainingStack(
                data.train,
                task=data.task,
                method=method,
                config=config,
                members=grid([0.1], range(size)),
            )
            with torch_threads(1):
                best = min(
                    seconds(lambda s=stack: run_epoch(s, lambda: None)) for _ in range(turns)
                )
            cells.append(f"{1000 * best / steps / size:.2f}")
        lines.append(f"| {method.title} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def run(*, crime_epochs: int = 200, adult_epochs: int = 10, turns: int = 3) -> str:
    """Measures both and returns the report."""
    return "\n\n".join(
        [
            "# Training",
            crime_grid(crime_epochs),
            adult_penalties(adult_epochs, turns),
            stack_sizes("crime", (1, 5, 10, 25, 50, 100), turns),
            stack_sizes("adult", (1, 2, 4, 10), turns),
        ]
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--crime-epochs", type=int, default=200)
    parser.add_argument("--adult-epochs", type=int, default=10)
    parser.add_argument("--turns", type=int, default=3)
    arguments = parser.parse_args()
    print(
        run(
            crime_epochs=arguments.crime_epochs,
            adult_epochs=arguments.adult_epochs,
            turns=arguments.turns,
        )
    )


if __name__ == "__main__":
    main()
