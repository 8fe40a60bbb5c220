"""Networks as users bring them; a fresh process finds them again by importing this module."""

import torch
from torch import nn


def with_dropout(inputs):
    return nn.Sequential(nn.Linear(inputs, 12), nn.Dropout(0.2), nn.ReLU(), nn.Linear(12, 5))


class ColumnAttention(nn.Module):
    """A small transformer over the columns of a table."""

    def __init__(self, inputs, width=8):
        super().__init__()
        self.scale = nn.Parameter(torch.randn(inputs, width) / width)
        self.shift = nn.Parameter(torch.zeros(inputs, width))
        self.layer = nn.TransformerEncoderLayer(width, 2, 16, dropout=0.0, batch_first=True)

    def forward(self, x):
        return self.layer(x.unsqueeze(-1) * self.scale + self.shift).mean(dim=1)


def image_network(inputs):
    """Reads 8 × 8 pixels."""
    return nn.Sequential(
        nn.Unflatten(1, (1, 8, 8)),
        nn.Conv2d(1, 4, 3, stride=2),
        nn.ReLU(),
        nn.Flatten(),
        nn.Linear(36, 6),
    )


class TextNetwork(nn.Module):
    """Reads the numbers of words, 0 where a text has ended."""

    def __init__(self, inputs, words=50):
        super().__init__()
        self.words = nn.EmbeddingBag(words, 6, mode="sum", padding_idx=0)

    def forward(self, x):
        return self.words(x.long())


def with_normalisation(inputs):
    return nn.Sequential(nn.Linear(inputs, 6), nn.BatchNorm1d(6), nn.SiLU())
