"""Concept names that are never merged despite similar meaning: people, relatives, days, months."""

from collections.abc import Iterable

from furoshiki.language.facts import relatives
from furoshiki.language.tables.calendar_names import NAMES
from furoshiki.language.words import SPELLED_HYPHENED
from furoshiki.memory.rules.concepts import opens_sentence


def is_apart(name: str) -> bool:
    """Return whether a name is a relation ("sister-in-law", "ex-husband"), day or month."""
    words = {name, *name.replace("-", " ").split()}
    return bool(words & (relatives.RELATIONS | NAMES))


def names_somebody(name: str, texts: Iterable[str]) -> bool:
    """Return whether a word is used as a person's name: capitalised within a sentence and never in
    lower case, or given for a relative ("my brother johann")."""
    wanted = set(name.split())
    large: set[str] = set()
    small: set[str] = set()
    for text in texts:
        related = relatives.find_related(text)
        if related is not None and related.name is not None and related.name.casefold() in wanted:
            return True
        ended = 0
        for match in SPELLED_HYPHENED.finditer(text):
            word, gap = match[0].replace("\u2019", "'").removesuffix("'s"), text[ended : match.start()]
            ended = match.end()
            if word.casefold() not in wanted or (word.isupper() and len(word) > 1):
                continue
            if not word[0].isupper():
                small.add(word)
            elif match.start() == 0 or opens_sentence(gap):
                large.add(word.casefold())
            else:
                return True
    return bool(large - small)
