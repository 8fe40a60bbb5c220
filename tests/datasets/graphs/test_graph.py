import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from frem_core.datasets import (
    Dataset,
    Graph,
    NodeFeatures,
    homophily,
    prepare,
    split_dataset,
)
from frem_core.errors import DataError


def dense_adjacency(graph: Graph) -> np.ndarray:
    """Â by the textbook, with every step written out."""
    a = np.zeros((graph.n_nodes, graph.n_nodes))
    for first, second in graph.edges:
        a[first, second] = a[second, first] = 1.0
    a += np.eye(graph.n_nodes)
    degree = np.diag(1.0 / np.sqrt(a.sum(axis=1)))
    return degree @ a @ degree


@given(st.integers(1, 25), st.lists(st.tuples(st.integers(0, 24), st.integers(0, 24))))
def test_any_list_of_pairs_becomes_a_simple_graph(n_nodes, pairs):
    inside = [pair for pair in pairs if max(pair) < n_nodes]
    graph = Graph(n_nodes, np.array(inside, dtype=np.int64).reshape(-1, 2))
    expected = {tuple(sorted(pair)) for pair in inside if pair[0] != pair[1]}
    assert {tuple(edge) for edge in graph.edges.tolist()} == expected
    assert graph.edges.tolist() == sorted(graph.edges.tolist())
    assert graph.degrees.sum() == 2 * graph.n_edges
    np.testing.assert_allclose(
        graph.normalised_adjacency().toarray(), dense_adjacency(graph), atol=1e-6
    )


def test_edges_to_nowhere_and_wrong_shapes_are_refused():
    with pytest.raises(DataError, match="joins node 5; the 5 nodes are numbered 0 to 4"):
        Graph(5, np.array([[0, 5]]))
    with pytest.raises(DataError, match="joins node -1"):
        Graph(5, np.array([[-1, 2]]))
    with pytest.raises(DataError, match="shape"):
        Graph(5, np.array([0, 1, 2]))


@given(
    st.lists(st.tuples(st.integers(0, 11), st.integers(0, 11)), min_size=1),
    st.lists(st.integers(-5, 5), min_size=8, max_size=8),
)
def test_homophily_is_the_correlation_over_edges_in_both_directions(pairs, values):
    graph = Graph(12, np.array(pairs, dtype=np.int64))
    # Nodes 8 to 11 are context: nothing is known of them.
    ends = [(values[a], values[b]) for a, b in graph.edges if max(a, b) < 8]
    both = np.array(ends + [(b, a) for a, b in ends], dtype=float).reshape(-1, 2)
    found = homophily(graph, values)
    if len(both) and both[:, 0].std() > 0:
        assert found == pytest.approx(np.corrcoef(both.T)[0, 1], abs=1e-9)
    else:
        assert np.isnan(found)


def dataset(graph: Graph | None, n_rows: int = 60) -> Dataset:
    rng = np.random.default_rng(0)
    return Dataset(
        name="small",
        features=pd.DataFrame({"a": rng.random(n_rows), "b": rng.random(n_rows)}),
        target=np.arange(n_rows) % 2.0,
        sensitive=rng.random(n_rows),
        task="classification",
        target_name="y",
        sensitive_name="s",
        graph=graph,
    )


def test_the_fingerprint_sees_edges_and_context():
    ring = np.column_stack([np.arange(60), np.roll(np.arange(60), 1)])
    context = pd.DataFrame({"a": [0.5], "b": [0.1]})
    variants = [
        dataset(None),
        dataset(Graph(60, ring)),
        dataset(Graph(60, ring[1:])),
        dataset(Graph(61, ring, context=context)),
        dataset(Graph(61, ring, context=context + 1)),
    ]
    assert len({one.fingerprint for one in variants}) == len(variants)
    assert dataset(Graph(60, ring[::-1, ::-1])).fingerprint == variants[1].fingerprint


def test_a_graph_must_fit_its_rows():
    with pytest.raises(DataError, match="has 50 nodes; with 60 rows"):
        dataset(Graph(50, np.array([[0, 1]])))
    with pytest.raises(DataError, match="other columns"):
        dataset(Graph(61, np.array([[0, 1]]), context=pd.DataFrame({"z": [1.0]})))


def test_parts_of_a_prepared_graph_share_all_nodes():
    context = pd.DataFrame({"a": [0.5, 3.0], "b": [0.1, 0.2]})
    graph = Graph(62, np.array([[0, 61], [1, 2]]), context=context)
    data = prepare(dataset(graph), split_dataset(dataset(graph)))
    train, test = data.train.x, data.test.x
    assert isinstance(train, NodeFeatures)
    assert isinstance(test, NodeFeatures)
    assert train.whole is test.whole
    assert train.whole.nodes.shape == (62, 2)
    plain = prepare(dataset(None), split_dataset(dataset(None)))
    np.testing.assert_array_equal(np.asarray(train), plain.train.x)
    np.testing.assert_array_equal(np.asarray(test[np.array([1, 0])]), plain.test.x[[1, 0]])
    assert len(test) == len(plain.test.x)
    assert np.asarray(test, dtype=np.float64).dtype == np.float64
