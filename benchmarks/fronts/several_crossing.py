"""An effect that only the crossing of age and sex shows: found by the joint EIPM, then removed."""

import numpy as np
import pandas as pd

from benchmarks.measuring import threads
from benchmarks.report import Check, Report, Table
from frem_core.datasets import PreparedData, load_table, prepare, split_dataset
from frem_core.eipm import eipm_attributes
from frem_core.methods import get_method
from frem_core.training import TrainedModel, TrainingConfig, grid, train

SEEDS, ROWS, GAMMA, WEIGHT = (10, 11, 12), 2000, 0.1, 10.0  # the weight was chosen on seed 0
CONFIG = TrainingConfig(
    epochs=40, batch_size=512, learning_rate=0.01, weight_decay=1e-3, hidden=(16, 8)
)
ATTRIBUTES = ["age", "sex", "joint", "excess"]
UNFAIR, APART, BOTH = "nothing", "each (μ = 0)", "each and both together (μ = 1)"
FOUND, CHANCE = 1.5, 1.25  # EIPM in units of what shuffled people give


def run() -> Report:
    with threads(1):
        scores = pd.concat([_scores(seed) for seed in SEEDS], ignore_index=True)
    means = scores.drop(columns="seed").groupby("trained for", sort=False).mean()
    rows = [
        [contestant, f"{row['accuracy']:.3f}"]
        + [f"{row[name]:.3f} ({row[f'chance {name}']:.3f})" for name in ATTRIBUTES]
        for contestant, row in means.iterrows()
    ]
    ratio = pd.DataFrame({name: means[name] / means[f"chance {name}"] for name in ATTRIBUTES[:3]})
    before, after = ratio.loc[UNFAIR], ratio.loc[BOTH]
    alone = float(before[["age", "sex"]].max())
    return Report(
        "What only a combination shows",
        [
            Table(
                "Young women and old men on one side, the others on the other",
                ["trained for", "accuracy", *(f"EIPM {name} (chance)" for name in ATTRIBUTES)],
                rows,
                f"{ROWS:,} people of whom a fifth are test rows, means of {len(SEEDS)} seeds; "
                f"λ = {WEIGHT:g}, γ = {GAMMA}, {CONFIG.epochs} epochs; EIPM of standardised "
                "dimensions on test rows, in brackets that of shuffled people.",
            )
        ],
        [
            Check(
                "before: the joint EIPM is well above chance, those of age and sex are not",
                f"{before['joint']:.1f}× chance, the others at most {alone:.1f}×",
                before["joint"] > FOUND > alone,
            ),
            Check(
                "after training with both together all three are at chance",
                f"at most {after.max():.2f}× chance",
                after.max() <= CHANCE,
            ),
        ],
    )


def people(seed: int) -> pd.DataFrame:
    """Whether somebody is paid depends on skill and on which side they are on."""
    rng = np.random.default_rng(seed)
    age, woman = rng.uniform(18, 80, ROWS), rng.random(ROWS) < 0.5
    side = np.where(woman, 1, -1) * np.where(age < 49, 1, -1)
    skill = rng.normal(size=ROWS)
    return pd.DataFrame(
        {
            "age": age,
            "sex": np.where(woman, "Female", "Male"),
            "skill": skill,
            "district": side + 0.7 * rng.normal(size=ROWS),
            "paid": (skill + 1.2 * side + rng.logistic(size=ROWS) > 0).astype(int),
        }
    )


def _scores(seed: int) -> pd.DataFrame:
    dataset = load_table(people(seed), target="paid", sensitive=["age", "sex"])
    data = prepare(dataset, split_dataset(dataset, seed=seed))
    contestants = {UNFAIR: (1.0, 0.0), APART: (0.0, WEIGHT), BOTH: (1.0, WEIGHT)}
    rows = []
    for contestant, (joint_weight, weight) in contestants.items():
        (model,) = train(
            data.train,
            task=data.task,
            method=get_method("frem")(gamma=GAMMA, joint_weight=joint_weight),
            config=CONFIG,
            members=grid([weight], [seed]),
        )
        rows.append({"trained for": contestant, "seed": seed} | _test_scores(model, data))
    return pd.DataFrame(rows)


def _test_scores(model: TrainedModel, data: PreparedData) -> dict[str, float]:
    test = data.test
    assert test.attributes is not None
    z = model.transform(test.x)
    found = eipm_attributes(
        z, test.attributes.shown(test.attributes.values), gamma=GAMMA, units="standardised"
    ).set_index("attribute")
    right = (model.predict_from_representation(z) > 0.5) == test.y
    return {"accuracy": float(right.mean())} | {
        f"{words}{name}": float(found.loc[name, column])
        for name in ATTRIBUTES
        for words, column in (("", "eipm"), ("chance ", "chance"))
    }
