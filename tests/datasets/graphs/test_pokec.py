import io
from email.message import Message
from urllib.error import URLError

import numpy as np
import pandas as pd
import pytest

from frem_core.datasets import available_datasets, fetch_pokec, pokec_dataset, pokec_files
from frem_core.errors import ConfigError, DataError
from tests.datasets.graphs.benchmark_files import WHICH, benchmark_folder

FEATURES = {"z": 276, "n": 265}
ROWS = {"made": {"z": 150, "n": 150}, "real": {"z": 3_219, "n": 3_341}}


@pytest.mark.parametrize("which", WHICH)
@pytest.mark.parametrize("region", ["z", "n"])
def test_the_published_files_are_read(region, which, tmp_path):
    folder = benchmark_folder("pokec_fragment", which, tmp_path)
    pokec = pokec_dataset(region, folder, missing_age="keep", partial_last_line="skip")
    assert pokec.features.shape[1] == FEATURES[region]
    assert pokec.graph.n_nodes == ROWS[which][region]
    assert pokec.sensitive_name == "AGE"
    assert set(np.unique(pokec.target)) == {0.0, 1.0}
    skipped = [note for note in pokec.notes if "has no end and was skipped" in note]
    assert len(skipped) == 2
    with pytest.raises(DataError, match=r"ends in the middle of a line"):
        pokec_dataset(region, folder)


@pytest.fixture
def folder(tmp_path):
    """FairGNN's files with 200 people: every fifth has no age, every fourth no field."""
    rng = np.random.default_rng(0)
    who = np.arange(200) * 7 + 1
    nodes = pd.DataFrame(
        {
            "user_id": who,
            "public": rng.integers(0, 2, 200),
            "AGE": np.where(np.arange(200) % 5, rng.integers(15, 60, 200), 0).astype(float),
            "I_am_working_in_field": np.where(np.arange(200) % 4, rng.integers(0, 5, 200), -1),
            "spoken_languages_indicator": rng.integers(0, 2, 200),
            "anglicky": rng.integers(0, 2, 200),
        }
    )
    nodes.to_csv(tmp_path / "region_job.csv", index=False)
    friends = np.column_stack([who, np.roll(who, 1)])
    np.savetxt(tmp_path / "region_job_relationship.txt", friends, fmt="%d", delimiter="\t")
    return tmp_path


def test_unknown_labels_and_ages_stay_as_neighbours(folder):
    table = pd.read_csv(folder / "region_job.csv")
    known = (table["AGE"] > 0) & (table["I_am_working_in_field"] >= 0)
    pokec = pokec_dataset("z", folder)
    assert pokec.n_rows == known.sum()
    assert pokec.graph.n_nodes == pokec.graph.n_edges == 200
    np.testing.assert_array_equal(
        pokec.target, (table.loc[known, "I_am_working_in_field"] >= 1).astype(float)
    )
    np.testing.assert_array_equal(pokec.sensitive, table.loc[known, "AGE"])


def test_people_without_age_can_be_dropped_or_kept(folder):
    dropped = pokec_dataset("z", folder, missing_age="drop", label="spoken_languages_indicator")
    assert dropped.n_rows == dropped.graph.n_nodes == 160
    assert any("40 people without an age were dropped" in note for note in dropped.notes)
    kept = pokec_dataset("z", folder, missing_age="keep", label="spoken_languages_indicator")
    assert kept.n_rows == 200
    assert (kept.sensitive == 0).sum() == 40
    assert kept.target_name == "spoken_languages_indicator"
    assert "I_am_working_in_field" in kept.features


def test_the_bunch_has_edges_and_context(folder):
    bunch = fetch_pokec("z", folder)
    assert len(bunch.data) + len(bunch.context) == 200
    assert bunch.edges.max() == 199
    x, y = fetch_pokec(path=folder, return_X_y=True, as_frame=False)
    assert x.shape == (len(y), 3)


def test_wrong_choices_are_explained(folder):
    with pytest.raises(ConfigError, match="'z' and 'n', not 'x'"):
        fetch_pokec(region="x", path=folder)
    with pytest.raises(ConfigError, match="Did you mean 'spoken_languages_indicator'"):
        fetch_pokec(path=folder, label="spoken_languages")
    with pytest.raises(ConfigError, match="missing_age"):
        fetch_pokec(path=folder, missing_age="guess")
    with pytest.raises(DataError, match="There is no 'region_job_2"):
        fetch_pokec(region="n", path=folder)
    (folder / "region_job.csv").write_text("a,b\n1,2\n3,4\n")
    with pytest.raises(DataError, match="no column 'user_id'"):
        fetch_pokec(path=folder)


def test_without_network_the_error_says_what_to_do(monkeypatch, tmp_path):
    def no_network(*_arguments, **_options):
        raise URLError("no route to host")

    monkeypatch.setattr(pokec_files, "urlopen", no_network)
    monkeypatch.setenv("FREM_HOME", str(tmp_path))
    with pytest.raises(DataError, match=r"cannot be downloaded.*pass their folder as path"):
        fetch_pokec()
    assert not list(tmp_path.rglob("*.part"))


class Answer(io.BytesIO):
    """What a server sends, and how much it announces."""

    def __init__(self, content: bytes, announced: int) -> None:
        super().__init__(content)
        self.headers = Message()
        self.headers["Content-Length"] = str(announced)


def test_downloaded_files_are_kept_and_not_fetched_again(monkeypatch, tmp_path, folder):
    asked = []

    def answer(address, timeout):
        asked.append(address.rsplit("/", 1)[1])
        content = (folder / asked[-1]).read_bytes()
        return Answer(content, len(content))

    monkeypatch.setattr(pokec_files, "urlopen", answer)
    monkeypatch.setenv("FREM_HOME", str(tmp_path / "home"))
    assert fetch_pokec().edges.shape == (200, 2)
    assert fetch_pokec().edges.shape == (200, 2)
    assert asked == ["region_job.csv", "region_job_relationship.txt"]
    assert "pokec_z" in available_datasets()


def test_a_download_that_breaks_off_leaves_nothing(monkeypatch, tmp_path):
    monkeypatch.setattr(
        pokec_files, "urlopen", lambda address, timeout: Answer(b"user_id,public\n", 1_000_000)
    )
    monkeypatch.setenv("FREM_HOME", str(tmp_path))
    with pytest.raises(DataError, match="only 15 of 1,000,000 bytes came"):
        fetch_pokec()
    assert not [file for file in tmp_path.rglob("*") if file.is_file()]
