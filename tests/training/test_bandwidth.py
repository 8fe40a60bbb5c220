from dataclasses import replace

import numpy as np
import pytest

from frem_core.eipm import eipm
from frem_core.errors import ConfigError
from frem_core.methods import get_method
from frem_core.training import grid, hold_out, select_bandwidth, select_bandwidths, train
from tests.training.problems import CONFIG, small_part

MEMBERS = grid([0.5, 2.0], [0])


def test_the_choice_is_the_smallest_held_out_objective() -> None:
    part = small_part(120, task="regression")
    method = get_method("frem")()
    choice = select_bandwidth(
        part, task="regression", method=method, config=CONFIG, members=MEMBERS, candidates=(0.05, 1)
    )
    kept, held_out = hold_out(part, 0.2, 0)
    for row in choice.table.itertuples():
        models = train(
            kept,
            task="regression",
            method=replace(method, gamma=row.gamma),
            config=CONFIG,
            members=MEMBERS,
        )
        totals = []
        for model in models:
            z = model.transform(held_out.x)
            unfairness = [eipm(z, held_out.s, gamma=gamma) for gamma in (0.05, 1)]
            loss = np.mean((model.predict(held_out.x) - held_out.y) ** 2)
            totals.append(loss + model.member.fairness_weight * np.mean(unfairness))
        assert row.criterion == pytest.approx(np.mean(totals))
    assert choice.gamma == choice.table.loc[choice.table["criterion"].idxmin(), "gamma"]
    assert choice.method == replace(method, gamma=choice.gamma)
    assert choice.table["chosen"].sum() == 1


def test_equal_opportunity_is_judged_on_positive_outcomes() -> None:
    choice = select_bandwidth(
        small_part(120),
        task="classification",
        method=get_method("frem")(fairness="eo"),
        config=CONFIG,
        members=MEMBERS,
    )
    assert choice.table["gamma"].tolist() == [0.02, 0.05, 0.1]
    assert np.isfinite(choice.table["criterion"]).all()


def test_each_member_chooses_as_if_it_were_alone() -> None:
    settings = {"task": "classification", "method": get_method("frem")(), "config": CONFIG}
    part = small_part(120)
    together = select_bandwidths(part, members=MEMBERS, **settings)  # type: ignore[arg-type]
    for member, choice in zip(MEMBERS, together, strict=True):
        alone = select_bandwidth(part, members=[member], **settings)  # type: ignore[arg-type]
        assert choice.gamma == alone.gamma
        np.testing.assert_allclose(choice.table["criterion"], alone.table["criterion"], rtol=1e-4)


def test_held_out_rows_are_a_fifth_and_repeatable() -> None:
    part = small_part(100)
    kept, held_out = hold_out(part, 0.2, 3)
    assert (len(kept), len(held_out)) == (80, 20)
    assert sorted([*kept.rows, *held_out.rows]) == list(range(100))
    np.testing.assert_array_equal(hold_out(part, 0.2, 3)[1].rows, held_out.rows)
    assert not np.array_equal(hold_out(part, 0.2, 4)[1].rows, held_out.rows)


def test_what_cannot_be_chosen_is_said() -> None:
    part = small_part()
    with pytest.raises(ConfigError, match="MMD has no bandwidth"):
        select_bandwidth(part, task="classification", method=get_method("mmd")())
    with pytest.raises(ConfigError, match="No bandwidth"):
        select_bandwidth(part, task="classification", method=get_method("frem")(), candidates=())
    with pytest.raises(ConfigError, match="between 0 and 1"):
        hold_out(part, 1.0, 0)
