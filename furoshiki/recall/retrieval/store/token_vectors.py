"""Token vectors beside the rows they belong to: every word of a text as a small vector, for late interaction.

A blob is a header and then one quantised unit vector a token. The header says how many bits a number has (8 or 4), how
many numbers a vector has, and which encoder made it, so that blobs of two formats can lie side by side and those of
another encoder are never compared. Only directions are kept: a token's vector is a unit vector before packing and is
made one again after unpacking, so no scale is stored.

Eight bits: the largest number of a token becomes ±127. Four bits: each number becomes the nearest of sixteen levels,
placed where they lose least for normally distributed numbers (J. Max, "Quantizing for minimum distortion", 1960,
table I, N = 16), because the projections of `furoshiki.recall.embeddings` end with a rotation that makes them so. Two
numbers share a byte, the first in its lower half.
"""

from __future__ import annotations

import functools
import sqlite3
import struct
import zlib
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Literal

from furoshiki.recall.retrieval.values import Kind

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Floats = npt.NDArray[np.float32]

Bits = Literal[4, 8]

BITS: Bits = 4
"""How new token vectors are kept: 64 bytes for a token of 128 dimensions."""

TABLES: dict[Kind, str] = {"turn": "turn_tokens", "memory": "memory_tokens"}
"""Where the tokens of each kind lie; a session is a long document and has one vector only."""

Column = Literal["tokens", "multilingual"]
"""Whose: the encoder's that `FUROSHIKI_EMBEDDER` names, or those of the one for other languages."""

_HEADER = struct.Struct("<BHH")
"""Bits, dimensions, mark of the encoder."""

_LEVELS = (0.1284, 0.3881, 0.6568, 0.9424, 1.2562, 1.6181, 2.0691, 2.7326)
_EDGES = (0.2582, 0.5224, 0.7996, 1.0993, 1.4371, 1.8435, 2.4008)
"""Output levels and decision thresholds of the 16-level quantiser, positive half, in standard deviations."""

_ASKED_AT_ONCE = 500
"""Ids in one question; SQLite takes 32,766, older builds 999."""


def mark(model: str) -> int:
    """A number of 16 bits that stands for an encoder's id in its blobs."""
    return zlib.crc32(model.encode()) & 0xFFFF


def is_of(blob: bytes, model: str) -> bool:
    """Whether this encoder made a blob."""
    return bool(_HEADER.unpack_from(blob)[2] == mark(model))


def pack_tokens(matrix: Floats, bits: Bits = BITS, model: str = "") -> bytes:
    """Unit token vectors (tokens x dimensions) as a blob; `model` is the id of their encoder.

    Raises ValueError when the number of dimensions cannot be divided by four.
    """
    import numpy as np

    dimensions = matrix.shape[1]
    if dimensions % 4:
        raise ValueError(f"token vectors of {dimensions} dimensions: they must be a multiple of four")
    header = _HEADER.pack(bits, dimensions, mark(model))
    if bits == 8:
        largest = np.maximum(np.abs(matrix).max(axis=1, keepdims=True, initial=0.0), 1e-12)
        whole: bytes = np.rint(matrix * (127 / largest)).astype(np.int8).tobytes()
        return header + whole
    magnitude = np.searchsorted(np.array(_EDGES, np.float32), np.abs(matrix) * np.float32(dimensions**0.5))
    nibbles = (magnitude + np.where(matrix < 0, 8, 0)).astype(np.uint8)
    body: bytes = (nibbles[:, 0::2] | (nibbles[:, 1::2] << 4)).tobytes()
    return header + body


