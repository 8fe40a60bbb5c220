"""Each method's penalty against its formula written out for one member."""

import numpy as np
import pytest
import torch
from torch import nn

from frem_core.eipm import eipm
from frem_core.methods import AdversarySetup, Batch, get_method
from frem_core.methods.frem import Frem
from frem_core.methods.grouping import group_of
from frem_core.methods.named_forms import PAPERS_FORM
from frem_core.metrics.penalties import chi_squared_penalty, gdp_penalty

MEMBERS, ROWS, SIZE = 3, 40, 5


@pytest.fixture
def batch() -> Batch:
    generator = torch.Generator().manual_seed(0)
    z = torch.randn(MEMBERS, ROWS, SIZE, generator=generator, dtype=torch.float64)
    s = torch.rand(MEMBERS, ROWS, generator=generator, dtype=torch.float64)
    y = (torch.rand(MEMBERS, ROWS, generator=generator) > 0.4).double()
    z[..., 0] += 2 * s
    return Batch(z=z, p=torch.sigmoid(z[..., 0]), y=y, s=s)


def grouped(batch: Batch, cuts: list[float]) -> Batch:
    group = group_of(batch.s, torch.tensor(cuts, dtype=torch.float64))
    return Batch(z=batch.z, p=batch.p, y=batch.y, s=batch.s, group=group)


def squared_mmd(x: np.ndarray, y: np.ndarray, sigma: float) -> float:
    def mean_kernel(a: np.ndarray, b: np.ndarray) -> float:
        distances = ((a[:, None] - b[None]) ** 2).sum(-1)
        return float(np.exp(-distances / (2 * sigma**2)).mean())

    return mean_kernel(x, x) + mean_kernel(y, y) - 2 * mean_kernel(x, y)


def test_unfair_has_no_penalty(batch: Batch) -> None:
    assert get_method("unfair")().penalty(batch).tolist() == [0.0] * MEMBERS


def test_frem_is_the_eipm(batch: Batch) -> None:
    method = Frem(**PAPERS_FORM, gamma=0.1, sigma=2.0, sensitive_kernel="triangular")
    expected = [
        eipm(
            batch.z[b].numpy(),
            batch.s[b].numpy(),
            gamma=0.1,
            sigma=2.0,
            sensitive_kernel="triangular",
        )
        for b in range(MEMBERS)
    ]
    np.testing.assert_allclose(method.penalty(batch).numpy(), expected, rtol=1e-10)


def test_frem_with_random_features_is_near_the_eipm(batch: Batch) -> None:
    exact = get_method("frem")().penalty(batch)
    linear = get_method("frem")(computation="linear", random_features=40_000).penalty(batch)
    torch.testing.assert_close(linear, exact, rtol=0.02, atol=0)


def test_every_batch_has_a_cosine_and_a_sine_of_frequencies_of_its_own(batch: Batch) -> None:
    found = Frem(**PAPERS_FORM, computation="linear", random_features=16).penalty(batch)
    chosen = []
    for b in range(MEMBERS):
        settings = {"gamma": 0.05, "method": "linear", "features": 8}
        values = [
            float(eipm(batch.z[b], batch.s[b], random_state=draw, **settings))
            for draw in range(128)
        ]
        nearest = int(np.argmin(np.abs(np.array(values) - float(found[b]))))
        assert values[nearest] == pytest.approx(float(found[b]), rel=1e-10)
        chosen.append(nearest)
    assert len(set(chosen)) > 1


@pytest.mark.parametrize(
    "name",
    ["frem", "reg_gdp", "reg_hgr", "hsic", "dcov", "kernel_hgr", "linear_correlation"],
)
def test_equal_opportunity_is_the_penalty_of_the_rows_with_a_positive_outcome(
    name: str, batch: Batch
) -> None:
    judged = batch.y == 1
    asked = Batch(z=batch.z, p=batch.p, y=batch.y, s=batch.s, judged=judged)
    method = get_method(name)
    for b in range(MEMBERS):
        columns = (batch.z, batch.p, batch.y, batch.s)
        alone = Batch(
            *(column[b : b + 1, judged[b]] for column in columns),
            target_spread=batch.y[b : b + 1].std(dim=1, correction=0),
        )
        torch.testing.assert_close(
            method(fairness="eo").penalty(asked)[b : b + 1],
            method().penalty(alone),
            rtol=0,
            atol=1e-12,
        )


