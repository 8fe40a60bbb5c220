"""What evaluating one run on Adult costs, and what of it nearest neighbours do."""

import numpy as np
from sklearn.feature_selection import mutual_info_regression

from benchmarks.measuring import race, threads
from benchmarks.report import Check, Report, Table
from frem_core.datasets import load_dataset, prepare, split_dataset
from frem_core.evaluation import evaluate, evaluate_split
from frem_core.methods import get_method
from frem_core.metrics import representation_mutual_information
from frem_core.training import grid, suggested_config, train
from frem_core.types import Floats

_EPOCHS, _MOST = 5, 0.5


def run() -> Report:
    dataset = load_dataset("adult")
    data = prepare(dataset, split_dataset(dataset, seed=0))
    config = suggested_config(data.preset, len(data.train), epochs=_EPOCHS)
    [model] = train(
        data.train,
        task=data.task,
        method=get_method("unfair")(),
        config=config,
        members=grid([0.0], [0]),
    )
    test = data.test
    z = model.transform(test.x)
    p = model.predict_from_representation(z)
    ours = representation_mutual_information(z, sensitive_features=test.s).by_dimension

    def theirs() -> Floats:
        found = mutual_info_regression(z.astype(float), test.s, n_neighbors=3, random_state=0)
        return np.asarray(found)

    with threads(1):
        took = race(
            {
                "test": lambda: evaluate(test.y, p, z, sensitive_features=test.s, task=data.task),
                "both": lambda: evaluate_split(model, data),
                "mi": lambda: representation_mutual_information(z, sensitive_features=test.s),
            },
            repeats=7,
            budget=60,
        ) | race({"theirs": theirs}, repeats=1, warm_up=False)
    apart = float(np.abs(ours - theirs()).max())
    rows = [
        (f"all scores on the {len(test):,} test rows", f"{took['test']:.2f} s"),
        ("of that, MI(Z, S)", f"{took['mi']:.2f} s"),
        ("MI(Z, S) by scikit-learn", f"{took['theirs']:.2f} s"),
        (
            "both parts of a run: 10,000 training rows as well, and the network",
            f"{took['both']:.2f} s",
        ),
    ]
    return Report(
        "Evaluation",
        [
            Table(
                f"Adult, {z.shape[1]} dimensions of Z, one thread",
                ("what", "processor time"),
                rows,
                "Least of seven turns; scikit-learn's once.",
            )
        ],
        [
            Check(
                f"Both parts of a run on Adult in at most {_MOST} s of processor time",
                f"{took['both']:.2f} s",
                took["both"] <= _MOST,
            ),
            Check("MI equals scikit-learn's within 1e-9", f"{apart:.1e} apart", apart <= 1e-9),
        ],
    )
