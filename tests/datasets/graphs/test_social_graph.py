import numpy as np
import pytest

from frem_core.datasets import homophily, make_social_graph, read_edges, social_graph_dataset
from frem_core.errors import ConfigError
from tests.datasets.graphs.benchmark_files import SHARED

# Numbers of friends at these shares of the people of Pokec-z and Pokec-n: the first 1.8 MB of
# FairGNN's lists hold all friends of more than 5,000 people each, sorted by person.
LEVELS = [0.1, 0.25, 0.5, 0.75, 0.9]
FRIENDS = {
    "region_job_relationship.txt": [4.7, 11.0, 23.0, 41.0, 65.0],
    "region_job_2_relationship.txt": [3.0, 7.0, 16.0, 31.0, 51.4],
}


@pytest.fixture(scope="module")
def network():
    return social_graph_dataset(20_000, n_features=20, seed=3)


def test_size_and_repeatability(network):
    assert network.graph.n_nodes == 20_000
    assert network.graph.n_edges == round(20_000 * 900_000 / 67_000)
    assert network.features.shape == (20_000, 20)
    small = [make_social_graph(300, n_features=4, seed=seed) for seed in (1, 1, 2)]
    assert np.array_equal(small[0].edges, small[1].edges)
    assert not np.array_equal(small[0].edges, small[2].edges)


def test_the_dependence_is_the_known_one(network):
    s = (network.sensitive - 15) / 60
    for low in np.arange(0.0, 0.6, 0.1):
        rows = (s >= low) & (s < low + 0.1)
        expected = np.mean(0.5 + 0.6 * (s[rows] - 0.5))
        error = 4 * np.sqrt(0.25 / rows.sum())
        assert abs(network.target[rows].mean() - expected) < error
    free = social_graph_dataset(20_000, n_features=2, dependence=0.0)
    assert abs(np.corrcoef(free.target, free.sensitive)[0, 1]) < 0.03


def test_friends_are_of_an_age_and_few_have_many(network):
    assert homophily(network.graph, network.sensitive) > 0.6
    mixed = social_graph_dataset(20_000, n_features=2, homophily=0.0)
    assert abs(homophily(mixed.graph, mixed.sensitive)) < 0.05
    degrees = network.graph.degrees
    assert degrees.max() > 10 * degrees.mean() > 10 * np.median(degrees)


def test_numbers_of_friends_are_those_of_the_real_network(network):
    low, high = np.minimum(*FRIENDS.values()), np.maximum(*FRIENDS.values())
    ours = np.quantile(network.graph.degrees, LEVELS)
    assert (ours >= 0.75 * low).all()
    assert (ours <= 1.25 * high).all()


@pytest.mark.real_data
@pytest.mark.parametrize("name", FRIENDS)
def test_the_numbers_of_friends_above_are_those_of_the_files(name):
    file = SHARED / "pokec_fragment" / name
    if not file.exists():
        pytest.skip("the folder shared/data/pokec_fragment is not beside the project")
    friends = read_edges(file, partial_last_line="skip")["source"].value_counts()
    np.testing.assert_allclose(friends.quantile(LEVELS), FRIENDS[name], rtol=1e-12)


def test_features_tell_age_or_taste_or_nothing(network):
    of = {kind: [c for c in network.features if c.startswith(kind)] for kind in ("age", "other")}
    links = {
        kind: max(abs(np.corrcoef(network.features[c], network.sensitive)[0, 1]) for c in columns)
        for kind, columns in of.items()
    }
    assert links["age"] > 0.2
    assert links["other"] < 0.04


@pytest.mark.parametrize(
    ("settings", "word"),
    [
        ({"n_nodes": 10}, "n_nodes"),
        ({"n_nodes": 100, "n_edges": 5_000}, "n_edges"),
        ({"n_nodes": 100, "n_features": 1}, "n_features"),
        ({"n_nodes": 100, "homophily": 1.5}, "homophily"),
        ({"n_nodes": 100, "dependence": 2.0}, "dependence"),
    ],
)
def test_impossible_networks_are_refused(settings, word):
    with pytest.raises(ConfigError, match=word):
        make_social_graph(**settings)
