"""The gates an unprompted message must pass; each checks one condition and reports its finding.

A message is sent when all gates pass. The decision stores each gate's value and limit. The use case
checks two more: whether the matter is still open (`still_true`) and the words new (`novel`).
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, time, timedelta, tzinfo

from furoshiki.core.timestamps import between
from furoshiki.mind.outreach.rules.laws import URGENT, OutreachLaws, QuietHours
from furoshiki.owner.agenda.rules.mind_queue import UNHURRIED

NUDGE = "reply_nudge"  # The kind of a repeated question of the companion. It ignores the cooldown.
ASKED_FOR = "asked for"  # the value a gate reports for quiet that the owner asked for
SESSION = "a focus session"  # the value a gate reports for a focus session

# kinds about the owner's present state: after a long quiet they are stale and are dropped
CHECK_INS = frozenset({"need", "follow_up", NUDGE})

STALE = timedelta(days=1)

# when to ask unasked about a day that has no hour: the appointment may be at ten
DAY_IS_OVER = time(17)

HELD_FOR_ROOM = 3  # from this priority number on, a message waits while the owner needs room


@dataclass(frozen=True)
class Candidate:
    """A waiting item. `priority` is its own, `weight` that of its kind, `nudges` the number of
    repetitions; `wanted`: the owner asked to hear it now; `salience`, in [0, 1]: the attention it
    last drew."""

    id: int
    kind: str
    priority: int
    weight: float = 1.0
    nudges: int = 0
    wanted: bool = False
    salience: float = 0.0


@dataclass(frozen=True)
class Moment:
    """The state when the gates are checked. `space` and `focus` are estimated needs of the owner
    (level, confidence). `sent_today` counts non-urgent unprompted messages since local midnight,
    `unanswered` those since the owner last wrote, `burst_left` those allowed after a quick answer.
    `quiet_until` and `focus_until` end the owner's quiet and focus session; at `weighed_at` they
    last wrote of something heavy."""

    now: datetime
    zone: tzinfo
    heard_at: datetime | None = None
    last_sent: datetime | None = None
    reminded_at: datetime | None = None
    sent_today: int = 0
    unanswered: int = 0
    burst_left: int = 0
    quiet_until: datetime | None = None
    anger: float = 0.0
    loneliness: float = 0.0
    space: tuple[float, float] = (0.0, 0.0)
    focus: tuple[float, float] = (0.0, 0.0)
    focus_until: datetime | None = None
    weighed_at: datetime | None = None


@dataclass(frozen=True)
class Look:
    """A gate's finding: its value and limit, and whether it passes. `until` is when time alone may
    change it; None if time alone cannot."""

    gate: str
    passed: bool
    value: str | float
    limit: str | float
    until: datetime | None = None


Gate = Callable[[Candidate, Moment, OutreachLaws], Look]


def compute_priority(own: int, loneliness: float, laws: OutreachLaws) -> int:
    """Return the effective priority: one higher when very lonely, but never urgent."""
    return max(URGENT + 1, own - 1) if loneliness > laws.loneliness and own > URGENT else own


# -- the gates, in their order --


def nudges(candidate: Candidate, _moment: Moment, laws: OutreachLaws) -> Look:
    """Gate 0: limit how often a question is repeated."""
    return Look("nudges", candidate.kind != NUDGE or candidate.nudges < laws.nudges, candidate.nudges, laws.nudges)


def quiet_hours(candidate: Candidate, moment: Moment, laws: OutreachLaws) -> Look:
    """Gate 1: hold all but urgent messages in quiet hours, and all in asked quiet."""
    local = moment.now.astimezone(moment.zone)
    each = [one for one in (laws.quiet, laws.nap) if one is not None]
    held = next((one for one in each if between(local.time(), one.since, one.until)), None)
    hours = held or laws.quiet
    limit = f"{hours.since:%H:%M}-{hours.until:%H:%M}"
    if moment.quiet_until is not None and moment.quiet_until > moment.now:
        return Look("quiet", False, ASKED_FOR, limit, moment.quiet_until)
    urgent = compute_priority(candidate.priority, moment.loneliness, laws) <= URGENT
    until = None if held is None else quiet_ends(moment.now, moment.zone, held)
    return Look("quiet", urgent or held is None, f"{local:%H:%M}", limit, until)


def stale_after(candidate: Candidate, moment: Moment) -> bool:
    """Return whether the requested quiet lasts so long that the item becomes stale."""
    return candidate.kind in CHECK_INS and moment.quiet_until is not None and moment.quiet_until - moment.now > STALE


def may_lie_ahead(kind: str, since: datetime | None, moment: Moment) -> bool:
    """Return whether a follow-up is about the present day, which is not over yet."""
    if kind != "follow_up" or since is None:
        return False
    local = since.astimezone(moment.zone)
    return local.time() == time.min and moment.now < datetime.combine(local.date(), DAY_IS_OVER, moment.zone)


def recent_conversation(candidate: Candidate, moment: Moment, laws: OutreachLaws) -> Look:
    """Gate 2: do not interrupt an owner who has just written, unless they answered at once. The
    companion's wishes and notes wait until that talk has been read, longer after words that weigh."""
    if moment.heard_at is None:
        return Look("recent", True, "never", _span(laws.recent))
    pause, weighed_at = laws.recent, None
    if candidate.kind in UNHURRIED and not candidate.wanted:
        pause, weighed_at = laws.unhurried, moment.weighed_at
    until = moment.heard_at + pause
    if weighed_at is not None:
        until = max(until, weighed_at + laws.after_weight)
    at_once = moment.burst_left > 0 and weighed_at is None
    gone, limit = moment.now - moment.heard_at, until - moment.heard_at
    return Look("recent", at_once or moment.now >= until, _span(gone), _span(limit), until)


