"""The form from which a sweep is made; it lives in its viewer's session alone.

First what is needed, then the methods and what all of them share: seeds, bandwidth policy,
training and split.
"""

from dataclasses import replace
from typing import Any, Final

import streamlit as st

from frem_core.datasets import Dataset, available_datasets, dataset_card
from frem_core.datasets.splits import DEFAULT_SEEDS
from frem_core.errors import ConfigError
from frem_core.figures import plain_text
from frem_core.methods import Method, Parameter
from frem_core.methods.frem import Frem
from frem_core.networks import check_reads
from frem_core.sweeps import GammaPolicy, SplitSpec, SweepSpec
from frem_core.training import TrainingConfig, suggested_config
from frem_core.training.bandwidth import CANDIDATES
from frem_core.words import NOTIONS
from studio.address import to_address
from studio.choice import Choice
from studio.train.draft import kept_draft
from studio.train.fields import setting_field
from studio.train.methods_form import method_form, ordered_methods, show_method_cards, why_not
from studio.train.need import Need, need_field
from studio.words import the_sensitive

_NOTIONS: Final = {name: words.capitalize() for name, words in NOTIONS.items()}
_MAIN: Final = ("epochs",)
_LONGEST_NAME: Final = 120
_MOST_SEEDS: Final = 20
_ALWAYS_WRITTEN: Final = ("epochs", "batch_size")
_OF_ENCODER: Final = ("hidden", "activation")
_GAMMAS: Final = (0.005, 0.01, 0.02, 0.03, 0.05, 0.1, 0.2, 0.3, 0.5, 1.0)
_SPLITS: Final = {"random": "At random", "paper_table": "As in the paper's table"}
_POLICIES: Final = {
    "fixed": "One value, set below",
    "validate": "Chosen on a fifth of the training rows",
}


def sweep_form(choice: Choice, dataset: Dataset) -> SweepSpec:
    """Draws the whole form and returns the sweep it describes.

    Raises:
        ConfigError: the form cannot be trained as it stands; the message says why.
    """
    key = f"train-{choice.dataset}"
    with kept_draft(key):
        return _draw_form(choice, dataset, key)


def _draw_form(choice: Choice, dataset: Dataset, key: str) -> SweepSpec:
    preset = choice.data.preset
    st.header("What do you need?", anchor=False)
    fairness = _notion_field(key, choice, dataset)
    need = need_field(
        key,
        fairness=fairness,
        task=dataset.task,
        sensitive=the_sensitive(dataset),
        test_rows=dataset.n_rows // 5,
        attributes=dataset.attributes,
    )
    st.header("Methods", anchor=False)
    methods = show_method_cards(key, fairness, dataset.task)
    if not methods:
        raise ConfigError("No method is chosen. Tick at least one of the cards above.")
    st.header("Settings", anchor=False)
    settings = _settings(key, dataset, preset, methods, need)
    name = _name_field(key, choice, dataset, methods)
    return SweepSpec(name=name, dataset=choice.data, fairness=fairness, **settings)


def _settings(
    key: str, dataset: Dataset, preset: str, methods: list[type[Method]], need: Need
) -> dict[str, Any]:
    """Draws all settings; returns them as arguments of `SweepSpec`."""
    left, right = st.columns(2, gap="large")
    with left:
        seeds = _seeds_field(key)
    with right:
        training = _training_fields(key, dataset, preset, _MAIN)
    gamma = _gamma_field(key, methods) if need.limit is None else GammaPolicy()
    sections = []
    tabs = st.tabs([plain_text(method.title) for method in methods])
    for tab, method in zip(tabs, methods, strict=True):
        own = f"{key}-{method.name}"
        with tab:
            sections.append(
                method_form(method, need=need, key=own, gamma_is_chosen=gamma.validates)
            )
    with st.expander("Advanced: network, optimiser and split", icon=":material/tune:"):
        seldom = tuple(name for name in TrainingConfig.parameters() if name not in _MAIN)
        left, right = st.columns(2, gap="large")
        with left:
            training |= _training_fields(key, dataset, preset, seldom)
        with right:
            split = _split_fields(key, dataset)
    return {
        "methods": tuple(sections),
        "seeds": seeds,
        "split": split,
        "gamma": gamma,
        "training": training,
    }


def _notion_field(key: str, choice: Choice, dataset: Dataset) -> str:
    reasons = [why_not(method, "eo", dataset.task) for method in ordered_methods()]
    impossible = None not in reasons
    own = f"{key}-fairness-{choice.fairness}"
    if impossible:
        st.segmented_control(
            "Fairness notion", ["dp"], format_func=_NOTIONS.__getitem__, default="dp", required=True
        )
        st.caption(
            "Equal opportunity cannot be asked for here: it compares people with a positive "
            "outcome, and what is predicted on this dataset is a number."
        )
        return "dp"
    notion = st.segmented_control(
        "Fairness notion",
        list(_NOTIONS),
        format_func=_NOTIONS.__getitem__,
        default=choice.fairness,
        required=True,
        key=own,
        on_change=_take_notion,
        args=(own, choice.fairness),
        help="Demographic parity asks that predictions look alike at every value of the "
        "sensitive attribute. Equal opportunity asks it among those with a positive outcome only.",
    )
    return str(notion)


def _take_notion(key: str, shown: str) -> None:
    # As the form makes way for the sweep, the browser reports the choice once more, with the
    # address from before: writing it then would take the sweep out of the address.
    if st.session_state[key] != shown:
        to_address("fairness", key)


def _name_field(key: str, choice: Choice, dataset: Dataset, methods: list[type[Method]]) -> str:
    built_in = choice.dataset in available_datasets()
    about = dataset_card(choice.dataset).title.split(":")[0] if built_in else dataset.name
    usual = f"{about}: {', '.join(method.title for method in methods)}"
    typed = st.text_input(
        "Name of the sweep",
        key=f"{key}-name",
        placeholder=usual,
        max_chars=_LONGEST_NAME,
        help="What it is called in lists; left empty, dataset and methods name it.",
        persist_state="session",
    )
    return (typed or "").strip() or usual[:_LONGEST_NAME]


def _seeds_field(key: str) -> tuple[int, ...]:
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


def _gamma_field(key: str, methods: list[type[Method]]) -> GammaPolicy:
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


def _training_fields(
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


def _split_fields(key: str, dataset: Dataset) -> SplitSpec:
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
