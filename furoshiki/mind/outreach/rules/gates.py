"""The gates between what is on its mind and the owner: each looks at one thing, and says what it saw.

A message goes out when every gate lets it pass. The decision keeps each gate's value beside its
limit. Two more gates look at what only the use case can see: whether the matter is still open
(`still_true`), and whether its words would repeat anything (`novel`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, time, timedelta, tzinfo

from furoshiki.core.timestamps import between
from furoshiki.mind.outreach.rules.laws import URGENT, OutreachLaws, QuietHours

NUDGE = "reply_nudge"
"""The kind of a reminder of the companion's own question. It waits for no cooldown."""

ASKED_FOR = "asked for"
"""What the gate sees of a quiet that the owner asked for."""

SESSION = "a focus session"
"""What the gate sees of somebody who set out to focus."""

CHECK_INS = frozenset({"need", "follow_up", NUDGE})
"""Kinds that are about how somebody is just now: what of them a long quiet holds is stale after it, and is let go."""

STALE = timedelta(days=1)

HELD_FOR_ROOM = 3
"""From this priority on, a person who needs room is left alone."""


@dataclass(frozen=True)
class Candidate:
    """What waits to be said. `priority` is its own, `weight` that of its kind; `nudges` how often its question has been
    brought up again; `wanted` when the owner asked to hear it again at this time; `salience` in [0, 1] how much of the
    companion's attention it drew last."""

    id: int
    kind: str
    priority: int
    weight: float = 1.0
    nudges: int = 0
    wanted: bool = False
    salience: float = 0.0


@dataclass(frozen=True)
class Moment:
    """How things stand when the gates are asked. `space` and `focus` are what the owner seems to need, level and
    confidence; `sent_today` counts unprompted messages since the owner's midnight (urgent ones left out),
    `unanswered` those since they last wrote; `burst_left` what may be said at once because they answered at once;
    `quiet_until` the end of the quiet they asked for, `focus_until` that of the focus session they set."""

    now: datetime
    zone: tzinfo
    heard_at: datetime | None = None
    last_sent: datetime | None = None
    sent_today: int = 0
    unanswered: int = 0
    burst_left: int = 0
    quiet_until: datetime | None = None
    anger: float = 0.0
    loneliness: float = 0.0
    space: tuple[float, float] = (0.0, 0.0)
    focus: tuple[float, float] = (0.0, 0.0)
    focus_until: datetime | None = None


@dataclass(frozen=True)
class Look:
    """What one gate saw: its value beside its limit, and whether it lets pass. `until` is when that may change by time
    alone; None when it is not time it waits for."""

    gate: str
    passed: bool
    value: str | float
    limit: str | float
    until: datetime | None = None


Gate = Callable[[Candidate, Moment, OutreachLaws], Look]


def compute_priority(own: int, loneliness: float, laws: OutreachLaws) -> int:
    """The priority that counts: one more pressing for who is very lonely, never the most pressing of all by that."""
    return max(URGENT + 1, own - 1) if loneliness > laws.loneliness and own > URGENT else own


# -- the gates, in their order --


def nudges(one: Candidate, _moment: Moment, laws: OutreachLaws) -> Look:
    """Gate 0: a question is brought up again so many times and no more."""
    return Look("nudges", one.kind != NUDGE or one.nudges < laws.nudges, one.nudges, laws.nudges)


def quiet_hours(one: Candidate, moment: Moment, laws: OutreachLaws) -> Look:
    """Gate 1: at night nobody is written to unless it is urgent; who asked for quiet has it, however urgent it is."""
    local = moment.now.astimezone(moment.zone)
    each = [one for one in (laws.quiet, laws.nap) if one is not None]
    held = next((one for one in each if between(local.time(), one.since, one.until)), None)
    hours = held or laws.quiet
    limit = f"{hours.since:%H:%M}-{hours.until:%H:%M}"
    if moment.quiet_until is not None and moment.quiet_until > moment.now:
        return Look("quiet", False, ASKED_FOR, limit, moment.quiet_until)
    urgent = compute_priority(one.priority, moment.loneliness, laws) <= URGENT
    until = None if held is None else quiet_ends(moment.now, moment.zone, held)
    return Look("quiet", urgent or held is None, f"{local:%H:%M}", limit, until)


def stale_after(one: Candidate, moment: Moment) -> bool:
    """Whether the quiet that was asked for outlasts what something is about."""
    return one.kind in CHECK_INS and moment.quiet_until is not None and moment.quiet_until - moment.now > STALE


def recent_conversation(_one: Candidate, moment: Moment, laws: OutreachLaws) -> Look:
    """Gate 2: nobody is interrupted who has just written, unless they took up a message at once."""
    if moment.heard_at is None:
        return Look("recent", True, "never", _span(laws.recent))
    gone = moment.now - moment.heard_at
    passed = gone >= laws.recent or moment.burst_left > 0
    return Look("recent", passed, _span(gone), _span(laws.recent), moment.heard_at + laws.recent)


def cooldown(one: Candidate, moment: Moment, laws: OutreachLaws) -> Look:
    """Gate 3: how long the last unprompted message must lie back, by priority; longer the less the owner answers, and
    the less this kind is welcome. Kinds that are welcome wait as long as any, and come first."""
    needed = waits(one, moment, laws)
    if moment.last_sent is None:
        return Look("cooldown", True, "never", _span(needed))
    gone = moment.now - moment.last_sent
    free = one.kind == NUDGE or one.wanted or moment.burst_left > 0
    return Look("cooldown", free or gone >= needed, _span(gone), _span(needed), moment.last_sent + needed)


