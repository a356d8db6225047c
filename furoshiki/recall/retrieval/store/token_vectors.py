"""Storage of token vectors: one small vector per token of a text, for late interaction.

A blob is a header and one quantised unit vector per token. The header gives the bits of a number (8
or 4), the dimensions, and a mark of the encoder, so that blobs of two formats can coexist and those
of another encoder are never compared. Vectors are normalised before packing and after unpacking, so
no scale is stored.

Eight bits: the largest number of a token becomes ±127. Four bits: each number becomes the nearest
of sixteen levels with the least loss for normally distributed numbers (J. Max, "Quantizing for
minimum distortion", 1960, table I, N = 16), because the projections of
`furoshiki.recall.embeddings` end with a rotation to that effect. Two numbers share a byte, the
first in its lower half.
"""

from __future__ import annotations

import functools
import sqlite3
import struct
import zlib
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Literal

from furoshiki.core.arrays import Floats, Ids
from furoshiki.core.database.rows import IDS, as_json
from furoshiki.recall.retrieval.values import Kind

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt


Bits = Literal[4, 8]

BITS: Bits = 4  # the format of new token vectors: 64 bytes for a token of 128 dimensions

# the table of each kind; a session is a long document and has one vector only
TABLES: dict[Kind, str] = {"turn": "turn_tokens", "memory": "memory_tokens"}

# the column of the encoder in `FUROSHIKI_EMBEDDER`, or of the multilingual one
Column = Literal["tokens", "multilingual"]

_HEADER = struct.Struct("<BHH")  # bits, dimensions, mark of the encoder

_LEVELS = (0.1284, 0.3881, 0.6568, 0.9424, 1.2562, 1.6181, 2.0691, 2.7326)
# levels and thresholds of the 16-level quantiser, positive half, in standard deviations
_EDGES = (0.2582, 0.5224, 0.7996, 1.0993, 1.4371, 1.8435, 2.4008)


def mark(model: str) -> int:
    """Return a 16-bit number that identifies an encoder in its blobs."""
    return zlib.crc32(model.encode()) & 0xFFFF


def is_of(blob: bytes, model: str) -> bool:
    """Whether this encoder made a blob."""
    return bool(_HEADER.unpack_from(blob)[2] == mark(model))


def pack_tokens(matrix: Floats, bits: Bits = BITS, model: str = "") -> bytes:
    """Pack unit token vectors (tokens x dimensions) into a blob; `model` is the encoder's id.

    Raises ValueError if the number of dimensions is not a multiple of four.
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


def unpack_tokens(blobs: Sequence[bytes]) -> tuple[Floats, Ids]:
    """Return the tokens of many blobs as unit rows of float32, and each blob's number.

    All blobs must have the same number of dimensions; formats may be mixed. Raises ValueError
    otherwise.
    """
    import numpy as np

    lengths = np.zeros(len(blobs), np.int64)
    if not blobs:
        return np.zeros((0, 0), np.float32), lengths
    dimensions = _HEADER.unpack_from(blobs[0])[1]
    by_bits: dict[int, list[int]] = {}
    for i, blob in enumerate(blobs):
        bits, count, _ = _HEADER.unpack_from(blob)
        if count != dimensions or bits not in (4, 8) or (len(blob) - _HEADER.size) % (count * bits // 8):
            raise ValueError(f"token vectors of {count} dimensions and {bits} bits do not fit here")
        lengths[i] = (len(blob) - _HEADER.size) // (count * bits // 8)
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
    """Return the blobs of these rows, if they have one; with `model` only those of this encoder.

    A session never has one. Two thousand ids take a few milliseconds.
    """
    table = TABLES.get(kind)
    if table is None:
        return {}
    question = f"SELECT id, {column} FROM {table} WHERE {column} IS NOT NULL AND id IN {IDS}"  # noqa: S608
    blob_of = {row[0]: row[1] for row in db.execute(question, (as_json(ids),))}
    if model is None:
        return blob_of
    return {row_id: blob for row_id, blob in blob_of.items() if is_of(blob, model)}


def put(db: sqlite3.Connection, kind: Kind, rows: Iterable[tuple[int, bytes | None]]) -> None:
    """Store the tokens of pending rows, replacing older ones; None deletes older ones.

    Call it in the transaction that stores the rows' vectors, before they are marked as embedded.
    Deleted rows are ignored.
    """
    table = TABLES.get(kind)
    if table is None:
        return
    sorted_rows = sorted(rows)  # sorted inserts fill the pages; descending ones would leave a third empty
    db.executemany(f"DELETE FROM {table} WHERE id=?", [(row_id,) for row_id, _ in sorted_rows])  # noqa: S608
    db.executemany(
        f"INSERT INTO {table} (id, tokens) SELECT id, ? FROM {_OWNERS[kind]} "  # noqa: S608
        "WHERE id=? AND index_state='pending'",
        [(blob, row_id) for row_id, blob in sorted_rows if blob is not None],
    )


_OWNERS: dict[Kind, str] = {"turn": "turns", "memory": "memories"}


def _numbers(blobs: Sequence[bytes], bits: int, dimensions: int) -> Floats:
    """Return the unit rows of blobs of one format."""
    import numpy as np

    body = b"".join([blob[_HEADER.size :] for blob in blobs])
    tokens: Floats
    if bits == 8:
        tokens = np.frombuffer(body, np.int8).astype(np.float32).reshape(-1, dimensions)
    else:
        # One lookup for two bytes gives their four numbers, as one complex128 (four float32 side by
        # side).
        tokens = _fours()[np.frombuffer(body, "<u2")].view(np.float32).reshape(-1, dimensions)
    lengths = np.sqrt(np.einsum("ij,ij->i", tokens, tokens))
    tokens *= (1 / np.maximum(lengths, 1e-12))[:, None]
    return tokens


@functools.cache
def _fours() -> npt.NDArray[np.complex128]:
    """Return a table of the levels of four half bytes, lowest first, by two-byte value (1 MB)."""
    import numpy as np

    level = np.array([*_LEVELS, *(-level for level in _LEVELS)], np.float32)
    halves = np.arange(1 << 16)[:, None] >> np.array([0, 4, 8, 12]) & 15
    return np.ascontiguousarray(level[halves]).view(np.complex128).ravel()