def cooldown(candidate: Candidate, moment: Moment, laws: OutreachLaws) -> Look:
    """Gate 3: require a pause since the last unprompted message, by priority. It is longer for
    unanswered messages and unwelcome kinds; welcome kinds wait no less but come first. A reminder
    counts like a message of the highest priority below urgent, so that daily ones leave room."""
    needed = waits(candidate, moment, laws)
    pauses = ((moment.last_sent, needed), (moment.reminded_at, min(needed, laws.cooldown[URGENT + 1])))
    ends = [(at + pause, at, pause) for at, pause in pauses if at is not None]
    if not ends:
        return Look("cooldown", True, "never", _span(needed))
    until, since, pause = max(ends)
    free = candidate.kind == NUDGE or candidate.wanted or moment.burst_left > 0
    return Look("cooldown", free or moment.now >= until, _span(moment.now - since), _span(pause), until)


def waits(candidate: Candidate, moment: Moment, laws: OutreachLaws) -> timedelta:
    """Return the current cooldown of a candidate."""
    priority = compute_priority(candidate.priority, moment.loneliness, laws)
    return laws.cooldown[priority] * compute_backoff(moment.unanswered, laws) / min(1.0, candidate.weight)


def compute_backoff(unanswered: int, laws: OutreachLaws) -> float:
    """Return the factor on all cooldowns after unanswered messages."""
    return min(laws.back_off.most, laws.back_off.factor ** (unanswered // laws.back_off.unanswered))


def daily_cap(candidate: Candidate, moment: Moment, laws: OutreachLaws) -> Look:
    """Gate 3, second part: limit messages per local day, not counting urgent ones."""
    urgent = compute_priority(candidate.priority, moment.loneliness, laws) <= URGENT
    passed = urgent or moment.sent_today < laws.per_day
    return Look("cap", passed, moment.sent_today, laws.per_day, None if passed else _midnight(moment))


def mood(candidate: Candidate, moment: Moment, laws: OutreachLaws) -> Look:
    """Gate 4: hold non-urgent messages while the companion is angry."""
    urgent = compute_priority(candidate.priority, moment.loneliness, laws) <= URGENT
    return Look("mood", urgent or moment.anger <= laws.anger, round(moment.anger, 2), laws.anger)


def room(candidate: Candidate, moment: Moment, laws: OutreachLaws) -> Look:
    """Gate 4, second part: hold messages while the owner needs room or is focused."""
    priority = compute_priority(candidate.priority, moment.loneliness, laws)
    if priority > URGENT and moment.focus_until is not None and moment.focus_until > moment.now:
        return Look("focus", False, SESSION, laws.focus[0], moment.focus_until)
    if priority > URGENT and _strong(moment.focus, laws.focus):
        return Look("focus", False, round(moment.focus[0], 2), laws.focus[0])
    space = priority >= HELD_FOR_ROOM and _strong(moment.space, laws.space)
    return Look("room", not space, round(moment.space[0], 2), laws.space[0])


# the gates that depend on figures alone, in order
GATES: Mapping[str, Gate] = {
    "nudges": nudges,
    "quiet": quiet_hours,
    "recent": recent_conversation,
    "cooldown": cooldown,
    "cap": daily_cap,
    "mood": mood,
    "room": room,
}


def looks(candidate: Candidate, moment: Moment, laws: OutreachLaws) -> tuple[Look, ...]:
    """Return the findings of all gates in GATES."""
    return tuple(gate(candidate, moment, laws) for gate in GATES.values())


def still_true(closed: bool, told_since: bool) -> Look:
    """Gate 5: the matter must be open, and the owner must not have mentioned it since."""
    state = "told since" if told_since else "open"
    if closed:
        state = "closed"
    return Look("open", not (closed or told_since), state, "open")


def novel(likeness: float, kind: str, laws: OutreachLaws) -> Look:
    """Gate 6: hold words whose highest cosine to recent messages is `likeness` or more than the
    limit. A repeated question has a limit of its own."""
    limit = laws.same_question if kind == NUDGE else laws.same
    return Look("novelty", likeness < limit, round(likeness, 3), limit)


def find_hold(seen: Sequence[Look]) -> Look | None:
    """Return the first gate that does not pass."""
    return next((look for look in seen if not look.passed), None)


def in_order(waiting: Sequence[Candidate], moment: Moment, laws: OutreachLaws) -> list[Candidate]:
    """Sort by priority, overdue questions, weight and attention, age (oldest first)."""

    def key(candidate: Candidate) -> tuple[int, bool, float, int]:
        drawn = candidate.weight * (1.0 + candidate.salience)
        return (
            compute_priority(candidate.priority, moment.loneliness, laws),
            candidate.kind != NUDGE,
            -drawn,
            candidate.id,
        )

    return sorted(waiting, key=key)


# -- time --


def quiet_ends(now: datetime, zone: tzinfo, hours: QuietHours) -> datetime:
    """Return the next end of the quiet hours on the owner's clock. If that local time is skipped by
    a clock change, return the moment of the change."""
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
