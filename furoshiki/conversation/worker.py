"""The worker: takes envelopes from the inbox, one turn at a time, for all channels.

The process holding `run/mind.lock` is the mind. The listener holds it while it runs; the console
takes it when free, and otherwise uses the inbox.
"""

import asyncio
import contextlib
import logging
import os
from collections.abc import Callable, Coroutine
from typing import Any

from furoshiki.archive.forgetting import forgetting
from furoshiki.conversation import abilities, other_people, turn
from furoshiki.conversation.hearing import fetching
from furoshiki.conversation.skills.drawing import delivering
from furoshiki.core import refs
from furoshiki.core.atomic_files import hold
from furoshiki.core.catalogue import later, say
from furoshiki.core.database import troubles
from furoshiki.core.errors import BadSetting, StorageUnavailable
from furoshiki.core.process import file_watch
from furoshiki.core.process.crash_points import point
from furoshiki.extensions.plugins import conversation_texts, installing
from furoshiki.extensions.plugins.store import plugins
from furoshiki.memory import exit_gate
from furoshiki.memory.perception import signals
from furoshiki.messages.store import inbox, outbox, turn_journal, turns
from furoshiki.messages.values import Envelope, NewOutgoing
from furoshiki.mind.consolidation import memory_feedback
from furoshiki.mind.outreach import continuity, reminders
from furoshiki.mind.outreach.store.continuity import Timer
from furoshiki.mind.post_conversation import after_answer
from furoshiki.mind.readiness.lifetime import Lifetime
from furoshiki.owner.agenda.store import operations, quiet
from furoshiki.owner.people import places
from furoshiki.owner.people.places import People
from furoshiki.owner.user_model import languages
from furoshiki.world import World

log = logging.getLogger(__name__)

# minimum seconds between checks for other processes' rows; the interval without notifications
LOOK_SECONDS = 0.25

REMINDER_SECONDS = 10.0  # interval in seconds of checks for due reminders: they fire within 30 s

STORAGE_PAUSE_SECONDS = 1.0

# maximum seconds that a start waits for locks on files to be deleted; later it retries
AT_START_SECONDS = 2.0

# maximum seconds that judging waits for background work, which may judge the same
JUDGED_AFTER_SECONDS = 10.0

# seconds for which sending has the processor alone before follow-up work starts: 10 ms instead of
# 30
SAID_FIRST_SECONDS = 0.03

LAST_FLUSH_SECONDS = 1.5  # maximum seconds that the shutdown waits to judge the last messages

BROKEN = later(
    "Something in me breaks every time I try to answer your message{which}. I have set it aside "
    "so that I can go on; try saying it in other words."
)
BREAKS = (
    "answering breaks ({name}): the log of the listener or of the chat (`furoshiki logs`) says "
    "where; if it goes on, put back a backup with `furoshiki restore`"
)
ORPHANED = later(
    "I was restarted while working on this, so it did not get done: {titles}. Ask me again if you still want it."
)