def test_frem_for_equal_opportunity_agrees_with_the_labelled_estimator(batch: Batch) -> None:
    asked = Batch(z=batch.z, p=batch.p, y=batch.y, s=batch.s, judged=batch.y == 1)
    labelled = eipm(batch.z, batch.s, gamma=0.05, labels=batch.y)
    torch.testing.assert_close(
        Frem(**PAPERS_FORM, fairness="eo").penalty(asked), labelled, rtol=0, atol=1e-12
    )


def test_reg_gdp_and_reg_hgr_judge_predictions(batch: Batch) -> None:
    torch.testing.assert_close(
        get_method("reg_gdp")().penalty(batch), gdp_penalty(batch.p, batch.s)
    )
    torch.testing.assert_close(
        get_method("reg_hgr")().penalty(batch), chi_squared_penalty(batch.p, batch.s)
    )


def test_mmd_of_two_groups(batch: Batch) -> None:
    asked = grouped(batch, [0.3])
    values = get_method("mmd")(sigma=1.5).penalty(asked).numpy()
    for b in range(MEMBERS):
        z, high = batch.z[b].numpy(), batch.s[b].numpy() > 0.3
        np.testing.assert_allclose(values[b] ** 2, squared_mmd(z[~high], z[high], 1.5), rtol=1e-9)


def test_mmd_of_bins_is_the_sum_over_bins(batch: Batch) -> None:
    asked = grouped(batch, [0.2, 0.5, 0.9])
    values = get_method("mmd")(cut="bins", bins=4).penalty(asked).numpy()
    for b in range(MEMBERS):
        z, group = batch.z[b].numpy(), np.asarray(asked.group[b])  # type: ignore[index]
        parts = [np.sqrt(squared_mmd(z, z[group == j], 1.0)) for j in np.unique(group)]
        np.testing.assert_allclose(values[b], sum(parts), rtol=1e-6)


def setup(shares: list[float] | None = None) -> AdversarySetup:
    return AdversarySetup(
        representation_size=SIZE,
        generators=[torch.Generator().manual_seed(seed) for seed in range(MEMBERS)],
        group_shares=None if shares is None else torch.tensor(shares),
    )


def member_copy(stacked: nn.Module, member: int, activation: nn.Module) -> nn.Sequential:
    layers: list[nn.Module] = []
    for layer in (one for one in stacked.modules() if hasattr(one, "weight")):
        weight, bias = layer.weight[member].detach(), layer.bias[member, 0].detach()
        plain = nn.Linear(*weight.shape).double()
        plain.load_state_dict({"weight": weight.T, "bias": bias})
        layers += [plain, activation]
    return nn.Sequential(*layers[:-1], nn.Sigmoid())


def test_adv_guesses_the_sensitive_value(batch: Batch) -> None:
    adversary = get_method("adv")().adversary(setup())
    assert adversary is not None
    losses = adversary.double()(batch)
    for b in range(MEMBERS):
        guess = member_copy(adversary, b, nn.ReLU())(batch.z[b])[:, 0]
        torch.testing.assert_close(losses[b], ((guess - batch.s[b]) ** 2).mean())


def test_laftr_weighs_groups_by_their_share(batch: Batch) -> None:
    asked = grouped(batch, [0.25])
    adversary = get_method("laftr")().adversary(setup([0.25, 0.75]))
    assert adversary is not None
    losses = adversary.double()(asked)
    for b in range(MEMBERS):
        guess = member_copy(adversary, b, nn.LeakyReLU())(batch.z[b])[:, 0]
        high = (batch.s[b] > 0.25).double()
        weight = torch.where(high == 1, 1 / 0.75, 1 / 0.25)
        torch.testing.assert_close(losses[b], (weight * (guess - high).abs()).mean())


def test_sipm_is_the_gap_of_group_means(batch: Batch) -> None:
    asked = grouped(batch, [0.25])
    adversary = get_method("sipm_lfr")().adversary(setup([0.25, 0.75]))
    assert adversary is not None
    losses = adversary.double()(asked)
    for b in range(MEMBERS):
        seen = member_copy(adversary, b, nn.Identity())(batch.z[b])[:, 0]
        high = batch.s[b] > 0.25
        torch.testing.assert_close(losses[b], -(seen[high].mean() - seen[~high].mean()).abs())
