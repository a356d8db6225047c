"""Function words: stop words, negations, fillers, and those of other languages read for facts."""

import re
from functools import lru_cache

from furoshiki.language.word_tables import texts
from furoshiki.language.words import RUN

DENIALS = frozenset(
    {
        *("no", "not", "never", "none", "nobody", "nothing", "nowhere", "neither", "nor", "without", "cannot"),
        *("hardly", "barely"),
    }
)

_BARE = r"\b(?:do|does|did|is|are|was|were|has|have|had|would|could|should|ca)nt\b"
# matches a negation anywhere in a text, also without its apostrophe: "i dont eat meat"
DENIES = re.compile(rf"\b(?:{'|'.join(sorted(DENIALS))})\b|n['\u2019]t\b|{_BARE}", re.IGNORECASE)


def is_denial(word: str) -> bool:
    """Return whether a lower-case word is a negation, or ends in "n't"."""
    return word in DENIALS or word.endswith(("n't", "n\u2019t"))


FILLER = f"(?:{'|'.join(texts('small', 'filler').values())})"  # in texts of any language


MOST_WORDS = 32  # most words of a query that are looked up: a long message states its subject first


# words never looked up, letters of contractions included: queries split at apostrophes
STOP_WORDS = frozenset(texts("topics", "not_searched")["en"].split())

# words without content: contractions, and verbs of asking and remembering
COMMON = frozenset(texts("topics", "searched_least")["en"].split())


@lru_cache(maxsize=256)  # known facts are compared with every message
def query_words(query: str) -> tuple[str, ...]:
    """Return the distinct words worth looking up, in order; all if only stop words were given."""
    words = tuple(dict.fromkeys(RUN.findall(query.lower())))
    return (tuple(word for word in words if word not in STOP_WORDS) or words)[:MOST_WORDS]


# -- of the other languages --


TELLING = texts("small", "telling")
FRAME = texts("small", "frame")
NO = texts("small", "no")
OPEN = texts("small", "open")
EVER = texts("small", "ever")
REASON = texts("small", "reason")
HEARSAY = texts("small", "hearsay")
GRAVE = texts("small", "grave")
THIRD = texts("small", "third")  # words for a third person: neither the writer nor the reader
