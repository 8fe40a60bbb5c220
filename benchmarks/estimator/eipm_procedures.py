"""The slow ways to compute EIPM that ours is measured against."""

import torch
from torch import Tensor


def pseudo_code(z: Tensor, s: Tensor, gamma: float) -> Tensor:
    """The paper's Algorithm 2 as printed, with the missing square root: an n × n × n tensor."""
    n = len(z)
    a = _kernel_matrix(s[:, None], gamma) - torch.eye(n, dtype=z.dtype)
    a = a / a.sum(dim=0)
    a = a - 1 / (n - 1)
    a = a.fill_diagonal_(0)
    k = _kernel_matrix(z, 1.0)
    products = torch.einsum("ij,ik->ijk", a.T, a.T)
    return torch.sum(products * k.unsqueeze(dim=0), dim=(1, 2)).sqrt().sum() / n


def _kernel_matrix(x: Tensor, scale: float) -> Tensor:
    return torch.exp(-(torch.cdist(x, x, p=2) ** 2) / (2 * scale**2))


def dense_closed_form(z: Tensor, s: Tensor, gamma: float) -> Tensor:
    """``mean_i √((Aκ) ∘ A summed over row i)``: the same by one n³ matrix product."""
    n = len(z)
    logits = (s[:, None] - s).square_().mul_(-0.5 / gamma**2).fill_diagonal_(float("-inf"))
    a = torch.softmax(logits, dim=1).sub_(1 / (n - 1)).fill_diagonal_(0.0)
    norms = z.square().sum(1)
    distances = (norms[:, None] + norms - 2 * z @ z.T).clamp(min=0)
    k = torch.exp(-0.5 * distances)
    return ((a @ k) * a).sum(1).clamp(min=1e-12).sqrt().mean()


def form_kernel_matrix(z: Tensor, block: int) -> float:
    """The floor: every entry ``exp(-d²/2)`` of the kernel matrix once, in tiles, summed to nothing.

    Each tile takes one product and in-place element-wise work; no tile is kept.
    """
    z = z - z.mean(0)
    norms = z.square().sum(1)
    last = 0.0
    for rows in torch.arange(len(z)).split(block):
        for columns in torch.arange(len(z)).split(block):
            i, j = (
                slice(int(rows[0]), int(rows[-1]) + 1),
                slice(int(columns[0]), int(columns[-1]) + 1),
            )
            tile = torch.addmm(norms[j], z[i], z[j].T, alpha=-2.0).add_(norms[i, None])
            tile.clamp_(min=0.0).mul_(-0.5).exp_()
            last = float(tile[0, 0])
    return last
