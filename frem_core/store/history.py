"""Packs per-epoch records into a few bytes and unpacks them into a table."""

import json
import struct
import zlib
from collections.abc import Mapping, Sequence
from itertools import pairwise

import numpy as np
import pandas as pd

from frem_core.store.errors import StoreError

EpochRecord = Mapping[str, float]

_LENGTH = struct.Struct("<I")


def pack(records: Sequence[EpochRecord]) -> bytes:
    """Packs records such as ``{"task_loss": 0.4, "penalty": 0.1}``, one per epoch.

    Column by column in single precision, which is what training computes in; bytes of equal
    significance stand together, because exponents repeat and compress while digits do not.
    A value missing in some epoch becomes NaN.

    >>> unpack([(0, pack([{"task_loss": 0.5}, {"task_loss": 0.25, "penalty": 1.0}]))])
       task_loss  penalty
    0       0.50      NaN
    1       0.25      1.0
    """
    names = list(dict.fromkeys(name for record in records for name in record))
    values = np.array(
        [[record.get(name, np.nan) for record in records] for name in names], dtype="<f4"
    )
    planes = values.reshape(-1).view(np.uint8).reshape(-1, 4).T
    header = json.dumps({"names": names, "rows": len(records)}).encode()
    return zlib.compress(_LENGTH.pack(len(header)) + header + planes.tobytes(), 6)


def unpack(chunks: Sequence[tuple[int, bytes]]) -> pd.DataFrame:
    """Returns packed records as one row per epoch.

    Args:
        chunks: pairs of the number of epochs before a chunk and the chunk, in that order. Where
            chunks overlap (a resumed training repeats some epochs), the later one counts.
    """
    frames = [_unpack_one(chunk) for _, chunk in chunks]
    for index, ((first, _), (following, _)) in enumerate(pairwise(chunks)):
        frames[index] = frames[index].iloc[: following - first]
    return pd.concat(frames, ignore_index=True) if frames else pd.DataFrame()


def _unpack_one(chunk: bytes) -> pd.DataFrame:
    try:
        raw = zlib.decompress(chunk)
        (length,) = _LENGTH.unpack_from(raw)
        header = json.loads(raw[_LENGTH.size : _LENGTH.size + length])
        planes = np.frombuffer(raw, np.uint8, offset=_LENGTH.size + length).reshape(4, -1)
        values = (
            np.ascontiguousarray(planes.T).view("<f4").reshape(len(header["names"]), header["rows"])
        )
    except (zlib.error, struct.error, ValueError, KeyError) as error:
        raise StoreError(f"An epoch record is damaged ({error}).") from error
    return pd.DataFrame(
        {name: values[i].astype(np.float64) for i, name in enumerate(header["names"])},
        index=range(header["rows"]),
    )
