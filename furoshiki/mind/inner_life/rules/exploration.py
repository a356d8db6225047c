"""Check which cited evidence may support an answer to a curiosity; a judge decides afterwards.

Evidence is cited by name ("memory:3", "design:12"). Documents describe the companion only: a
statement about a person needs memories, and an answer based on documents alone must be about the
companion.
"""

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from furoshiki.core import refs
from furoshiki.language.tables.function_words import STOP_WORDS

_OF_ONESELF = re.compile(r"\b(?:i|me|my|mine|myself)\b", re.IGNORECASE)
_OF_SOMEBODY = re.compile(
    r"\b(?:they|them|their|theirs|themselves|he|him|his|she|hers?|you|yours?|we|us|our|ours|somebody|someone"
    r"|the (?:user|person|owner|human)(?:'s|\u2019s)?|(?:users?|persons?|owners?|people|friends?|famil(?:y|ies)))\b",
    re.IGNORECASE,
)
_NAME = re.compile(r"\b[^\W\d_a-z][\w\u2019'-]+")


@dataclass(frozen=True)
class Found:
    """An answer: its text and the names it cites."""

    text: str
    cites: Sequence[str]


@dataclass(frozen=True)
class Judged:
    """The memories and document parts that support an answer, by id, or the reason to reject it."""

    memories: tuple[int, ...] = ()
    parts: tuple[int, ...] = ()
    reason: str = ""

    @property
    def ok(self) -> bool:
        """Return whether the answer may be believed."""
        return not self.reason


def find_support(result: Found, shown: Mapping[str, str], names: Collection[str] = ()) -> Judged:
    """Return the cited evidence that may support an answer; `shown` holds texts by name.

    `names` are known names of people: the user's, and those in the answer that the user ever said.
    """
    cites = tuple(dict.fromkeys(result.cites))
    unknown = next((name for name in cites if name not in shown), None)
    if unknown is not None:
        return Judged(reason=f"there is no {unknown} among what was shown")
    if not cites:
        return Judged(reason="it rests on nothing")
    somebody = of_somebody(result.text, names)
    memories, parts = tuple(refs.rows(cites, "memory")), tuple(refs.rows(cites, "design"))
    if somebody and not memories:
        return Judged(reason=f"it speaks of {somebody!r} and rests on no memory")
    if not memories and not _OF_ONESELF.search(result.text):
        return Judged(reason="it rests on documents alone and does not speak of the companion")
    return Judged(memories, () if somebody else parts)


def of_somebody(text: str, names: Collection[str] = ()) -> str | None:
    """Return the first word about anyone but the companion; None without one."""
    match = _OF_SOMEBODY.search(text)
    if match is not None:
        return match.group()
    known = {name.casefold() for name in names}
    return next((name for name in capitals(text) if name.casefold() in known), None)


def capitals(text: str) -> list[str]:
    """Return the words of a text that may be names."""
    found = [match.group().removesuffix("'s").removesuffix("\u2019s") for match in _NAME.finditer(text)]
    return [word for word in found if word.casefold() not in STOP_WORDS]