def waits(one: Candidate, moment: Moment, laws: OutreachLaws) -> timedelta:
    """The cooldown of a candidate as things stand."""
    priority = compute_priority(one.priority, moment.loneliness, laws)
    return laws.cooldown[priority] * compute_backoff(moment.unanswered, laws) / min(1.0, one.weight)


def compute_backoff(unanswered: int, laws: OutreachLaws) -> float:
    """What every cooldown is multiplied by when the last messages stayed without an answer."""
    return min(laws.back_off.most, laws.back_off.factor ** (unanswered // laws.back_off.unanswered))


def daily_cap(one: Candidate, moment: Moment, laws: OutreachLaws) -> Look:
    """Gate 3, its other half: so many messages in a day of the owner's, urgent ones left out."""
    urgent = compute_priority(one.priority, moment.loneliness, laws) <= URGENT
    passed = urgent or moment.sent_today < laws.per_day
    return Look("cap", passed, moment.sent_today, laws.per_day, None if passed else _midnight(moment))


def mood(one: Candidate, moment: Moment, laws: OutreachLaws) -> Look:
    """Gate 4: who is angry keeps to themselves. An urgent message is not about moods."""
    urgent = compute_priority(one.priority, moment.loneliness, laws) <= URGENT
    return Look("mood", urgent or moment.anger <= laws.anger, round(moment.anger, 2), laws.anger)


def room(one: Candidate, moment: Moment, laws: OutreachLaws) -> Look:
    """Gate 4, its other half: who needs room is left alone, and who is deep in something is not called out of it."""
    priority = compute_priority(one.priority, moment.loneliness, laws)
    if priority > URGENT and moment.focus_until is not None and moment.focus_until > moment.now:
        return Look("focus", False, SESSION, laws.focus[0], moment.focus_until)
    if priority > URGENT and _strong(moment.focus, laws.focus):
        return Look("focus", False, round(moment.focus[0], 2), laws.focus[0])
    space = priority >= HELD_FOR_ROOM and _strong(moment.space, laws.space)
    return Look("room", not space, round(moment.space[0], 2), laws.space[0])


GATES: Mapping[str, Gate] = {
    "nudges": nudges,
    "quiet": quiet_hours,
    "recent": recent_conversation,
    "cooldown": cooldown,
    "cap": daily_cap,
    "mood": mood,
    "room": room,
}
"""The gates that figures alone decide, in their order."""


def looks(one: Candidate, moment: Moment, laws: OutreachLaws) -> tuple[Look, ...]:
    """What every one of these gates sees."""
    return tuple(gate(one, moment, laws) for gate in GATES.values())


def still_true(closed: bool, told_since: bool) -> Look:
    """Gate 5: its matter must still be open, and the owner must not have spoken of it since."""
    seen = "closed" if closed else "told since" if told_since else "open"
    return Look("open", not (closed or told_since), seen, "open")


def novel(likeness: float, kind: str, laws: OutreachLaws) -> Look:
    """Gate 6: what is sent repeats nothing that was said lately (`likeness` is the highest cosine). A question that is
    brought up again is the same question, but not in the same words."""
    limit = laws.same_question if kind == NUDGE else laws.same
    return Look("novelty", likeness < limit, round(likeness, 3), limit)


def find_hold(seen: Sequence[Look]) -> Look | None:
    """The first gate that does not let pass."""
    return next((look for look in seen if not look.passed), None)


def in_order(waiting: Sequence[Candidate], moment: Moment, laws: OutreachLaws) -> list[Candidate]:
    """The most pressing first, of equals what is most welcome by its kind and drew most attention, then what has
    waited longest. A question that is unanswered past its time goes before everything that presses as much."""

    def key(one: Candidate) -> tuple[int, bool, float, int]:
        drawn = one.weight * (1.0 + one.salience)
        return compute_priority(one.priority, moment.loneliness, laws), one.kind != NUDGE, -drawn, one.id

    return sorted(waiting, key=key)


# -- time --


def quiet_ends(now: datetime, zone: tzinfo, hours: QuietHours) -> datetime:
    """The next moment at which the owner's clock shows the end of the quiet hours. Where that time is left out, as
    clocks go forward, it is the moment they do."""
    local = now.astimezone(zone)
    for day in (local.date(), local.date() + timedelta(days=1)):
        ends = datetime.combine(day, hours.until, zone).astimezone(now.tzinfo)
        if ends > now:
            return ends
    raise AssertionError("the end of the quiet hours comes every day")


def _midnight(moment: Moment) -> datetime:
    local = moment.now.astimezone(moment.zone)
    return datetime.combine(local.date() + timedelta(days=1), time(0), moment.zone).astimezone(moment.now.tzinfo)


def _strong(need: tuple[float, float], limit: tuple[float, float]) -> bool:
    return need[0] >= limit[0] and need[1] >= limit[1]


def _span(gone: timedelta) -> str:
    minutes = int(gone.total_seconds() // 60)
    return f"{minutes} min" if minutes < 60 else f"{minutes // 60} h {minutes % 60} min"
