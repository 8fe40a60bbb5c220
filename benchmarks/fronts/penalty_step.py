"""What a training step costs with each penalty, at three batch sizes, in one run."""

from collections.abc import Callable

from benchmarks.measuring import race, threads
from benchmarks.report import Check, Report, Table, seconds, times
from frem_core.datasets import Part, load_dataset, prepare, split_dataset
from frem_core.eipm.tiles import keep_freed_memory
from frem_core.methods import Method, get_method
from frem_core.methods.frem import Frem
from frem_core.methods.named_forms import PAPERS_FORM
from frem_core.training import TrainingStack, grid, suggested_config
from frem_core.training.loop import run_epoch
from frem_core.types import Task

BATCHES = (200, 256, 1024)
STEPS = 8
PAPER, DEFAULT, HSIC = "FREM of the paper", "FREM", "HSIC"
CONTESTANTS: dict[str, Method] = {
    "unfair": get_method("unfair")(),
    PAPER: Frem(**PAPERS_FORM),
    f"{PAPER}, linear": Frem(**PAPERS_FORM, computation="linear"),
    DEFAULT: Frem(),
    f"{DEFAULT}, linear": Frem(computation="linear"),
    f"{DEFAULT}, linear_probe = 0.1": Frem(linear_probe=0.1),
    f"{DEFAULT}, root with noise": Frem(form="root", noise="kept"),
    "MMD": get_method("mmd")(),
    HSIC: get_method("hsic")(),
    "dCov": get_method("dcov")(),
}


def run() -> Report:
    keep_freed_memory()
    tables, checks = [], []
    with threads(1):
        for name, words in (("adult", "74 distinct S"), ("county_murders", "continuous S")):
            dataset = load_dataset(name)
            data = prepare(dataset, split_dataset(dataset, seed=0))
            times_of = {size: _race(data.train, data.task, size) for size in BATCHES}
            tables.append(_table(words, times_of))
            checks += _checks(words, times_of)
    return Report("A training step with each penalty", tables, checks)


def _race(part: Part, task: Task, size: int) -> dict[str, float]:
    """Seconds of one whole step: plan, encoder, head, penalty, gradient and optimiser."""
    first = slice(STEPS * size)
    some = part.of(first)
    epochs = {name: _epoch(some, task, method, size) for name, method in CONTESTANTS.items()}
    return {name: best / STEPS for name, best in race(epochs, repeats=40).items()}


def _epoch(part: Part, task: Task, method: Method, size: int) -> Callable[[], object]:
    config = suggested_config("", len(part), batch_size=size)
    stack = TrainingStack(part, task=task, method=method, config=config, members=grid([0.1]))
    return lambda: run_epoch(stack, lambda: None)


def _table(words: str, taken: dict[int, dict[str, float]]) -> Table:
    rows = [
        [
            name,
            *(seconds(taken[size][name]) for size in BATCHES),
            *(times(taken[size][name] / taken[size][PAPER]) for size in BATCHES),
        ]
        for name in CONTESTANTS
    ]
    columns = [f"{size} rows" for size in BATCHES]
    return Table(
        words,
        ["", *columns, *(f"{column}, of the paper's" for column in columns)],
        rows,
        "One member, 50 dimensions, one thread; HSIC and dCov are dense.",
    )


def _checks(words: str, taken: dict[int, dict[str, float]]) -> list[Check]:
    def worst(ours: str, other: str, *sizes: int) -> float:
        return max(taken[size][ours] / taken[size][other] for size in sizes)

    promises = {
        "FREM at most 1.5× the paper's form": worst(DEFAULT, PAPER, *BATCHES),
        "the paper's form at most 1.5× HSIC, 256 and 1,024 rows": worst(PAPER, HSIC, 256, 1024),
        "FREM at most 1.5× HSIC, 256 and 1,024 rows": worst(DEFAULT, HSIC, 256, 1024),
    }
    return [
        Check(f"{words}: {promise}", times(ratio), ratio <= 1.5)
        for promise, ratio in promises.items()
    ]
