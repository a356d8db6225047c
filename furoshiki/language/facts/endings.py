"""Known facts that a message ends or denies: "quit the bakery", "we split up", "I have no dog". The words are
`config/words`, "ended"."""

import re
from collections.abc import Collection, Iterable, Iterator
from typing import Protocol, TypeVar

from furoshiki.core.catalogue import ENGLISH
from furoshiki.language import word_tables
from furoshiki.language.facts import words
from furoshiki.language.facts.assertions import list_asserted
from furoshiki.language.facts.extraction import USER, facts_in
from furoshiki.language.facts.relation_words import FORMS, GROUPS
from furoshiki.language.testimony import Own
from furoshiki.language.words import RUN, singular, with_apostrophes

_ENDS = {
    "works": frozenset({"works_at", "works_as", "works_in"}),
    "lives_in": frozenset({"lives_in"}),
    "partner": words.PARTNERS - {"ex"},
}
_HAVING = ("has_family", "has_pet")
_PATTERNS = {
    code: [
        (way, re.compile(word_tables.pattern(line, table["parts"])))
        for way in ("never", "none", *_ENDS)
        for line in table[way].strip("\n").split("\n")
    ]
    for code, table in word_tables.by_language("ended").items()
}
_ARTICLES = frozenset({"my", "the", "a", "an", "our", "no"})


class Known(Protocol):
    """A fact that is known."""

    @property
    def subject(self) -> str: ...
    @property
    def predicate(self) -> str: ...
    @property
    def object(self) -> str: ...


Fact = TypeVar("Fact", bound=Known)


def find_ended(text: Own, facts: Collection[Fact], code: str) -> Iterator[tuple[Fact, bool]]:
    """Yield the facts of the user that a message says are over, and whether they were never true. Of several partners
    only one that is named has left; who has a dog has "no dog" no longer. `code` is the message's language."""
    of_user = [fact for fact in facts if fact.subject == USER]
    for clause in list_asserted(text):
        plain = with_apostrophes(" ".join(clause.text.casefold().replace("\u2019", "'").split()).strip(" .!,。！"))
        matches = ((way, pattern.fullmatch(plain)) for way, pattern in _PATTERNS.get(code, ()))
        way, match = next(((way, match) for way, match in matches if match is not None), ("", None))
        if match is not None:
            yield from ((fact, way == "never") for fact in _choose(way, match.groupdict().get("what"), of_user, code))
    new = {fact.predicate for fact in facts_in(text)} if code == ENGLISH else set()
    yield from ((fact, False) for fact in of_user if is_denied(fact) and is_of_kind(fact, new))


def is_denied(fact: Known) -> bool:
    """Return whether a fact says that there is none: "no dog"."""
    return fact.predicate in _HAVING and fact.object.startswith("no ")


def is_of_kind(fact: Known, kinds: Iterable[str]) -> bool:
    """Return whether a fact tells that there is somebody, or nobody, of these relations."""
    kind = fact.predicate if fact.predicate not in _HAVING else _find_kind(fact.object.rpartition(" ")[2], ENGLISH)
    return any(each in (kind, GROUPS.get(kind)) or (each == "pet" and kind in words.PETS) for each in kinds)


def _choose(way: str, what: str | None, facts: Iterable[Fact], code: str) -> list[Fact]:
    named = frozenset(RUN.findall(what or "")) - _ARTICLES
    kinds = {_find_kind(word, code) for word in named}
    if way in ("none", "never"):
        return [fact for fact in facts if not is_denied(fact) and is_of_kind(fact, kinds)]
    ended = [fact for fact in facts if fact.predicate in _ENDS[way]]
    if what:
        return [fact for fact in ended if is_of_kind(fact, kinds) or _is_named(fact.object, named)]
    return ended if way != "partner" or len(ended) == 1 else []


def _is_named(object_: str, named: frozenset[str]) -> bool:
    whole = frozenset(RUN.findall(object_.casefold())) - _ARTICLES
    return whole <= named or named <= whole


def _find_kind(word: str, code: str) -> str:
    if code != ENGLISH:
        return FORMS.get(code, {}).get(word, word)
    kind = singular(word)
    return "child" if kind == "children" else words.RELATION_FORMS.get(kind, kind)
