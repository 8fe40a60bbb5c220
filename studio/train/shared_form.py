"""What all methods of a sweep share: seeds, bandwidth policy, training and split."""

from dataclasses import replace
from typing import Any, Final

import streamlit as st

from frem_core.datasets import Dataset
from frem_core.datasets.splits import DEFAULT_SEEDS
from frem_core.errors import ConfigError
from frem_core.methods import Method, Parameter
from frem_core.methods.frem import Frem
from frem_core.networks import check_reads
from frem_core.sweeps import GammaPolicy, SplitSpec
from frem_core.training import TrainingConfig, suggested_config
from frem_core.training.bandwidth import CANDIDATES
from studio.train.setting_field import setting_field

_MOST_SEEDS: Final = 20
_ALWAYS_WRITTEN: Final = ("epochs", "batch_size")
_OF_ENCODER: Final = ("hidden", "activation")
_GAMMAS: Final = (0.005, 0.01, 0.02, 0.03, 0.05, 0.1, 0.2, 0.3, 0.5, 1.0)
_SPLITS: Final = {"random": "At random", "paper_table": "As in the paper's table"}
_POLICIES: Final = {
    "fixed": "One value, set below",
    "validate": "Chosen on a fifth of the training rows",
}


def seeds_field(key: str) -> tuple[int, ...]:
    """Draws how often everything is repeated."""
    count = st.slider(
        "Repetitions (seeds)",
        1,
        _MOST_SEEDS,
        len(DEFAULT_SEEDS),
        key=f"{key}-seeds",
        help="Every setting is trained once with each seed, on a split of its own. More seeds "
        "give honest error bars; one is quick.",
        persist_state="session",
    )
    return tuple(range(count))


def gamma_field(key: str, methods: list[type[Method]]) -> GammaPolicy:
    """Draws how γ is found, where a method has one that can be chosen."""
    if not any(issubclass(method, Frem) for method in methods):
        return GammaPolicy()
    policy = st.segmented_control(
        "Bandwidth (γ) of FREM",
        list(_POLICIES),
        default="fixed",
        format_func=_POLICIES.__getitem__,
        required=True,
        key=f"{key}-policy",
        help="Choosing trains FREM with every candidate on four fifths of the training rows, "
        "compares on the last fifth and trains once more on all of them. It takes about as many "
        "times longer as there are candidates.",
        persist_state="session",
    )
    if policy == "fixed":
        return GammaPolicy()
    candidates = st.multiselect(
        "Bandwidths (γ) to choose from",
        sorted({*_GAMMAS, *CANDIDATES}),
        list(CANDIDATES),
        key=f"{key}-candidates",
        format_func=lambda gamma: f"{gamma:g}",
        persist_state="session",
    )
    return GammaPolicy(policy="validate", candidates=tuple(sorted(candidates)))


def training_fields(
    key: str, dataset: Dataset, preset: str, names: tuple[str, ...]
) -> dict[str, Any]:
    """Draws settings of `TrainingConfig`; those that are as suggested are left out.

    Args:
        key: unique on the page.
        dataset: decides what is suggested.
        preset: name of a built-in dataset, or "".
        names: the settings to draw; the encoder before those that depend on it.
    """
    graph = dataset.graph is not None
    rows = dataset.n_rows * 4 // 5
    suggested = suggested_config(preset, rows, graph=graph)
    values: dict[str, Any] = {}
    for name in names:
        parameter = _offered(name, graph=graph)
        default = getattr(suggested, name)
        # A layer size that was typed for one encoder does not linger in the form of another.
        own = f"{key}-{suggested.encoder}-{name}" if name in _OF_ENCODER else f"{key}-{name}"
        value = setting_field(name, parameter, key=own, default=default)
        if name in _ALWAYS_WRITTEN or value != default:
            values[name] = value
        if name == "encoder":
            suggested = suggested_config(preset, rows, graph=graph, encoder=value)
    return values


def _offered(name: str, *, graph: bool) -> Parameter:
    """A setting as declared; of the encoders those that can read the data."""
    parameter = TrainingConfig.parameters()[name]
    if name != "encoder":
        return parameter
    able = tuple(one for one in parameter.choices if _reads(one, graph=graph))
    return replace(parameter, choices=able)


def _reads(encoder: str, *, graph: bool) -> bool:
    try:
        check_reads(encoder, graph=graph)
    except ConfigError:
        return False
    return True


def split_fields(key: str, dataset: Dataset) -> SplitSpec:
    """Draws which rows are tested on."""
    kind = "random"
    if dataset.folds is not None:
        picked = st.segmented_control(
            "Split into training and test rows",
            list(_SPLITS),
            default=kind,
            format_func=_SPLITS.__getitem__,
            required=True,
            key=f"{key}-split",
            persist_state="session",
        )
        kind = str(picked)
    test = st.slider(
        "Share of rows to test on",
        0.05,
        0.5,
        0.2,
        step=0.05,
        key=f"{key}-test",
        disabled=kind != "random",
        persist_state="session",
    )
    each = st.toggle(
        "Another split for each seed",
        value=True,
        key=f"{key}-each",
        help="As in the paper. Off: all seeds share one split, and only training differs.",
        persist_state="session",
    )
    return SplitSpec(kind=kind, test_size=test, seed="each" if each else 0)
