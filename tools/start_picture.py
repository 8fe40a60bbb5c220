"""``python -m tools.start_picture``: trains two models and keeps what the Start page draws of them.

An ordinary model and FREM on Communities and Crime, with the paper's training settings: the mean
prediction along the share of Black residents on test rows, and the scores of both.
"""

import pandas as pd

from frem_core.audit import conditional_mean
from frem_core.datasets import load_dataset, prepare, split_dataset
from frem_core.evaluation import evaluate
from frem_core.methods import get_method
from frem_core.training import Member, suggested_config, train
from tools.dashboard import ROOT

OUTPUT = ROOT / "studio" / "start" / "picture.csv"
# Averages over several splits are steadier than the luck of one.
SEEDS = (0, 1, 2, 3, 4)
MEMBERS = {"unfair": 0.0, "frem": 0.9}


def main() -> None:
    """Trains both and writes the table."""
    dataset = load_dataset("crime")
    parts: dict[str, list[pd.DataFrame]] = {name: [] for name in MEMBERS}
    for seed in SEEDS:
        data = prepare(dataset, split_dataset(dataset, seed=seed))
        for name, weight in MEMBERS.items():
            method = get_method(name)()
            config = suggested_config("crime", len(data.train.y))
            [model] = train(
                data.train,
                task=data.task,
                method=method,
                config=config,
                members=[Member(fairness_weight=weight, seed=seed)],
            )
            p = model.predict(data.test.x)
            scores = evaluate(data.test.y, p, sensitive_features=data.test.s, task=data.task)
            print(name, seed, {key: round(value, 3) for key, value in scores.items()})
            parts[name].append(pd.DataFrame({"s": data.test.s, "y": data.test.y, "p": p, **scores}))
    tables = []
    for name, some in parts.items():
        rows = pd.concat(some)
        curve = conditional_mean(rows["p"], rows["s"], bandwidth=0.05, n_resamples=200)
        scores = {key: rows[key].mean() for key in ("mae", "hgr")}
        tables.append(curve.assign(method=name, **scores))
    outcome = conditional_mean(rows["y"], rows["s"], bandwidth=0.05, n_resamples=2)
    tables.append(outcome.assign(method="outcome"))
    pd.concat(tables).round(4).to_csv(OUTPUT, index=False)


if __name__ == "__main__":
    main()
