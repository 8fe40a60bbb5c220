import io
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from scipy import sparse

from frem_core.datasets import load_graph, load_table, read_edges
from frem_core.datasets.graphs import edge_text
from frem_core.datasets.graphs.edge_text import BYTES_PER_EDGE
from frem_core.errors import ConfigError, DataError
from tests.datasets.graphs.benchmark_files import WHICH, benchmark_folder
from tests.datasets.graphs.people import friendships, people

ROLES = {"target": "joined", "sensitive": "age", "id": "who"}


def test_nodes_and_edges_from_files_and_frames_are_the_same(tmp_path):
    nodes, edges = people(), friendships()
    nodes.to_csv(tmp_path / "people.csv", index=False)
    edges.to_csv(tmp_path / "friends.csv", index=False)
    edges.to_csv(tmp_path / "friends.txt", index=False, header=False, sep="\t")
    edges.to_parquet(tmp_path / "friends.parquet")
    expected = load_graph(nodes, edges, **ROLES)
    assert expected.graph.n_nodes == 120
    assert "town" in expected.features
    assert "who" not in expected.features
    assert (
        expected.notes
        == load_table(nodes.drop(columns="who"), target="joined", sensitive="age").notes
    )
    for file in ("friends.csv", "friends.txt", "friends.parquet"):
        loaded = load_graph(tmp_path / "people.csv", tmp_path / file, **ROLES)
        assert loaded.fingerprint == expected.fingerprint, file
        assert loaded.name == "people"
    with (tmp_path / "friends.csv").open("rb") as upload:
        again = load_graph(io.BytesIO(nodes.to_csv(index=False).encode()), upload, **ROLES)
    assert again.fingerprint == expected.fingerprint


def test_row_numbers_as_matrix_file_and_array(tmp_path):
    nodes = people()
    pairs = friendships().map(lambda name: int(name[1:])).to_numpy()
    matrix = sparse.coo_array((np.ones(len(pairs)), pairs.T), shape=(120, 120)).tocsr()
    sparse.save_npz(tmp_path / "edges.npz", matrix)
    roles = {"target": "joined", "sensitive": "age"}
    by_id = load_graph(nodes, friendships(), **ROLES).graph
    for edges in (pairs, matrix, matrix + matrix.T, tmp_path / "edges.npz"):
        graph = load_graph(nodes.drop(columns="who"), edges, **roles).graph
        np.testing.assert_array_equal(graph.edges, by_id.edges)
    with pytest.raises(ConfigError, match="leave out id"):
        load_graph(nodes, matrix, **ROLES)
    with pytest.raises(DataError, match="not in the node table"):
        load_graph(nodes, pairs + 100, unknown_ids="refuse", **roles)


@pytest.mark.parametrize("ids", [range(120), [f"{number}.0" for number in range(120)]])
def test_numbers_and_text_are_the_same_id(ids):
    nodes = people().assign(who=list(ids))
    edges = friendships().map(lambda name: name[1:])
    if isinstance(ids, list):
        nodes["who"] = nodes["who"].astype(float)
    expected = load_graph(people(), friendships(), **ROLES)
    assert load_graph(nodes, edges, **ROLES).fingerprint == expected.fingerprint
    assert load_graph(nodes, edges.astype(int), **ROLES).fingerprint == expected.fingerprint


def test_unknown_ids_are_counted_and_dropped_or_refused(caplog):
    edges = pd.concat([friendships(), pd.DataFrame({"a": ["p1", "x9"], "b": ["nobody", "p2"]})])
    loaded = load_graph(people(), edges, **ROLES)
    sentence = "2 of 182 edges in 'edges' lead to nodes that are not in the node table"
    assert any(sentence in note and "nobody, x9" in note for note in loaded.notes)
    assert sentence in caplog.text
    np.testing.assert_array_equal(
        loaded.graph.edges, load_graph(people(), friendships(), **ROLES).graph.edges
    )
    with pytest.raises(DataError, match=sentence):
        load_graph(people(), edges, unknown_ids="refuse", **ROLES)
    with pytest.raises(ConfigError, match="'drop' or 'refuse'"):
        load_graph(people(), edges, unknown_ids="ignore", **ROLES)


