"""Trainings that several sensitive attributes must not show up in."""

from dataclasses import replace

import click
import numpy as np
import pandas as pd
import pytest
import torch
from click.testing import CliRunner

from frem_core.console.dataset_options import dataset_options, described_dataset
from frem_core.datasets import load_table, prepare, split_dataset
from frem_core.eipm import eipm, eipm_attributes
from frem_core.eipm.settings import check_settings
from frem_core.eipm.several.batch import BatchOfSeveral
from frem_core.eipm.stacked import Judged
from frem_core.errors import ConfigError, DataError
from frem_core.evaluation import evaluate_split, get_score
from frem_core.methods import METHODS, Batch, get_method
from frem_core.training import Member, TrainingConfig, select_bandwidth, train


def people(rows: int = 900, seed: int = 0) -> pd.DataFrame:
    """Young women and old men are paid alike, and so are the others: neither alone tells."""
    rng = np.random.default_rng(seed)
    age = rng.uniform(18, 80, rows)
    woman = rng.random(rows) < 0.5
    side = np.where(woman, 1, -1) * np.where(age < 49, 1, -1)
    skill = rng.normal(size=rows)
    return pd.DataFrame(
        {
            "age": age,
            "sex": np.where(woman, "Female", "Male"),
            "skill": skill,
            "district": side + rng.normal(size=rows) * 0.7,
            "paid": (skill + 1.2 * side + rng.logistic(size=rows) > 0).astype(int),
        }
    )


def prepared(**roles):
    data = load_table(people(), target="paid", sensitive=["age", "sex"], **roles)
    return data, prepare(data, split_dataset(data, seed=0))


def test_a_table_carries_all_its_sensitive_columns() -> None:
    data, ready = prepared()
    assert (data.sensitive_name, data.attributes.names) == ("age", ("age", "sex"))
    assert data.attributes.levels == (None, ("Female", "Male"))
    assert set(data.features) == {"skill", "district"}
    assert ready.train.attributes.values[:, 0].min() == 0.0
    np.testing.assert_allclose(ready.train.attributes.values[:, 0], ready.train.s)
    alone = load_table(people().drop(columns="sex"), target="paid", sensitive="age")
    assert replace(data, attributes=None).fingerprint == alone.fingerprint
    assert data.fingerprint != alone.fingerprint
    # The first number leads, wherever it stands.
    turned = load_table(people(), target="paid", sensitive=["sex", "age"])
    assert turned.sensitive_name == "age"
    with pytest.raises(DataError, match="None of the sensitive columns sex, group"):
        load_table(
            people().assign(group="a" + people()["sex"]), target="paid", sensitive=["sex", "group"]
        )


@pytest.mark.parametrize("name", [name for name in METHODS if get_method(name).supports_several])
def test_a_penalty_looks_at_every_attribute(name: str) -> None:
    rng = torch.Generator().manual_seed(0)
    z = torch.randn(2, 60, 3, generator=rng, requires_grad=True)
    p = torch.sigmoid(z.sum(-1))
    s = torch.rand(1, 60, generator=rng).expand(2, -1)
    sex = (torch.rand(1, 60, generator=rng) < 0.5).double().expand(2, -1)
    both = Batch(z, p, p.round(), s, places=torch.stack([s.double(), sex], -1), levels=(0, 2))
    method = get_method(name)()
    found = method.penalty(both)
    assert found.shape == (2,)
    if name == "unfair":
        return
    assert torch.isfinite(torch.autograd.grad(found.sum(), z)[0]).all()
    if name != "frem":
        apart = [method.penalty(Batch(z, p, p.round(), one.float())) for one in (s, sex)]
        torch.testing.assert_close(found, apart[0] + apart[1])


def test_frem_adds_each_attribute_and_all_together() -> None:
    rng = np.random.default_rng(1)
    z, s, sex = rng.normal(size=(200, 3)), rng.random(200), rng.integers(0, 3, 200)
    batch = Batch(
        torch.tensor(z)[None],
        torch.zeros(1, 200),
        torch.zeros(1, 200),
        torch.tensor(s)[None],
        places=torch.tensor(np.column_stack([s, sex]))[None],
        levels=(0, 3),
    )
    form = {"judges": "representation", "units": "as_is", "form": "square", "noise": "removed"}
    each = {"form": "square", "noise": "removed"}
    texts = sex.astype(str)
    marginals = eipm(z, s, gamma=0.05, **each) + eipm(z, texts, **each)
    together = eipm(z, pd.DataFrame({"s": s, "sex": texts}), gamma=0.05, **each)
    for weight in (0.0, 1.0, 3.0):
        found = get_method("frem")(joint_weight=weight, **form).penalty(batch).item()
        assert found == pytest.approx(marginals + weight * together, rel=1e-5, abs=1e-9)


