"""Networks of one's own."""

import subprocess
import sys

import numpy as np
import pytest
import torch
from sklearn.metrics import accuracy_score
from torch import nn

from frem_core import FairClassifier
from frem_core.errors import ConfigError, DataError
from frem_core.estimators import TablePredictor
from tests.estimators.fair_models import X, fair
from tests.estimators.own_networks import (
    ColumnAttention,
    TextNetwork,
    image_network,
    with_dropout,
    with_normalisation,
)
from tests.estimators.people import QUICK
from tests.without_doubles import MovesThere


class TestOwnNetwork:
    @pytest.mark.parametrize("method", ["frem", "mmd", "adv"])
    @pytest.mark.parametrize("make", [with_dropout, ColumnAttention, with_normalisation])
    def test_trained_saved_and_loaded(self, method, make, tmp_path):
        model = fair(method, encoder=make)
        again = fair(method, encoder=make)
        np.testing.assert_array_equal(model.predict_proba(X), again.predict_proba(X))
        assert model.transform(X).shape == (len(X), model.predictor_.model.encoder._try(5))
        model.save(tmp_path)
        loaded = FairClassifier.load(tmp_path, encoder=make)
        np.testing.assert_array_equal(loaded.predict_proba(X), model.predict_proba(X))
        assert loaded.encoder is make

    def test_it_is_loaded_in_a_fresh_process(self, tmp_path):
        expected = []
        for method in ("frem", "mmd", "adv"):
            model = fair(method, encoder=with_dropout)
            model.save(tmp_path / method)
            expected.append(model.predict_proba(X)[:3, 1].tolist())
        X[:3].to_json(tmp_path / "rows.json", orient="split")
        program = f"""
import pandas as pd
from frem_core import FairClassifier
import tests.estimators.own_networks
X = pd.read_json({str(tmp_path / "rows.json")!r}, orient="split", precise_float=True)
print([FairClassifier.load({str(tmp_path)!r} + "/" + method).predict_proba(X)[:, 1].tolist()
       for method in ("frem", "mmd", "adv")])
"""
        ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
        assert ran.returncode == 0, ran.stderr
        np.testing.assert_allclose(eval(ran.stdout), expected, rtol=1e-12)

    @pytest.mark.parametrize("method", ["frem", "mmd", "adv"])
    def test_images_and_texts_come_as_tensors(self, method, tmp_path):
        random = torch.Generator().manual_seed(0)
        label = torch.rand(200, generator=random) < 0.4
        s = np.linspace(18, 80, 200)
        pixels = torch.rand(200, 1, 8, 8, generator=random) - 0.5
        pixels[label, :, :4, :4] += 0.5  # a bright corner
        texts = torch.randint(8, 50, (200, 12), generator=random)
        texts[:, 6:] *= torch.rand(200, 1, generator=random) < 0.5  # a text that ends early
        texts[label, 0] = 7  # a word that tells; scaled to [0, 1] it would be none any more
        for rows, make in ((pixels, image_network), (texts, TextNetwork)):
            settings = {**QUICK, "epochs": 60, "learning_rate": 0.03, "fairness_weight": 0.01}
            model = FairClassifier(method, encoder=make, random_state=0, **settings)
            model.fit(rows, label.numpy(), sensitive_features=s)
            assert accuracy_score(label.numpy(), model.predict(rows)) > 0.9
            model.save(tmp_path / make.__name__)
            again = FairClassifier.load(tmp_path / make.__name__, encoder=make)
            np.testing.assert_array_equal(again.predict_proba(rows), model.predict_proba(rows))

    def test_a_folder_cannot_have_code_imported(self, tmp_path):
        fair(encoder=with_dropout).save(tmp_path)
        program = (
            "from frem_core import FairClassifier, FremError\n"
            f"try:\n    FairClassifier.load({str(tmp_path)!r})\n"
            "except FremError as error:\n    print(error)\n"
            "import sys; assert 'tests.estimators.own_networks' not in sys.modules"
        )
        ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
        assert ran.returncode == 0, ran.stderr
        assert "import tests.estimators.own_networks before loading" in ran.stdout

    def test_a_lambda_has_to_be_given_again(self, tmp_path):
        def make(inputs):
            return nn.Linear(inputs, 3)

        model = fair(encoder=make)
        model.save(tmp_path)
        with pytest.raises(DataError, match="encoder="):
            FairClassifier.load(tmp_path)
        loaded = TablePredictor.load(tmp_path, encoder=make)
        np.testing.assert_array_equal(loaded.score(X), model.predict_proba(X)[:, 1])

    @pytest.mark.parametrize(
        ("make", "words"),
        [
            (lambda inputs: 3, "returned int"),
            (lambda inputs: nn.Linear(inputs + 1, 3), "cannot read rows"),
            (lambda inputs: nn.Flatten(0), "must return one row of numbers for each"),
        ],
    )
    def test_what_is_no_encoder_is_refused(self, make, words):
        with pytest.raises(ConfigError, match=words):
            fair(encoder=make)

    def test_it_computes_in_single_precision_while_it_learns(self):
        seen = set()

        class Watched(nn.Linear):
            def forward(self, x):
                if self.training:
                    seen.add((x.dtype, x.device.type))
                return super().forward(x)

        fair(encoder=lambda inputs: Watched(inputs, 3))
        assert seen == {(torch.float32, "cpu")}

    @pytest.mark.parametrize("encoder", ["mlp", ColumnAttention])
    def test_a_device_without_double_precision_will_do(self, encoder, monkeypatch):
        expected = fair(encoder=encoder, early_stopping=True).predict_proba(X)
        monkeypatch.setattr(torch.backends.mps, "is_available", lambda: True)
        with MovesThere() as there:
            model = fair(encoder=encoder, early_stopping=True, device="mps")
        assert there.moved
        np.testing.assert_array_equal(model.predict_proba(X), expected)

    def test_a_device_that_is_not_there_is_named(self):
        with pytest.raises(ConfigError, match="device = 'tpu' is not available here; choose"):
            fair(device="tpu")
        np.testing.assert_array_equal(
            fair(device="auto" if not torch.cuda.is_available() else "cpu").predict_proba(X),
            fair().predict_proba(X),
        )
