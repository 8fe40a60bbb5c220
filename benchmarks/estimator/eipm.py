"""One training step's penalty: exact EIPM against the paper's procedure and the dense form."""

from collections.abc import Callable

import psutil
import torch
from torch import Tensor

from benchmarks.estimator.eipm_procedures import dense_closed_form, form_kernel_matrix, pseudo_code
from benchmarks.measuring import in_child, race, threads
from benchmarks.report import Check, Report, Table, megabytes, seconds, times
from frem_core.eipm import eipm

ROWS, DIMENSIONS, DISTINCT, GAMMA = 1024, 50, 74, 0.05
STACK, STACK_ROWS = 50, 200
PSEUDO_CODE_BYTES = 14e9


def sample(n: int, *, continuous: bool, seed: int = 0) -> tuple[Tensor, Tensor]:
    """A representation that depends on S, and S in [0, 1]."""
    generator = torch.Generator().manual_seed(seed)
    if continuous:
        s = torch.rand(n, generator=generator)
    else:
        s = torch.randint(0, DISTINCT, (n,), generator=generator) / (DISTINCT - 1)
    z = 0.3 * torch.randn(n, DIMENSIONS, generator=generator)
    z[:, :5] += s[:, None]
    return z, s


def step(function: Callable[..., Tensor], z: Tensor, s: Tensor) -> tuple[Tensor, Tensor]:
    """Value and gradient, as a training step needs them."""
    z = z.clone().requires_grad_()
    value = function(z, s, gamma=GAMMA)
    (gradient,) = torch.autograd.grad(value, z)
    return value.detach(), gradient


def linear(z: Tensor, s: Tensor, *, gamma: float) -> Tensor:
    return eipm(z, s, gamma=gamma, method="linear")


def run() -> Report:
    steps, checks = [], []
    for count in sorted({1, psutil.cpu_count() or 1}):
        with threads(count):
            best = _race()
        dense = best["dense"]
        steps += [
            (count, label, seconds(best[name]), times(dense / best[name]))
            for name, label in _LABELS.items()
        ]
        checks += [
            _at_least(dense / best["grouped"], 6, f"{DISTINCT} distinct S, {count} thread(s)"),
            _at_least(dense / best["interpolated"], 4, f"continuous S, {count} thread(s)"),
        ]
    pseudo, pseudo_checks = _against_pseudo_code()
    accuracy, accuracy_checks = _accuracy()
    memory, memory_checks = _memory()
    columns = ("threads", "what", "time", "against the dense form")
    title = f"Forward and backward, n = {ROWS}, m = {DIMENSIONS}, float32, γ = {GAMMA}"
    return Report(
        "EIPM in a training step",
        [Table(title, columns, steps), _stacked(), pseudo, accuracy, memory],
        [*checks, *pseudo_checks, *accuracy_checks, *memory_checks],
    )


_LABELS = {
    "dense": "dense closed form, `((A@K)*A).sum(1)`",
    "grouped": f"exact, {DISTINCT} distinct S",
    "interpolated": "exact, continuous S",
    "linear": "linear (128 frequencies)",
    "floor": "forming the kernel matrix alone, forward only",
}


def _race() -> dict[str, float]:
    z, s = sample(ROWS, continuous=False)
    z_continuous, s_continuous = sample(ROWS, continuous=True)
    return race(
        {
            "dense": lambda: step(dense_closed_form, z, s),
            "grouped": lambda: step(eipm, z, s),
            "interpolated": lambda: step(eipm, z_continuous, s_continuous),
            "linear": lambda: step(linear, z, s),
            "floor": lambda: form_kernel_matrix(z, ROWS),
        },
        repeats=40,
    )


def _stacked() -> Table:
    z, s = sample(STACK * STACK_ROWS, continuous=False)
    z, s = z.view(STACK, STACK_ROWS, -1), s.view(STACK, STACK_ROWS)

    def together(z: Tensor, s: Tensor, gamma: float) -> Tensor:
        return eipm(z, s, gamma=gamma).sum()

    with threads(1):
        best = race(
            {
                "stack": lambda: step(together, z, s),
                "separate": lambda: [step(eipm, *pair) for pair in zip(z, s, strict=True)],
                "dense": lambda: [
                    step(dense_closed_form, *pair) for pair in zip(z, s, strict=True)
                ],
            },
            repeats=20,
        )
    labels = {
        "dense": f"{STACK} dense closed forms",
        "separate": f"{STACK} exact calls",
        "stack": "one exact call on the stack",
    }
    rows = [(labels[k], seconds(best[k]), times(best["dense"] / best[k])) for k in labels]
    title = (
        f"A stack of {STACK} representations of {STACK_ROWS} rows, forward and backward, 1 thread"
    )
    return Table(title, ("what", "time", "against the dense forms"), rows)


