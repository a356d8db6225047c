"""Vector arithmetic in plain Python, without numpy, which takes 0.1 s to import.

Thousands of vectors are compared with numpy, where they are stored (`furoshiki/recall/retrieval/`).
"""

import base64
import math
import struct
from collections.abc import Iterable, Mapping, Sequence
from operator import mul

from furoshiki.core.arrays import Floats

Vector = Sequence[float]

_NOTHING = 1e-9  # shorter vectors count as zero, smaller standard deviations as constant


def halves(vector: Vector) -> bytes:
    """Return a vector as bytes of half floats, the format of database rows."""
    return struct.pack(f"<{len(vector)}e", *vector)


def of_halves(kept: bytes) -> tuple[float, ...]:
    """Decode a vector encoded by `halves`."""
    return struct.unpack(f"<{len(kept) // 2}e", kept)


def pack(rows: Iterable[Vector]) -> str:
    """Encode vectors, concatenated, as half floats in base64, the format of shipped files."""
    return base64.b64encode(b"".join(map(halves, rows))).decode()


def unpack(text: str) -> tuple[float, ...]:
    """Decode the numbers encoded by `pack`."""
    return of_halves(base64.b64decode(text))


def dot(one: Vector, other: Vector) -> float:
    """Return the dot product (cosine of unit vectors). Raises ValueError if lengths differ."""
    if len(one) != len(other):
        raise ValueError(f"vectors of {len(one)} and {len(other)} numbers cannot be compared")
    return float(sum(map(mul, one, other)))


def cosine(one: Vector, other: Vector) -> float:
    """Return the cosine in [-1, 1]; 0 for different lengths (other encoder) or a zero vector."""
    if len(one) != len(other):
        return 0.0
    return _share(dot(one, other), math.hypot(*one) * math.hypot(*other))


def cosine_of_counts(one: Mapping[str, float], other: Mapping[str, float]) -> float:
    """Return the cosine in [-1, 1] of sparse vectors given by name; 0 when either is zero."""
    together = math.fsum(value * other.get(name, 0.0) for name, value in one.items())
    return _share(together, math.hypot(*one.values()) * math.hypot(*other.values()))


def unit(vector: Vector) -> list[float] | None:
    """Return the vector scaled to length 1; None for a zero vector."""
    length = math.hypot(*vector)
    return None if length < _NOTHING else [value / length for value in vector]


def centroid(weighed: Iterable[tuple[Vector, float]]) -> list[float] | None:
    """Return the weighted mean of vectors, scaled to length 1; None when there is none or it is
    zero. Vectors of another length than the first (of another encoder) are ignored."""
    total: list[float] | None = None
    for vector, weight in weighed:
        if total is None:
            total = [0.0] * len(vector)
        if len(vector) == len(total):
            total = [sum_ + weight * value for sum_, value in zip(total, vector, strict=True)]
    return None if total is None else unit(total)


def correlation(one: Vector, other: Vector) -> float | None:
    """Return Pearson's r in [-1, 1]; None for a constant side. ValueError: unequal lengths."""
    if not one:
        return None
    first, second = apart(one), apart(other)
    return None if min(spread(first), spread(second)) < _NOTHING else cosine(first, second)


def apart(numbers: Vector) -> list[float]:
    """Return the deviations from the mean. Raises ZeroDivisionError for an empty sequence."""
    mean = math.fsum(numbers) / len(numbers)
    return [number - mean for number in numbers]


def spread(deviations: Vector) -> float:
    """Return the standard deviation from deviations. Raises ZeroDivisionError if empty."""
    return math.hypot(*deviations) / math.sqrt(len(deviations))


def unit_rows(rows: Floats) -> Floats:
    """Scale rows to length 1; zero rows stay zero. Imports numpy."""
    import numpy as np

    unit: Floats = rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-12)
    return unit


def _share(together: float, lengths: float) -> float:
    return 0.0 if lengths < _NOTHING**2 else max(-1.0, min(1.0, together / lengths))
