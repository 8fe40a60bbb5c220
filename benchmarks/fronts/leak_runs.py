"""The trainings behind `python -m benchmarks leaks`: forms of FREM's penalty, switched one by one.

What was trained is kept beside the results, so that an interrupted study goes on.
"""

from dataclasses import dataclass, replace
from itertools import product
from typing import Final

import numpy as np
import pandas as pd

from benchmarks import RESULTS
from frem_core.datasets import PreparedData, load_dataset, prepare, split_dataset
from frem_core.eipm import eipm
from frem_core.eipm.settings import UNITS
from frem_core.evaluation import leakage_probe
from frem_core.methods import Method, get_method
from frem_core.methods.frem import Frem
from frem_core.methods.named_forms import PAPERS_FORM
from frem_core.metrics import get_metric
from frem_core.training import (
    TrainedModel,
    TrainingConfig,
    grid,
    spanning_weights,
    suggested_config,
    train,
)
from frem_core.types import Floats

KEPT = RESULTS / "leaks"
GAMMA = 0.05
DECAY, OTHER_DECAYS = 0.001, (0.0, 0.01)
WEIGHTS = 5
PERMUTATIONS = 10
# The penalty without noise is skewed under independence; a few dozen draws mislead.
BATCHES, GAMMAS, DRAWS = (200, 1024), (0.02, 0.05, 0.1), 300

_BOTH: Final = "representation_and_prediction"
PAPER: Final = "the paper's"
BOTH_JUDGED: Final = "standardised, both judged"
FORMS = {
    PAPER: Frem(**PAPERS_FORM),
    "one scale": Frem(**{**PAPERS_FORM, "units": "scale"}),
    "standardised": Frem(**{**PAPERS_FORM, "units": "standardised"}),
    "whitened": Frem(**{**PAPERS_FORM, "units": "whitened"}),
    BOTH_JUDGED: Frem(**{**PAPERS_FORM, "units": "standardised", "judges": _BOTH}),
    "all remedies": Frem(units="standardised", judges=_BOTH, form="square", noise="removed"),
}
WITH_NOISE_OR_WITHOUT = {
    PAPER: FORMS[PAPER],
    "its square": Frem(**{**PAPERS_FORM, "form": "square"}),
    "its square, noise removed": Frem(**{**PAPERS_FORM, "form": "square", "noise": "removed"}),
}


@dataclass(frozen=True)
class Study:
    """One table and how long is trained on it, on seeds that no other study uses."""

    dataset: str
    epochs: int
    seeds: tuple[int, ...]

    def data(self, seed: int) -> PreparedData:
        """One split of the table."""
        dataset = load_dataset(self.dataset)
        return prepare(dataset, split_dataset(dataset, seed=seed))

    def config(self, data: PreparedData, decay: float) -> TrainingConfig:
        """The paper's settings but for the weight decay."""
        return suggested_config(
            data.preset, len(data.train), epochs=self.epochs, weight_decay=decay
        )


def unfair(study: Study, decay: float) -> pd.DataFrame:
    """The model without fairness weight, one row per seed."""
    return _kept(study, decay, "unfair", get_method("unfair")())


def along_weights(study: Study, form: str, decay: float = DECAY) -> pd.DataFrame:
    """A form at weights from hardly any effect to constant predictions, per weight and seed."""
    return _kept(study, decay, form, FORMS[form])


def along_weights_permuted(study: Study, form: str) -> pd.DataFrame:
    """The same with a sensitive attribute in random order, that nothing depends on."""
    return _kept(study, DECAY, form, WITH_NOISE_OR_WITHOUT[form], permuted=True)


def _kept(
    study: Study, decay: float, name: str, method: Method, *, permuted: bool = False
) -> pd.DataFrame:
    """Trained unless that was done before."""
    parts = []
    for seed in study.seeds:
        words = [study.dataset, f"{decay:g}", *(["permuted"] if permuted else []), name, str(seed)]
        file = KEPT / f"{'-'.join(words).replace(' ', '_').replace(',', '')}.csv"
        if not file.exists():
            _trained(study, seed, decay, name, method, permuted).to_csv(file, index=False)
            print(f"  {file.stem}", flush=True)
        parts.append(pd.read_csv(file))
    return pd.concat(parts, ignore_index=True)


