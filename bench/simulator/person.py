"""The scripted user: when and what they write, how they react. Randomness: the `rng` passed."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime, time, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from bench.simulator.personas import Due, Persona, Request
from furoshiki.language.tables.calendar_names import WEEKDAYS
from furoshiki.messages.events import Event, Message, Place, Press, Reaction
from furoshiki.messages.values import Outgoing

CHAT = "7"
"""The chat with the owner, whose id is the same."""

SNOOZE = timedelta(hours=1)
"""The delay of a reminder's button "In an hour"."""

LONG_TASKS_BEGUN = 0.5
"""The share of proposed long tasks that they accept."""

ZONE_SET = "zone.set:"
"""The prefix of the button that confirms a time zone; the zone follows."""

PRESSED_AFTER = timedelta(seconds=40)
MOVED_AT = time(12, 0)
"""When a traveller shares their location, in the new zone."""


@dataclass(frozen=True)
class Promise:
    """A requested reminder, due at `at` and, if `daily`, each day at `wall` in `zone`: on a day
    that skips this time, later by the length of the gap."""

    about: str
    at: datetime
    daily: bool = False
    zone: str = "UTC"
    wall: time | None = None

    def following(self) -> Promise | None:
        """Return the next day's promise; None if it is not daily."""
        if not self.daily:
            return None
        zone = ZoneInfo(self.zone)
        local = self.at.astimezone(zone)
        wall = self.wall or local.time()
        return replace(self, at=on(local.date() + timedelta(days=1), wall, zone), wall=wall)

    def moved(self, zone: str, now: datetime) -> Promise:
        """Return the promise after a move to another zone: a daily one keeps its hour and its next
        day, so that no day has it twice."""
        if not self.daily:
            return self
        was = self.at.astimezone(ZoneInfo(self.zone))
        wall = self.wall or was.time()
        found = replace(self, at=on(was.date(), wall, ZoneInfo(zone)), zone=zone, wall=wall)
        while found.at <= now:
            found = found.following() or found
        return found


@dataclass(frozen=True)
class Act:
    """An action of the person: an event that arrives. `request` is a reminder requested in it."""

    at: datetime
    event: Event
    request: Request | None = None
    moves_to: str | None = None
    snoozes: str | None = None


