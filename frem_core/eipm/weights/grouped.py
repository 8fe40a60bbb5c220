"""Weights on S when its values repeat: exact, with one basis element for each distinct value."""

from copy import copy

import torch
from torch import Tensor

from frem_core.eipm.tiles import is_mirrored
from frem_core.eipm.weights.low_rank import Adjoint, LowRankWeights, equal_shares
from frem_core.reproducible import stacked_product

# Below this mass of neighbours, "all rows minus the anchor" would lose digits to cancellation.
_SMALL_MASS = 1e-4


class GroupedWeights(LowRankWeights):
    """Weights that depend on a row only through its group, the rows with the same S.

    ``A_ij = beta[v_i, v_j]`` for j ≠ i, where v is the group of a row,
    ``beta[u, v] = K(u, v) / R_u - 1/(n-1)`` and ``R_u = Σ_{j≠i} K(u, s_j)`` for an anchor i of u.

    A category has no neighbours, so that the paper's EIPM of categories leaves no row out:
    ``A_ij = beta[v_i, v_j]`` for every j, with ``R_u = Σ_j K(u, s_j)`` and 1/n for 1/(n-1).

    Args:
        logits: ``log K`` between the distinct values of S in the whole stack, ``(U, U)``, float64.
        group: the index of each row's value, ``(B, n)``; ``(1, n)`` when all members of a stack
            have the same S, for which everything that depends on S alone is then done once. Where
            the kernel matrix is walked in square tiles, rows must be sorted.
        leaves_out: whether an anchor's own row is left out.
        n_min: anchors whose neighbours weigh less than so many rows, ``1 / Σ_j W_ij²``, do not
            count.
    """

    takes_halves = False

    def __init__(
        self, logits: Tensor, group: Tensor, *, leaves_out: bool = True, n_min: float = 0.0
    ) -> None:
        super().__init__()
        self.group = group
        self.rank = len(logits)
        stack, n = group.shape
        self._flat: dict[int, Tensor] = {}
        self._known_runs: dict[tuple[int, int], tuple[int, list[int]]] = {}
        counts = torch.bincount(self._positions(stack, slice(0, n)), minlength=stack * self.rank)
        self._counts = counts.view(stack, self.rank).to(logits.dtype)
        self.beta, reachable = _group_weights(logits, self._counts, leaves_out=leaves_out)
        if n_min > 0:
            enough = self._effective(leaves_out) >= n_min
            reachable = enough.to(logits.dtype) if reachable is None else reachable * enough
        self.beta -= 1.0 / (n - leaves_out)
        self._beta_as: dict[torch.dtype, Tensor] = {}
        self._given: Tensor | None = None
        self._noise: Tensor | None = None
        self._mean_pairs: Tensor | None = None
        self._own = torch.diagonal(self.beta, dim1=1, dim2=2) * float(leaves_out)
        self.own = self._per_row(self._own)
        self.share = (
            torch.full_like(self.own, 1.0 / n)
            if reachable is None
            else equal_shares(self._per_row(reachable))
        )

    def _effective(self, leaves_out: bool) -> Tensor:
        """``1 / Σ_j W_ij²`` of an anchor of each group, from weights not yet centred, (B, U)."""
        squares = (self.beta.square() @ self._counts.unsqueeze(-1)).squeeze(-1)
        if leaves_out:
            squares -= torch.diagonal(self.beta, dim1=1, dim2=2).square()
        # Rounding must not decide about a group of exactly so many rows.
        return (1.0 + 1e-9) / squares.clamp(min=1e-12)

    def member(self, index: int) -> "GroupedWeights":
        """The weights of one member of the stack."""
        one, here = copy(self), slice(index, index + 1)
        one.group, one._flat, one._known_runs = self.group[here], {}, {}
        one.beta, one._beta_as = self.beta[here], {}
        one._counts, one._own = self._counts[here], self._own[here]
        one.own, one.share = self.own[here], self.share[here]
        one._given, one._kept_pairs = None, {}
        one._noise = None if self._noise is None else self._noise[here]
        one._mean_pairs = None if self._mean_pairs is None else self._mean_pairs[here]
        return one

    def prepare_mean(self, dtype: torch.dtype) -> None:
        """Computes for all members at once what `noise` and `mean_pairs` are made of."""
        total = self.share.new_zeros(self._counts.shape).scatter_add_(1, self.group, self.share)
        own = self._own
        if self._noise is None:
            squares = (self.beta.square() @ self._counts.unsqueeze(-1)).squeeze(-1) - own.square()
            self._noise = (total * squares).sum(1)
        beta = self._beta(dtype)
        middle = torch.bmm(beta.mT * total.to(dtype).unsqueeze(1), beta)
        pull = (total / self._counts.clamp(min=1.0) * own).to(dtype).unsqueeze(-1) * beta
        self._mean_pairs = middle.sub_(pull).sub_(pull.mT)

    def reordered(self, order: Tensor) -> "GroupedWeights":
        """Only the membership changes."""
        other = copy(self)
        other.group, other._flat, other._known_runs = self.group[:, order], {}, {}
        other.own, other.share = self.own[:, order], self.share[:, order]
        other._given, other._kept_pairs = None, {}
        return other

    def _positions(self, stack: int, rows: slice) -> Tensor:
        """Groups of a block of rows among the groups of all members, ``(B · b,)``."""
        n = self.group.shape[1]
        if stack not in self._flat:
            places = self.group
            if stack > 1:
                places = places + torch.arange(stack, device=places.device).unsqueeze(1) * self.rank
            self._flat[stack] = places.flatten()
        if rows.stop - rows.start == n:
            return self._flat[stack]
        return self._flat[stack].view(stack, n)[:, rows].flatten()

    def _beta(self, dtype: torch.dtype) -> Tensor:
        if dtype not in self._beta_as:
            self._beta_as[dtype] = self.beta.to(dtype)
        return self._beta_as[dtype]

    def _per_row(self, per_group: Tensor) -> Tensor:
        return per_group.gather(1, self.group.expand(len(per_group), -1))  # (B, U) to (B, n)

    def _columns(self, stack: int) -> Tensor:
        """Groups of all rows, once for each row of a table: ``(B, U, n)``."""
        return self.group.unsqueeze(1).expand(stack, self.rank, -1)

    def _at_columns(self, table: Tensor) -> Tensor:
        """``table[:, v_k]`` for all rows k: ``(B, U, U)`` to ``(B, U, n)``."""
        if len(self.group) == 1:  # quicker than gathering
            flat = table.reshape(-1, self.rank).index_select(1, self.group[0])
            return flat.view(len(table), self.rank, -1)
        return table.gather(2, self._columns(len(table)))

    def _select(self, table: Tensor, rows: slice) -> Tensor:
        """``table[v_j]`` for a block of rows j: ``(B, U, c)`` to ``(B, b, c)``."""
        index = self._positions(len(table), rows)
        if len(table) == 1:  # keeps a slice of columns a view
            return table[0].index_select(0, index).unsqueeze(0)
        flat = table.reshape(-1, table.shape[-1]).index_select(0, index)
        return flat.view(len(table), -1, table.shape[-1])

    def _add_by_group_(self, sums: Tensor, values: Tensor, rows: slice) -> None:
        index = self._positions(len(values), rows)
        sums.view(-1, sums.shape[-1]).index_add_(0, index, values.reshape(len(index), -1))

    def collect_(self, sums: Tensor, tile: Tensor, rows: slice, columns: slice) -> None:
        """Adds rows by group, and for the mirror image columns by group."""
        if tile.shape[2] == sums.shape[2]:  # the tile spans all columns
            self._add_by_group_(sums, tile, rows)
            return
        first, sizes = self._runs(rows)
        sums[0, first : first + len(sizes), columns] += torch.stack(
            [run.sum(0) for run in torch.split_with_sizes(tile[0], sizes, 0)]
        )
        if is_mirrored(rows, columns):
            first, sizes = self._runs(columns)
            sums[0, first : first + len(sizes), rows] += torch.stack(
                [run.sum(1) for run in torch.split_with_sizes(tile[0], sizes, 1)]
            )

    def _runs(self, rows: slice) -> tuple[int, list[int]]:
        """First group among sorted rows, and how many rows of it and of each next one there are."""
        key = rows.start, rows.stop
        if key not in self._known_runs:  # many tiles have the same rows, or columns
            group = self.group[0, rows]
            first = int(group[0])
            self._known_runs[key] = first, torch.bincount(group - first).tolist()
        return self._known_runs[key]

    def reduce(self, sums: Tensor) -> tuple[Tensor, Tensor]:
        """The quadratic form once for each group, the cross term for each row."""
        beta = self._beta(sums.dtype)
        between = sums.new_zeros(len(sums), self.rank, self.rank)  # κ summed over pairs of groups
        between.scatter_add_(2, self._columns(len(sums)), sums)
        quadratic = (stacked_product(between, beta.mT) * beta.mT).sum(1).double()
        self._given = self._at_columns(beta.mT)  # the adjoint needs them again
        cross = (sums * self._given).sum(1).double()
        return self._per_row(quadratic), cross

    def adjoint(self, slope: Tensor, like: Tensor) -> Adjoint:
        """``M[v_j, v_k] - p_j beta[v_j, v_k] - p_k beta[v_k, v_j]`` with ``p = slope · own``."""
        beta = self._beta(like.dtype)
        given = self._given
        if given is None or given.dtype != like.dtype:
            given = self._at_columns(beta.mT)  # (B, U, n): beta[v_k, u]
        total = slope.new_zeros(len(slope), self.rank)
        total.scatter_add_(1, self.group.expand(len(slope), -1), slope)
        weighted = beta.mT * total.to(like.dtype).unsqueeze(1)
        middle = stacked_product(weighted, beta)  # (B, U, U): M, which is symmetric
        pull = (slope * self.own).to(like.dtype).unsqueeze(-1)
        left = self._at_columns(middle).addcmul_(pull.mT, given, value=-1.0)
        right = self._at_columns(beta)  # (B, U, n): beta[u, v_k]

        def tile(rows: slice, columns: slice) -> Tensor:
            result = self._select(left[:, :, columns], rows)
            mirrored = self._select(right[:, :, columns], rows)
            return result.addcmul_(pull[:, rows], mirrored, value=-1.0)

        return tile

    @property
    def noise(self) -> Tensor:
        """From the groups, ``(B,)``."""
        if self._noise is None:
            self.prepare_mean(torch.float32)
        assert self._noise is not None
        return self._noise

    def _mean_tiles(self, shift: Tensor, like: Tensor) -> Adjoint:
        """A table of pairs of groups: all anchors of a group have the same share."""
        if self._mean_pairs is None or self._mean_pairs.dtype != like.dtype:
            self.prepare_mean(like.dtype)
        assert self._mean_pairs is not None
        pairs = self._at_columns(self._mean_pairs + shift)

        def tile(rows: slice, columns: slice) -> Tensor:
            return self._select(pairs[:, :, columns], rows)

        return tile

    def into_basis(self, values: Tensor, rows: slice) -> Tensor:
        """Sums over groups."""
        sums = values.new_zeros(len(values), self.rank, values.shape[-1])
        self._add_by_group_(sums, values, rows)
        return sums

    def at_rows(self, table: Tensor, rows: slice) -> Tensor:
        """Looks up each row's group."""
        return self._select(table, rows)

    def anchor_table(self, table: Tensor) -> Tensor:
        """``beta table``."""
        return self._beta(table.dtype) @ table

    def at_anchors(self, table: Tensor, rows: slice) -> Tensor:
        """Looks up each anchor's group."""
        return self._select(table, rows)

    def from_anchors(self, values: Tensor, rows: slice) -> Tensor:
        """Sums over the anchors' groups."""
        return self.into_basis(values, rows)

    def finish_anchors(self, table: Tensor) -> Tensor:
        """``betaᵀ table``."""
        return self._beta(table.dtype).mT @ table


