"""Text encoders: texts to unit vectors, with a small transformer on one thread, without padding.

One pass gives a vector of the whole text and one of each token. Token vectors are projected to
fewer dimensions (`bench/projection.py` makes the matrices) and compared token by token.

An int8 encoder scales its activations by the largest value in the batch, so a text's vector would
depend on the other texts. Texts are therefore encoded one at a time, which always gives the same
vector; with one thread a batch is hardly faster (3.5 against 3.7 ms a turn).
"""

import threading
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, Protocol

import numpy as np

from furoshiki.core.arrays import Floats
from furoshiki.core.similarity import unit_rows

# Parts of a long text that are read: with 256 tokens each about 700 words, which few answers of
# assistants exceed. On long messages made from the development conversations, three parts instead
# of one raised R@10 from 86.5 to 92.3.
MOST_PARTS = 4

# characters of a text that are tokenised: the encoder would drop the rest anyway
MOST_CHARS = 16_000


WEIGHTS = "model.weights"  # the file of memory-mapped weights, next to its graph

_EXTERNAL = "session.optimized_model_external_initializers_"


class Encoder(Protocol):
    """Converts texts to unit vectors; only those of the same `id` (model, build) compare."""

    @property
    def id(self) -> str: ...

    @property
    def dimensions(self) -> int: ...

    def encode(self, texts: Sequence[str]) -> Floats:
        """Return one unit row (float32) per text, in order."""

    def encode_tokens(self, text: str) -> tuple[Floats, Floats]:
        """Return a text's unit vector, as `encode` does, and a unit row per token.

        The special tokens at both ends are left out, so an empty text has 0 rows.
        """

    def pieces(self, text: str) -> list[str]:
        """Return the tokens of a text (words and parts of words), by row of `encode_tokens`."""


@dataclass(frozen=True)
class Files:
    """The files of an ONNX encoder, and how its token states become one vector.

    `projection` is a matrix (hidden x fewer, .npy) that reduces token vectors; without one they
    keep their width. `centre` is the mean of many texts' unit vectors (.npy), which is subtracted
    from each, so that cosines discriminate. ColBERT's pooled vectors need it (two unrelated facts
    have a cosine of 0.90 without it, 0.37 with it, and two equivalent ones 0.9), MiniLM's do not
    (0.41).
    """

    id: str
    model: Path
    tokenizer: Path
    pooling: Literal["mean", "cls"] = "mean"
    max_tokens: int = 256
    projection: Path | None = None
    centre: Path | None = None


class OnnxEncoder:
    """An ONNX graph run by onnxruntime on one thread. Safe to share between threads."""

    def __init__(self, files: Files) -> None:
        from tokenizers import Tokenizer

        self.id = files.id
        self._pooling = files.pooling
        self._session = session(files.model)
        self._wants = [value.name for value in self._session.get_inputs()]
        self.dimensions = int(self._session.get_outputs()[0].shape[-1])
        self._tokenizer = Tokenizer.from_file(str(files.tokenizer))
        self._tokenizer.enable_truncation(files.max_tokens)
        self._tokenizer.no_padding()
        self._tokenizing = threading.Lock()
        self._centre = None if files.centre is None else np.load(files.centre).astype(np.float32)
        self._projection = None if files.projection is None else np.load(files.projection).astype(np.float32)

    def encode(self, texts: Sequence[str]) -> Floats:
        """Return one unit row (float32) per text, in order; independent of the other texts."""
        rows = np.zeros((len(texts), self.dimensions), np.float32)
        for row, text in enumerate(texts):
            rows[row] = self._pool_states(self.states(text))
        return rows

    def encode_tokens(self, text: str) -> tuple[Floats, Floats]:
        """Return the text's unit vector, and a unit row per token (projected if possible)."""
        states = self.states(text)
        tokens = states[1:-1]
        return self._pool_states(states), unit_rows(tokens if self._projection is None else tokens @ self._projection)

    def pieces(self, text: str) -> list[str]:
        """Return the tokens of a text as words and parts of words, without special tokens."""
        return [piece for part in self._parts(text) for piece in part.tokens[1:-1]]

    def states(self, text: str) -> Floats:
        """Return the last hidden state of every token (tokens x dimensions, not normalised), with
        the two special tokens. A text too long for one pass is read in up to MOST_PARTS parts."""
        parts_read = [self._read(part) for part in self._parts(text)]
        if len(parts_read) == 1:
            return parts_read[0]
        return np.concatenate([parts_read[0][:-1], *(part[1:-1] for part in parts_read[1:-1]), parts_read[-1][1:]])

    def _parts(self, text: str) -> list[Any]:
        with self._tokenizing:
            encoded = self._tokenizer.encode(sound(text))
        return [encoded, *encoded.overflowing][:MOST_PARTS]

    def _read(self, part: Any) -> Floats:
        tokens = np.array([part.ids], np.int64)
        feed = {"input_ids": tokens, "attention_mask": np.ones_like(tokens), "token_type_ids": np.zeros_like(tokens)}
        states: Floats = self._session.run(None, {name: feed[name] for name in self._wants})[0][0]
        return states

    def _pool_states(self, states: Floats) -> Floats:
        pooled = states[0] if self._pooling == "cls" else states.mean(axis=0)
        unit: Floats = pooled / max(float(np.linalg.norm(pooled)), 1e-12)
        if self._centre is None:
            return unit
        apart = unit - self._centre
        centred: Floats = apart / max(float(np.linalg.norm(apart)), 1e-12)
        return centred


