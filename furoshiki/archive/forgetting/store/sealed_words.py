"""Words stored only as keyed digests of their stems, to find them again without storing them."""

from collections.abc import Iterable, Iterator

from furoshiki.core.database.stems import Stemmed, Stems, Words
from furoshiki.memory.store import tombstones


def seal(words: Words, key: bytes) -> list[tuple[int, str]]:
    """Return the phrases in storable form: length and keyed digest."""
    return sorted((len(phrase), tombstones.seal(key, phrase)) for phrase in words.phrases)


class SealedWords:
    """Phrases known only by digest. A text matches when consecutive stems have a known digest."""

    def __init__(self, stems: Stems, sealed: Iterable[tuple[int, str]], key: bytes) -> None:
        self._stems = stems
        self._key = key
        self._known: dict[Stemmed, bool] = {}
        self._digests = frozenset((int(length), str(digest)) for length, digest in sealed)
        self._lengths = sorted({length for length, _ in self._digests})

    def __call__(self, text: str) -> bool:
        return next(self.phrases_in(text), None) is not None

    def phrases_in(self, text: str) -> Iterator[Stemmed]:
        """Yield the known phrases that occur in a text."""
        if not self._digests or not text:
            return
        stems = self._stems.of(text)
        for length in self._lengths:
            for at in range(len(stems) - length + 1):
                if self._is(phrase := stems[at : at + length]):
                    yield phrase

    def _is(self, phrase: Stemmed) -> bool:
        if phrase not in self._known:
            self._known[phrase] = (len(phrase), tombstones.seal(self._key, phrase)) in self._digests
        return self._known[phrase]
