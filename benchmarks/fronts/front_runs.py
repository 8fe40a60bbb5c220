"""Trains every method on six tables and a graph, for `front_comparison` and `nearest_reading`.

Hours for all of it. The fairness weights of every contestant come from the same rule
(`spanning_weights`), on the first seed of each table. What was trained is kept beside the results,
seed by seed, so that an interrupted comparison goes on and a part of it can be looked at. A table
whose files are not there (``frem datasets add``) is left as it was kept.
"""

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final, Literal

import pandas as pd

from benchmarks import RESULTS
from benchmarks.measuring import threads
from benchmarks.report import Report, Table
from frem_core.datasets import (
    PreparedData,
    available_datasets,
    load_dataset,
    prepare,
    split_dataset,
)
from frem_core.datasets.splits import SplitKind
from frem_core.eipm import eipm
from frem_core.evaluation import evaluate, leakage_probe
from frem_core.methods import Method, get_method
from frem_core.methods.named_forms import PAPERS_FORM
from frem_core.reproduction.front_comparison import constant_prediction
from frem_core.training import (
    TrainedModel,
    TrainingConfig,
    grid,
    spanning_weights,
    suggested_config,
    train,
)
from frem_core.training.stack_size import nodes_of

KEPT = RESULTS / "fronts"
TABLES = KEPT / "tables.csv"  # task and best constants: these need no files later
PREDICTIONS = {"regression": ("mae", "mse"), "classification": ("accuracy", "average_precision")}
WEIGHT_DECAY = 1e-3  # with which the paper's unfair model comes out
GAMMA = 0.05
PROBE_ROWS = 4_000

UNFAIR: Final = "Unfair"
FREM: Final = "FREM"
PAPER: Final = "FREM of the paper"
NO_LINE: Final = "FREM, linear_probe = 0.1"
BY_RANK: Final = "FREM, S by its rank"
#: FREM with another setting: shown beside it, and no opponent of it.
OF_FREM: Final = (NO_LINE, BY_RANK)
PROBED: Final = (UNFAIR, PAPER, FREM, *OF_FREM)
_PEERS = (
    *("reg_hgr", "reg_gdp", "adv", "laftr", "mmd", "sipm_lfr"),
    *("hsic", "dcov", "kernel_hgr", "linear_correlation"),
)
CONTESTANTS: dict[str, Method] = {
    UNFAIR: get_method("unfair")(),
    FREM: get_method("frem")(),
    PAPER: get_method("frem")(**PAPERS_FORM),
    **{get_method(name).title: get_method(name)() for name in _PEERS},
    NO_LINE: get_method("frem")(linear_probe=0.1),
    BY_RANK: get_method("frem")(sensitive_units="rank"),
}


@dataclass(frozen=True)
class Study:
    """One table and how much is trained on it, on seeds that no setting was chosen on."""

    dataset: str
    epochs: int
    seeds: tuple[int, ...]
    weights: int
    split: SplitKind = "random"
    encoder: str = TrainingConfig.encoder
    fairness: Literal["dp", "eo"] = "dp"

    @property
    def file(self) -> Path:
        """Where its trainings are kept."""
        notion = "" if self.fairness == "dp" else f"_{self.fairness}"
        return KEPT / f"{self.dataset}{notion}.csv"

    @property
    def is_there(self) -> bool:
        """Whether it can be trained: built in, or its files were added."""
        return self.dataset in available_datasets()

    def data(self, seed: int) -> PreparedData:
        """One split of the table."""
        dataset = load_dataset(self.dataset)
        return prepare(dataset, split_dataset(dataset, kind=self.split, seed=seed))

    def config(self, data: PreparedData, **changes: int) -> TrainingConfig:
        """The settings that all contestants share."""
        return suggested_config(
            data.preset,
            len(data.train),
            graph=nodes_of(data.train) is not None,
            encoder=self.encoder,
            weight_decay=WEIGHT_DECAY,
            **changes,
        )


# German credit is left out: with 200 test rows the unfair model predicts no better than a constant
# and depends on age no more than chance, so that it has no front.
STUDIES = (
    Study("crime", 200, (0, 1, 2, 3, 4), 10),
    Study("michigan_schools", 100, (0, 1, 2, 3, 4), 10),
    Study("retirement_savings", 40, (0, 1, 2), 8),
    Study("adult_with_age", 60, (0, 1, 2), 8, split="paper_table"),
    Study("rand_health", 20, (0, 1, 2), 8),
    Study("county_murders", 20, (0, 1, 2), 8),
    Study("bail", 20, (0, 1, 2), 8, encoder="sgc"),
)
# For `nearest_reading` only: the methods that the paper compares under equal opportunity.
OPPORTUNITY = Study("adult_with_age", 30, (0, 1, 2), 6, split="paper_table", fairness="eo")
_JUDGED_BY_OPPORTUNITY = (UNFAIR, PAPER, "Reg-GDP", "Reg-HGR", "ADV")


