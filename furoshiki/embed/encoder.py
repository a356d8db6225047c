"""Texts in, unit vectors out: one small transformer, one thread, no padding beyond what a text needs.

An int8 encoder scales what passes through it by the largest number in the batch, so a text would get a slightly
different vector in different company. Texts are therefore encoded one at a time: the same text always has the same
vector, and with one thread a batch gains next to nothing (3.5 against 3.7 ms a turn).
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, Protocol

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float32]

MOST_CHARS = 16_000
"""Text beyond this is not even tokenised: the encoder would drop it anyway."""


class Encoder(Protocol):
    """Anything that turns texts into unit vectors. `id` names the model and its build; vectors of two ids never mix."""

    @property
    def id(self) -> str: ...

    @property
    def dimensions(self) -> int: ...

    def encode(self, texts: Sequence[str]) -> Floats:
        """One unit row (float32) a text, in order."""


@dataclass(frozen=True)
class Files:
    """Where an ONNX encoder lies and how its token states become one vector."""

    id: str
    model: Path
    tokenizer: Path
    pooling: Literal["mean", "cls"] = "mean"
    max_tokens: int = 256


class OnnxEncoder:
    """An ONNX graph run by onnxruntime on one thread. Safe to share between threads."""

    def __init__(self, files: Files) -> None:
        from tokenizers import Tokenizer

        self.id = files.id
        self._pooling = files.pooling
        self._session = _session(files.model)
        self._wants = [value.name for value in self._session.get_inputs()]
        self.dimensions = int(self._session.get_outputs()[0].shape[-1])
        self._tokenizer = Tokenizer.from_file(str(files.tokenizer))
        self._tokenizer.enable_truncation(files.max_tokens)
        self._tokenizer.no_padding()
        self._tokenizing = threading.Lock()

    def encode(self, texts: Sequence[str]) -> Floats:
        """One unit row (float32) a text, in order; the same text has the same row in any company."""
        rows = np.zeros((len(texts), self.dimensions), np.float32)
        for row, text in enumerate(texts):
            states = self.states(text)
            pooled = states[0] if self._pooling == "cls" else states.mean(axis=0)
            rows[row] = pooled / max(float(np.linalg.norm(pooled)), 1e-12)
        return rows

    def states(self, text: str) -> Floats:
        """The last hidden state of every token (tokens x dimensions, not normalised), the two marks at its ends too."""
        with self._tokenizing:
            ids = self._tokenizer.encode(_sound(text)).ids
        tokens = np.array([ids], np.int64)
        feed = {"input_ids": tokens, "attention_mask": np.ones_like(tokens), "token_type_ids": np.zeros_like(tokens)}
        states: Floats = self._session.run(None, {name: feed[name] for name in self._wants})[0][0]
        return states


class TorchEncoder:
    """A sentence-transformers model by name, for whoever installed that extra; it may download the model."""

    def __init__(self, name: str) -> None:
        from sentence_transformers import SentenceTransformer

        self._model = SentenceTransformer(name, device="cpu")
        self.id = f"sentence-transformers:{name}"
        self.dimensions = int(self._model.get_embedding_dimension() or 0)

    def encode(self, texts: Sequence[str]) -> Floats:
        """One unit row (float32) a text, in order."""
        if not texts:
            return np.zeros((0, self.dimensions), np.float32)
        clean = [_sound(text) for text in texts]
        rows = self._model.encode(clean, normalize_embeddings=True, convert_to_numpy=True, show_progress_bar=False)
        return np.asarray(rows, np.float32)


def _sound(text: str) -> str:
    """Text a tokenizer accepts: no lone surrogates, no endless tail."""
    return text[:MOST_CHARS].encode("utf-8", "replace").decode("utf-8")


def _session(model: Path) -> Any:
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    options.inter_op_num_threads = 1
    # The arena keeps the largest batch ever seen for good; without it a resident process stays small.
    options.enable_cpu_mem_arena = False
    options.log_severity_level = 3
    return onnxruntime.InferenceSession(str(model), options, providers=["CPUExecutionProvider"])
