"""Whether two facts that rest on the same words say the same in other words.

One sentence may tell several things ("my sister Ruth lives in Oslo"), so that the same words alone prove nothing; nor
does the same thing: somebody may like a town and live in it.
"""

from furoshiki.language.facts import conflicts
from furoshiki.language.facts.relatives import RELATIONS
from furoshiki.language.stems import stem_lightly
from furoshiki.language.tables.stop_words import query_words

Told = tuple[str, str, str, str | None]
"""A fact by its subject, predicate, object and category."""


def same(first: Told, second: Told) -> bool:
    """Whether two facts of the same words are one: of the same, in one predicate or category."""
    if first[0].casefold() != second[0].casefold():
        return False
    if {first[1], second[1]} & RELATIONS and first[1] != second[1]:
        return False
    alike = conflicts.same(first[2], second[2]) or _within(first[2], second[2]) or _within(second[2], first[2])
    one_kind = first[3] == second[3] and first[3] not in (None, "other")
    return alike and (first[1] == second[1] or one_kind)


def _within(small: str, large: str) -> bool:
    """Whether all that a short object says stands in a longer one ("the harbour", "a new job at the harbour")."""
    words = {stem_lightly(word) for word in query_words(small)}
    return bool(words) and words <= {stem_lightly(word) for word in query_words(large)}