def _trained(
    study: Study, seed: int, decay: float, name: str, method: Method, permuted: bool
) -> pd.DataFrame:
    # The weights of the first split at one weight decay, so that rows can be compared.
    first = study.data(study.seeds[0])
    weights = spanning_weights(
        first.train,
        task=first.task,
        method=method,
        config=study.config(first, DECAY),
        count=WEIGHTS,
    )
    data = study.data(seed)
    part = data.train
    if permuted:
        part = replace(part, s=np.random.default_rng(seed).permutation(part.s))
    models = train(
        part,
        task=data.task,
        method=method,
        config=study.config(data, decay),
        members=grid(weights, [seed]),
    )
    about = {"form": name, "decay": decay, "seed": seed}
    return pd.DataFrame([{**about, **_measured(model, data)} for model in models])


def _measured(model: TrainedModel, data: PreparedData) -> dict[str, float]:
    """What penalties see on the test rows, what is left of S there, and where it sits."""
    z, s = model.transform(data.test.x).astype(float), data.test.s
    p = model.predict(data.test.x)
    known = model.transform(data.train.x).astype(float)
    probe = leakage_probe(known, data.train.s, held_out=(z, s), gamma=GAMMA).representation
    random = np.random.default_rng(0)
    chance = pd.DataFrame([_seen(z, p, random.permutation(s)) for _ in range(PERMUTATIONS)]).mean()
    head = model.head.weight.detach().numpy()[0, :, 0].astype(float)
    centred = z - z.mean(0)
    scale = float(np.sqrt(np.square(centred).sum(1).mean()))
    read = centred @ head
    return {
        "weight": model.member.fairness_weight,
        "quality": 1 - get_metric("mae")(data.test.y, p, sensitive_features=s),
        "hgr": get_metric("hgr")(data.test.y, p, sensitive_features=s),
        **{f"seen_{units}": value for units, value in _seen(z, p, s).items()},
        **{f"chance_{units}": float(value) for units, value in chance.items()},
        "linear": probe.linear_r2,
        "boosted": probe.boosted_r2,
        "scale": scale,
        "head": float(np.linalg.norm(head)),
        "read": float(read.var() / (head @ head * scale**2)),
        "z_by_s": float(np.square(_covariance(centred, s)).sum() / (s.var() * scale**2)),
        "y_by_s": float(np.square(_covariance(read, s)) / (s.var() * read.var())),
    }


def _seen(z: Floats, p: Floats, s: Floats) -> dict[str, float]:
    """The paper's EIPM in each of the units, and with the prediction judged as well."""
    found = {units: eipm(z, s, gamma=GAMMA, units=units) for units in UNITS}
    prediction = eipm(p, s, gamma=GAMMA, units="scale")
    return {**found, "both": (found["standardised"] + prediction) / 2}


def seen_by(form: str) -> str:
    """Which of these a form of the penalty looks at."""
    method = FORMS[form]
    return "both" if method.judges == _BOTH else method.units


def _covariance(columns: Floats, s: Floats) -> Floats:
    return np.asarray((columns - columns.mean(0)).T @ (s - s.mean()) / len(s))


def penalties_of_batches(study: Study) -> pd.DataFrame:
    """The penalty of the unfair representation, with S as it is and in random order."""
    seed = study.seeds[0]
    data = study.data(seed)
    (model,) = train(
        data.train,
        task=data.task,
        method=get_method("unfair")(),
        config=study.config(data, DECAY),
        members=grid([0.0], [seed]),
    )
    z = model.transform(data.train.x).astype(float)
    random = np.random.default_rng(seed)
    rows = []
    for batch, gamma, _ in product(BATCHES, GAMMAS, range(DRAWS)):
        some = random.permutation(len(z))[:batch]
        s = data.train.s[some]
        other = random.permutation(s)
        for name, method in WITH_NOISE_OR_WITHOUT.items():
            rows.append(
                {
                    "batch": batch,
                    "gamma": gamma,
                    "form": name,
                    "real": _penalty(z[some], s, gamma, method),
                    "independent": _penalty(z[some], other, gamma, method),
                }
            )
    return pd.DataFrame(rows)


def _penalty(z: Floats, s: Floats, gamma: float, method: Frem) -> float:
    return eipm(z, s, gamma=gamma, form=method.form, noise=method.noise, units=method.units)
