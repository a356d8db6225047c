"""Checks that unprompted messages come at a good time, for a reason, and not too often.

The figures are the documented promises (docs/outreach.md), not the gates' settings, so that a
disabled gate or a wrong setting is noticed.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator, Sequence
from datetime import datetime, time, timedelta
from zoneinfo import ZoneInfo

from bench.simulator import store
from bench.simulator.checks.values import Finding, View
from bench.simulator.store import Reason
from bench.simulator.story import Heard, Said, Story
from furoshiki.core.similarity import dot
from furoshiki.language.tables.calendar_names import WEEKDAYS
from furoshiki.messages.values import COMPANION
from furoshiki.recall.retrieval.values import compose_turn

QUIET_SINCE, QUIET_UNTIL = time(23), time(8)
RECENT = timedelta(minutes=20)
COOLDOWN = {
    1: timedelta(0),
    2: timedelta(hours=2),
    3: timedelta(hours=4),
    4: timedelta(hours=8),
    5: timedelta(hours=24),
}
PER_DAY = 4
LONELY = 0.8
UNANSWERED = 2
"""Consecutive unanswered messages from which every cooldown is at least doubled."""

TAKEN_UP = timedelta(minutes=10)
BURST_LASTS = timedelta(minutes=30)
BURST_MOST = 3
SAME, SAME_FOR = 0.85, timedelta(days=14)
SAME_QUESTION = 0.97
"""A repeated question is similar to itself, but not identical."""

NUDGES = 2
NUDGE = "reply_nudge"
ANGER = 0.85
ROOM, SURE = 0.7, 0.5
HALF_SURE = timedelta(hours=36)

SAID_KINDS = ("text", "location")
"""Kinds of a person's actions that are messages."""


def explained(view: View) -> Iterator[Finding]:
    """Every unprompted message has a row with its reason."""
    for one in view.new:
        if one.policy in ("unprompted", "reminder") and reason(view.db, one) is None:
            yield one.at, f"“{short(one)}” was said, and no decision tells why"


def quiet_hours(view: View) -> Iterator[Finding]:
    """Between 23:00 and 08:00 of the person's time, only urgent messages are sent."""
    for one, why in _said(view):
        zone = view.story.zone_at(one.at)
        local = one.at.astimezone(ZoneInfo(zone))
        if (local.time() >= QUIET_SINCE or local.time() < QUIET_UNTIL) and _priority(why) > 1:
            yield one.at, f"“{short(one)}” came at {local:%H:%M} in {zone}"


def asked_quiet(view: View) -> Iterator[Finding]:
    """A request for quiet is respected."""
    for one in view.unprompted:
        ends = _quiet_until(view.story, one.at)
        if ends is not None and one.at < ends:
            yield one.at, f"“{short(one)}” came although quiet was asked for until {ends:%Y-%m-%d %H:%M}Z"


def recent_conversation(view: View) -> Iterator[Finding]:
    """No message within 20 minutes of the person's own, unless they answered one at once."""
    for one, _ in _said(view):
        last = wrote_last(view.story, one.at)
        if last is not None and one.at - last.at < RECENT and not in_burst(view.story, one):
            minutes = (one.at - last.at).total_seconds() / 60
            yield one.at, f"“{short(one)}” came {minutes:.0f} minutes after “{last.text[:40]}”"


def cooldown(view: View) -> Iterator[Finding]:
    """Unprompted messages keep their priority's cooldown apart, doubled without answers."""
    for one, why in _said(view):
        before = _before(view.story, one)
        if before is None or why is None or why.kind == NUDGE or why.wanted or in_burst(view.story, one):
            continue
        unanswered = _unanswered(view.story, one)
        pressing = max(2, why.priority - 1) if why.priority > 1 and _lonely(view) else why.priority
        needed = COOLDOWN[pressing] * (2 if unanswered >= UNANSWERED else 1)
        if one.at - before.at < needed - SLACK:
            gone = (one.at - before.at).total_seconds() / 3600
            yield (
                one.at,
                f"“{short(one)}” (priority {why.priority}) came {gone:.1f} h after the one before, and "
                f"{needed.total_seconds() / 3600:g} h were needed ({unanswered} unanswered)",
            )


def daily_cap(view: View) -> Iterator[Finding]:
    """At most four unprompted messages on a day of the person's, without urgent ones."""
    for one, why in _said(view):
        if _priority(why) <= 1:
            continue
        zone = ZoneInfo(view.story.zone_at(one.at))
        day = one.at.astimezone(zone).date()
        same = [
            other
            for other in view.story.unprompted()
            if other.at <= one.at and other.at.astimezone(zone).date() == day and _priority(reason(view.db, other)) > 1
        ]
        if len(same) > PER_DAY:
            yield one.at, f"“{short(one)}” was number {len(same)} on {day}"


def mood(view: View) -> Iterator[Finding]:
    """An angry companion writes nothing unprompted."""
    for one, why in _said(view):
        anger = _felt(view.db, one.at, "anger")
        if _priority(why) > 1 and anger is not None and anger > ANGER + DRIFT:
            yield one.at, f"“{short(one)}” was said with an anger of {anger:.2f}"


def room(view: View) -> Iterator[Finding]:
    """A person who needs space, or is focused, is left alone."""
    for one, why in _said(view):
        priority = _priority(why)
        if priority >= 3 + _lonely(view) and (sure := _surely(view.db, "space", one.at)):
            yield one.at, f"“{short(one)}” was said to somebody who needs space (sure {sure:.2f})"
        if priority > 1 and (sure := _surely(view.db, "focus", one.at)):
            yield one.at, f"“{short(one)}” was said to somebody deep in work (sure {sure:.2f})"


