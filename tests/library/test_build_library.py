import pandas as pd

from tools.build_library import by_importance


def test_the_front_of_frem_has_files_first_then_every_baseline_from_its_middle() -> None:
    rows = [("unfair", 0.0, 0)]
    rows += [(series, float(weight), 0) for series in ("adv", "frem", "mmd") for weight in range(3)]
    rows += [("frem", 1.0, 1)]  # another seed is another split: nothing to compare with
    found = pd.DataFrame(rows, columns=["series", "weight", "seed"])
    found["id"] = [f"{series}-{weight:g}-{seed}" for series, weight, seed in rows]
    order = by_importance(found)
    assert order[:2] == ["unfair-0-0", "frem-1-0"]
    assert set(order[2:4]) == {"frem-0-0", "frem-2-0"}
    assert order[4:6] == ["adv-1-0", "mmd-1-0"]
    assert len(order) == len(set(order)) == 10


def test_it_goes_with_what_there_is() -> None:
    found = pd.DataFrame({"id": ["a"], "series": ["adv"], "weight": [1.0], "seed": [0]})
    assert by_importance(found) == ["a"]
    assert by_importance(found.assign(seed=1)) == []