def _group_weights(
    logits: Tensor, counts: Tensor, *, leaves_out: bool
) -> tuple[Tensor, Tensor | None]:
    """Weight that an anchor of group u gives to one row of group v, its own row left out.

    Args:
        logits: ``log K`` between distinct values, ``(U, U)``.
        counts: rows in each group, ``(B, U)``.
        leaves_out: whether it is left out.

    Returns:
        Weights ``(B, U, U)``, and 1 where an anchor of u has any neighbour in reach, else 0,
        ``(B, U)``; None when all have. A group of one row gives itself weight 0: its only row is
        the anchor.
    """
    raw = logits.exp()
    if not leaves_out:
        return raw / (counts @ raw).clamp(min=1.0).unsqueeze(-1), None
    itself = raw[0, 0]
    mass = counts @ raw - itself  # (B, U): K is symmetric
    all_near = float(mass.amin()) >= _SMALL_MASS
    weights = raw / (mass if all_near else mass.clamp(min=_SMALL_MASS)).unsqueeze(-1)
    own = torch.diagonal(weights, dim1=1, dim2=2)
    own.masked_fill_(counts <= 1, 0.0)
    if all_near:
        return weights, None
    stack, group = torch.nonzero((mass < _SMALL_MASS) & (counts > 0), as_tuple=True)
    others = counts[stack].clone()  # (isolated, U)
    others[torch.arange(len(group), device=group.device), group] -= 1
    near = logits[group].masked_fill_(others <= 0, float("-inf"))
    nearest = near.amax(-1, keepdim=True)
    reachable = torch.ones_like(mass)
    reachable[stack, group] = (nearest.squeeze(-1) > float("-inf")).to(mass.dtype)
    # Relative to the nearest neighbour nothing underflows, however far away that one is.
    relative = (near - nearest.clamp(min=-1e300)).exp_()
    weights[stack, group] = relative / (relative * others).sum(-1, keepdim=True).clamp(min=1.0)
    return weights, reachable