class Worker:
    """The main loop. `wake` can be called from any thread.

    `on_words` is called in the worker's thread when the outbox may have new messages. A `lasting`
    worker counts as a start of the companion, and its hours as lifetime.
    """

    def __init__(self, world: World, on_words: Callable[[], None] = lambda: None, *, lasting: bool = True) -> None:
        self.world = world
        self._lifetime = Lifetime() if lasting else None
        self.people = People()
        self._on_words = on_words
        self.on_turn: Callable[[int], Coroutine[Any, Any, None]] | None = None
        """Awaited after each turn with its number of messages, before the next one begins."""
        self._lock: int | None = None
        self._woken = asyncio.Event()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._exchanges = 0
        self._flushing: asyncio.Task[None] | None = None
        self._resting = False
        self.waits_for: str | None = None
        """Why nothing can be answered now (database, disk, setting); None when all is well."""
        self._working: asyncio.Task[None] | None = None
        self._following: asyncio.Task[None] | None = None
        self._introducing: asyncio.Task[None] | None = None
        self._consulting: asyncio.Task[None] | None = None
        self._consulted = ""
        self._reminding = asyncio.Lock()
        self._looking = False
        """Whether all envelopes are answered and the worker only waits for more."""

    @property
    def at_rest(self) -> bool:
        """Return whether nothing is running, neither a turn nor background work."""
        beside = (self._working, self._following, self._consulting, self._introducing, self._flushing)
        return self._looking and all(task is None or task.done() for task in beside)

    def try_hold(self) -> bool:
        """Take the lock; return False if another process has it. It is released at exit."""
        if self._lock is None:
            self._lock = hold(self.world.settings.data / "run" / "mind.lock")
        return self._lock is not None

    def let_go(self) -> None:
        """Release the lock."""
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None

    def wake(self) -> None:
        """Notify the loop of a new arrival."""
        if self._loop is not None and not self._loop.is_closed():
            with contextlib.suppress(RuntimeError):
                self._loop.call_soon_threadsafe(self._woken.set)

    async def run(self, stop: asyncio.Event) -> None:
        """Wait for the lock, recover from a crash, and answer until `stop` is set."""
        self._loop = asyncio.get_running_loop()
        stopping = asyncio.create_task(stop.wait())
        warming: asyncio.Future[None] | None = None
        try:
            while not stop.is_set() and not self.try_hold():
                await asyncio.wait({stopping}, timeout=LOOK_SECONDS)
            if not stop.is_set():
                await self._patiently(self.recover)
                self._live(lambda life: life.begin(self.world))
                self._on_words()
                delivering.begin(self.world)
                self.flush()
                warming = asyncio.ensure_future(self.world.warm())
                self._beside(after_answer.read(self.world))
                self._introducing = asyncio.create_task(asyncio.to_thread(self._know_itself))
            turning: asyncio.Task[None] | None = None
            with file_watch.hung(self.world.database.path.parent) as written:
                while not stop.is_set():
                    # before the check, so that an arrival during it is not missed
                    self._woken.clear()
                    self._live(lambda life: life.go_on(self.world))
                    seen = self._version()
                    turning = asyncio.create_task(self.answer_all())
                    await self._until_answered(turning, stopping)
                    if turning.done():
                        turning.result()
                        await self._rest(stopping, seen, written)
            if turning is not None and not turning.done():
                turning.cancel()
                with contextlib.suppress(asyncio.CancelledError):
                    await turning
        finally:
            stopping.cancel()
            if warming is not None:
                warming.cancel()
            await self.rest()
            if self._introducing is not None:
                await asyncio.wait({self._introducing})
            for task in (self._working, self._following, self._consulting):
                if task is not None:
                    task.cancel()
            await self.quiet()
            self._live(lambda life: life.count(self.world))
            self.let_go()

    def _live(self, counted: Callable[[Lifetime], None]) -> None:
        """Count the lifetime; a database error costs an hour of it and nothing else."""
        if self._lifetime is not None:
            with contextlib.suppress(StorageUnavailable):
                counted(self._lifetime)

    async def step(self, *, remind: bool = False) -> bool:
        """Answer one envelope, after due reminders if wanted; return False when none waits."""
        envelope = await self._remind(self._claim) if remind else await asyncio.to_thread(self._claim)
        if envelope is None:
            return False
        point("worker.claimed")
        if self._following is not None:
            self._following.cancel()  # the person continues the conversation
        taken = [envelope]
        try:
            async with asyncio.timeout(self.world.settings.furoshiki_turn_minutes * 60):
                afterwards = await self._answer(taken)
            self._well()
            self._on_words()
            delivering.begin(self.world)
            self._consult()
            if afterwards is not None:
                try:
                    await asyncio.sleep(SAID_FIRST_SECONDS)
                finally:
                    self._beside(afterwards())
                await asyncio.to_thread(continuity.arm, self.world, refs.name("inbox", taken[0].id))
                self._exchanges += 1
                if self._exchanges % exit_gate.EXCHANGES == 0:
                    self.flush(after=self._working)
        except asyncio.CancelledError:
            self._put_back(taken)
            raise
        except (StorageUnavailable, BadSetting) as error:
            # not the message's fault: do not count it or leave it as being processed
            self._on_storage_error(str(error))
            await asyncio.sleep(STORAGE_PAUSE_SECONDS)
            await self._patiently(lambda: self._put_back(taken))
        except Exception as error:  # a turn's outermost level: one message must not stop the others
            log.exception("the turn for envelope %s broke", envelope.id)
            why = f"{type(error).__name__}: {error}"
            self._note(BREAKS.format(name=type(error).__name__))
            await self._patiently(lambda: self._on_failed_turn(taken, why))
            self._on_words()
        if self.on_turn is not None:
            await self.on_turn(len(taken))
        return True

    async def _answer(self, taken: list[Envelope]) -> turn.Afterwards | None:
        """Run a turn in the sender's world: the owner's or a guest's."""
        with self.world.database.read() as db:
            person = places.whose(db, taken[0])
        if person.standing == "stranger":  # rejected while the message waited
            self._finish(taken)
            return None
        if person.place is None:
            return await turn.run(self.world, taken)
        guest = await asyncio.to_thread(self.people.world, self.world, person)
        return await other_people.answer(self.world, guest, taken)

    def _consult(self) -> None:
        """Once per session, collect plugin texts in the background."""
        if not (self.world.home / installing.FOLDER).is_dir():
            return  # a check of a folder instead of a transaction for every message
        with self.world.database.read() as db:
            last = turns.last_session(db) if plugins.names(db) else None
        if last is None or last[0] == self._consulted or (self._consulting and not self._consulting.done()):
            return
        self._consulted = last[0]
        self._consulting = asyncio.create_task(self._carefully(conversation_texts.refresh(self.world)))

    def flush(self, after: asyncio.Task[None] | None = None) -> None:
        """Start judging messages in the background, unless already running.

        `after` is work that may judge the same, so that nothing is judged twice.
        """
        if self._flushing is None or self._flushing.done():
            self._flushing = asyncio.create_task(self._judge_after(after))

    async def rest(self) -> None:
        """Judge as many messages as quickly possible before exit; the script does the rest."""
        self.flush()
        if self._flushing is not None:
            await asyncio.wait({self._flushing}, timeout=LAST_FLUSH_SECONDS)
        self._resting = True

    def _know_itself(self) -> None:
        """Write the self-knowledge if it does not exist, instead of waiting for the first night."""
        try:
            abilities.begin(self.world)
        except (StorageUnavailable, OSError) as error:
            log.warning("what I know of myself waits to be written: %s", error)
        except Exception:  # background work's outermost level: it must not stop turns; the script retries
            log.exception("what I know of myself could not be written")

    async def _judge_after(self, working: asyncio.Task[None] | None) -> None:
        if working is not None:
            await asyncio.wait({working}, timeout=JUDGED_AFTER_SECONDS)
        await asyncio.to_thread(self._judge)

    def _judge(self) -> None:
        try:
            exit_gate.flush_quickly(self.world, lambda: self._resting)
            for guest in self.people.everybody(self.world):
                exit_gate.flush_quickly(guest, lambda: self._resting)
        except StorageUnavailable as error:
            log.warning("what was said waits to be judged: %s", error)
        except Exception:  # background work's outermost level: it must not stop turns; the script retries
            log.exception("what was said could not be judged")

    async def quiet(self) -> None:
        """Wait for the background work."""
        for task in (self._working, self._following):
            if task is not None:
                await asyncio.wait({task})

    async def judged(self) -> None:
        """Wait for running judgements."""
        if self._flushing is not None:
            await asyncio.wait({self._flushing})

    def _beside(self, work: Coroutine[Any, Any, object]) -> None:
        """Run work in the background, one at a time; skipped work is found again later."""
        if self._working is not None and not self._working.done():
            work.close()
        else:
            self._working = asyncio.create_task(self._carefully(work))

    async def _carefully(self, work: Coroutine[Any, Any, object]) -> None:
        try:
            await work
        except StorageUnavailable as error:
            log.warning("storage: %s", error)
        except Exception:  # the work's outermost level: it must not end the worker, and is retried
            log.exception("what followed a turn broke")

    async def answer_all(self) -> None:
        """Answer all waiting envelopes and due reminders. Never raises for a database error."""
        try:
            while await self.step(remind=True):
                pass
            await self._follow_up()
        except StorageUnavailable as error:
            self._on_storage_error(str(error))
            await asyncio.sleep(STORAGE_PAUSE_SECONDS)

    async def _follow_up(self) -> None:
        """Start one more line in the background, if due."""
        if self._following is None or self._following.done():
            timer = await asyncio.to_thread(continuity.is_due, self.world)
            if timer is not None:
                self._following = asyncio.create_task(self._carefully(self._one_line_more(timer)))

    async def _one_line_more(self, timer: Timer) -> None:
        if await continuity.follow(self.world, timer):
            self._on_words()

    async def _until_answered(self, turning: asyncio.Task[None], stopping: asyncio.Task[bool]) -> None:
        """Wait until all is answered or it is time to stop; reminders are sent even while a model
        thinks."""
        both: set[asyncio.Task[Any]] = {turning, stopping}
        while True:
            done, _ = await asyncio.wait(both, timeout=REMINDER_SECONDS, return_when=asyncio.FIRST_COMPLETED)
            if done:
                return
            with contextlib.suppress(StorageUnavailable):  # the turn gets the same error and reports it
                await self._remind()

    async def _remind(self, then: Callable[[], Envelope | None] = lambda: None) -> Envelope | None:
        """Send due reminders, and return what is done next in the same thread."""
        async with self._reminding:
            spoke, following = await asyncio.to_thread(lambda: (self._spoke_of_due(), then()))
        if spoke:
            self._on_words()
        return following

    def _spoke_of_due(self) -> bool:
        """Put due reminders of all people into the outbox; return whether there were any."""
        self.world = self.world.follow(self.world)
        own = reminders.speak_due(self.world).did
        return bool(other_people.remind(self.world, self.people)) or own

    async def _rest(self, stopping: asyncio.Task[bool], seen: int | None, written: asyncio.Event | None) -> None:
        """Wait for a message, a database write by another process, or the next reminder check.

        `seen` is the last checked database version; `written` signals changes, None: poll.
        """
        loop = asyncio.get_running_loop()
        until = loop.time() + REMINDER_SECONDS
        waking = asyncio.create_task(self._woken.wait())
        self._looking = True
        try:
            while loop.time() < until and not stopping.done() and not waking.done():
                if written is not None:
                    written.clear()
                if (version := self._version()) != seen:
                    seen = version
                    if self._waits():
                        return
                done, _ = await asyncio.wait(
                    {waking, stopping}, timeout=LOOK_SECONDS, return_when=asyncio.FIRST_COMPLETED
                )
                # the signal may precede the new version, so check once more
                if written is not None and not done and self._version() == seen:
                    await self._quiet_until(written, {waking, stopping}, until - loop.time())
        finally:
            self._looking = False
            waking.cancel()

    async def _quiet_until(self, written: asyncio.Event, others: set[asyncio.Task[bool]], seconds: float) -> None:
        """Wait for a database write, one of the others, or at most this many seconds."""
        writing = asyncio.create_task(written.wait())
        await asyncio.wait({writing, *others}, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
        writing.cancel()

    def _version(self) -> int | None:
        with contextlib.suppress(StorageUnavailable):
            return self.world.database.version()
        return None

    def _waits(self) -> bool:
        with contextlib.suppress(StorageUnavailable), self.world.database.read() as db:
            return inbox.waits(db)
        return False

    def recover(self) -> None:
        """Recover after a crash: requeue begun turns, give up hopeless ones, close open work."""
        world = self.world
        with languages.speaking_as_usual(world), world.database.write() as db:
            for dead in inbox.recover(db, world.now):
                outbox.put(db, [_build_apology(dead)], world.now, None, refs.name("dead", dead.id))
            silent = quiet.current(db, world.now) is not None
            orphans = operations.fail_orphans(db, world.now, operations.UNSAID if silent else operations.INTERRUPTED)
            if orphans and not silent:
                titles = ", ".join(one.title for one in orphans)
                last = orphans[-1]
                words = NewOutgoing(last.channel, last.chat_id, say(ORPHANED, titles=titles))
                outbox.put(db, [words], world.now, None, refs.name("orphans", last.id))
        fetching.go_on(world)
        delivering.recover(world)
        for guest in self.people.everybody(world):
            with guest.database.write() as db:
                inbox.release_all(db)
        for one in (world, *self.people.everybody(world)):
            memory_feedback.settle_all(one)
            forgetting.finish(one, AT_START_SECONDS)

    def _claim(self) -> Envelope | None:
        with self.world.database.read() as db:
            if not inbox.waits(db):
                return None
        self.world = self.world.follow(self.world)
        with self.world.database.write(synced=False) as db:
            claimed = inbox.claim(db, self.world.now)
        if claimed is not None:
            signals.expect(self.world, claimed.text)
        return claimed

    def _finish(self, taken: list[Envelope]) -> None:
        with self.world.database.write() as db:
            inbox.finish(db, [one.id for one in taken], self.world.now)

    def _put_back(self, taken: list[Envelope]) -> None:
        with self.world.database.write() as db:
            inbox.release(db, [one.id for one in taken])

    def _on_failed_turn(self, taken: list[Envelope], error: str) -> None:
        world = self.world
        with languages.speaking_as_usual(world), world.database.write() as db:
            for dead in inbox.record_failure(db, [one.id for one in taken], error, world.now):
                outbox.put(db, [_build_apology(dead)], world.now, None, refs.name("dead", dead.id))
            turn_journal.drop(db, refs.name("inbox", taken[0].id))

    async def _patiently(self, work: Callable[[], None]) -> None:
        """Run database work, waiting until the database is usable."""
        while True:
            try:
                work()
            except StorageUnavailable as error:
                self._on_storage_error(str(error))
                await asyncio.sleep(STORAGE_PAUSE_SECONDS)
            else:
                return

    def _on_storage_error(self, why: str) -> None:
        """Report a storage error in the log, to the console, and if possible on record."""
        if self.waits_for != why:
            log.warning("messages wait: %s", why)
            self.waits_for = why
            self._note(f"messages wait: {why}")

    def _well(self) -> None:
        """Record that messages can be answered again."""
        self.waits_for = None
        with contextlib.suppress(StorageUnavailable):
            with self.world.database.read() as db:
                if not troubles.is_met(db, troubles.TURNS):
                    return
            with self.world.database.write() as db:
                troubles.over(db, troubles.TURNS, self.world.now)

    def _note(self, words: str) -> None:
        with contextlib.suppress(StorageUnavailable), self.world.database.write() as db:
            troubles.record_failure(db, troubles.TURNS, words, self.world.now)


def _build_apology(envelope: Envelope) -> NewOutgoing:
    text = envelope.text.strip()
    which = f" (“{text[:60]}{'…' if len(text) > 60 else ''}”)" if text else ""
    return NewOutgoing(envelope.channel, envelope.chat_id, say(BROKEN, which=which))
