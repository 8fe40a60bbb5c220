"""docs/methods.md must stay true."""

import re
import subprocess
import sys
from pathlib import Path

from frem_core.methods import available_methods, get_method

PAGE = (Path(__file__).parents[2] / "docs" / "methods.md").read_text(encoding="utf-8")

USE_IT = """
from frem_core.methods import available_methods, get_method
from frem_core.training import Member, train
from tests.training.problems import CONFIG, small_part

assert "correlation" in available_methods()
(model,) = train(
    small_part(),
    task="classification",
    method=get_method("correlation")(power=1.5),
    config=CONFIG,
    members=[Member(fairness_weight=3.0)],
)
assert model.history["penalty"].iloc[-1] < model.history["penalty"].iloc[0]
"""


def test_its_table_names_methods_by_their_titles() -> None:
    rows = re.findall(r"^\| ([^|]+) \| `(\w+)` \|", PAGE, flags=re.MULTILINE)
    named = {name: title for title, name in rows if name in available_methods()}
    assert named.keys() >= {"adv", "frem", "laftr", "mmd", "reg_gdp", "reg_hgr", "sipm_lfr"}
    for name, title in named.items():
        assert title == get_method(name).title


def test_its_example_of_a_new_method_works() -> None:
    blocks = re.findall(r"```python\n(.*?)```", PAGE, flags=re.DOTALL)
    (example,) = (block for block in blocks if "@register" in block)
    # In a process of its own: a registered method stays registered.
    subprocess.run([sys.executable, "-c", example + USE_IT], check=True)
