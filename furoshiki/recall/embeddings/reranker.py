"""A cross-encoder: reads a question and a text together and scores how well the text answers it.

More precise than vectors, at 10 ms a text, so it is used for the first few results of a search.
"""

import threading
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from furoshiki.recall.embeddings.encoder import session, sound
from furoshiki.recall.embeddings.models import place

MOST_TOKENS = 160  # tokens of question and text together; the longer of the two is cut


def load() -> "Reranker | None":
    """Load ms-marco-MiniLM-L-12-v2; None if it is not installed."""
    folder = place("reranker")
    return None if folder is None else Reranker(folder)


class Reranker:
    """An ONNX cross-encoder run on one thread. Safe to share between threads."""

    def __init__(self, folder: Path) -> None:
        from tokenizers import Tokenizer

        self._session = session(folder / "model.onnx")
        self._tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        self._tokenizer.enable_truncation(MOST_TOKENS, strategy="longest_first")
        self._tokenizer.no_padding()
        self._tokenizing = threading.Lock()

    def score(self, query: str, texts: Sequence[str]) -> list[float]:
        """Score how well each text answers the question: higher is better, zero is undecided.

        Texts are read one at a time, so that a score does not depend on the others.
        """
        return [self._one(query, text) for text in texts]

    def _one(self, query: str, text: str) -> float:
        with self._tokenizing:
            pair = self._tokenizer.encode(sound(query), sound(text))
        ids = np.array([pair.ids], np.int64)
        feed = {
            "input_ids": ids,
            "attention_mask": np.ones_like(ids),
            "token_type_ids": np.array([pair.type_ids], np.int64),
        }
        return float(self._session.run(None, feed)[0][0, 0])
