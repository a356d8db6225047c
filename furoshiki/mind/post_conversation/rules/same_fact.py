"""Decide whether two facts from the same messages are the same fact in other words.

One sentence may state several facts ("my sister Ruth lives in Oslo"), and two facts may share an
object: a person may like a town and live in it.
"""

from furoshiki.language.facts import conflicts
from furoshiki.language.facts.relatives import RELATIONS
from furoshiki.language.stems import stem_lightly
from furoshiki.language.tables.stop_words import query_words

Told = tuple[str, str, str, str | None]
"""A fact as subject, predicate, object and category."""


def same(first: Told, second: Told) -> bool:
    """Return whether two facts are the same: equal subject, and equal predicate or category."""
    if first[0].casefold() != second[0].casefold():
        return False
    if {first[1], second[1]} & RELATIONS and first[1] != second[1]:
        return False
    alike = conflicts.same(first[2], second[2]) or _within(first[2], second[2]) or _within(second[2], first[2])
    one_kind = first[3] == second[3] and first[3] not in (None, "other")
    return alike and (first[1] == second[1] or one_kind)


def _within(small: str, large: str) -> bool:
    """Return whether the longer object contains all words of the short one ("the harbour")."""
    words = {stem_lightly(word) for word in query_words(small)}
    return bool(words) and words <= {stem_lightly(word) for word in query_words(large)}
