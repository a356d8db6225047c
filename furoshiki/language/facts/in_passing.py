"""Names and ages mentioned in passing: "Bram (7) and Saar (4)", "two kids, Bram is 7"."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from furoshiki.language.facts import words
from furoshiki.language.facts.relatives import RELATIONS
from furoshiki.language.tables.numbers import up_to

OLDEST = 110
"""Highest accepted age, in years (exclusive)."""


@dataclass(frozen=True, slots=True)
class Mention:
    """A person mentioned in text[start:end], with age and relation if given."""

    name: str
    age: str | None
    relation: str | None
    start: int
    end: int


_NAME = r"[A-Z\u00c0-\u00de][^\W\d_A-Z]{1,20}(?:-[A-Z][^\W\d_]{1,20})?"
_AGE = r"(?:\s?\(|\sis\s)(?P<age>\d{1,3})(?:\)|(?=\W*$|[,;.!](?!\d)|\s(?:and|but|years?)\b))"
"""An age right after a name: "Bram (9)", "Bram is 9"."""

_ONE = rf"{_NAME}(?:{_AGE.replace('?P<age>', '')})?"
_SEVERAL = rf"(?P<names>{_ONE}(?:(?:, (?:and )?| and | & ){_ONE}){{0,5}})"
_MANY = {
    "kids": "child",
    "children": "child",
    "boys": "son",
    "girls": "daughter",
    "daughters": "daughter",
    "twins": "child",
}
_PLURAL = {**_MANY, **{f"{one}s": words.RELATION_FORMS.get(one, one) for one in RELATIONS if one not in ("kid",)}}
_OURS = re.compile(
    rf"\b(?:[Mm]y|[Oo]ur|[Ww]e have|I have|I've got)\s"
    rf"(?:(?:{up_to(6, first=2)}|\d|little|older|younger|best|both)\s){{0,3}}"
    rf"(?P<plural>{'|'.join(sorted(map(re.escape, _PLURAL), key=len, reverse=True))})"
    rf"(?:,?\s(?:are\s)?(?:called|named)|\s(?:are|were)|\W\s?|)\s?{_SEVERAL}"
)
_AGED = re.compile(rf"\b(?P<name>{_NAME}){_AGE}")
_EACH = re.compile(rf"(?P<name>{_NAME})(?:{_AGE})?")


def mentions(text: str) -> Iterator[Mention]:
    """Yield the people of a clause: all listed with a relation, else several listed with ages."""
    ours = _OURS.search(text)
    if ours is not None:
        relation = _PLURAL[ours["plural"].lower()]
        for match in _EACH.finditer(ours["names"]):
            if words.is_name(match["name"]):
                at = ours.start("names")
                yield Mention(match["name"], _age(match["age"]), relation, ours.start(), at + match.end())
        return
    aged = [match for match in _AGED.finditer(text) if words.is_name(match["name"]) and _age(match["age"])]
    if len(aged) > 1:
        for match in aged:
            yield Mention(match["name"], _age(match["age"]), None, match.start(), match.end())


def _age(text: str | None) -> str | None:
    return text if text is not None and 0 < int(text) < OLDEST else None