def run() -> Report:
    with threads(1):
        for study in STUDIES:
            if study.is_there:
                train_missing(study)
            else:
                print(f"  {study.dataset}: its files are not there; what is kept stays", flush=True)
        train_missing(OPPORTUNITY, {name: CONTESTANTS[name] for name in _JUDGED_BY_OPPORTUNITY})
    rows = [
        [study.dataset, runs["contestant"].nunique(), runs["seed"].nunique(), len(runs)]
        for study in STUDIES
        for runs in [kept(study)]
    ]
    columns = ("table", "contestants", "seeds", "trainings")
    return Report("Trainings of all methods", [Table("Kept", columns, rows)])


def kept(study: Study) -> pd.DataFrame:
    """What was trained so far: one row per contestant, seed and fairness weight."""
    if study.file.exists():
        return pd.read_csv(study.file)
    return pd.DataFrame(columns=["contestant", "seed"])


def known_tables() -> pd.DataFrame:
    """By name: the task of each table, and the scores of its best constant as charts show them."""
    return pd.read_csv(TABLES, index_col="dataset") if TABLES.exists() else pd.DataFrame()


def describe(study: Study) -> None:
    """Writes down what a comparison has to know of a table, so that it needs no files."""
    known = known_tables()
    if study.dataset in known.index:
        return
    task = load_dataset(study.dataset).task
    about = {one: constant_prediction(study.dataset, one) for one in PREDICTIONS[task]}
    row = pd.DataFrame([{"task": task, **about}], index=pd.Index([study.dataset], name="dataset"))
    pd.concat([known, row]).to_csv(TABLES, index_label="dataset")


def train_missing(study: Study, contestants: dict[str, Method] = CONTESTANTS) -> None:
    """Trains what is not kept yet, all contestants on one seed before the next seed."""
    KEPT.mkdir(exist_ok=True)
    describe(study)
    for seed in study.seeds:
        for name, plain in contestants.items():
            method = replace(plain, fairness=study.fairness)
            done = kept(study)
            if ((done["contestant"] == name) & (done["seed"] == seed)).any():
                continue
            weights = _weights(study, name, method, done)
            found = _trained(study, seed, name, method, weights)
            whole = pd.concat([done, found], ignore_index=True) if len(done) else found
            whole.to_csv(study.file.with_suffix(".new"), index=False)
            study.file.with_suffix(".new").replace(study.file)
            print(f"  {study.file.stem}: {name}, seed {seed}", flush=True)


def _weights(study: Study, name: str, method: Method, done: pd.DataFrame) -> list[float]:
    """Those of the seeds before, so that fronts of several seeds can be averaged."""
    before = done[done["contestant"] == name]
    if len(before):
        return sorted(before["weight"].unique())
    data = study.data(study.seeds[0])
    return list(
        spanning_weights(
            data.train,
            task=data.task,
            method=method,
            config=study.config(data),
            count=study.weights,
        )
    )


def _trained(
    study: Study, seed: int, name: str, method: Method, weights: list[float]
) -> pd.DataFrame:
    data = study.data(seed)
    models = train(
        data.train,
        task=data.task,
        method=method,
        config=study.config(data, epochs=study.epochs),
        members=grid(weights, [seed]),
    )
    about = {"contestant": name, "seed": seed}
    return pd.DataFrame(
        [
            {
                **about,
                "weight": model.member.fairness_weight,
                **_scores(model, data, probed=name in PROBED),
            }
            for model in models
        ]
    )


def _scores(model: TrainedModel, data: PreparedData, *, probed: bool) -> dict[str, float]:
    """All scores on the test rows, EIPM in the units of the data, and what probes find."""
    z, s = model.transform(data.test.x).astype(float), data.test.s
    p = model.predict(data.test.x)
    found = evaluate(data.test.y, p, z, sensitive_features=s, task=data.task, gamma=GAMMA)
    if not probed:
        return found
    some = slice(PROBE_ROWS)
    known = model.transform(data.train.x).astype(float)
    probe = leakage_probe(
        known, data.train.s, held_out=(z, s), gamma=GAMMA, max_rows=PROBE_ROWS
    ).representation
    return {
        **found,
        "standardised_eipm": eipm(z[some], s[some], gamma=GAMMA, units="standardised"),
        "prediction_eipm": eipm(p[some], s[some], gamma=GAMMA, units="scale"),
        "linear_probe": probe.linear_r2,
        "tree_probe": probe.boosted_r2,
    }
