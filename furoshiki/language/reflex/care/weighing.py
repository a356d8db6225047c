"""Recent distress that still affects the conversation, until it has been talked about."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from furoshiki.language.not_danger import is_unmeant
from furoshiki.language.reflex.care.noticing import Notice, notice
from furoshiki.language.tables.care_words import KINDS, CareWords
from furoshiki.language.testimony import Utterance

GRAVE_LASTS = timedelta(hours=18)  # how long after possible danger no reply is light-hearted

SOFT_LASTS = timedelta(hours=6)
PASSING = frozenset({"apology", "quarrel", "guilt"})  # kinds that greetings do not mention
REMEMBERED = timedelta(days=14)  # how long greetings refer to distress


@dataclass(frozen=True, slots=True)
class Weight:
    """Distress, and when it was last expressed."""

    notice: Notice
    at: datetime


def weighs(recent: Sequence[Utterance], languages: Sequence[CareWords], now: datetime) -> Weight | None:
    """Return the gravest recent distress that still affects replies, or None."""
    return _gravest(recent, languages, now, GRAVE_LASTS, SOFT_LASTS)


def find_gravest(recent: Sequence[Utterance], languages: Sequence[CareWords], now: datetime) -> Weight | None:
    """Return the gravest distress of the last days, for the greeting of a returning user."""
    found = _gravest(recent, languages, now, REMEMBERED, REMEMBERED)
    return None if found is None or found.notice.kind in PASSING else found


def _gravest(
    recent: Sequence[Utterance], languages: Sequence[CareWords], now: datetime, grave: timedelta, soft: timedelta
) -> Weight | None:
    """Return the gravest distress not older than `grave` or `soft`; apologies do not count, nor
    danger that was not meant so, but for the wish to die."""
    found: Weight | None = None
    unmeant = False
    for said in reversed(recent):
        if said.speaker != "user" or now - said.at > max(grave, soft):
            continue
        seen = notice(said.own, languages, said.at.year)
        unmeant |= is_unmeant(said.own)
        if seen is None or seen.kind == "apology" or (unmeant and seen.grave and seen.kind != "self"):
            continue
        if now - said.at > (grave if seen.grave else soft):
            continue
        if found is None or KINDS.index(seen.kind) < KINDS.index(found.notice.kind):
            found = Weight(seen, said.at)
    return found
