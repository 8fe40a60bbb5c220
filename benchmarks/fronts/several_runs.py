"""The trainings behind `python -m benchmarks several_fronts`: FREM with two sensitive attributes.

What was trained is kept beside the results, seed by seed, so that an interrupted study goes on.
"""

from dataclasses import dataclass, replace
from typing import Final

import numpy as np
import pandas as pd

from benchmarks import RESULTS
from benchmarks.measuring import threads
from frem_core.attributes import read_attributes
from frem_core.datasets import Dataset, PreparedData, load_dataset, prepare, split_dataset
from frem_core.evaluation.several import several_scores
from frem_core.methods import Method, get_method
from frem_core.training import TrainedModel, grid, suggested_config, train

KEPT = RESULTS / "several"
SEEDS = (10, 11, 12)
GAMMA = 0.05
MOST_ROWS = 4000  # test rows that fairness is measured on

UNFAIR: Final = "unfair"
FIRST: Final = "the first alone"
APART: Final = "each"
BOTH: Final = "each and both together"
CONTESTANTS: dict[str, Method] = {
    UNFAIR: get_method("unfair")(),
    FIRST: get_method("frem")(),
    APART: get_method("frem")(joint_weight=0.0),
    BOTH: get_method("frem")(),
}


@dataclass(frozen=True)
class Question:
    """A built-in dataset with a second sensitive attribute, and how long is trained on it."""

    name: str
    second: str
    quality: str
    epochs: int
    weights: tuple[float, ...]

    def dataset(self) -> Dataset:
        """The dataset with the second attribute, which is no feature any more."""
        data = load_dataset(self.name)
        column = data.features[self.second]
        if not pd.api.types.is_numeric_dtype(column.dtype):
            column = column.astype("str")
        table = pd.DataFrame({data.sensitive_name: data.sensitive, self.second: column})
        return replace(
            data,
            features=data.features.drop(columns=self.second),
            attributes=read_attributes(table, len(table)),
        )

    def data(self, seed: int, contestant: str) -> PreparedData:
        """One split; a contestant for one attribute trains as if it knew of no other."""
        dataset = self.dataset()
        data = prepare(dataset, split_dataset(dataset, seed=seed))
        if contestant in (APART, BOTH):
            return data
        return replace(data, train=replace(data.train, attributes=None))


QUESTIONS = (
    Question("crime", "racePctHisp", "1−MAE", 100, (0.02, 0.05, 0.1, 0.2, 0.5, 1.0)),
    Question("adult", "sex", "accuracy", 20, (0.2, 0.5, 1.2, 3.0)),
)


def runs(question: Question) -> pd.DataFrame:
    """One row per contestant, seed and fairness weight, trained unless that was done before."""
    KEPT.mkdir(parents=True, exist_ok=True)
    file = KEPT / f"{question.name}.csv"
    done = pd.read_csv(file) if file.exists() else pd.DataFrame(columns=["trained for", "seed"])
    for seed in SEEDS:
        for contestant in CONTESTANTS:
            if ((done["trained for"] == contestant) & (done["seed"] == seed)).any():
                continue
            with threads(1):
                found = _trained(question, seed, contestant)
            done = pd.concat([done, found], ignore_index=True) if len(done) else found
            done.to_csv(file.with_suffix(".new"), index=False)
            file.with_suffix(".new").replace(file)
            print(f"  {question.name}: {contestant}, seed {seed}", flush=True)
    return done


def _trained(question: Question, seed: int, contestant: str) -> pd.DataFrame:
    data, method = question.data(seed, contestant), CONTESTANTS[contestant]
    weights = question.weights if method.uses_fairness_weight else (0.0,)
    models = train(
        data.train,
        task=data.task,
        method=method,
        config=suggested_config(question.name, len(data.train), epochs=question.epochs),
        members=grid(weights, [seed]),
    )
    return pd.DataFrame(
        [
            {"trained for": contestant, "λ": model.member.fairness_weight, "seed": seed}
            | _test_scores(model, data)
            for model in models
        ]
    )


def _test_scores(model: TrainedModel, data: PreparedData) -> dict[str, float]:
    test = data.test
    z = model.transform(test.x)
    p = model.predict_from_representation(z)
    if data.task == "classification":
        quality = float(((p > 0.5) == test.y).mean())
    else:
        quality = 1 - float(np.abs(p - test.y).mean())
    some = slice(MOST_ROWS)
    assert test.attributes is not None
    return {"quality": quality} | several_scores(
        p[some], z[some], test.attributes.of(some), gamma=GAMMA, units="standardised"
    )
