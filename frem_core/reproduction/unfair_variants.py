"""The unfair model under other readings of the paper: features, weight decay, split, scale."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from sklearn.feature_selection import mutual_info_regression

from frem_core.datasets import Dataset, load_dataset, prepare, split_dataset
from frem_core.methods import get_method
from frem_core.metrics import get_metric, hgr, mutual_information
from frem_core.training import Member, suggested_config, train
from frem_core.types import Floats

_QUICK_EPOCHS = 3


@dataclass(frozen=True)
class _Reading:
    """One way to read the paper."""

    words: str
    with_sensitive: bool = False
    weight_decay: float = 0.01
    split: str = "random"


_READINGS = {
    "adult": (
        _Reading("default"),
        _Reading("table sizes instead of 80/20", split="paper_table"),
        _Reading("age among the features", with_sensitive=True),
        _Reading(
            "age among the features, weight decay 0.001", with_sensitive=True, weight_decay=1e-3
        ),
        _Reading(
            "age among the features, weight decay 0.001, table sizes",
            with_sensitive=True,
            weight_decay=1e-3,
            split="paper_table",
        ),
    ),
    "crime": (
        _Reading("default"),
        _Reading("table sizes instead of 80/20", split="paper_table"),
        _Reading("racepctblack among the features", with_sensitive=True),
        _Reading("weight decay 0.001", weight_decay=1e-3),
    ),
}


def unfair_variants(dataset: str, *, quick: bool, kept: Path) -> pd.DataFrame:
    """Trains and scores every reading once, or reads what was scored before.

    Args:
        dataset: ``"adult"`` or ``"crime"``.
        quick: a few epochs.
        kept: folder for the scores.

    Returns:
        Columns ``variant, features, train_rows, test_rows, prediction, hgr,
        mutual_information``; the first row is the default.
    """
    path = kept / f"unfair-{dataset}{'-quick' if quick else ''}.csv"
    if path.is_file():
        return pd.read_csv(path)
    data = load_dataset(dataset)
    rows = [row for reading in _READINGS[dataset] for row in _rows(data, reading, quick)]
    kept.mkdir(parents=True, exist_ok=True)
    table = pd.DataFrame(rows)
    table.to_csv(path, index=False)
    return table


def _rows(data: Dataset, reading: _Reading, quick: bool) -> Iterator[dict[str, Any]]:
    changed = data
    if reading.with_sensitive:
        features = data.features.assign(**{data.sensitive_name: data.sensitive})
        changed = replace(data, features=features)
    prepared = prepare(changed, split_dataset(changed, kind=reading.split, seed=0))  # type: ignore[arg-type]
    settings: dict[str, Any] = {"weight_decay": reading.weight_decay}
    if quick:
        settings["epochs"] = _QUICK_EPOCHS
    config = suggested_config(data.preset, len(prepared.train), **settings)
    method = get_method("unfair")()
    (model,) = train(
        prepared.train, task=data.task, method=method, config=config, members=[Member()], threads=1
    )
    test = prepared.test
    p = np.asarray(model.predict_from_representation(model.transform(test.x)), dtype=float)
    metric = get_metric("accuracy" if data.task == "classification" else "mae")
    facts = {
        "features": prepared.train.x.shape[1],
        "train_rows": len(prepared.train),
        "test_rows": len(test),
        "prediction": metric.axis_value(metric(test.y, p, sensitive_features=test.s)),
    }
    for words, outputs in (("", p), (", logits", _logits(p))):
        for precision, information in (
            ("", mutual_information(None, outputs, sensitive_features=test.s)),
            (", single precision", _single_precision(outputs, test.s)),
        ):
            yield {
                "variant": f"{reading.words}{words}{precision}",
                **facts,
                "hgr": hgr(None, outputs, sensitive_features=test.s),
                "mutual_information": information,
            }


def _logits(p: Floats) -> Floats:
    kept = np.clip(p, 1e-7, 1 - 1e-7)
    return np.asarray(np.log(kept / (1 - kept)))


def _single_precision(p: Floats, s: Floats) -> float:
    found = mutual_info_regression(
        p.astype(np.float32)[:, None], s.astype(np.float32), n_neighbors=3, random_state=0
    )
    return float(found[0])
