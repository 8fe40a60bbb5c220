import gc

import numpy as np
import pytest
import torch

from frem_core.networks import (
    ENCODERS,
    GCN,
    SGC,
    adjacency_tensor,
    member_state,
    propagate,
    propagated_features,
)
from frem_core.networks.propagation import _PROPAGATED
from tests.networks.graphs import dense_adjacency, node_features

ROWS = torch.tensor([[0, 3, 11, 3], [5, 2, 1, 11]])


def generators(count: int = 2) -> list[torch.Generator]:
    return [torch.Generator().manual_seed(seed) for seed in range(count)]


def layer_weights(network: GCN | SGC, member: int) -> list[tuple[np.ndarray, np.ndarray]]:
    return [
        (layer.weight[member].detach().double().numpy(), layer.bias[member].detach().numpy())
        for layer in network.layers
    ]


@pytest.mark.parametrize("hops", [0, 1, 2, 3])
@pytest.mark.parametrize("seed", range(4))
def test_propagation_is_the_dense_product(hops, seed):
    x = node_features(seed=seed)
    expected = np.linalg.matrix_power(dense_adjacency(x.whole.graph), hops) @ x.whole.nodes
    np.testing.assert_allclose(propagated_features(x.whole, hops), expected, rtol=0, atol=1e-6)


def test_propagation_happens_once_and_is_let_go_with_its_graph():
    x = node_features()
    first = propagated_features(x.whole, 2)
    assert propagated_features(x.whole, 2) is first
    assert adjacency_tensor(x.whole.graph) is adjacency_tensor(x.whole.graph)
    before = len(_PROPAGATED)
    del x
    gc.collect()
    assert len(_PROPAGATED) == before - 1


def test_the_gradient_of_a_propagation():
    x = node_features(n_nodes=12, n_edges=20, rows=3)
    dense = torch.tensor(dense_adjacency(x.whole.graph))
    adjacency = adjacency_tensor(x.whole.graph)
    h = torch.rand(12, 4, requires_grad=True)
    weights = torch.rand(12, 4)
    (propagate(adjacency, h) * weights).sum().backward()
    torch.testing.assert_close(h.grad, (dense.T @ weights.double()).float())


def test_sgc_is_two_hops_and_a_linear_layer():
    x = node_features()
    sgc = SGC(5, hidden=(64,), activation="linear", generators=generators())
    z = sgc(sgc.read(x), ROWS).detach().numpy()
    spread = np.linalg.matrix_power(dense_adjacency(x.whole.graph), 2) @ x.whole.nodes
    for member, rows in enumerate(ROWS):
        ((weight, bias),) = layer_weights(sgc, member)
        np.testing.assert_allclose(
            z[member], (spread @ weight + bias)[x.rows[rows.numpy()]], atol=1e-6
        )


@pytest.mark.parametrize("hidden", [(64,), (16, 8), (9, 8, 7)])
def test_gcn_is_a_forward_pass_over_the_whole_graph(hidden):
    x = node_features()
    gcn = GCN(5, hidden=hidden, activation="relu", generators=generators())
    z = gcn(gcn.read(x), ROWS).detach().numpy()
    adjacency = dense_adjacency(x.whole.graph)
    for member, rows in enumerate(ROWS):
        h = x.whole.nodes.astype(np.float64)
        for weight, bias in layer_weights(gcn, member):
            h = np.maximum(adjacency @ h @ weight + bias, 0.0)
        np.testing.assert_allclose(z[member], h[x.rows[rows.numpy()]], atol=1e-6)
    assert gcn.representation_size == hidden[-1]


@pytest.mark.parametrize("hidden", [(6,), (6, 4)])
def test_the_gradients_of_a_gcn_are_those_of_the_dense_formula(hidden):
    x = node_features(n_nodes=15, n_edges=25, rows=6)
    gcn = GCN(5, hidden=hidden, activation="tanh", generators=generators(1))
    rows = torch.tensor([[0, 2, 5]])
    gcn(gcn.read(x), rows).square().sum().backward()
    adjacency = torch.tensor(dense_adjacency(x.whole.graph)).float()
    weights = [layer.weight[0].detach().clone().requires_grad_() for layer in gcn.layers]
    h = torch.tensor(x.whole.nodes)
    for weight, layer in zip(weights, gcn.layers, strict=True):
        h = torch.tanh(adjacency @ h @ weight + layer.bias[0].detach())
    h[x.rows[rows[0].numpy()]].square().sum().backward()
    for weight, layer in zip(weights, gcn.layers, strict=True):
        torch.testing.assert_close(layer.weight.grad[0], weight.grad, atol=1e-5, rtol=1e-4)


@pytest.mark.parametrize("hidden", [(6,), (6, 4)])
def test_a_member_taken_out_encodes_as_it_did_inside(hidden):
    x = node_features()
    for kind in (GCN, SGC):
        inside = kind(5, hidden=hidden, activation="relu", generators=generators(3))
        alone = kind(5, hidden=hidden, activation="relu", generators=generators(1))
        alone.load_state_dict(member_state(inside, 2))
        every = torch.arange(12)
        torch.testing.assert_close(
            alone(alone.read(x), every.unsqueeze(0))[0],
            inside(inside.read(x), every.expand(3, -1))[2],
        )
        assert "adjacency" not in " ".join(inside.state_dict())


def test_an_mlp_on_a_graph_sees_own_features_only():
    x = node_features()
    mlp = ENCODERS.get("mlp")(5, hidden=(4,), activation="relu", generators=generators(1))
    rows = torch.arange(12).unsqueeze(0)
    torch.testing.assert_close(mlp(mlp.read(x), rows), mlp(mlp.read(np.asarray(x)), rows))
