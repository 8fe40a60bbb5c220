"""Models to take home: a folder or zip that predicts new rows anywhere, and says what it is.

::

    model.zip ── model.safetensors   weights
              ├─ model.json          method, settings, training history
              ├─ table.json          how columns become inputs, and outputs become predictions
              ├─ README.md           the model card, with the metadata block that hubs read
              ├─ card.json           the same for programs
              └─ predict.py          ten lines that predict the rows of a table

`load_model` reads a folder or a zip; `predict_table` reads new rows as the training rows were read,
without the sensitive attribute, and counts what the model never saw. `save_model` writes all of it.
Nothing in a package can execute code when it is loaded.
"""

from frem_core.model_package.archive import check_may_save, load_model, pack_model, save_model
from frem_core.model_package.card import ModelCard, Score
from frem_core.model_package.new_rows import Predictions, predict_table

__all__ = [
    "ModelCard",
    "Predictions",
    "Score",
    "check_may_save",
    "load_model",
    "pack_model",
    "predict_table",
    "save_model",
]
