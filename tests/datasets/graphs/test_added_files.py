import pytest
from click.testing import CliRunner
from scipy import sparse

from frem_core.cli import frem
from frem_core.datasets import addable_datasets, available_datasets, load_dataset
from frem_core.errors import ConfigError, DataError
from frem_core.sweeps import DatasetSpec
from tests.datasets.graphs.benchmark_files import WHICH, benchmark_folder
from tests.datasets.graphs.people import friendships, people


@pytest.fixture
def bail(tmp_path, monkeypatch):
    """Files of the right names and columns, with 120 people."""
    monkeypatch.setenv("FREM_HOME", str(tmp_path / "home"))
    names = {"score": "PRIORS", "age": "AGE", "joined": "RECID"}
    nodes = people().drop(columns="who").rename(columns=names)
    nodes.assign(TIME=range(120), FILE=[1, 2, 3] * 40).to_csv(tmp_path / "nodes.csv", index=False)
    pairs = friendships().map(lambda name: int(name[1:])).to_numpy()
    matrix = sparse.coo_array(([1.0] * len(pairs), pairs.T), shape=(120, 120))
    sparse.save_npz(tmp_path / "edges.npz", matrix.tocsr())
    return tmp_path


def run(*arguments):
    return CliRunner().invoke(frem, ["datasets", *map(str, arguments)], env={"COLUMNS": "200"})


def test_a_dataset_appears_when_its_files_are_added(bail):
    assert set(addable_datasets()) == {"bail", "pokec_n", "pokec_z"}
    assert "bail" not in available_datasets()
    with pytest.raises(DataError, match=r"needs the files nodes.csv and edges.npz.*datasets add"):
        load_dataset("bail")
    DatasetSpec(name="bail")  # may be described before it is there
    assert "bail, pokec_n, pokec_z" in run().stdout
    result = run("add", "bail", bail)
    assert result.exit_code == 0, result.output
    assert "bail" in available_datasets()
    dataset = load_dataset("bail")
    assert dataset.graph.n_nodes == 120
    # What is known only after the outcome must not be a feature.
    assert set(dataset.features) == {"town", "PRIORS"}


@pytest.mark.parametrize("which", WHICH)
def test_files_that_were_cut_off_are_not_kept(bail, which, tmp_path_factory):
    made = tmp_path_factory.mktemp("pokec")
    fragment = benchmark_folder("pokec_fragment", which, made)
    result = run("add", "pokec_z", fragment)
    assert isinstance(result.exception, DataError)
    assert "ends in the middle of a line" in str(result.exception)
    assert "pokec_z" not in available_datasets()


def test_files_that_cannot_be_read_do_not_replace_good_ones(bail):
    assert run("add", "bail", bail).exit_code == 0
    (bail / "edges.npz").write_bytes(b"PK\x03\x04 not a matrix")
    assert isinstance(run("add", "bail", bail).exception, DataError)
    assert load_dataset("bail").graph.n_nodes == 120


def test_mistakes_in_adding_are_explained(bail):
    assert isinstance(run("add", "crime", bail).exception, ConfigError)
    result = run("add", "pokec_z", bail)
    assert "There is no region_job.csv and no region_job_relationship.txt" in str(result.exception)
    assert not list((bail / "home").rglob("*.part"))
