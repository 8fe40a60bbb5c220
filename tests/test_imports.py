"""The library stands alone: light to import, and without the dashboard."""

import subprocess
import sys

import pytest

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


def test_every_module_of_the_library_works_without_streamlit() -> None:
    _run(
        "import sys, pkgutil, importlib\n"
        "sys.modules['streamlit'] = None\n"
        "import frem_core\n"
        "for module in pkgutil.walk_packages(frem_core.__path__, 'frem_core.'):\n"
        "    if not module.name.endswith('__main__'):\n"
        "        importlib.import_module(module.name)\n"
    )


def test_every_public_name_is_there() -> None:
    _run("import frem_core\nfor name in frem_core.__all__:\n    getattr(frem_core, name)\n")


def test_an_unknown_name_is_an_ordinary_attribute_error() -> None:
    import frem_core

    with pytest.raises(AttributeError, match="no_such_name"):
        _ = frem_core.no_such_name
    assert set(dir(frem_core)) == set(frem_core.__all__)