class TorchEncoder:
    """A sentence-transformers model (an extra) by name; it may download the model."""

    def __init__(self, name: str, build: int) -> None:
        from sentence_transformers import SentenceTransformer

        self._model = SentenceTransformer(name, device="cpu")
        self.id = f"sentence-transformers:{name}.{build}"
        self.dimensions = int(self._model.get_embedding_dimension() or 0)

    def encode(self, texts: Sequence[str]) -> Floats:
        """Return one unit row (float32) per text, in order."""
        if not texts:
            return np.zeros((0, self.dimensions), np.float32)
        clean = list(map(sound, texts))
        rows = self._model.encode(clean, normalize_embeddings=True, convert_to_numpy=True, show_progress_bar=False)
        return np.asarray(rows, np.float32)

    def encode_tokens(self, text: str) -> tuple[Floats, Floats]:
        """Return the text's unit vector, and a unit row per token."""
        found: Any = self._model.encode([sound(text)], output_value=None, show_progress_bar=False)[0]
        pooled = found["sentence_embedding"].cpu().numpy()[None]
        states = found["token_embeddings"].cpu().numpy()[found["attention_mask"].cpu().numpy() > 0]
        return unit_rows(np.asarray(pooled, np.float32))[0], unit_rows(np.asarray(states[1:-1], np.float32))

    def pieces(self, text: str) -> list[str]:
        """Return the tokens of a text as words and parts of words, as far as the model reads."""
        return list(map(str, self._model.tokenizer.tokenize(sound(text))))


def sound(text: str) -> str:
    """Return the text without lone surrogates, cut to MOST_CHARS."""
    return text[:MOST_CHARS].encode("utf-8", "replace").decode("utf-8")


def session(model: Path, mapped: Path | None = None) -> Any:
    """Create a session for an ONNX graph on one thread with a small memory footprint.

    With `mapped` the optimised graph is also written there, with its weights in a separate file:
    loaded from there they are memory-mapped, which saves 14 MB, 38 MB while loading, and half the
    loading time.
    """
    import onnxruntime

    options = onnxruntime.SessionOptions()
    if mapped is not None:
        options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_ENABLE_EXTENDED
        options.optimized_model_filepath = str(mapped)
        options.add_session_config_entry(f"{_EXTERNAL}file_name", WEIGHTS)
        options.add_session_config_entry(f"{_EXTERNAL}min_size_in_bytes", "1024")
    options.intra_op_num_threads = 1
    options.inter_op_num_threads = 1
    # The arena would keep memory for the largest batch ever seen.
    options.enable_cpu_mem_arena = False
    options.log_severity_level = 3
    return onnxruntime.InferenceSession(str(model), options, providers=["CPUExecutionProvider"])


def map_weights(model: Path) -> None:
    """Replace an ONNX graph with one whose weights are memory-mapped; vectors stay the same."""
    draft = model.with_name("mapped.onnx")
    session(model, draft)
    draft.replace(model)