def _at_least(ratio: float, bound: float, what: str) -> Check:
    promise = f"{what}: at least {bound:g}× the speed of the dense form"
    return Check(promise, times(ratio), ratio >= bound)


def pseudo_code_step(n: int) -> float:
    """Time of one step with the paper's procedure; runs in a child because of its memory."""
    z, s = sample(n, continuous=False)
    repeats = 5 if n < 512 else 2
    with threads(1):
        return race({"it": lambda: step(pseudo_code, z, s)}, repeats=repeats, warm_up=n < 512)["it"]


def exact_step(n: int) -> float:
    """Time of one of our steps."""
    z, s = sample(n, continuous=False)
    with threads(1):
        return race({"it": lambda: step(eipm, z, s)}, repeats=40)["it"]


def _against_pseudo_code() -> tuple[Table, list[Check]]:
    ours, _, _ = in_child(exact_step, ROWS)
    small, _, small_memory = in_child(pseudo_code_step, 256)
    extrapolated = small * (ROWS / 256) ** 3
    rows = [
        ("ours", ROWS, seconds(ours), "", ""),
        ("paper's pseudo-code", 256, seconds(small), megabytes(small_memory), ""),
        (
            "the same, extrapolated (n³)",
            ROWS,
            seconds(extrapolated),
            "",
            times(extrapolated / ours),
        ),
    ]
    slower = extrapolated  # a lower bound: the larger tensors also have to be had from the system
    if psutil.virtual_memory().available > PSEUDO_CODE_BYTES:
        slower, _, memory = in_child(pseudo_code_step, ROWS)
        rows.append(
            (
                "paper's pseudo-code",
                ROWS,
                seconds(slower),
                megabytes(memory),
                times(slower / ours),
            )
        )
    ratio = slower / ours
    title = "Against the paper's procedure (Algorithm 2, with the root), 1 thread"
    columns = ("what", "n", "time", "peak memory", "slower than ours by")
    promise = "at least 2,000× the speed of the paper's procedure at n = 1024"
    return Table(title, columns, rows), [Check(promise, times(ratio), ratio >= 2000)]


def _accuracy() -> tuple[Table, list[Check]]:
    rows, checks = [], []
    for continuous in (False, True):
        z, s = sample(ROWS, continuous=continuous)
        value, gradient = step(eipm, z, s)
        true_value, true_gradient = step(dense_closed_form, z.double(), s.double())
        error = abs(float(value) - float(true_value)) / float(true_value)
        worst = float((gradient - true_gradient).abs().max() / true_gradient.abs().max())
        name = "continuous S" if continuous else f"{DISTINCT} distinct S"
        rows.append((name, f"{error:.1e}", f"{worst:.1e}"))
        promise = f"{name}: relative error of value and gradient at most 1e-5"
        checks.append(Check(promise, f"{error:.1e}, {worst:.1e}", max(error, worst) <= 1e-5))
    title = "Relative error in float32, against the dense form in float64"
    return Table(title, ("S", "value", "gradient (largest entry)"), rows), checks


def repeated_steps(name: str) -> None:
    z, s = sample(ROWS, continuous=name == "interpolated")
    for _ in range(5):
        step(dense_closed_form if name == "dense" else eipm, z, s)


def _memory() -> tuple[Table, list[Check]]:
    used = {
        name: in_child(repeated_steps, name)[2] for name in ("dense", "grouped", "interpolated")
    }
    rows = [(_LABELS[name], megabytes(extra)) for name, extra in used.items()]
    extra = max(used["grouped"], used["interpolated"])
    check = Check("extra memory below 100 MB", megabytes(extra), extra < 100e6)
    note = "Above what the process used just before, first-use initialisation of torch included."
    return Table("Peak extra memory of a step", ("what", "memory"), rows, note), [check]
