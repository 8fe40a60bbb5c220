import pytest
from click.testing import CliRunner

from frem_core.cli import frem
from frem_core.errors import FremError
from tests.datasets.people import people


def run(*arguments):
    return CliRunner().invoke(frem, ["datasets", *arguments], env={"COLUMNS": "160"})


def test_list_shows_rows_features_task_and_sensitive():
    result = run()
    assert result.exit_code == 0
    adult, after = result.output.split(" adult ", 1)[1].split("├", 1)
    for part in ("45,222", "101", "classification of income", "sensitive: age"):
        assert part in adult
    assert " crime " in after


def test_show_a_built_in_dataset():
    result = run("show", "crime")
    assert result.exit_code == 0
    for part in ("1,994", "121 encoded", "racepctblack", "became 0", "0.238"):
        assert part in result.output


def test_show_a_file_with_and_without_roles(tmp_path):
    path = tmp_path / "people.csv"
    people().assign(tag="[b]").to_csv(path, index=False)
    listing = run("show", str(path))
    assert "120 rows, 5 columns" in listing.output
    assert "--target NAME" in listing.output
    chosen = run("show", str(path), "--target", "hired", "--sensitive", "age")
    assert "are yes" in chosen.output
    assert "one value only: tag" in chosen.output
    fewer = run(*f"show {path} --target hired --sensitive age --feature hours".split())
    assert "1 column, 1 encoded" in fewer.output


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["show", "adlut"], "Did you mean 'adult'"),
        (["show", "nowhere.csv"], "There is no file 'nowhere.csv'"),
    ],
)
def test_errors_are_the_librarys(arguments, message):
    result = run(*arguments)
    assert isinstance(result.exception, FremError)
    assert message in str(result.exception)