@pytest.mark.parametrize("noise", ["kept", "removed"])
@pytest.mark.parametrize("levels", [(0, 3), (0, 0)])
def test_attributes_are_summed_before_the_kernel_matrix_is_walked(
    noise: str, levels: tuple[int, int]
) -> None:
    rng = torch.Generator().manual_seed(2)
    z = torch.randn(3, 90, 4, generator=rng, requires_grad=True)
    places = torch.rand(90, 2, generator=rng).double()
    if levels[1]:
        places[:, 1] = (places[:, 1] * levels[1]).floor()
    settings = check_settings(
        gamma=0.1,
        sigma=1.0,
        sensitive_kernel="rbf",
        representation_kernel="rbf",
        method="exact",
        features=8,
        random_state=0,
        noise=noise,
        form="square",
    )
    batch = BatchOfSeveral(places, levels, settings, 0.7)
    at_once = batch.eipm([Judged(z, settings)])
    gradient = torch.autograd.grad(at_once.sum(), z)[0]
    batch._sums_up = lambda *_: False  # one attribute after the other
    in_turn = batch.eipm([Judged(z, settings)])
    torch.testing.assert_close(at_once, in_turn)
    torch.testing.assert_close(gradient, torch.autograd.grad(in_turn.sum(), z)[0])


def test_a_bandwidth_is_judged_by_every_attribute() -> None:
    _, ready = prepared()
    config = TrainingConfig(epochs=1, batch_size=256, hidden=(4,))

    def chosen(part):
        method = get_method("frem")(joint_weight=0.5)
        return select_bandwidth(
            part, task="classification", method=method, config=config, candidates=[0.1]
        ).table["validation_eipm"][0]

    alone = chosen(replace(ready.train, attributes=None))
    assert chosen(ready.train) > 1.5 * alone  # of age, of sex, and half that of both


def test_methods_for_one_attribute_say_so() -> None:
    _, ready = prepared()
    with pytest.raises(ConfigError, match=r"LAFTR takes one sensitive attribute.*FREM"):
        train(ready.train, task="classification", method=get_method("laftr")())


def test_training_removes_what_only_the_crossing_shows() -> None:
    _, ready = prepared()
    config = TrainingConfig(epochs=40, batch_size=256, weight_decay=1e-3, hidden=(16, 8))
    form = {
        "judges": "representation_and_prediction",
        "units": "standardised",
        "form": "square",
        "noise": "removed",
    }
    unfair, fair = train(
        ready.train,
        task="classification",
        method=get_method("frem")(gamma=0.1, **form),
        config=config,
        members=[Member(fairness_weight=0.0), Member(fairness_weight=20.0)],
    )
    S = ready.test.attributes.shown(ready.test.attributes.values)
    tables = [
        eipm_attributes(
            model.transform(ready.test.x),
            S,
            gamma=0.1,
            units="standardised",
            sigma=1.0,
        ).set_index("attribute")
        for model in (unfair, fair)
    ]
    ratio = [table["eipm"] / table["chance"] for table in tables]
    assert ratio[0]["joint"] > 1.7
    assert ratio[0][["age", "sex"]].max() < 1.7
    assert ratio[1][["age", "sex", "joint"]].max() < 1.35
    scores = evaluate_split(fair, ready)["test"]
    assert {"gdp@age", "gdp@sex", "gdp@joint", "eipm@sex", "eipm@joint"} <= set(scores)
    before = evaluate_split(unfair, ready)["test"]
    assert scores["gdp@joint"] < 0.6 * before["gdp@joint"]
    assert scores["gdp@age"] == pytest.approx(scores["gdp"])
    assert get_score("gdp@joint").axis_title.startswith("Demographic parity gap: all attributes")


def test_the_command_line_takes_the_option_again_and_again() -> None:
    @click.command()
    @dataset_options
    def show(**options: object) -> None:
        click.echo(described_dataset(options).to_dict()["sensitive"])

    def shown(*columns: str) -> str:
        given = ["--dataset", "people.csv", "--target", "paid"]
        for column in columns:
            given += ["--sensitive", column]
        return CliRunner().invoke(show, given, catch_exceptions=False).output.strip()

    assert shown("age") == "age"
    assert shown("age", "sex") == "['age', 'sex']"
