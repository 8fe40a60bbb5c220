"""Files in the formats of the published graph benchmarks, made here; the real ones where present.

The real files are too large to ship. What a reader must cope with is in the made ones too: every
column and number format, ids with gaps, friends who have no row, and a last line that was cut off.
"""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy import sparse

SHARED = Path(__file__).resolve().parents[4] / "shared" / "data"
#: For `benchmark_folder`: every check holds on made files, and on the real ones where they are.
WHICH = ["made", pytest.param("real", marks=pytest.mark.real_data)]

#: Columns of FairGNN's files that come first, in their order; 0/1 interests follow.
_POKEC_FIRST = [
    "user_id",
    "public",
    "completion_percentage",
    "gender",
    "region",
    "AGE",
    "I_am_working_in_field",
    "spoken_languages_indicator",
    "anglicky",
    "nemecky",
    "rusky",
    "francuzsky",
]
_POKEC = {"z": ("region_job", 279), "n": ("region_job_2", 268)}
_BAIL = [
    "WHITE",
    "ALCHY",
    "JUNKY",
    "SUPER",
    "MARRIED",
    "FELON",
    "WORKREL",
    "PROPTY",
    "PERSON",
    "MALE",
    "PRIORS",
    "SCHOOL",
    "RULE",
    "AGE",
    "TSERVD",
    "FOLLOW",
    "RECID",
    "TIME",
    "FILE",
]


def benchmark_folder(name: str, which: str, made: Path) -> Path:
    """The folder of a benchmark.

    Args:
        name: ``"pokec_fragment"`` or ``"bail"``.
        which: ``"made"`` here, or the ``"real"`` one; without that, the test is left out.
        made: where to make it.
    """
    if which == "made":
        write = write_pokec if name == "pokec_fragment" else write_bail
        write(made)
        return made
    if not (SHARED / name).is_dir():
        pytest.skip(f"the folder shared/data/{name} is not beside the project; made files are read")
    return SHARED / name


def write_pokec(folder: Path, rows: int = 150) -> None:
    """Writes the four files of FairGNN's Pokec, each cut off in the middle of its last line."""
    for region, (stem, columns) in _POKEC.items():
        rng = np.random.default_rng(columns)
        who = np.sort(rng.choice(np.arange(1, 20 * rows), rows + 1, replace=False))
        text = pokec_nodes(who, region).to_csv(index=False)
        (folder / f"{stem}.csv").write_text(text[:-columns], encoding="utf-8")
        # All friends of a person stand together; most of them have no row of their own.
        friends = [(one, other) for one in who for other in rng.integers(1, 20 * rows, 9)]
        lines = "".join(f"{one}\t{other}\n" for one, other in friends)
        (folder / f"{stem}_relationship.txt").write_text(lines + str(who[-1])[0], encoding="utf-8")


def pokec_nodes(who: np.ndarray, region: str) -> pd.DataFrame:
    """Rows of a node file: whole numbers, numbers written as ``1.0``, unknown ages and fields."""
    rng = np.random.default_rng(len(who))
    n, (_, columns) = len(who), _POKEC[region]
    names = [*_POKEC_FIRST, *(f"interest {i}" for i in range(columns - len(_POKEC_FIRST)))]
    frame = pd.DataFrame(rng.integers(0, 2, (n, columns)), columns=names)
    half = names[len(names) // 2 :]
    frame = frame.astype(dict.fromkeys(half, float))
    return frame.assign(
        user_id=who,
        completion_percentage=rng.integers(5, 96, n),
        gender=rng.integers(0, 2, n).astype(float),
        AGE=np.where(rng.random(n) < 0.3, 0, rng.integers(12, 90, n)).astype(float),
        I_am_working_in_field=rng.integers(-1, 5, n),
    )


def write_bail(folder: Path, rows: int = 200) -> None:
    """Writes NIFTY's Bail: a node table without ids and a symmetric matrix with its diagonal."""
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(rng.integers(0, 2, (rows, len(_BAIL))), columns=_BAIL)
    frame.assign(
        PRIORS=rng.integers(-9, 40, rows),  # -9 stands for unknown
        SCHOOL=rng.integers(0, 20, rows),
        AGE=rng.integers(177, 945, rows),
        TSERVD=rng.integers(0, 354, rows),
        FOLLOW=rng.integers(46, 82, rows),
        TIME=rng.integers(0, 82, rows),
        FILE=rng.integers(1, 4, rows),
    ).to_csv(folder / "nodes.csv", index=False)
    upper = sparse.triu(sparse.random(rows, rows, density=0.05, rng=rng), k=1)
    upper.data[:] = 1.0
    sparse.save_npz(folder / "edges.npz", sparse.csr_matrix(upper + upper.T + sparse.eye(rows)))