def repetition(view: View) -> Iterator[Finding]:
    """No unprompted message repeats words of the last 14 days, or nearly so, unless it was
    requested again."""
    for one, why in _said(view):
        since = one.at - SAME_FOR
        before = [other for other in view.story.said if since <= other.at and other.row < one.row and other.text]
        before = [other for other in before if other.policy != "reminder"]
        if why is not None and why.wanted:
            before = [other for other in before if _item(view.db, other) != why.item_id]
        if not before:
            continue
        mine, *others = view.embed([compose_turn(COMPANION, other.text) for other in (one, *before)])
        alike = ((dot(mine, vector), other) for vector, other in zip(others, before, strict=True))
        likeness, other = max(alike, key=lambda pair: pair[0])
        if likeness >= (SAME_QUESTION if why is not None and why.kind == NUDGE else SAME):
            yield one.at, f"“{short(one)}” repeats “{short(other)}” of {other.at:%-d %B} (cosine {likeness:.2f})"


def nudges(view: View) -> Iterator[Finding]:
    """A question is repeated at most twice."""
    for one, why in _said(view):
        if why is None or why.kind != NUDGE:
            continue
        same = store.times_said(view.db, NUDGE, why.source)
        if same > NUDGES:
            yield one.at, f"“{short(one)}” brings up {why.source} for the {same}th time"


def still_open(view: View) -> Iterator[Finding]:
    """No message is about a matter that was closed before."""
    for one, why in _said(view):
        closed = None if why is None or not why.source else store.closed(view.db, why.source, one.at - SLACK)
        if closed is not None:
            yield one.at, f"“{short(one)}” is about {why.source if why else ''}, which is {closed}"


# -- helpers --

SLACK = timedelta(seconds=30)
"""The time from decision to delivery."""

DRIFT = 0.02
"""How far a feeling or a certainty may have changed since it was recorded."""


def reason(db: sqlite3.Connection, one: Said) -> Reason | None:
    """Return the reason of a message, or None."""
    return store.reason(db, one.turn_id)


def short(one: Said) -> str:
    """Return a message in a few words."""
    words = " ".join(one.text.split())
    return words if len(words) <= 60 else words[:59] + "…"


def wrote_last(story: Story, before: datetime) -> Heard | None:
    """Return the person's last message before a moment."""
    return next((one for one in reversed(story.heard) if one.at < before and one.kind in SAID_KINDS), None)


def in_burst(story: Story, one: Said) -> bool:
    """Return whether the person answered an unprompted message within ten minutes, and this is one
    of the next three within half an hour."""
    for said in story.unprompted():
        if said.at >= one.at:
            break
        taken = next((heard for heard in story.heard if heard.at > said.at and heard.kind in SAID_KINDS), None)
        if taken is None or taken.at - said.at > TAKEN_UP or not taken.at < one.at <= taken.at + BURST_LASTS + SLACK:
            continue
        if sum(taken.at < other.at <= one.at for other in story.unprompted()) <= BURST_MOST:
            return True
    return False


def _said(view: View) -> Sequence[tuple[Said, Reason | None]]:
    return [(one, reason(view.db, one)) for one in view.unprompted]


def _item(db: sqlite3.Connection, one: Said) -> int | None:
    why = reason(db, one)
    return None if why is None else why.item_id


def _priority(why: Reason | None) -> int:
    return 5 if why is None else why.priority


def _before(story: Story, one: Said) -> Said | None:
    return next((other for other in reversed(story.unprompted()) if other.row < one.row), None)


def _unanswered(story: Story, one: Said) -> int:
    """Count the unprompted messages since the person's last action."""
    last = next((heard for heard in reversed(story.heard) if heard.at < one.at), None)
    return sum(other.row < one.row and (last is None or other.at > last.at) for other in story.unprompted())


def _lonely(view: View) -> bool:
    lonely = _felt(view.db, view.now, "loneliness")
    return lonely is not None and lonely > LONELY - DRIFT


def _felt(db: sqlite3.Connection, at: datetime, name: str) -> float | None:
    """Return a feeling as last recorded."""
    found = store.feelings(db, at)
    return None if found is None else found[0].get(name)


def _surely(db: sqlite3.Connection, need: str, at: datetime) -> float:
    """Return the certainty that the person strongly needed something; 0 if not, or if uncertain.

    It halves every `HALF_SURE` since it was recorded.
    """
    found = store.needed(db, need, at)
    if found is None or found[0] < ROOM:
        return 0.0
    sure = float(found[1] * 0.5 ** ((at - found[2]) / HALF_SURE))
    return sure if sure >= SURE + DRIFT else 0.0


_UNTIL_A_DAY = re.compile(rf"don't message me until ({'|'.join(WEEKDAYS)})\b", re.IGNORECASE)


def _quiet_until(story: Story, at: datetime) -> datetime | None:
    """Return the end of the last requested quiet, in hours or days, or until a weekday (its first
    midnight); None without one, or after its end."""
    for one in reversed(story.heard):
        words = one.text.split()
        if one.at < at and (named := _UNTIL_A_DAY.search(one.text)) is not None:
            local = one.at.astimezone(ZoneInfo(story.zone_at(one.at)))
            days = (WEEKDAYS.index(named[1].lower()) - local.weekday()) % 7 or 7
            return local.replace(hour=0, minute=0, second=0, microsecond=0) + timedelta(days=days)
        if one.at < at and words[:1] == ["/quiet"]:
            if len(words) < 3 or not words[1].isdigit():
                return None
            unit = "days" if words[2].startswith("day") else "hours"
            return one.at + timedelta(**{unit: int(words[1])})
    return None
