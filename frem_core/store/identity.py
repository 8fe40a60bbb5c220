"""The identity of a run: one hash over everything that determines its result."""

import hashlib
import json
from collections.abc import Mapping
from typing import Any, Final

RESULT_VERSION: Final = 1
"""Raised whenever the same configuration would give other numbers than before (preparation,
training, scores): results of different versions are never taken for each other."""


def canonical_json(value: Any) -> str:
    """Writes JSON that depends on the value alone: sorted keys, no spaces, exact floats.

    NaN and infinity are refused, because JSON has no portable form of them.

    >>> canonical_json({"b": 1.0, "a": [True, None]})
    '{"a":[true,null],"b":1.0}'
    """
    return json.dumps(
        value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False
    )


def identity_of(config: Mapping[str, Any]) -> str:
    """Returns the SHA-256 of a configuration's canonical JSON as 64 hexadecimal digits.

    Two configurations have the same identity exactly when they are equal, whatever the order
    of their keys, in any process and on any machine.

    >>> identity_of({"seed": 1, "method": "frem"}) == identity_of({"method": "frem", "seed": 1})
    True
    """
    return hashlib.sha256(canonical_json(config).encode()).hexdigest()
