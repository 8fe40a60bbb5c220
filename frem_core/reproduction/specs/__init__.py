"""The committed sweeps of the targets: a TOML file each, or an ablation on a dataset."""

from dataclasses import replace
from importlib.resources import files

from frem_core.ablations import get_ablation
from frem_core.errors import ConfigError, did_you_mean
from frem_core.sweeps import DatasetSpec, MethodSpec, SweepSpec

QUICK_EPOCHS = 5
QUICK_SEEDS = 2
QUICK_WEIGHTS = 2


def available_specs() -> list[str]:
    """Names of the committed sweeps."""
    found = (path.name for path in files(__name__).iterdir())
    return sorted(name.removesuffix(".toml") for name in found if name.endswith(".toml"))


def load_spec(name: str) -> SweepSpec:
    """Reads a committed sweep.

    Args:
        name: of a TOML file here, or ``ablation@dataset`` for one of `frem_core.ablations` as in
            the paper.

    >>> load_spec("pareto_crime").seeds
    (0, 1, 2, 3, 4)
    """
    ablation, _, dataset = name.partition("@")
    if dataset:
        return get_ablation(ablation).spec(DatasetSpec(name=dataset), effort="paper")
    if name not in available_specs():
        raise ConfigError(f"There is no sweep '{name}'." + did_you_mean(name, available_specs()))
    text = files(__name__).joinpath(f"{name}.toml").read_text(encoding="utf-8")
    return SweepSpec.from_toml(text)


def sections_of(name: str) -> tuple[str, ...]:
    """What the sections of methods of a committed sweep are called: variants, or methods.

    >>> sections_of("train-vs-test@crime")
    ('frem', 'reg_gdp', 'unfair')
    """
    ablation, _, dataset = name.partition("@")
    if dataset:
        return tuple(one.name for one in get_ablation(ablation).all_variants)
    return tuple(one.method for one in load_spec(name).methods)


def quick_version(spec: SweepSpec) -> SweepSpec:
    """Returns a sweep of the same shape that takes a minute: for a look, not for conclusions."""
    return replace(
        spec,
        name=f"{spec.name} (quick)",
        seeds=spec.seeds[:QUICK_SEEDS],
        training={**spec.training, "epochs": QUICK_EPOCHS},
        methods=tuple(map(_few_weights, spec.methods)),
    )


def _few_weights(method: MethodSpec) -> MethodSpec:
    whole = method.resolved()
    if isinstance(whole.fairness_weights, str):  # it has none
        return whole
    kept = {}
    for name in ("fairness_weights", "relative_weights"):
        weights = getattr(whole, name)
        step = max(1, len(weights) // QUICK_WEIGHTS)
        kept[name] = weights[step - 1 :: step][:QUICK_WEIGHTS]
    return replace(whole, **kept)
