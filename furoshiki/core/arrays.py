"""The types of numpy's arrays; numpy itself takes 0.1 s to import."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Floats = npt.NDArray[np.float32]
    Ids = npt.NDArray[np.int64]
else:
    Floats = Ids = Any
