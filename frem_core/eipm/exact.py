"""The exact estimator: value and gradient from sums of the kernel matrix over groups of S."""

import torch
from torch import Tensor

from frem_core.eipm.grouped import GroupedWeights
from frem_core.kernels import Kernel, squared_distances


def exact_eipm(
    z: Tensor, weights: GroupedWeights, kernel: Kernel, *, gradient: bool
) -> tuple[Tensor, Tensor | None]:
    """EIPM of each stacked ``z`` (``(B, n, m)``, in units of σ) and, if asked, its gradient.

    With ``C = κ`` summed over the columns of each group and ``Q`` summed over both sides,
    ``q_i = β_u Q β_uᵀ - 2 c_u (C β_uᵀ)_i + c_u² κ_ii`` for an anchor i of group u, ``c_u = β_uu``;
    the matrix A is never formed.

    Returns:
        Values ``(B,)`` in float64 and the gradient ``(B, n, m)`` in the dtype of ``z``.
    """
    stack, n, _ = z.shape
    z = z - z.mean(1, keepdim=True)
    distances = squared_distances(z)
    # A rounded self-distance would give the unsmooth triangular kernel an enormous slope.
    torch.diagonal(distances, dim1=1, dim2=2).zero_()
    similarity = kernel.representation_(distances)  # (B, n, n)
    groups = weights.beta.shape[-1]
    offsets = torch.arange(stack, device=z.device).unsqueeze(1) * groups
    flat = (weights.group + offsets).flatten()  # (B n,)
    sums = torch.zeros(stack * groups, n, dtype=z.dtype, device=z.device)
    sums.index_add_(0, flat, similarity.view(stack * n, n))
    columns = sums.view(stack, groups, n).double()  # (B, U, n): Cᵀ

    beta = weights.beta
    beta_rows = beta.view(-1, groups)[flat].view(stack, n, groups)  # (B, n, U)
    both = torch.zeros(stack * groups, groups, dtype=beta.dtype, device=z.device)
    both.index_add_(0, flat, columns.transpose(1, 2).reshape(-1, groups))  # Q
    quadratic = ((beta @ both.view_as(beta)) * beta).sum(-1).view(-1)[flat].view(stack, n)
    own = torch.diagonal(beta, dim1=1, dim2=2).reshape(-1)[flat].view(stack, n)
    cross = (columns.transpose(1, 2) * beta_rows).sum(-1)
    q = quadratic - 2 * own * cross + own.square() * torch.diagonal(similarity, dim1=1, dim2=2)
    anchors = weights.anchors.to(q.dtype)
    kept = anchors.sum(1, keepdim=True).clamp(min=1.0)
    ipm = q.clamp(min=0.0).sqrt_()
    value = (ipm * anchors).sum(1) / kept.squeeze(1)
    if not gradient:
        return value, None

    tiny = 1e-20 if z.dtype == torch.float64 else 1e-10
    omega = anchors / (2 * kept * (q.clamp(min=0.0) + tiny).sqrt())  # (B, n): dE/dq
    per_group = torch.zeros(stack * groups, dtype=beta.dtype, device=z.device)
    per_group.index_add_(0, flat, omega.flatten())
    inner = beta.transpose(1, 2) @ (per_group.view(stack, groups, 1) * beta)  # (B, U, U): M
    inner_columns = inner.view(-1, groups)[flat].view(stack, n, groups).transpose(1, 2)
    pull = omega * own
    left = inner_columns - (pull.unsqueeze(-1) * beta_rows).transpose(1, 2)  # (B, U, n)
    group_columns = weights.group.unsqueeze(1).expand(-1, groups, -1)
    right = beta.gather(2, group_columns)  # (B, U, n): β[u, v_k]
    adjoint = left.to(z.dtype).reshape(-1, n)[flat].view(stack, n, n)
    adjoint -= pull.to(z.dtype).unsqueeze(-1) * right.to(z.dtype).reshape(-1, n)[flat].view(
        stack, n, n
    )
    adjoint *= kernel.slope(similarity)
    return value, 4 * (adjoint.sum(-1, keepdim=True) * z - adjoint @ z)
