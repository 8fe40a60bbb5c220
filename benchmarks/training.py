"""How long trainings take: stacked grids against one by one, and what fairness adds to a step."""

from collections.abc import Callable
from dataclasses import dataclass
from time import perf_counter, process_time

import psutil
from torch import Tensor

from benchmarks.estimator.eipm_procedures import dense_closed_form
from benchmarks.measuring import threads
from benchmarks.report import Check, Report, Table, seconds, times
from frem_core.datasets import PreparedData, load_dataset, prepare, split_dataset
from frem_core.eipm.tiles import keep_freed_memory
from frem_core.methods import Batch, Method, get_method
from frem_core.methods.frem import Frem
from frem_core.methods.named_forms import PAPERS_FORM
from frem_core.training import Member, TrainingStack, grid, suggested_config
from frem_core.training.loop import run_epoch

MEMBERS = grid((0.01, 0.02, 0.03, 0.05, 0.07, 0.1, 0.15, 0.2, 0.25, 0.3), seeds=range(5))
TIMED_ALONE = MEMBERS[::13]  # 4 of 50; each takes the same number of the same steps
ADULT_EPOCHS = 100


@dataclass(frozen=True, kw_only=True)
class DenseFrem(Frem):
    """FREM through the dense closed form, for one training at a time."""

    def penalty(self, batch: Batch) -> Tensor:
        """The EIPM (1,) of the only member."""
        return dense_closed_form(batch.z[0], batch.s[0], self.gamma).unsqueeze(0)


@dataclass(frozen=True)
class Time:
    """Seconds on the wall and seconds of processor time."""

    wall: float
    processor: float

    def scaled(self, factor: float) -> "Time":
        """So many times as long."""
        return Time(self.wall * factor, self.processor * factor)

    @classmethod
    def sum(cls, times: "list[Time]") -> "Time":
        """All of them one after another."""
        return cls(sum(one.wall for one in times), sum(one.processor for one in times))


def run() -> Report:
    crime, crime_checks = _crime_grid()
    adult, adult_checks = _adult_penalties()
    tables = [crime, adult, _stack_sizes("crime", (1, 5, 10, 25, 50, 100))]
    tables.append(_stack_sizes("adult", (1, 2, 4, 10)))
    return Report("Training", tables, [*crime_checks, *adult_checks])


def _timed(work: Callable[[], object]) -> Time:
    wall, processor = perf_counter(), process_time()
    work()
    return Time(perf_counter() - wall, process_time() - processor)


def _prepared(name: str) -> PreparedData:
    dataset = load_dataset(name)
    return prepare(dataset, split_dataset(dataset, seed=0))


def _crime_grid() -> tuple[Table, list[Check]]:
    """50 trainings of 200 epochs: dense one by one, ours one by one, all in one stack.

    One epoch of each in turn, so that whatever else slows the machine slows all of them.
    """
    data = _prepared("crime")
    config = suggested_config("crime", len(data.train))
    share = len(MEMBERS) / len(TIMED_ALONE)
    keep_freed_memory()

    def stack(method: Method, members: list[Member]) -> TrainingStack:
        return TrainingStack(
            data.train, task=data.task, method=method, config=config, members=members
        )

    rows = []
    alone, together = [], []  # wall time with each number of threads
    for count in sorted({1, psutil.cpu_count() or 1}):
        contestants = {
            "one by one, dense": [stack(DenseFrem(**PAPERS_FORM), [one]) for one in TIMED_ALONE],
            "one by one, ours": [stack(Frem(**PAPERS_FORM), [one]) for one in TIMED_ALONE],
            "one stack": [stack(Frem(**PAPERS_FORM), sorted(MEMBERS, key=lambda one: one.seed))],
        }
        spent: dict[str, list[Time]] = {what: [] for what in contestants}
        with threads(count):
            for _ in range(config.epochs):
                for what, trainings in contestants.items():
                    factor = share if len(trainings) > 1 else 1.0
                    spent[what].append(_timed(lambda ts=trainings: _epoch(ts)).scaled(factor))
        total = {what: Time.sum(times) for what, times in spent.items()}
        dense = total["one by one, dense"].wall
        for what, time in total.items():
            against = f"{time.wall / dense:.2f}"
            rows.append((count, what, seconds(time.wall), seconds(time.processor), against))
        alone.append(dense)
        together.append(total["one stack"].wall)
    ratio = min(together) / min(alone)
    promise = (
        "Crime grid: one stack takes at most 0.25 of the time of 50 dense trainings one after "
        "another, each with the number of threads that suits it best"
    )
    check = Check(promise, f"{ratio:.2f}", ratio <= 0.25)
    note = (
        f"One epoch of each in turn, {config.epochs} times. One by one: {len(TIMED_ALONE)} of "
        f"{len(MEMBERS)} were timed in full and multiplied."
    )
    title = "Crime, FREM, 10 fairness weights × 5 seeds, 200 epochs, batch 200"
    columns = ("threads", "50 trainings", "wall", "processor", "wall against dense")
    return Table(title, columns, rows, note), [check]


def _epoch(trainings: list[TrainingStack]) -> None:
    for training in trainings:
        run_epoch(training, lambda: None)


def _adult_penalties() -> tuple[Table, list[Check]]:
    """One training each, on one thread, epoch by epoch in turns: unfair, FREM exact and linear."""
    data = _prepared("adult")
    config = suggested_config("adult", len(data.train))
    contestants = {
        "unfair": get_method("unfair")(),
        "FREM, exact": Frem(**PAPERS_FORM),
        "FREM, linear": Frem(**PAPERS_FORM, computation="linear"),
    }
    stacks = {
        name: TrainingStack(
            data.train, task=data.task, method=method, config=config, members=grid([1.0])
        )
        for name, method in contestants.items()
    }
    spent = dict.fromkeys(contestants, 0.0)
    with threads(1):
        for _ in range(ADULT_EPOCHS):
            for name, stack in stacks.items():
                spent[name] += _timed(lambda one=stack: _epoch([one])).processor
    rows = [(name, seconds(time), times(time / spent["unfair"])) for name, time in spent.items()]
    checks = [
        Check(
            f"Adult, {name}: at most {limit}× the unfair training",
            times(spent[name] / spent["unfair"]),
            spent[name] <= limit * spent["unfair"],
        )
        for name, limit in (("FREM, exact", 6), ("FREM, linear", 3))
    ]
    note = "One epoch of each in turn; every epoch takes the same steps."
    title = f"Adult, one training, {ADULT_EPOCHS} epochs, batch 1024, one thread"
    return Table(title, ("method", "processor", "against unfair"), rows, note), checks


def _stack_sizes(name: str, sizes: tuple[int, ...]) -> Table:
    """Processor time per training and step when so many run side by side on one thread."""
    data = _prepared(name)
    config = suggested_config(name, len(data.train))
    steps = len(data.train) / config.batch_size
    rows = []
    for method in (get_method("unfair")(), Frem(**PAPERS_FORM)):
        cells = []
        for size in sizes:
            stack = TrainingStack(
                data.train,
                task=data.task,
                method=method,
                config=config,
                members=grid([0.1], range(size)),
            )
            with threads(1):
                turns = [_timed(lambda s=stack: run_epoch(s, lambda: None)) for _ in range(3)]
            cells.append(seconds(min(turn.processor for turn in turns) / steps / size))
        rows.append((method.title, *cells))
    title = f"{name.capitalize()}, one step of one training, by size of the stack, one thread"
    return Table(title, ("method", *map(str, sizes)), rows)
