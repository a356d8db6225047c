"""Decide when two facts about the same subject cannot both be true now.

Most predicates allow many objects (two sisters, three bands). These few allow one at a time, so
that a new fact ends the old one.
"""

import unicodedata

from furoshiki.language.words import word_set

ONE_AT_A_TIME = word_set("""
name lives_in is_in pronouns birthday age works_as works_at born_in speaks_natively studies studies_at
marital_status married_to partner doctor boss
""")

FAVOURITE = "favourite_"  # predicates with this prefix also allow one object at a time

# states of a person without a partner
ENDS_PARTNERSHIP = frozenset({"single", "divorced", "widowed", "a widow", "a widower", "separated"})

# objects stating that a person is dead: no other fact about them holds any more
DEATH = frozenset({"died", "passed away"})


def is_death(predicate: str | None, object_: str | None) -> bool:
    """Return whether a fact says that a person is dead."""
    return predicate == "is" and object_ in DEATH


_SMALL = 3  # letters of a word that names nothing


def same(first: str | None, second: str | None) -> bool:
    """Return whether two objects are the same apart from spelling."""
    return _plain(first) == _plain(second)


def is_part(part: str | None, whole: str | None) -> bool:
    """Return whether an object names all that another does, figures and small words apart: "the
    amlodipine" and "5mg of amlodipine"."""
    named, others = ({word for word in _plain(one).split() if len(word) > _SMALL} for one in (part, whole))
    named -= {word for word in named if any(map(str.isdigit, word))}
    dense = not _plain(part).isascii() and _plain(part) in _plain(whole)
    return dense or (bool(named) and named <= others)


def ends(predicate: str | None, old_object: str | None, new_object: str | None) -> bool:
    """Return whether a new fact ends an old one with the same subject and predicate."""
    single = predicate in ONE_AT_A_TIME or (predicate or "").startswith(FAVOURITE)
    return single and not same(old_object, new_object)


def _plain(text: str | None) -> str:
    """Strip case, spaces and punctuation; keep symbols and combining marks: C# is not C++."""
    folded = unicodedata.normalize("NFKC", (text or "").casefold())
    return " ".join("".join(" " if _is_between(c) else c for c in folded).split())


def _is_between(character: str) -> bool:
    return character not in "#&@%" and unicodedata.category(character)[0] in "PZC"
