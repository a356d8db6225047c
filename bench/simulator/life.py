"""The main loop: the clock jumps to the next event (a message, a reminder, a job), which is then
processed.

The program's own parts run: the worker's turns, and the jobs by the brain's timetable. Only input
and output are simulated: the person's actions go into the inbox, and outbox messages count as
delivered.
"""

from __future__ import annotations

import heapq
import random
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime, timedelta, tzinfo
from zoneinfo import ZoneInfo

from bench.simulator.clock import VirtualClock
from bench.simulator.home import CHANNEL
from bench.simulator.person import CHAT, SNOOZE, ZONE_SET, Act, Person, Promise
from bench.simulator.story import Heard, Ran, Said, Story, Violation, Whereabouts
from bench.simulator.threads import OneLoop
from furoshiki.app import run_job
from furoshiki.app.scheduler import schedule_file
from furoshiki.app.scheduler.loop import Alarm, Timetable
from furoshiki.app.scheduler.rules import Idle
from furoshiki.app.scheduler.store import runs
from furoshiki.conversation.worker import REMINDER_SECONDS, Worker
from furoshiki.core.database import kv
from furoshiki.messages.events import Message, Press, Reaction
from furoshiki.messages.store import inbox, outbox
from furoshiki.messages.values import NewEnvelope, Outgoing
from furoshiki.owner.agenda.store import tasks
from furoshiki.owner.user_model.user import ZONE_KEY
from furoshiki.world import World

ANSWERED_AFTER = 3.0
"""Seconds from a message to its answer."""

WITHOUT = frozenset({"backup"})
"""Jobs that do not run: backups have no visible effect."""

DAY = timedelta(days=1)


