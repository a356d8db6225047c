"""When two facts about the same thing cannot both be true now.

Most predicates may hold many objects (somebody has two sisters and likes three bands). Of these few there is one at a
time, so that a new one ends the old one.
"""

import unicodedata

ONE_AT_A_TIME = frozenset(
    {
        "name",
        "lives_in",
        "is_in",
        "pronouns",
        "birthday",
        "age",
        "works_as",
        "works_at",
        "born_in",
        "speaks_natively",
        "studies",
        "studies_at",
        "marital_status",
        "married_to",
        "partner",
    }
)


FAVOURITE = "favourite_"
"""Predicates that begin so hold one thing at a time as well: there is one favourite drink."""

ENDS_PARTNERSHIP = frozenset({"single", "divorced", "widowed", "a widow", "a widower", "separated"})
"""What somebody is who has no partner any more."""

DEATH = frozenset({"died", "passed away"})
"""What is said of somebody of whom nothing else is true any more."""


def is_death(predicate: str | None, object_: str | None) -> bool:
    """Whether a fact says that somebody is dead."""
    return predicate == "is" and object_ in DEATH


def same(first: str | None, second: str | None) -> bool:
    """Whether two objects are the same thing written differently."""
    return _plain(first) == _plain(second)


def ends(predicate: str | None, old_object: str | None, new_object: str | None) -> bool:
    """Whether a new fact means that an old one with the same subject and predicate is no longer true."""
    single = predicate in ONE_AT_A_TIME or (predicate or "").startswith(FAVOURITE)
    return single and not same(old_object, new_object)


def _plain(text: str | None) -> str:
    """Strip case, spaces and punctuation, but with every mark and symbol: C# is not C++, nor दिन
    दान."""
    folded = unicodedata.normalize("NFKC", (text or "").casefold())
    return " ".join("".join(" " if _is_between(c) else c for c in folded).split())


def _is_between(character: str) -> bool:
    return character not in "#&@%" and unicodedata.category(character)[0] in "PZC"
