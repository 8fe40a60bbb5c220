"""Names for the types that the whole library speaks of."""

from typing import Final, Literal, get_args

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
"""Numbers in double precision, of any shape."""

Task = Literal["classification", "regression"]
"""What is predicted: one of two classes, or a number."""

ColumnKind = Literal["number", "boolean", "date"]
"""What a column of numbers was before it became one: true and false are 1 and 0, dates are days."""

COLUMN_KINDS: Final[tuple[ColumnKind, ...]] = get_args(ColumnKind)
