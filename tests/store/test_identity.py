import subprocess
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from frem_core.store import canonical_json, identity_of

leaves = (
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5)
)
leaves = leaves.filter(lambda value: value not in (float("inf"), -float("inf")))
names = st.text(max_size=5)
configs = st.dictionaries(names, leaves | st.dictionaries(names, leaves, max_size=3), max_size=5)


@settings(deadline=None)
@given(configs, st.randoms())
def test_the_order_of_keys_does_not_matter(config: dict[str, object], random: object) -> None:
    names = list(config)
    random.shuffle(names)  # type: ignore[attr-defined]
    assert identity_of({name: config[name] for name in names}) == identity_of(config)


def test_every_difference_matters() -> None:
    base = {"seed": 1, "weight": 0.1, "method": {"gamma": 0.05}}
    others = [
        base | {"seed": 2},
        base | {"weight": 0.1 + 1e-16},
        base | {"weight": 0.1 + 5e-18},
        base | {"method": {"gamma": 0.050000001}},
        base | {"more": None},
    ]
    assert len({identity_of(config) for config in [base, *others]}) == 5  # 0.1 + 5e-18 is 0.1


def test_the_same_in_another_process() -> None:
    program = (
        "from frem_core.store.identity import identity_of; "
        "print(identity_of({'b': [1, 2.5, 'λ'], 'a': {'d': None, 'c': True}}), end='')"
    )
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True)
    expected = identity_of({"a": {"c": True, "d": None}, "b": [1, 2.5, "λ"]})
    assert run.stdout.decode() == expected


def test_numbers_that_json_cannot_hold_are_refused() -> None:
    with pytest.raises(ValueError, match="not JSON compliant"):
        canonical_json({"weight": float("nan")})
