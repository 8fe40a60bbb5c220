import numpy as np

from frem_core.datasets import fetch_german, load_dataset, similarity_edges


def test_it_is_there_at_once():
    german = load_dataset("german")
    assert german.n_rows == german.graph.n_nodes == 1_000
    assert german.target.mean() == 0.7
    assert german.sensitive_name == "age"
    assert (german.sensitive.min(), german.sensitive.max()) == (19, 75)
    assert "age" not in german.features
    assert german.features.shape[1] == 19


def test_the_graph_does_not_depend_on_age_or_target():
    bunch = fetch_german()
    x = bunch.data
    scaled = (x - x.min()) / (x.max() - x.min()).where(x.max() > x.min(), 1.0)
    np.testing.assert_array_equal(bunch.edges, similarity_edges(scaled.to_numpy(np.float32)))
    assert len(fetch_german(threshold=0.95).edges) < len(bunch.edges)


def test_similarity_is_what_it_says():
    x = np.random.default_rng(0).random((40, 3))
    distances = np.linalg.norm(x[:, None] - x[None], axis=2)
    similarity = 1 / (1 + distances)
    np.fill_diagonal(similarity, 0)
    expected = set()
    for row in range(40):
        for other in np.flatnonzero(similarity[row] >= 0.8 * similarity[row].max()):
            expected.add((min(row, other), max(row, other)))
    assert {tuple(edge) for edge in similarity_edges(x).tolist()} == expected