@dataclass
class Person:
    """A persona's life, day 0 at `begins`. Pending reminders are not requested again."""

    persona: Persona
    begins: datetime
    rng: random.Random
    pending: dict[str, datetime | None] = field(default_factory=dict)
    """Requested reminders by subject with their due time; None for daily ones."""

    _messages: int = 0

    def zone_on(self, day: int) -> ZoneInfo:
        """Return their zone on a day."""
        return ZoneInfo(self.persona.zone_on(day))

    def day_of(self, at: datetime) -> int:
        """Return the day of a moment, from 0."""
        return (at - self.begins) // timedelta(days=1)

    def day(self, number: int) -> list[Act]:
        """Return their own actions on a day, in order."""
        persona, zone = self.persona, self.zone_on(number)
        local = self.begins.astimezone(zone).date() + timedelta(days=number)
        acts = [
            Act(on(local, MOVED_AT, zone), self._location(one.latitude, one.longitude), moves_to=one.zone)
            for one in persona.moves
            if one.day == number
        ]
        acts += [Act(on(local, one.at, zone), self._message(one.says)) for one in persona.sayings if one.day == number]
        if not persona.silent(number):
            for _ in range(poisson(persona.writes.conversations_a_day, self.rng)):
                acts += self._conversation(local, zone)
        return sorted(acts, key=lambda act: act.at)

    def promised(self, request: Request, now: datetime, zone: ZoneInfo) -> Promise:
        """Return when a reminder requested now is due."""
        due = request.due
        at = due_at(due, now, zone)
        daily = due.day == "daily"
        self.pending[request.about] = None if daily else at
        return Promise(request.about, at, daily, str(zone))

    def hears(self, said: Outgoing, message_id: str, now: datetime) -> list[Act]:
        """Return their reactions to a message."""
        day = self.day_of(now)
        buttons = [one["data"] for row in said.extra.get("buttons", ()) for one in row]
        zone = next((data for data in buttons if data.startswith(ZONE_SET)), None)
        if zone is not None:
            return [Act(now + PRESSED_AFTER, self._press(zone, message_id))]
        if self.persona.silent(day):
            return []
        if said.policy == "reminder":
            return self._reminded(said, buttons, message_id, now)
        if said.policy == "unprompted":
            return self._written_to(buttons, message_id, now)
        return []

    def _reminded(self, said: Outgoing, buttons: Sequence[str], message_id: str, now: datetime) -> list[Act]:
        luck, at = self.rng.random(), now + timedelta(minutes=self.rng.randint(1, 30))
        done = next((data for data in buttons if data.startswith("task.done:")), None)
        later = next((data for data in buttons if data.startswith("remind.later:")), None)
        if luck < self.persona.reminded.done and done is not None:
            return [Act(at, self._press(done, message_id))]
        if luck < self.persona.reminded.done + self.persona.reminded.later and later is not None:
            return [Act(at, self._press(later, message_id), snoozes=said.text)]
        return []

    def _written_to(self, buttons: Sequence[str], message_id: str, now: datetime) -> list[Act]:
        hears, luck = self.persona.hears, self.rng.random()
        at = now + timedelta(minutes=self.rng.randint(*hears.within_minutes), seconds=self.rng.randint(5, 55))
        begins = next((data for data in buttons if data.startswith("longtask.accept:")), None)
        if begins is not None and luck < LONG_TASKS_BEGUN:
            return [Act(at, self._press(begins, message_id))]
        pressed = {
            one: next((data for data in buttons if data.startswith(f"outreach.{one}:")), None)
            for one in ("later", "less")
        }
        for share, event in (
            (hears.answers, lambda: self._message(self.rng.choice(hears.says))),
            (hears.reacts, lambda: self._reaction(self.rng.choice(hears.reactions), message_id)),
            (hears.later, lambda: self._pressed(pressed["later"], message_id)),
            (hears.less, lambda: self._pressed(pressed["less"], message_id)),
        ):
            if luck < share:
                found = event()
                awake = found is not None and not self.persona.silent(self.day_of(at))
                return [Act(at, found)] if awake and found is not None else []
            luck -= share
        return []

    def _conversation(self, local: date, zone: ZoneInfo) -> Iterator[Act]:
        writes = self.persona.writes
        span = self.rng.choices(writes.hours, [one.minutes for one in writes.hours])[0]
        at = on(local, span.begins, zone) + timedelta(
            minutes=self.rng.randrange(span.minutes), seconds=self.rng.randrange(60)
        )
        wanted = self.rng.randint(*writes.messages)
        asks = self.rng.random() < self.persona.requests_a_week / 7 / max(writes.conversations_a_day, 0.01)
        for number in range(wanted):
            request = self._request(at, zone) if asks and number == wanted - 1 else None
            says = request.says if request is not None else self._line()
            yield Act(at, self._message(says), request=request)
            at += timedelta(seconds=self.rng.randint(*writes.seconds_between))

    def _line(self) -> str:
        lines = self.rng.choices(self.persona.lines, [one.weight for one in self.persona.lines])[0]
        return self.rng.choice(lines.says)

    def _request(self, at: datetime, zone: ZoneInfo) -> Request | None:
        """Return a request that is not pending. On a Friday nobody says "on Friday"."""
        today = WEEKDAYS[at.astimezone(zone).weekday()]
        free = [
            one
            for one in self.persona.requests
            if one.due.day != today and (one.about not in self.pending or self._over(one, at))
        ]
        if not free:
            return None
        chosen = self.rng.choice(free)
        self.pending[chosen.about] = due_at(chosen.due, at, zone) if chosen.due.day != "daily" else None
        return chosen

    def _over(self, request: Request, at: datetime) -> bool:
        """Return whether an earlier reminder has come, with all its snoozes."""
        comes = self.pending[request.about]
        return comes is not None and at - comes > timedelta(days=1)

    def _pressed(self, data: str | None, message_id: str) -> Press | None:
        return None if data is None else self._press(data, message_id)

    def _message(self, text: str) -> Message:
        return Message(text=text, **self._where())

    def _location(self, latitude: float, longitude: float) -> Message:
        return Message(kind="location", attachment=Place(latitude=latitude, longitude=longitude), **self._where())

    def _press(self, data: str, on_message: str) -> Press:
        return Press(data=data, pressed_on=on_message, chat_id=CHAT, private=True)

    def _reaction(self, emoji: str, on_message: str) -> Reaction:
        return Reaction(emoji=(emoji,), reacted_to=on_message, chat_id=CHAT, private=True)

    def _where(self) -> dict[str, Any]:
        self._messages += 1
        return {"chat_id": CHAT, "message_id": f"{1_000_000 + self._messages}", "private": True}


def due_at(due: Due, now: datetime, zone: ZoneInfo) -> datetime:
    """Return the moment that a request means, by the person's local calendar."""
    if due.minutes is not None:
        return now + timedelta(minutes=due.minutes)
    assert due.at is not None
    local = now.astimezone(zone)
    if due.day == "tomorrow":
        return on(local.date() + timedelta(days=1), due.at, zone)
    if due.day == "daily":
        today = on(local.date(), due.at, zone)
        return today if today > now else on(local.date() + timedelta(days=1), due.at, zone)
    ahead = (WEEKDAYS.index(due.day) - local.weekday()) % 7 or 7
    return on(local.date() + timedelta(days=ahead), due.at, zone)


def on(day: date, at: time, zone: ZoneInfo) -> datetime:
    """Convert a local time to UTC; in a clock's gap, later by its length."""
    return datetime.combine(day, at, zone).astimezone(UTC)


def poisson(mean: float, rng: random.Random) -> int:
    """Return a Poisson-distributed number with this mean (Knuth's algorithm)."""
    least, found, product = math.exp(-mean), 0, rng.random()
    while product > least:
        found += 1
        product *= rng.random()
    return found
