"""How alike two vectors are, and what lies in their middle: plain numbers, without numpy, which takes 0.1 s to load.

Rows by the thousand are compared where they are kept, with numpy (`furoshiki/recall/retrieval/`).
"""

from __future__ import annotations

import base64
import math
import struct
from collections.abc import Iterable, Mapping, Sequence
from operator import mul
from statistics import fmean
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Floats = npt.NDArray[np.float32]

Vector = Sequence[float]

_NOTHING = 1e-9
"""A vector shorter than this points nowhere; numbers that spread less do not vary."""


def halves(vector: Vector) -> bytes:
    """A vector as half floats, as rows keep it."""
    return struct.pack(f"<{len(vector)}e", *vector)


def of_halves(kept: bytes) -> tuple[float, ...]:
    """The vector behind `halves`."""
    return struct.unpack(f"<{len(kept) // 2}e", kept)


def pack(rows: Iterable[Vector]) -> str:
    """Vectors one after the other as half floats, base64, as shipped files hold them."""
    return base64.b64encode(b"".join(map(halves, rows))).decode()


def unpack(text: str) -> tuple[float, ...]:
    """The numbers behind `pack`."""
    return of_halves(base64.b64decode(text))


def dot(one: Vector, other: Vector) -> float:
    """The dot product, which is the cosine of unit vectors. Raises ValueError for vectors of different lengths."""
    if len(one) != len(other):
        raise ValueError(f"vectors of {len(one)} and {len(other)} numbers cannot be compared")
    return float(sum(map(mul, one, other)))


def cosine(one: Vector, other: Vector) -> float:
    """The cosine in [-1, 1]; 0 when the vectors have different lengths (two encoders made them) or one is nothing."""
    if len(one) != len(other):
        return 0.0
    return _share(dot(one, other), math.hypot(*one) * math.hypot(*other))


def cosine_of_counts(one: Mapping[str, float], other: Mapping[str, float]) -> float:
    """The cosine in [-1, 1] of two vectors given by name, where what has no name is 0; 0 when either is nothing."""
    together = math.fsum(value * other.get(name, 0.0) for name, value in one.items())
    return _share(together, math.hypot(*one.values()) * math.hypot(*other.values()))


def unit(vector: Vector) -> list[float] | None:
    """The vector with length 1; None for one that points nowhere."""
    length = math.hypot(*vector)
    return None if length < _NOTHING else [value / length for value in vector]


def centroid(weighed: Iterable[tuple[Vector, float]]) -> list[float] | None:
    """The weighted mean of vectors, scaled to length 1; None when there is none, or they cancel each other out.

    Those of another length than the first (another encoder's) are left out.
    """
    total: list[float] | None = None
    for vector, weight in weighed:
        if total is None:
            total = [0.0] * len(vector)
        if len(vector) == len(total):
            total = [sum_ + weight * value for sum_, value in zip(total, vector, strict=True)]
    return None if total is None else unit(total)


def correlation(one: Vector, other: Vector) -> float | None:
    """Pearson's, in [-1, 1]; None where one side does not vary. Raises ValueError for different lengths."""
    if not one:
        return None
    first, second = apart(one), apart(other)
    return None if min(spread(first), spread(second)) < _NOTHING else cosine(first, second)


def apart(numbers: Vector) -> list[float]:
    """How far each lies from their mean. Raises StatisticsError for none."""
    mean = fmean(numbers)
    return [one - mean for one in numbers]


def spread(deviations: Vector) -> float:
    """The standard deviation of numbers that lie so far (`apart`) from their mean. Raises StatisticsError for none."""
    return math.sqrt(fmean([one * one for one in deviations]))


def unit_rows(rows: Floats) -> Floats:
    """Rows with length 1; a row that is nothing stays so. This one works with numpy, and loads it."""
    import numpy as np

    unit: Floats = rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-12)
    return unit


def _share(together: float, lengths: float) -> float:
    return 0.0 if lengths < _NOTHING**2 else max(-1.0, min(1.0, together / lengths))
