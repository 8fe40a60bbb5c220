"""Graphs on the command line."""

import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from frem_core.cli import frem
from frem_core.errors import ConfigError, DataError
from tests.datasets.graphs.people import friendships, people


def run(*arguments: object) -> Result:
    return CliRunner().invoke(frem, [str(one) for one in arguments], env={"COLUMNS": "140"})


def fine(*arguments: object) -> str:
    result = run(*arguments)
    assert result.exit_code == 0, result.output
    return result.stdout


@pytest.fixture(scope="module")
def graph(tmp_path_factory: pytest.TempPathFactory) -> tuple[object, ...]:
    folder: Path = tmp_path_factory.mktemp("graph")
    people().to_csv(folder / "people.csv", index=False)
    friendships().to_csv(folder / "friends.csv", index=False)
    roles = ("--target", "joined", "--sensitive", "age", "--id", "who")
    return (folder / "people.csv", "--edges", folder / "friends.csv", *roles)


@pytest.mark.parametrize("encoder", ["gcn", "sgc"])
def test_a_model_is_trained_saved_and_audited(
    graph: tuple[object, ...], encoder: str, tmp_path: Path
) -> None:
    dataset = ("--dataset", *graph)
    quick = ("--epochs", 2, "--permutations", 0, "--json")
    given = ("--encoder", encoder, "--save", tmp_path / "model")
    facts = json.loads(fine("train", *dataset, *given, *quick))
    assert facts["config"]["encoder"] == encoder
    assert facts["config"]["hidden"] == [64]
    audit = fine("audit", *dataset, "--model", tmp_path / "model", "--permutations", 5, "--json")
    assert json.loads(audit)["rows"] == 120
    without_edges = ("--dataset", graph[0], "--target", "joined", "--sensitive", "age")
    result = run("audit", *without_edges, "--model", tmp_path / "model")
    assert isinstance(result.exception, ConfigError)
    assert "reads the edges of a graph" in str(result.exception)


def test_a_graph_is_summarised(graph: tuple[object, ...]) -> None:
    text = fine("datasets", "show", *graph)
    assert "edges" in text
    assert "neighbours of a node" in text
    assert re.search(r"joined nodes are alike.*correlation -?0\.\d{3} of age, .* of joined", text)
    assert "36,562" in fine("datasets", "show", "german")


def test_mistakes_are_explained(graph: tuple[object, ...]) -> None:
    table = ("--dataset", graph[0], "--target", "joined", "--sensitive", "age")
    for more, kind, words in (
        (("--id", "who"), ConfigError, "give edges as well"),
        (("--encoder", "gcn"), ConfigError, "GCN reads the edges of a graph"),
        (("--edges", "none.csv"), DataError, "There is no file"),
    ):
        result = run("train", *table, *more, "--epochs", 1)
        assert isinstance(result.exception, kind), result.output
        assert words in str(result.exception)
    result = run("train", "--dataset", "german", "--edges", "x.csv")
    assert "are fixed" in str(result.exception)
