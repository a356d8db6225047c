"""English stop words, and the words of a query worth looking up."""

from furoshiki.language.word_tables import texts
from furoshiki.language.words import RUN

MOST_WORDS = 32
"""Most words of a query that are looked up: a long message states its subject first."""


STOP_WORDS = frozenset(texts("topics", "not_searched")["en"].split())
"""Words never looked up, letters of contractions included: queries split at apostrophes."""

COMMON = frozenset(texts("topics", "searched_least")["en"].split())
"""Words without content: contractions, and verbs of asking and remembering."""


def query_words(query: str) -> tuple[str, ...]:
    """Return the distinct words worth looking up, in order; all if only stop words were given."""
    words = tuple(dict.fromkeys(RUN.findall(query.lower())))
    return (tuple(word for word in words if word not in STOP_WORDS) or words)[:MOST_WORDS]