def test_duplicate_and_missing_ids_are_refused():
    nodes = people()
    nodes.loc[[3, 4], "who"] = "p2"
    with pytest.raises(DataError, match=r"1 ids stand in column 'who' more than once .*p2"):
        load_graph(nodes, friendships(), **ROLES)
    nodes.loc[3, "who"] = None
    with pytest.raises(DataError, match="1 nodes have no id"):
        load_graph(nodes, friendships(), **ROLES)
    with pytest.raises(DataError, match="no id column 'whoo'"):
        load_graph(people(), friendships(), target="joined", sensitive="age", id="whoo")
    with pytest.raises(DataError, match=r"cannot be target or sensitive too"):
        load_graph(people(), friendships(), target="who", sensitive="age", id="who")


def with_rows(*rows):
    return pd.concat([friendships(), pd.DataFrame(rows, columns=["a", "b"])], ignore_index=True)


@pytest.mark.parametrize(
    ("edges", "message"),
    [
        (with_rows(("p4", "p4")), "1 edge joins a node to itself"),
        (with_rows(("p1", "p0")), "179 of 180 joined pairs are given in one direction only"),
        (friendships()[5:7], "117 of 120 nodes have no edge"),
    ],
)
def test_odd_edges_are_noted_or_refused_on_request(edges, message):
    loaded = load_graph(people(), edges, **ROLES)
    assert any(message in note for note in loaded.notes)
    with pytest.raises(DataError, match=message):
        load_graph(people(), edges, strict=True, **ROLES)


def test_a_list_without_a_single_usable_edge_is_refused():
    strangers = pd.DataFrame({"a": ["x"], "b": ["y"]})
    with pytest.raises(DataError, match="none of them joins two different nodes"):
        load_graph(people(), strangers, **ROLES)


def test_an_edge_list_larger_than_allowed_is_refused_while_reading(tmp_path):
    friendships().to_csv(tmp_path / "edges.csv", index=False)
    friendships().to_parquet(tmp_path / "edges.parquet")
    for edges in (friendships(), tmp_path / "edges.csv", tmp_path / "edges.parquet"):
        with pytest.raises(DataError, match=r"more than 100 edges.*max_edges"):
            load_graph(people(), edges, max_edges=100, **ROLES)
    ring = sparse.eye_array(120, k=1, format="csr") + sparse.eye_array(120, k=-1, format="csr")
    sparse.save_npz(tmp_path / "edges.npz", ring)
    for matrix in (ring, tmp_path / "edges.npz"):
        for limit in (1, 100):
            with pytest.raises(DataError, match=rf"more than {limit} edges.*max_edges"):
                read_edges(matrix, max_edges=limit)


def test_without_a_limit_half_of_the_free_memory_is_one(monkeypatch, tmp_path):
    friendships().to_csv(tmp_path / "edges.csv", index=False)
    little = SimpleNamespace(available=2 * 100 * BYTES_PER_EDGE)
    monkeypatch.setattr(edge_text.psutil, "virtual_memory", lambda: little)
    with pytest.raises(DataError, match=r"more than 100 edges.*would not fit into memory"):
        read_edges(tmp_path / "edges.csv")
    assert len(read_edges(friendships()[:100])) == 100


def test_nodes_without_label_are_neighbours_only():
    nodes = people()
    nodes["joined"] = nodes["joined"].where(nodes.index % 3 != 0)
    kept = load_graph(nodes, friendships(), **ROLES)
    assert kept.n_rows == 80
    assert kept.graph.n_nodes == 120
    assert kept.graph.n_context == 40
    assert any("40 of 120 rows without joined or age are neighbours only" in n for n in kept.notes)
    # The same people are joined, under their new numbers.
    order = [*np.flatnonzero(nodes.index % 3 != 0), *np.flatnonzero(nodes.index % 3 == 0)]
    original = load_graph(people(), friendships(), **ROLES).graph
    joined = {frozenset(order[node] for node in edge) for edge in kept.graph.edges}
    assert joined == {frozenset(edge) for edge in original.edges.tolist()}
    np.testing.assert_array_equal(kept.graph.context["score"], nodes["score"][::3])
    dropped = load_graph(nodes, friendships(), without_label="drop", **ROLES)
    assert dropped.graph.n_nodes == 80
    assert dropped.graph.context is None
    inside = {edge for edge in joined if all(node % 3 for node in edge)}
    assert {frozenset(order[n] for n in edge) for edge in dropped.graph.edges} == inside


