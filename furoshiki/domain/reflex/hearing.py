"""What the built-in mind makes of one message before it answers: facts, a name, and the words that carry it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property

from furoshiki.domain import identity
from furoshiki.domain.facts import Fact, facts_in
from furoshiki.domain.reflex.situation import Situation
from furoshiki.domain.reflex.wording import COMPANION

_WORD = re.compile(r"[^\W_]+(?:['\u2019][^\W_]+)?")
_COMMON_WORDS = """
a about again all also am an and any anything are as at be because been before but by can could did do does doing don't
for from get go got had has have he her here him his how i i'd i'll i'm i've if in into is it it's its just know last let
like lot made make many may maybe me mean might mine more most much my myself never no not now of off often ok okay old on
one only or other our out over please really recall remember said same say see she should so some something still such
sure tell than that that's the their them then there these they thing things think this those time to today told too up
us very want was we well were what what's when when's where where's which who who's whose why will with would yes yet you
your you've ever called call name named going
"""
COMMON = frozenset(_COMMON_WORDS.split())


@dataclass(frozen=True)
class Heard:
    """One message, understood as far as rules go."""

    situation: Situation

    @property
    def text(self) -> str:
        return self.situation.text.strip()

    @cached_property
    def plain(self) -> str:
        """Lower case, straight apostrophes, single spaces, no marks at the end."""
        straight = self.text.lower().replace("\u2019", "'")
        return re.sub(r"\s+", " ", straight).strip(" .!?,;:\u2026")

    @cached_property
    def facts(self) -> tuple[Fact, ...]:
        """Facts stated here, without the name (that is taken care of when the message is perceived)."""
        return tuple(fact for fact in facts_in(self.text) if fact.predicate != "name")

    @cached_property
    def name(self) -> str | None:
        """The name given in this message."""
        asked = identity.asks_name(self.last_reply)
        found = identity.stated_name(self.text, asked)
        return found.name if found else None

    @cached_property
    def last_reply(self) -> str:
        """What the companion said last, or nothing."""
        for said in reversed(self.situation.recent):
            if said.speaker == COMPANION:
                return said.text
        return ""

    @property
    def asks(self) -> bool:
        return self.situation.nlp.asks or "?" in self.text

    @cached_property
    def first_meeting(self) -> bool:
        """Whether they have never talked before."""
        return self.situation.last_seen is None and not self.situation.recent

    @cached_property
    def words(self) -> frozenset[str]:
        """The stems of the words that carry the message."""
        return content(self.text)

    def says(self, pattern: str) -> bool:
        """Whether the plain text holds this pattern."""
        return re.search(pattern, self.plain) is not None

    def is_only(self, pattern: str) -> bool:
        """Whether the pattern (and courtesies) is all there is."""
        return (
            re.fullmatch(
                rf"(?:(?:oh|well|so|ok|okay|hey|hi|hello|um|and|but|please|now|then),? )*(?:{pattern})", self.plain
            )
            is not None
        )


def content(text: str) -> frozenset[str]:
    """The stems of the content words of a text."""
    found = (word.replace("\u2019", "'") for word in _WORD.findall(text.lower()))
    return frozenset(stem(word) for word in found if word not in COMMON and len(word) > 1)


def stem(word: str) -> str:
    """A word without its commonest English endings, so that "lives", "living" and "lived" meet."""
    word = word.removesuffix("'s")
    for ending, least in (("ing", 4), ("ies", 3), ("ed", 4), ("es", 4), ("s", 3), ("e", 4)):
        if word.endswith(ending) and len(word) - len(ending) >= least - 1:
            return word[: -len(ending)] + ("y" if ending == "ies" else "")
    return word
