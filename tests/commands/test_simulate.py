import json

import pandas as pd
import pytest
from click.testing import CliRunner

from frem_core.cli import frem


def run(*arguments):
    return CliRunner().invoke(frem, ["simulate", *arguments], catch_exceptions=False)


def test_gaussian_prints_ours_its_error_and_the_papers_value():
    result = run("gaussian", "--replicates", "4", "--jobs", "1")
    assert result.exit_code == 0
    assert "w1²=0.2, ρ=0.4: true EIPM 6.389" in result.stdout
    for number in ("5.42", "-2.07", "3.75"):  # from tab:synthetic1
        assert number in result.stdout
    assert "± SE" in result.stdout
    assert "of 54 values differ" in result.stdout
    assert max(map(len, result.stdout.splitlines())) <= 80


def test_multivariate_shows_all_nine_columns_in_80_characters():
    result = run("multivariate", "--replicates", "2", "--jobs", "1", "--samples", "100")
    assert result.exit_code == 0
    headings = next(line for line in result.stdout.splitlines() if "bins" in line)
    assert headings.split() == [
        *("n", "2", "bins", "3", "bins", "4", "bins"),
        *("γ=0.3", "γ=0.5", "γ=0.7", "γ=0.3", "γ=0.5", "γ=0.7"),
    ]
    assert "of 27 values differ" in result.stdout
    assert max(map(len, result.stdout.splitlines())) <= 80


def test_the_noise_free_estimator_comes_on_request_for_any_bandwidth():
    result = run(
        *("multivariate", "--replicates", "2", "--jobs", "1", "--samples", "20"),
        *("--noise-free", "--gamma", "0.5", "--gamma", "0.1", "--json"),
    )
    rows = pd.DataFrame(json.loads(result.stdout)["rows"])
    found = rows[["estimator", "setting"]].drop_duplicates()
    by_bandwidth = found[found["estimator"] != "binning"].groupby("estimator")["setting"].agg(list)
    assert by_bandwidth.to_dict() == {
        name: [0.1, 0.5] for name in ("nadaraya-watson", "proposed", "proposed-noise-free")
    }


def test_more_columns_than_a_terminal_has_room_for_go_into_a_second_table():
    arguments = ("multivariate", "--replicates", "2", "--jobs", "1", "--samples", "20")
    lines = run(*arguments, "--noise-free").stdout.splitlines()
    assert sum("m=3, ρ=0.19245, continued" in line for line in lines) == 1
    headings = [line.split() for line in lines if "γ=0.7" in line]
    assert headings[:2] == [
        [
            *("n", "2", "bins", "3", "bins", "4", "bins"),
            *("γ=0.3", "γ=0.5", "γ=0.7", "γ=0.3", "γ=0.5", "γ=0.7"),
        ],
        ["n", "γ=0.3", "γ=0.5", "γ=0.7"],
    ]
    assert max(map(len, lines)) <= 80


def test_csv_holds_the_table_and_every_estimate(tmp_path):
    table, estimates = tmp_path / "table.csv", tmp_path / "estimates.csv"
    result = run(
        *("gaussian", "--replicates", "3", "--jobs", "1", "--seed", "5"),
        *("--csv", str(table), "--estimates-csv", str(estimates)),
    )
    assert result.exit_code == 0
    rows = pd.read_csv(table)
    assert list(rows) == [
        *("design", "case", "n", "estimator", "setting", "truth", "replicates"),
        *("error", "ours", "se", "paper", "distance", "differs"),
    ]
    assert len(rows) == 3 * 6 * 3
    single = pd.read_csv(estimates)
    assert len(single) == 3 * 6 * 3
    error = single["estimate"] - single["truth"]
    bias = error.groupby([single["case"], single["estimator"], single["setting"]]).mean()
    ours = rows[rows["error"] == "bias"].set_index(["case", "estimator", "setting"])["ours"]
    pd.testing.assert_series_equal(bias.sort_index(), ours.sort_index(), check_names=False)


def test_json_carries_settings_and_rows():
    result = run(
        *("multivariate", "--replicates", "2", "--jobs", "1"),
        *("--samples", "50", "--draws", "20", "--json"),
    )
    facts = json.loads(result.stdout)
    assert facts["replicates"] == 2
    assert facts["draws"] == 20
    assert len(facts["rows"]) == 3 * 9 * 3
    assert all(row["paper"] is None and row["n"] == 50 for row in facts["rows"])


def test_same_seed_same_numbers_and_another_seed_others():
    def rows(seed):
        result = run("gaussian", "--replicates", "2", "--jobs", "1", "--seed", seed, "--json")
        return json.loads(result.stdout)["rows"]

    assert rows("3") == rows("3")
    assert rows("3") != rows("4")


@pytest.mark.parametrize(
    "arguments",
    [
        ("--replicates", "1"),
        ("--samples", "2"),
        ("--jobs", "0"),
        ("--seed", "-1"),
        ("--gamma", "0"),
    ],
)
def test_impossible_options_are_refused_with_the_allowed_range(arguments):
    result = run("gaussian", *arguments)
    assert result.exit_code == 2
    assert "is not in the range" in result.stderr


def test_a_folder_that_cannot_be_written_to_is_refused_before_the_work(tmp_path):
    result = run("gaussian", "--csv", str(tmp_path / "nowhere" / "table.csv"))
    assert result.exit_code == 2
    assert "cannot be written to" in result.stderr


def test_ctrl_c_ends_without_a_traceback(monkeypatch):
    def interrupted(*arguments, **settings):
        raise KeyboardInterrupt

    monkeypatch.setattr("frem_core.simulation.simulate", interrupted)
    result = run("gaussian", "--replicates", "2", "--jobs", "1")
    assert result.exit_code == 130
    assert "Stopped. Nothing was written." in result.stderr


def test_help_describes_both_tables():
    assert "gaussian" in run("--help").stdout
    assert "tab:synthetic_multi" in run("multivariate", "--help").stdout