class Life:
    """A companion and a person. `watch` is called after every event and returns violations;
    `on_day` after each day."""

    def __init__(
        self,
        world: World,
        clock: VirtualClock,
        person: Person,
        story: Story,
        watch: Callable[[str], Sequence[Violation]],
        on_day: Callable[[int], None] = lambda _day: None,
    ) -> None:
        self.world = world
        self.story = story
        self._clock = clock
        self._person = person
        self._watch = watch
        self._on_day = on_day
        self._loop = OneLoop()
        self._worker = Worker(world)
        self._acts: list[tuple[datetime, int, Act]] = []
        self._acted = 0
        self._delivered = 0
        self._looked = clock.at
        self._reminder: datetime | None = None
        self._table = Timetable(clock.now, self._zone(), self._ring)
        own = world.settings.data / "memory" / "schedules.json"
        for entry in schedule_file.read(own).values():
            if entry.enabled and entry.script.stem not in WITHOUT:
                self._table.set(entry, clock.at, [])

    def live(self, days: int, keep_going: bool = False) -> Story:
        """Live through so many days; stop at the first violation unless `keep_going`.

        Raises KeyboardInterrupt if interrupted.
        """
        try:
            self._worker.recover()
            ends = self._person.begins + days * DAY
            for day in range(days):
                for act in self._person.day(day):
                    self._plan(act)
                self._until(min(self._person.begins + (day + 1) * DAY, ends), keep_going)
                if self.story.violations and not keep_going:
                    break
                self._on_day(day + 1)
            self._judge("end")
        finally:
            self._loop.close()
        return self.story

    def _until(self, moment: datetime, keep_going: bool) -> None:
        while keep_going or not self.story.violations:
            job, act = self._table.next_due(), self._acts[0][0] if self._acts else None
            comes = min(at for at in (job, act, self._reminder, moment) if at is not None)
            if comes >= moment:
                break
            self._clock.to(comes)
            if act is not None and act <= comes:
                self._act(heapq.heappop(self._acts)[2])
            elif self._reminder is not None and self._reminder <= comes:
                self._answer()
            else:
                self._table.run_pending()
        self._clock.to(moment)

    # -- the person --

    def _plan(self, act: Act) -> None:
        self._acted += 1
        heapq.heappush(self._acts, (max(act.at, self._clock.at), self._acted, act))

    def _act(self, act: Act) -> None:
        now, event = self._clock.at, replace(act.event, at=self._clock.at)
        if act.request is not None:
            self.story.promises.append(self._person.promised(act.request, now, ZoneInfo(self.story.zone_at(now))))
        if act.snoozes is not None:
            self.story.promises.append(Promise(act.snoozes, now + SNOOZE))
        if act.moves_to is not None:
            self.story.where.append(Whereabouts(now + TOLD_AFTER, act.moves_to))
        if isinstance(event, Press) and event.data.startswith(ZONE_SET):
            zone = event.data.removeprefix(ZONE_SET)
            self.story.promises = [promise.moved(zone, now) for promise in self.story.promises]
        new = NewEnvelope(CHANNEL, f"update-{self._acted}-{len(self.story.heard)}", CHAT, event)
        with self.world.database.write() as db:
            [row] = inbox.store(db, [new], now)
        words = event.text if isinstance(event, Message) else event.data if isinstance(event, Press) else ""
        words = " ".join(event.emoji) if isinstance(event, Reaction) else words
        self.story.heard.append(Heard(now, row, event.kind, words))
        self._answer()
        self._follow_zone()

    def _answer(self) -> None:
        """Run the worker's own round: waiting envelopes, due reminders, and side work."""
        self._loop.wait(self._everything())
        self._looked = self._clock.at
        self._clock.pass_(ANSWERED_AFTER)
        self._after("answer")

    async def _everything(self) -> None:
        await self._worker.answer_all()
        await self._worker.quiet()
        await self._worker.judged()

    # -- the companion's jobs --

    def _ring(self, alarm: Alarm) -> None:
        name = alarm.entry.script.stem
        alarm.runs.append(self._clock.at)
        outcome = run_job.run_in(self.world, name, self._loop.wait, alarm.entry.args)
        name = outcome.script
        self.story.asked[name] = self.story.asked.get(name, 0) + 1
        if outcome.exit_code == run_job.STOPPED:
            raise KeyboardInterrupt
        if outcome.run_id is None:
            return
        self.story.ran.append(Ran(self._clock.at, name, outcome.exit_code, outcome.summary))
        self._after(name)

    # -- after each event --

    def _after(self, what: str) -> None:
        self._deliver()
        self._remember_next_reminder()
        self._judge(what)

    def _deliver(self) -> None:
        """Deliver the outbox."""
        now = self._clock.at
        while True:
            with self.world.database.read() as db:
                rows = outbox.ready(db, CHANNEL, now)
            if not rows:
                return
            for row in rows:
                self._delivered += 1
                message_id = str(self._delivered)
                with self.world.database.write() as db:
                    if outbox.claim(db, row.id, now):
                        outbox.part_sent(db, row.id, message_id, now)
                self._said(row, message_id, now)

    def _said(self, row: Outgoing, message_id: str, now: datetime) -> None:
        buttons = tuple(one["data"] for line in row.extra.get("buttons", ()) for one in line)
        self.story.said.append(
            Said(now, row.id, row.turn_id, row.turn_key, row.policy, row.kind, row.text, buttons, message_id)
        )
        for act in self._person.hears(row, message_id, now):
            self._plan(act)

    def _remember_next_reminder(self) -> None:
        """Compute when the worker, which polls every few seconds, will find the next reminder."""
        with self.world.database.read() as db:
            due = tasks.next_due(db)
        if due is None:
            self._reminder = None
            return
        every = timedelta(seconds=REMINDER_SECONDS)
        looks = max(0, -((self._looked - due) // every))
        self._reminder = self._looked + max(1, looks) * every

    def _judge(self, what: str) -> None:
        self.story.violations += self._watch(what)

    def _zone(self) -> tzinfo:
        with self.world.database.read() as db:
            chosen = kv.get(db, ZONE_KEY)
        return ZoneInfo(chosen) if chosen else self.world.zone

    def _follow_zone(self) -> None:
        """Recompute times of the user's day after a move, like the brain."""
        zone = self._zone()
        if zone != self._table.user_zone:
            self._table.user_zone = zone
            self._table.reset()
        idlers = [alarm for alarm in self._table.alarms if isinstance(alarm.entry.timing.when, Idle)]
        if idlers:
            with self.world.database.read() as db:
                self._table.last_activity = runs.last_activity(db)
        for alarm in idlers:
            alarm.reset()


TOLD_AFTER = timedelta(minutes=2)
"""From sharing a location until the companion, which asks first, may know it."""


def rng_of(seed: int, persona: str) -> random.Random:
    """Return the random generator of a person's life."""
    return random.Random(f"{seed} {persona}")
