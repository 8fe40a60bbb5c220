"""The form from which a sweep is made; it lives in its viewer's session alone."""

from typing import Any, Final

import streamlit as st

from frem_core.datasets import Dataset, available_datasets, dataset_card
from frem_core.errors import ConfigError
from frem_core.figures import plain_text
from frem_core.methods import Method
from frem_core.sweeps import SweepSpec
from frem_core.training import TrainingConfig
from studio.address import to_address
from studio.choice import Choice
from studio.train.method_cards import ordered_methods, show_method_cards, why_not
from studio.train.method_form import method_form
from studio.train.shared_form import gamma_field, seeds_field, split_fields, training_fields

_NOTIONS: Final = {"dp": "Demographic parity", "eo": "Equal opportunity"}
_MAIN: Final = ("epochs",)
_LONGEST_NAME: Final = 120


def sweep_form(choice: Choice, dataset: Dataset) -> SweepSpec:
    """Draws the whole form and returns the sweep it describes.

    Raises:
        ConfigError: the form cannot be trained as it stands; the message says why.
    """
    key = f"train-{choice.dataset}"
    preset = choice.data.preset
    st.header("Methods", anchor=False)
    fairness = _notion_field(key, choice, dataset)
    methods = show_method_cards(key, fairness, dataset.task)
    if not methods:
        raise ConfigError("No method is chosen. Tick at least one of the cards above.")
    st.header("Settings", anchor=False)
    settings = _settings(key, dataset, preset, methods)
    name = _name_field(key, choice, dataset, methods)
    return SweepSpec(name=name, dataset=choice.data, fairness=fairness, **settings)


def _settings(
    key: str, dataset: Dataset, preset: str, methods: list[type[Method]]
) -> dict[str, Any]:
    """Draws all settings; returns them as arguments of `SweepSpec`."""
    left, right = st.columns(2, gap="large")
    with left:
        seeds = seeds_field(key)
    with right:
        training = training_fields(key, dataset, preset, _MAIN)
    gamma = gamma_field(key, methods)
    sections = []
    tabs = st.tabs([plain_text(method.title) for method in methods])
    for tab, method in zip(tabs, methods, strict=True):
        own = f"{key}-{method.name}"
        with tab:
            sections.append(
                method_form(method, dataset=preset, key=own, gamma_is_chosen=gamma.validates)
            )
    with st.expander("Advanced: network, optimiser and split", icon=":material/tune:"):
        seldom = tuple(name for name in TrainingConfig.parameters() if name not in _MAIN)
        left, right = st.columns(2, gap="large")
        with left:
            training |= training_fields(key, dataset, preset, seldom)
        with right:
            split = split_fields(key, dataset)
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
