"""What still weighs on a conversation: the gravest thing that was said lately, until it has been talked about."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from furoshiki.language.reflex.care.noticing import Notice, notice
from furoshiki.language.reflex.care.words import KINDS, CareWords
from furoshiki.language.reflex.values import Utterance

GRAVE_LASTS = timedelta(hours=18)
"""So long after somebody may have been in danger nothing is answered lightly."""

SOFT_LASTS = timedelta(hours=6)
PASSING = frozenset({"apology", "quarrel", "guilt"})
"""Kinds nobody wants to be greeted with."""

REMEMBERED = timedelta(days=14)
"""So long a greeting says that it is not forgotten."""


@dataclass(frozen=True, slots=True)
class Weight:
    """What weighs, and when it was said last."""

    notice: Notice
    at: datetime


def weighs(recent: Sequence[Utterance], languages: Sequence[CareWords], now: datetime) -> Weight | None:
    """The gravest thing said lately that still weighs on what is said next, None when nothing does."""
    return _gravest(recent, languages, now, GRAVE_LASTS, SOFT_LASTS)


def find_gravest(recent: Sequence[Utterance], languages: Sequence[CareWords], now: datetime) -> Weight | None:
    """The gravest thing of the last days, by which somebody who comes back is greeted."""
    found = _gravest(recent, languages, now, REMEMBERED, REMEMBERED)
    return None if found is None or found.notice.kind in PASSING else found


def _gravest(
    recent: Sequence[Utterance], languages: Sequence[CareWords], now: datetime, grave: timedelta, soft: timedelta
) -> Weight | None:
    """`grave` and `soft` are how long ago each may have been said. An apology that was accepted weighs nothing."""
    found: Weight | None = None
    for said in reversed(recent):
        if said.speaker != "user" or now - said.at > max(grave, soft):
            continue
        seen = notice(said.own, languages, said.at.year)
        if seen is None or seen.kind == "apology" or now - said.at > (grave if seen.grave else soft):
            continue
        if found is None or KINDS.index(seen.kind) < KINDS.index(found.notice.kind):
            found = Weight(seen, said.at)
    return found
