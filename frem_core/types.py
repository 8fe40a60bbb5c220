"""Names for the types that the whole library speaks of."""

from typing import Literal

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
"""Numbers in double precision, of any shape."""

Task = Literal["classification", "regression"]
"""What is predicted: one of two classes, or a number."""
