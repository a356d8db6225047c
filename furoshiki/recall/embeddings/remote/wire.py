"""The protocol of a remote encoder: addresses, limits, and vectors as text.

A request is `{"texts": [...], "tokens": bool, "model": id or null}`; the answer `{"model": id,
"dimensions": n, "made": [{"vector": …, "tokens": …, "width": n, "pieces": [...]} or null, ...]}`,
with null for an unusable text. Vectors are float32, so they arrive unchanged.
"""

import base64
from typing import Any

import numpy as np

from furoshiki.core.arrays import Floats

PROTOCOL = "1"
"""Increased with every incompatible change."""

VERSION = "x-furoshiki-encoder"
"""The header in which each side states its PROTOCOL."""

ENCODE = "/encode"

MOST_TEXTS = 64
MOST_REQUEST = 2 * 1024 * 1024
"""The most bytes of a request; sixty-four long messages have half of that."""

MOST_ANSWER = 128 * 1024 * 1024
"""The most bytes of an answer."""


def pack(vector: Floats, tokens: Floats | None, pieces: list[str]) -> dict[str, Any]:
    """Return the result for a text in transport form."""
    packed: dict[str, Any] = {"vector": _text(vector)}
    if tokens is not None:
        packed |= {"tokens": _text(tokens), "width": tokens.shape[1], "pieces": pieces}
    return packed


def unpack(packed: dict[str, Any], dimensions: int, tokens: bool) -> tuple[Floats, Floats, list[str]]:
    """Return vector, token vectors (empty if not requested) and tokens. Raises ValueError,
    TypeError or KeyError for invalid data: another width, or numbers that are no unit vector."""
    vector = _numbers(packed["vector"])
    if vector.shape != (dimensions,) or not abs(float(np.linalg.norm(vector)) - 1.0) < 0.01:
        raise ValueError("no unit vector")
    if not tokens:
        return vector, np.zeros((0, 0), np.float32), []
    pieces, rows = packed["pieces"], _numbers(packed["tokens"]).reshape(-1, int(packed["width"]))
    if (
        not isinstance(pieces, list)
        or not all(isinstance(piece, str) for piece in pieces)
        or not np.isfinite(rows).all()
    ):
        raise ValueError("no tokens")
    return vector, rows, pieces


def _text(rows: Floats) -> str:
    return base64.b64encode(rows.astype("<f4").tobytes()).decode()


def _numbers(text: str) -> Floats:
    return np.frombuffer(base64.b64decode(text, validate=True), "<f4").astype(np.float32)
