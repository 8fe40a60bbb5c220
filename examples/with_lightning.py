"""EIPM as part of the loss of a Lightning module; needs `pip install lightning`."""

import lightning
import torch
from torch import nn

from frem_core import EIPMLoss


class FairModule(lightning.LightningModule):
    """Batches are (features, target, age)."""

    def __init__(self) -> None:
        super().__init__()
        self.encoder = nn.Sequential(nn.Linear(2, 16), nn.SELU())
        self.head = nn.Linear(16, 1)
        self.fair = EIPMLoss(gamma=0.1, gather=True)  # all processes judge their batches together

    def training_step(self, batch, number):
        x, y, age = batch
        z = self.encoder(x)
        task_loss = nn.functional.binary_cross_entropy_with_logits(self.head(z)[:, 0], y)
        return task_loss + 2.0 * self.fair(z, age)

    def configure_optimizers(self):
        return torch.optim.Adam(self.parameters(), lr=0.01)


torch.manual_seed(0)
age = 18 + 62 * torch.rand(800)
x = torch.stack([age / 80 + 0.1 * torch.randn(800), torch.randn(800)], dim=1)
y = (x.sum(dim=1) > 0.6).float()
rows = torch.utils.data.TensorDataset(x, y, age)
trainer = lightning.Trainer(
    max_epochs=3,
    logger=False,
    enable_checkpointing=False,
    enable_progress_bar=False,
    enable_model_summary=False,
)
module = FairModule()
trainer.fit(module, torch.utils.data.DataLoader(rows, batch_size=200, shuffle=True))
print(f"range of ages that was learned: {module.fair.sensitive_range}")
