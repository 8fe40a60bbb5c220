"""The library stands alone: light to import, and without the dashboard."""

import subprocess
import sys
from pathlib import Path

import pytest

# What only an extra brings; joblib and threadpoolctl come with scikit-learn.
EXTRAS = (
    *(
        "alembic",
        "charset_normalizer",
        "click",
        "cryptography",
        "dask",
        "distributed",
        "openpyxl",
        "optuna",
    ),
    *("platformdirs", "plotly", "psutil", "psycopg", "pyarrow", "rich", "sqlalchemy", "streamlit"),
    "tomli_w",
)
WITHOUT_EXTRAS = f"import sys\nfor name in {EXTRAS!r}:\n    sys.modules[name] = None\n"
# What a training does without; scikit-learn's base itself loads scipy and pandas.
NOT_FOR_TRAINING = (
    *("sklearn.ensemble", "sklearn.linear_model", "sklearn.metrics", "sklearn.model_selection"),
    *("sklearn.neighbors", "sklearn.pipeline", "sklearn.preprocessing", "matplotlib", "plotly"),
    *("torch._dynamo", "torch._inductor", "torch.distributed.tensor", "torch.onnx", "rich"),
    *("frem_core.audit", "frem_core.evaluation", "frem_core.figures", "frem_core.limits"),
    *("frem_core.datasets.tables", "frem_core.store", "frem_core.sweeps"),
)
HEAVY = ("torch", "streamlit", "pandas", "sklearn", "plotly", "distributed")


def _run(program: str) -> str:
    answer = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False
    )
    assert answer.returncode == 0, answer.stderr
    return answer.stdout


def test_importing_the_package_loads_nothing_heavy() -> None:
    loaded = _run(
        f"import sys, frem_core; print([name for name in {HEAVY!r} if name in sys.modules])"
    )
    assert loaded.strip() == "[]"


def test_an_estimator_is_there_without_what_only_fitting_needs() -> None:
    loaded = _run(
        "import gc, sys\n"
        "from frem_core import FREMClassifier, FREMRepresentation, FairRegressor\n"
        "FREMClassifier(gamma=0.1, encoder='mlp').get_params()\n"
        f"print([name for name in {('torch', *NOT_FOR_TRAINING)!r}"
        " if name in sys.modules])\n"
        "assert gc.isenabled()\n"
    )
    assert loaded.strip() == "[]"


def test_what_needs_no_estimator_loads_none() -> None:
    """What none of them has loaded together, none loads by itself."""
    others = ("sklearn", "scipy.stats", *NOT_FOR_TRAINING)
    libraries = tuple(one for one in others if not one.startswith("frem_core"))
    loaded = _run(
        "import sys\nfrom frem_core import EIPMLoss, eipm, scale_sensitive\n"
        f"print([name for name in {others!r} if name in sys.modules])\n"
        "from frem_core import audit\n"
        f"print([name for name in {libraries!r} if name in sys.modules])"
    )
    assert loaded.split() == ["[]", "[]"]


def test_a_worker_loads_neither_scikit_learn_nor_another_database() -> None:
    """Every worker of every sweep starts with these lines."""
    unused = ("sklearn", "scipy.stats", "sqlalchemy.dialects.postgresql", "streamlit")
    loaded = _run(
        "import sys, frem_core.sweeps.train_bundle\n"
        f"print([name for name in {unused!r} if name in sys.modules])"
    )
    assert loaded.strip() == "[]"


def test_every_module_of_the_library_works_without_streamlit() -> None:
    _run(
        "import sys, pkgutil, importlib\n"
        "sys.modules['streamlit'] = None\n"
        "import frem_core\n"
        "for module in pkgutil.walk_packages(frem_core.__path__, 'frem_core.'):\n"
        "    if not module.name.endswith('__main__'):\n"
        "        importlib.import_module(module.name)\n"
    )


def test_the_core_trains_measures_and_saves_without_any_extra(tmp_path: Path) -> None:
    _run(
        WITHOUT_EXTRAS + "import numpy as np\n"
        "import frem_core\n"
        "for name in frem_core.__all__:\n"
        "    getattr(frem_core, name)\n"
        "from frem_core.datasets import make_gaussian\n"
        "data = make_gaussian(n_samples=60)\n"
        "s = data.sensitive_features\n"
        "model = frem_core.FREMRegressor(epochs=1).fit(data.data, data.target, "
        "sensitive_features=s)\n"
        "assert frem_core.eipm(model.transform(data.data), s, gamma=0.1) > 0\n"
        f"model.save({str(tmp_path)!r})\n"
        f"again = frem_core.FREMRegressor.load({str(tmp_path)!r})\n"
        "assert (again.predict(data.data) == model.predict(data.data)).all()\n"
        # Torch's compiler takes longer to import than a small training.
        "import sys\n"
        "assert 'torch._dynamo' not in sys.modules\n"
    )


@pytest.mark.parametrize(
    ("line", "missing", "extra"),
    [
        ("from frem_core.datasets import fetch_crime; fetch_crime()", "pyarrow", "sweeps"),
        ("from frem_core.store import open_store", "sqlalchemy", "sweeps"),
        ("from frem_core.sweeps import ensure_engine", "", "sweeps"),
        ("import frem_core.figures", "plotly", "sweeps"),
    ],
)
def test_a_missing_part_names_the_extra_that_brings_it(line: str, missing: str, extra: str) -> None:
    said = _run(
        WITHOUT_EXTRAS + "from frem_core import FremError\n"
        f"try:\n    {line}\nexcept FremError as error:\n    print(error)\n"
    )
    assert f"pip install 'frem-studio[{extra}]'" in said
    assert f"needs {missing}" in said


def test_the_command_without_its_extra_says_what_to_install() -> None:
    answer = subprocess.run(
        [sys.executable, "-c", WITHOUT_EXTRAS + "from frem_core.__main__ import main\nmain()"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert answer.returncode == 1
    assert "pip install 'frem-studio[sweeps]'" in answer.stderr
    assert "Traceback" not in answer.stderr


def test_a_package_can_be_called_like_its_function_before_and_after_its_import() -> None:
    _run(
        "from frem_core import eipm as called\n"
        "import frem_core.eipm\n"
        "from frem_core.eipm import eipm, eipm_profile\n"
        "from frem_core import eipm as again\n"
        "import inspect, numpy as np\n"
        "z, s = np.eye(20), np.linspace(0, 1, 20)\n"
        "assert called(z, s, gamma=0.1) == again(z, s, gamma=0.1) == eipm(z, s, gamma=0.1)\n"
        "assert inspect.signature(again) == inspect.signature(eipm)\n"
        "assert again.eipm_profile is eipm_profile\n"
    )


def test_an_unknown_name_is_an_ordinary_attribute_error() -> None:
    import frem_core

    with pytest.raises(AttributeError, match="no_such_name"):
        _ = frem_core.no_such_name
    assert set(dir(frem_core)) == set(frem_core.__all__)
