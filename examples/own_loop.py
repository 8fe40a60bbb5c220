"""EIPM as a loss in a training loop of your own."""

import torch
from torch import nn

from frem_core import EIPMLoss

torch.manual_seed(0)
age = 18 + 62 * torch.rand(1000)
x = torch.stack([age / 80 + 0.1 * torch.randn(1000), torch.randn(1000)], dim=1)
y = (x.sum(dim=1) + 0.2 * torch.randn(1000) > 0.6).float()

encoder, head = nn.Sequential(nn.Linear(2, 16), nn.SELU()), nn.Linear(16, 1)
fair = EIPMLoss(gamma=0.1, units="standardised")  # ages as they are: it learns their range
optimiser = torch.optim.Adam([*encoder.parameters(), *head.parameters()], lr=0.01)

for _ in range(10):
    for rows in torch.randperm(1000).split(250):
        z = encoder(x[rows])
        task_loss = nn.functional.binary_cross_entropy_with_logits(head(z)[:, 0], y[rows])
        penalty = fair(z, age[rows])
        optimiser.zero_grad()
        (task_loss + 2.0 * penalty).backward()
        optimiser.step()
print(f"task loss {task_loss.item():.3f}, EIPM {penalty.item():.3f}, range {fair.sensitive_range}")
