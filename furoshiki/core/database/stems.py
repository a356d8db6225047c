"""Stems as the full-text index computes them, using its own tokenizer in an in-memory database.

A message matches a word when the index would find it by that word: without accents and case, and
stemmed. Adjacent letters and digits are split first, so that "Maria" is found in "Maria2024".
"""

import re
import sqlite3
import threading
import unicodedata
from collections.abc import Iterable, Iterator, Sequence

Stemmed = tuple[str, ...]

AT_ONCE = 500  # texts handed to the tokenizer in one batch

_SEAM = re.compile(r"(?<=[^\W\d_])(?=\d)|(?<=\d)(?=[^\W\d_])")
_ENDING = 2  # letters at the end of a stem that the stemmer may have changed ("happy": "happi")


class Stems:
    """The index's tokenizer on an in-memory connection. Thread-safe: it uses a lock."""

    def __init__(self) -> None:
        self._db = sqlite3.connect(":memory:", check_same_thread=False)
        self._lock = threading.Lock()
        self._db.execute(
            "CREATE VIRTUAL TABLE words USING fts5(text, content='', tokenize='porter unicode61 remove_diacritics 2')"
        )
        self._db.execute("CREATE VIRTUAL TABLE found USING fts5vocab(words, 'instance')")

    def of(self, text: str) -> Stemmed:
        """Return the stems of one text, in order."""
        return next(self.of_all([text]))

    def of_all(self, texts: Sequence[str]) -> Iterator[Stemmed]:
        """Return the stems of each text, in order."""
        for start in range(0, len(texts), AT_ONCE):
            yield from self._some(texts[start : start + AT_ONCE])

    def _some(self, texts: Sequence[str]) -> list[Stemmed]:
        with self._lock:
            parted = [(number, _SEAM.sub(" ", text)) for number, text in enumerate(texts)]
            self._db.executemany("INSERT INTO words(rowid, text) VALUES (?, ?)", parted)
            rows = self._db.execute("SELECT doc, offset, term FROM found").fetchall()
            self._db.execute("INSERT INTO words(words) VALUES ('delete-all')")
        rows.sort()
        each: list[list[str]] = [[] for _ in texts]
        for doc, _, term in rows:
            each[doc].append(term)
        return [tuple(stems) for stems in each]


class Words:
    """Phrases to search for. A text matches when it has a phrase's stems in sequence."""

    def __init__(self, stems: Stems, phrases: Iterable[Stemmed]) -> None:
        self._stems = stems
        self.phrases = frozenset(phrase for phrase in phrases if phrase)
        by_first: dict[str, list[Stemmed]] = {}
        for phrase in self.phrases:
            by_first.setdefault(phrase[0], []).append(phrase)
        self._by_first = by_first
        hints = {_hint(max(phrase, key=len)) for phrase in self.phrases}
        self.hints = tuple(sorted(hints))
        self._hint = re.compile("|".join(map(re.escape, sorted(hints)))) if hints else None

    def __call__(self, text: str) -> bool:
        return self.perhaps(text) and self._among(self._stems.of(text))

    def perhaps(self, text: str) -> bool:
        """Return whether a text may match: no false negatives; takes a microsecond."""
        return bool(self._hint and text and self._hint.search(_plain(text)))

    def holding(self, texts: Iterable[tuple[int, str]]) -> list[int]:
        """Return the numbers of the matching texts; fast when few of many match."""
        near = [(number, text) for number, text in texts if self.perhaps(text)]
        stemmed = self._stems.of_all([text for _, text in near])
        return [number for (number, _), stems in zip(near, stemmed, strict=True) if self._among(stems)]

    def _among(self, stems: Stemmed) -> bool:
        return any(
            stems[at : at + len(phrase)] == phrase
            for at, first in enumerate(stems)
            for phrase in self._by_first.get(first, ())
        )


# minimum length of a stem that can reveal a forgotten text in a session's summary
SHORTEST_TAINT = 4


def find_tainted(stems: Stems, forgotten: Iterable[str], left: Iterable[str]) -> Words:
    """Return words of the forgotten texts that the rest of the conversation lacks."""
    gone = {stem for each in stems.of_all(list(forgotten)) for stem in each if len(stem) >= SHORTEST_TAINT}
    kept = {stem for each in stems.of_all(list(left)) for stem in each}
    return Words(stems, [(stem,) for stem in gone - kept])


def _plain(text: str) -> str:
    """Lower-case a text and remove accents, as the tokenizer does."""
    if text.isascii():
        return text.lower()
    parts = unicodedata.normalize("NFD", text.casefold())
    return "".join(part for part in parts if not unicodedata.combining(part))


def _hint(stem: str) -> str:
    """Return the prefix that all words with this stem share."""
    plain = _plain(stem)
    return plain[: max(1, len(plain) - _ENDING)]
