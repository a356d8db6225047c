"""Turn thoughts about the owner into the second person: "their first day" into "your first day".

"They" may also mean other people. An ambiguous text is not converted: None is safer than a wrong
addressee.
"""

import re

from furoshiki.language.facts.relatives import RELATIONS
from furoshiki.language.facts.words import RELATION_FORMS
from furoshiki.language.inflection import language_of
from furoshiki.language.tables.calendar_names import NAMES
from furoshiki.language.word_tables import by_language
from furoshiki.language.words import fold

_YOURS = {
    "they": "you",
    "them": "you",
    "their": "your",
    "theirs": "yours",
    "themselves": "yourself",
    "themself": "yourself",
}
_MINE = {"they": "I", "them": "me", "their": "my", "theirs": "mine", "themselves": "myself", "themself": "myself"}
_THEY = re.compile(r"\b(they|them|their|theirs|themselves|themself)\b", re.IGNORECASE)
_USER = re.compile(r"\b(?:the )?user\b(?!-)", re.IGNORECASE)
_SINGULAR = re.compile(r"\b(?:he|she|him|her|his|hers|himself|herself)\b", re.IGNORECASE)
_ENGLISH = re.compile(r"\b(?:the|they|them|their|and|how|what|is|are|to|of|about|for|with|about|for|you|your)\b", re.I)
_QUOTED = re.compile(r"(\u201c[^\u201c\u201d]{0,300}\u201d|\"[^\"]{0,300}\")")
_WAYS = by_language("second_person_beside")["en"]
_OTHERS_WORDS = _WAYS["others_words"]
_RELATED = {one.replace("_", " ") for one in (*RELATIONS, *RELATION_FORMS)}
_PERSON = re.compile(
    rf"\b(?:{'|'.join(sorted(map(re.escape, {*_RELATED, *_OTHERS_WORDS.split()}), key=len, reverse=True))})s?\b",
    re.IGNORECASE,
)
_NAME = re.compile(r"(?<=[\w,'\u2019] )[A-Z\u00c0-\u00de][\w\u00c0-\u024f'\u2019-]+")
# text before the name of a place, day or language rather than a person
_PLACED = re.compile(_WAYS["placed"], re.IGNORECASE)


def to_you(text: str) -> str | None:
    """Return a text about the owner in the second person; None when the referent is unclear."""
    if language_of(text) is not None and not _ENGLISH.search(text):
        return None
    plain = " ".join(text.split())
    if _USER.search(plain) or _ambiguous(plain):
        return None
    return "".join(_turn_part(part, _YOURS) for part in _QUOTED.split(plain))


def to_me(text: str) -> str:
    """Return a text about the owner in the first person, for the detection of heavy topics."""
    return _turn_part(_USER.sub("they", text), _MINE)


def _turn_part(part: str, forms: dict[str, str]) -> str:
    if part[:1] in ('"', "\u201c"):
        return part

    def turned(match: re.Match[str]) -> str:
        word = forms[fold(match.group())]
        return word[:1].upper() + word[1:] if match.group()[0].isupper() else word

    return _THEY.sub(turned, part)


def _ambiguous(text: str) -> bool:
    """Return whether a pronoun may mean another person, or "he" or "she" has no antecedent."""
    people = [match.start() for match in _PERSON.finditer(text)]
    people += [
        match.start()
        for match in _NAME.finditer(text)
        if match.group().casefold() not in NAMES and not _PLACED.search(text[: match.start()])
    ]
    first = min(people, default=len(text))
    if any(match.start() > first for match in _THEY.finditer(text)):
        return True
    return any(match.start() < first for match in _SINGULAR.finditer(text))