@pytest.mark.parametrize(
    ("text", "n_edges"),
    [
        ("# SNAP\n# two lines\np0\tp1\np1\tp2\n", 2),
        ("source;target\np0;p1\n\np1;p2", 2),
        ("from,to,weight\np0,p1,3\np1,p2,1\n", 2),
        ("p0 p1\np1 p2\np2 p3", 3),
        ('"p0","p1"\n', 1),
        ("\ufeffsource,target\r\np0,p1\r\n", 1),
        ("person,friend\np0,p1\n", 1),
    ],
)
def test_the_usual_ways_to_write_an_edge_list(text, n_edges):
    graph = load_graph(people(), io.BytesIO(text.encode()), unknown_ids="refuse", **ROLES).graph
    assert graph.n_edges == n_edges


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("p0,p1\np1,\np2,p3\n", "Line 2 of .* has one id only; give two, with one comma"),
        ("p0   p1\np1   p2\n", "Line 1 of .* has one id only; give two, with one space"),
        ("source,target\n", "holds no edges"),
        ("just words\nin a line of a book\n", "edge list"),
        ("one\ntwo\n", "no edge list"),
        ("p0,p1\np1,p2\np1", "ends in the middle of a line .*partial_last_line='skip'"),
    ],
)
def test_a_file_that_is_no_edge_list_is_explained(text, message):
    with pytest.raises(DataError, match=message):
        load_graph(people(), io.BytesIO(text.encode()), **ROLES)


def test_damaged_files_are_explained(tmp_path):
    (tmp_path / "edges.npz").write_bytes(b"PK\x03\x04 not a zip")
    (tmp_path / "edges.parquet").write_bytes(b"PAR1 and nothing else")
    for file, message in (("edges.npz", "no sparse matrix"), ("edges.parquet", "damaged")):
        with pytest.raises(DataError, match=message):
            load_graph(
                people().drop(columns="who"), tmp_path / file, target="joined", sensitive="age"
            )
    with pytest.raises(DataError, match="There is no file"):
        load_graph(people(), tmp_path / "edgs.csv", **ROLES)


@pytest.mark.parametrize("kind", ["parquet", "npz"])
def test_edges_with_damaged_bytes_are_read_or_explained(kind):
    whole = io.BytesIO()
    if kind == "parquet":
        friendships().to_parquet(whole)
    else:
        sparse.save_npz(whole, sparse.random(40, 40, 0.2, format="csr", random_state=0))
    rng = np.random.default_rng(0)
    refused = 0
    for _ in range(150):
        content = np.frombuffer(whole.getvalue(), np.uint8).copy()
        places = rng.integers(4, len(content), rng.integers(1, 9))
        content[places] = rng.integers(0, 256, len(places))
        content = content[: rng.choice([len(content), int(rng.integers(5, len(content)))])]
        try:
            read_edges(io.BytesIO(content.tobytes()))
        except DataError:
            refused += 1
    assert refused > 75


def test_a_cut_node_file_is_refused_or_read_without_its_last_line(tmp_path):
    text = people().to_csv(index=False)
    (tmp_path / "people.csv").write_text(text[:-20])
    with pytest.raises(DataError, match=r"ends in the middle of a line .*partial_last_line='skip'"):
        load_graph(tmp_path / "people.csv", friendships(), **ROLES)
    loaded = load_graph(tmp_path / "people.csv", friendships(), partial_last_line="skip", **ROLES)
    assert loaded.n_rows == 119
    assert any("has no end and was skipped" in note for note in loaded.notes)
    whole = load_graph(io.BytesIO(text.rstrip().encode()), friendships(), **ROLES)
    assert whole.n_rows == 120
    assert any("no line break after it and was read as it stands" in note for note in whole.notes)


def test_a_last_edge_whose_end_cannot_be_seen_is_read_and_noted():
    loaded = load_graph(people(), io.BytesIO(b"p0,p1\np1,p11"), **ROLES)
    assert loaded.graph.edges.tolist() == [[0, 1], [1, 11]]
    assert any("no line break after it and was read as it stands" in note for note in loaded.notes)
    whole = load_graph(people(), io.BytesIO(b"p0,p1\np1,p11\n"), **ROLES)
    assert not any("line break" in note for note in whole.notes)


@pytest.mark.parametrize("which", WHICH)
def test_the_bail_graph(which, tmp_path):
    folder = benchmark_folder("bail", which, tmp_path)
    matrix = sparse.load_npz(folder / "edges.npz")
    n = matrix.shape[0]
    bail = load_graph(folder / "nodes.csv", folder / "edges.npz", target="RECID", sensitive="AGE")
    assert bail.n_rows == bail.graph.n_nodes == n
    # Every node has an entry on the diagonal; the others come in pairs.
    assert bail.graph.n_edges == (matrix.nnz - n) // 2
    assert any(f"{n:,} edges join a node to itself" in note for note in bail.notes)
    if which == "real":
        assert (n, matrix.nnz) == (18_876, 642_616)
