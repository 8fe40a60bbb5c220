"""What every registered dataset must fulfil; a new one is tested here by itself."""

import numpy as np
import pytest

from frem_core.datasets import (
    available_datasets,
    dataset_card,
    load_dataset,
    prepare,
    split_dataset,
)

every_dataset = pytest.mark.parametrize("name", available_datasets())


@every_dataset
def test_it_has_a_card_with_words(name: str) -> None:
    card = dataset_card(name)
    assert card.name == name
    assert card.title
    assert card.description.endswith(".")
    assert card.question.endswith("?")


@every_dataset
def test_it_loads_without_a_network_and_always_the_same(name: str, socket_disabled: None) -> None:
    dataset = load_dataset(name)
    assert dataset.name == name
    assert dataset.description
    assert len(dataset.features) == len(dataset.target) == len(dataset.sensitive) > 0
    assert (dataset.class_names is None) == (dataset.task == "regression")
    assert dataset.target_name not in dataset.features.columns
    assert dataset.sensitive_name not in dataset.features.columns
    assert load_dataset(name).fingerprint == dataset.fingerprint


@every_dataset
def test_its_sensitive_attribute_is_continuous_and_its_target_varies(name: str) -> None:
    dataset = load_dataset(name)
    assert len(np.unique(dataset.sensitive)) > 10
    assert len(np.unique(dataset.target)) > 1
    assert dataset.task == "regression" or set(np.unique(dataset.target)) == {0.0, 1.0}


@every_dataset
def test_it_can_be_split_and_prepared(name: str) -> None:
    dataset = load_dataset(name)
    data = prepare(dataset, split_dataset(dataset))
    for part in (data.train, data.test):
        assert np.isfinite(np.asarray(part.x)).all()
        assert len(part.y) == len(part.s) == len(np.asarray(part.x))
    assert data.train.s.min() == pytest.approx(0.0)
    assert data.train.s.max() == pytest.approx(1.0)


def test_titles_differ() -> None:
    titles = {dataset_card(name).title for name in available_datasets()}
    assert len(titles) == len(available_datasets())
