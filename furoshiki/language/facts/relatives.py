"""Find a relative or pet of the user in a clause: "my sister Anika", "a cat called Momo"."""

import re
from dataclasses import dataclass

from furoshiki.language.facts import words
from furoshiki.language.tables.function_words import COMMON
from furoshiki.language.word_tables import by_language, pattern

_WAYS = by_language("kin")["en"]
RELATIONS = words.KIN | words.PARTNERS | words.FRIENDS | words.PETS


@dataclass(frozen=True, slots=True)
class Related:
    """A person or pet of the user: relation, name if given, and place in the text."""

    relation: str
    name: str | None
    category: str
    start: int
    end: int


_IN_LAW = r"(?:mother|father|sister|brother|son|daughter) in law"
_WORD = r"[^\W_][\w'\u2019-]*"
_KIN = rf"(?P<relation>(?:{_IN_LAW}|{words.KIN_WORD}|{words.PARTNER_WORD}|{words.FRIEND_WORD}|{words.PET_WORD}))"
_SIZE = _WAYS["size"]
_GIVEN_NAME = r"(?P<name>(?:(?:Dr|Mrs?|Ms|Prof)\.?\s)?(?-i:[^\W\d_a-z])[\w\u2019-]*(?:'(?-i:[A-Z])\w+)?)"
_ANY_NAME = r"(?P<name>(?:(?:Dr|Mrs?|Ms|Prof)\.?\s)?[^\W\d_][\w\u2019-]*)"
_MINE = rf"\b(?:my|our)\s+{_SIZE}{_KIN}"
_HAVE = r"\b(?:I|we)(?:['\u2019]?ve\s+got|\s+(?:also\s+)?(?:have|have\s+got|adopted|got))\s+(?:an?|one)"
_NO_ADVERB = r"(?!\w{0,40}(?:[tdebns]ly|\w\wally|early|ularly)\b)"
_SMALL = _WAYS["small"]
_PERSON = rf"\b(?:my|our)\s+{_SIZE}(?P<relation>(?:{words.KIN_WORD}|{words.PARTNER_WORD}|{words.FRIEND_WORD}))"
# a name in small letters before a verb: "my son leo turns six" (pets excluded: "my dog food")
_SMALL_BEFORE_VERB = _WAYS["small_before_verb"]

# after "is" a capitalized word may also describe the person
_IS = re.compile(
    rf"{_MINE}\s+(?:is|was)\s+{_GIVEN_NAME}(?=\s*(?:$|[,.!;:]|and\s|but\s|who\s|s?he['\u2019]?s?\s))", re.IGNORECASE
)
_DESCRIBING = words.NATIONALITIES | words.FAITHS | words.LANGUAGES
_PARTS = {
    "mine": _MINE,
    "any_name": _ANY_NAME,
    "have": _HAVE,
    "word": _WORD,
    "kin": _KIN,
    "child": r"(?P<relation>boy|girl|lad|lass)",
    "pet": rf"(?P<relation>{words.PET_WORD})",
    "size": _SIZE,
    "given_name": _GIVEN_NAME,
    "small": _SMALL,
    "person": _PERSON,
    "small_before_verb": _SMALL_BEFORE_VERB,
    "no_adverb": _NO_ADVERB,
}
_WITH_NAME = [
    re.compile(pattern(line, _PARTS), re.IGNORECASE)
    for line in by_language("kin")["en"]["with_name"].strip("\n").split("\n")
]
_NAMELESS = re.compile(rf"{_MINE}(?=\s|['\u2019]s|s\s|$)", re.IGNORECASE)

# also without the apostrophe: "hes 4"
PRONOUN = re.compile(r"^\W*(?:(?:and|but|also|so|plus)\s+)?(?:he|she|they|it)(?=\s|['\u2019]|s\s)", re.IGNORECASE)

# something of somebody just mentioned: "it's his 60th on 9 May"
OWNED = re.compile(_WAYS["owned"], re.IGNORECASE)


def find_related(text: str) -> Related | None:
    """Return the first person or pet of the user in a clause, with the name if given."""
    for expression in (*_WITH_NAME, _IS):
        match = expression.search(text)
        if match is None:
            continue
        name = match.group("name").strip("\u2019'")
        if expression is _IS and name.lower() in _DESCRIBING:
            continue
        if words.is_name(name) and (not name.islower() or name not in COMMON):
            return _build_related(match, name[:1].upper() + name[1:])
    match = _NAMELESS.search(text)
    return _build_related(match, None) if match is not None else None


def _build_related(match: re.Match[str], name: str | None) -> Related:
    word = match.group("relation").lower().replace(" in law", "-in-law")
    relation = words.RELATION_FORMS.get(word, word)
    category = "family" if relation in words.KIN | words.PETS else "relationship"
    return Related(relation, name, category, match.start(), match.end())
