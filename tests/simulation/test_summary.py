import numpy as np
import pandas as pd
import pytest

from frem_core.simulation import GaussianDesign, MultivariateDesign, compare_with_paper, summarise

CASE = GaussianDesign(0.2).case


def estimates(errors, *, case=CASE, truth=0.1, **columns):
    return pd.DataFrame(
        {
            "design": "gaussian",
            "case": case,
            "n": 100,
            "estimator": "binning",
            "setting": 2.0,
            "replicate": range(len(errors)),
            "estimate": truth + np.asarray(errors),
            "truth": truth,
        }
        | columns
    )


def test_bias_mae_and_rmse_by_hand():
    row = summarise(estimates([0.03, -0.01, 0.02, 0.0])).iloc[0]
    assert row["replicates"] == 4
    assert row["bias"] == pytest.approx(0.01)
    assert row["mae"] == pytest.approx(0.015)
    assert row["rmse"] == pytest.approx(np.sqrt(0.0014 / 4))
    assert row["bias_se"] == pytest.approx(np.std([0.03, -0.01, 0.02, 0.0], ddof=1) / 2)


def test_standard_errors_predict_how_much_repeated_runs_scatter():
    rng = np.random.default_rng(0)
    errors = 0.02 + 0.03 * rng.normal(size=400 * 400)
    runs = summarise(estimates(errors, n=np.repeat(range(400), 400)))
    for error in ("bias", "mae", "rmse"):
        assert runs[f"{error}_se"].mean() == pytest.approx(runs[error].std(), rel=0.12)


def test_perfect_estimates_have_no_error():
    row = summarise(estimates([0.0, 0.0, 0.0])).iloc[0]
    assert row["rmse"] == row["rmse_se"] == row["bias_se"] == 0.0


def test_order_of_arrival_does_not_matter():
    mixed = pd.concat(
        [
            estimates([0.1, 0.2], case=MultivariateDesign(m).case, design="multivariate")
            for m in (10, 1, 3)
        ]
    )
    shuffled = mixed.sample(frac=1.0, random_state=0)
    pd.testing.assert_frame_equal(summarise(mixed), summarise(shuffled))
    assert list(summarise(mixed)["case"].str.split(",").str[0]) == ["m=1", "m=3", "m=10"]


def alternating(centre, spread, size):
    return centre + spread * np.resize([1.0, -1.0], size)


def test_distance_is_in_standard_errors_of_a_run_of_the_papers_size():
    # The paper's bias here is 0.0116; a spread of 0.01 gives 0.001 over 100 replicates.
    table = compare_with_paper(summarise(estimates(alternating(0.0216, 0.01, 10_000))))
    bias = table[table["error"] == "bias"].iloc[0]
    assert bias["paper"] == 0.0116
    assert bias["se"] == pytest.approx(0.0001, rel=1e-3)
    assert bias["distance"] == pytest.approx(10.0, rel=1e-3)
    assert bias["differs"]


@pytest.mark.parametrize(("gap", "differs"), [(0.0029, False), (0.0032, True)])
def test_three_standard_errors_decide(gap, differs):
    table = compare_with_paper(summarise(estimates(alternating(0.0116 + gap, 0.01, 100_000))))
    assert table.loc[table["error"] == "bias", "differs"].item() == differs


def test_few_replicates_of_ours_are_not_mistaken_for_a_difference():
    table = compare_with_paper(summarise(estimates(alternating(0.0116 + 0.005, 0.01, 10))))
    assert abs(table.loc[table["error"] == "bias", "distance"].item()) > 3
    assert not table.loc[table["error"] == "bias", "differs"].item()


def test_the_paper_stands_beside_its_own_settings_only():
    for other in (
        {"n": 120},
        {"setting": 5.0},
        {"case": GaussianDesign(0.2, rho=0.3).case},
        {"estimator": "nadaraya-watson"},
    ):
        table = compare_with_paper(summarise(estimates([0.5, 0.6], **other)))
        assert table["paper"].isna().all()
        assert table["distance"].isna().all()
        assert not table["differs"].any()
