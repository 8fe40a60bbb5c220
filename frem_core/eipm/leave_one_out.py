"""Kernel weights of every row but the anchor, for one sample or a stack of samples."""

import torch
from torch import Tensor


def leave_one_out_weights(s: Tensor, gamma: float) -> Tensor:
    """``W_ij = K_γ(s_i, s_j) / Σ_{l≠i} K_γ(s_i, s_l)``, ``W_ii = 0``, for the RBF kernel.

    A softmax of the exponents, so that an anchor far from all others keeps its nearest ones
    instead of dividing 0 by 0.

    Args:
        s: sensitive attribute, shape (…, n) with n ≥ 2.
        gamma: γ, the bandwidth.

    Returns:
        Weights of shape (…, n, n); each row sums to 1.
    """
    exponents = (s.unsqueeze(-1) - s.unsqueeze(-2)).square_().div_(-2.0 * gamma**2)
    exponents.diagonal(dim1=-2, dim2=-1).fill_(float("-inf"))
    return torch.softmax(exponents, dim=-1)
