"""A file that describes a sweep, and changes to it."""

TOML = """
name = "Crime, a first look"
seeds = [0, 1]
fairness = "dp"

[dataset]
name = "crime"

[training]
epochs = 20

[[methods]]
method = "frem"
fairness_weights = [0.03, 0.1]
gamma = [0.05, 0.1]

[[methods]]
method = "unfair"
"""


def changed(old: str, new: str) -> str:
    assert old in TOML
    return TOML.replace(old, new)