def unpack_tokens(blobs: Sequence[bytes]) -> tuple[Floats, npt.NDArray[np.int64]]:
    """The tokens of many blobs below each other as unit rows of float32, and how many each blob had.

    All blobs must have the same number of dimensions; formats may be mixed. Raises ValueError for anything else.
    """
    import numpy as np

    lengths = np.zeros(len(blobs), np.int64)
    if not blobs:
        return np.zeros((0, 0), np.float32), lengths
    dimensions = _HEADER.unpack_from(blobs[0])[1]
    by_bits: dict[int, list[int]] = {}
    for i, blob in enumerate(blobs):
        bits, found, _ = _HEADER.unpack_from(blob)
        if found != dimensions or bits not in (4, 8) or (len(blob) - _HEADER.size) % (found * bits // 8):
            raise ValueError(f"token vectors of {found} dimensions and {bits} bits do not fit here")
        lengths[i] = (len(blob) - _HEADER.size) // (found * bits // 8)
        by_bits.setdefault(bits, []).append(i)
    if len(by_bits) == 1:
        bits, _ = by_bits.popitem()
        return _numbers(blobs, bits, dimensions), lengths
    tokens = np.empty((int(lengths.sum()), dimensions), np.float32)
    format_of_row = np.repeat(np.array([blob[0] for blob in blobs]), lengths)
    for bits, places in by_bits.items():
        tokens[format_of_row == bits] = _numbers([blobs[i] for i in places], bits, dimensions)
    return tokens, lengths


def of(
    db: sqlite3.Connection, kind: Kind, ids: Sequence[int], model: str | None = None, column: Column = "tokens"
) -> dict[int, bytes]:
    """The blobs of these rows as far as they have one; with `model` only those that this encoder made.

    A session never has one. Two thousand ids take a few milliseconds.
    """
    table = TABLES.get(kind)
    if table is None:
        return {}
    found: dict[int, bytes] = {}
    for first in range(0, len(ids), _ASKED_AT_ONCE):
        some = ids[first : first + _ASKED_AT_ONCE]
        found.update(
            (row[0], row[1])
            for row in db.execute(
                f"SELECT id, {column} FROM {table} "  # noqa: S608 - our own names
                f"WHERE {column} IS NOT NULL AND id IN ({', '.join('?' * len(some))})",
                list(some),
            )
        )
    if model is None:
        return found
    return {row_id: blob for row_id, blob in found.items() if is_of(blob, model)}


def put(db: sqlite3.Connection, kind: Kind, rows: Iterable[tuple[int, bytes | None]]) -> None:
    """Keep the tokens of rows that wait for their vectors, in place of older ones; None takes the older ones away.

    Belongs into the transaction that keeps the rows' vectors, before it calls them embedded. A row that is gone stays
    gone.
    """
    table = TABLES.get(kind)
    if table is None:
        return
    given = sorted(rows)  # in order they fill their pages; each before the last one would leave a third of them empty
    db.executemany(f"DELETE FROM {table} WHERE id=?", [(row_id,) for row_id, _ in given])  # noqa: S608 - our own names
    db.executemany(
        f"INSERT INTO {table} (id, tokens) SELECT id, ? FROM {_OWNERS[kind]} "  # noqa: S608 - our own names
        "WHERE id=? AND index_state='pending'",
        [(blob, row_id) for row_id, blob in given if blob is not None],
    )


_OWNERS: dict[Kind, str] = {"turn": "turns", "memory": "memories"}


def _numbers(blobs: Sequence[bytes], bits: int, dimensions: int) -> Floats:
    """The unit rows of blobs of one format."""
    import numpy as np

    body = b"".join([blob[_HEADER.size :] for blob in blobs])
    tokens: Floats
    if bits == 8:
        tokens = np.frombuffer(body, np.int8).astype(np.float32).reshape(-1, dimensions)
    else:
        # One look-up for two bytes gives their four numbers, as one complex128 that is four float32 side by side.
        tokens = _fours()[np.frombuffer(body, "<u2")].view(np.float32).reshape(-1, dimensions)
    lengths = np.sqrt(np.einsum("ij,ij->i", tokens, tokens))
    tokens *= (1 / np.maximum(lengths, 1e-12))[:, None]
    return tokens


@functools.cache
def _fours() -> npt.NDArray[np.complex128]:
    """What each pair of bytes stands for: the levels of its four half bytes, lowest first (1 MB)."""
    import numpy as np

    level = np.array([*_LEVELS, *(-level for level in _LEVELS)], np.float32)
    halves = np.arange(1 << 16)[:, None] >> np.array([0, 4, 8, 12]) & 15
    return np.ascontiguousarray(level[halves]).view(np.complex128).ravel()
