"""One listener for all homes: takes the updates of every bot, stores each in the right home, and
wakes homes that have something to do. A home where nothing happens is closed and costs a `stat` now
and then.

An update is acknowledged when it is in its home's inbox. A home that cannot store it (its disk, its
database) would block everybody who shares its bot: after `PATIENCE_SECONDS` its updates are set
aside in `.host/set_aside/<home>/`, and enter its inbox before anything newer once it works again.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import random
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from furoshiki.channels.telegram.access import Received
from furoshiki.channels.telegram.lock import only_listener
from furoshiki.channels.telegram.numbering import Numbering
from furoshiki.channels.telegram.outcomes import Delivered
from furoshiki.channels.telegram.timings import Pace
from furoshiki.channels.telegram.updates import Me
from furoshiki.core.database.connection import connect, explained
from furoshiki.core.errors import BadSetting, FuroshikiError, NotConfigured, StorageUnavailable, in_words
from furoshiki.core.paths import DATABASE, HOST, settings_files, stamp_of
from furoshiki.core.process import liveness
from furoshiki.core.process.systemd import Notifier
from furoshiki.core.settings import Settings
from furoshiki.host import bot_states, deferred_updates, home_logs, homes, store, update_routing
from furoshiki.host.bot_states import BotStates
from furoshiki.host.health import Health
from furoshiki.host.homes import Home
from furoshiki.host.members import MemberFile
from furoshiki.host.minds import Minds
from furoshiki.host.open_home import OpenHome, open_home, secrets_of, settings_of
from furoshiki.host.rules.readiness import Seen
from furoshiki.host.update_routing import Sorter
from furoshiki.owner.people import places
from furoshiki.world import Clock

if TYPE_CHECKING:
    from furoshiki.channels.telegram.bot import Client
    from furoshiki.channels.telegram.poller import Poller

log = logging.getLogger(__name__)

LOOK_SECONDS = 1.0  # how often, in seconds, the files and timers of sleeping homes are checked

# seconds after which a sleeping home is checked though its files look unchanged: two writes within
# one tick of the kernel's clock look like one
SWEEP_SECONDS = 600.0

ALWAYS = float("-inf")

HOMES_SECONDS = 10.0  # how often, in seconds, the list of homes is read again

IDLE_SECONDS = 60.0

BUSY_SECONDS = 1.0  # seconds that a check of a sleeping home waits for a process that writes there

# seconds that a home may fail to store its updates before they are set aside
PATIENCE_SECONDS = 5.0

TRY_SECONDS = 0.5
TRY_AGAIN_SECONDS = 30.0  # seconds between two tries to wake a home that fails to open

# seconds that homes may take to close: the supervisor gives the whole process four
FAREWELL_SECONDS = 3.2


@dataclass
class Known:
    """What is known of a home that is closed: its files' stamps when there was nothing to do, when
    its timer wakes it, and until when it is left alone after it failed to open."""

    home: Home
    stamps: object = None
    look_by: float = ALWAYS
    settings: object = None
    wakes_at: datetime | None = None
    not_before: float = 0.0
    trouble: str | None = None
    opening: asyncio.Lock = field(default_factory=asyncio.Lock)

    def __post_init__(self) -> None:
        own = self.home.database
        self._log, self._settings = f"{own}-wal", [str(path) for path in settings_files(self.home.data)]

    def database_stamp(self) -> object:
        """Return a stamp that changes with every commit to the home's database, by any process."""
        return stamp_of(self._log)

    @property
    def has_settings(self) -> bool:
        """Return whether the home has settings of its own; reading them takes milliseconds."""
        return any(map(stamp_of, (self._settings[0], self._settings[-1])))

    def settings_stamp(self) -> object:
        """Return a stamp that changes when a settings file of the home does."""
        return tuple(map(stamp_of, self._settings))


@dataclass
class Bot:
    """A bot and the task that polls its updates; `home` is its home, None for the shared bot."""

    client: Client
    home: str | None
    task: asyncio.Task[None] | None = None
    poller: Poller | None = None
    numbering: Numbering | None = None
    not_before: float = 0.0  # the loop time from which polling may begin again after it ended

    @property
    def hears(self) -> bool:
        """Return whether updates of the bot are being taken."""
        return self.task is not None and not self.task.done() and self.poller is not None and self.poller.hears


class Host:
    """All homes of a machine. Must be created inside its event loop."""

    def __init__(
        self,
        root: Path,
        settings: Settings,
        clock: Clock,
        *,
        idle_s: float = IDLE_SECONDS,
        pace: Pace | None = None,
        notifier: Notifier | None = None,
    ) -> None:
        """A home is closed after `idle_s`."""
        self.root = root
        self.settings = settings
        self.open: dict[str, OpenHome] = {}
        self.known: dict[str, Known] = {}
        self._clock = clock
        self._notifier = notifier or Notifier({})
        self._idle_s = idle_s
        self._pace = pace or Pace()
        self._rng = random.Random(settings.furoshiki_seed)
        self._members = MemberFile(root)
        self._sorter = Sorter(
            lambda user: self._members.read().home_of(user),
            lambda user, code: self._members.enter(user, code, clock.now()),
            self._rests,
        )
        self._minds = Minds(root / HOST / "logs", settings.furoshiki_stalled_seconds)
        self._bots: dict[str | None, Bot] = {}
        self._states: BotStates
        self._waking: set[asyncio.Task[object]] = set()
        self._draining = False
        self._went_round = 0.0
        self._resting = 0

    async def run(self, stop: asyncio.Event) -> None:
        """Serve all homes until `stop` is set; then end within 5 s."""
        run = self.root / HOST / "run"
        run.mkdir(parents=True, exist_ok=True, mode=0o700)
        self._states = BotStates(self.root)
        self._look_around()
        self._notifier.ready("listening")
        watching = asyncio.create_task(self._watch(), name="watching")
        sign = asyncio.create_task(liveness.show(run / "listener.alive"))
        stopping = asyncio.create_task(stop.wait())
        async with Health(run, self._see).served(self.settings.furoshiki_host_health):
            try:
                await asyncio.wait({watching, stopping}, return_when=asyncio.FIRST_COMPLETED)
                if watching.done():
                    watching.result()
            finally:
                self._draining = True
                self._notifier.stopping()
                for task in (watching, stopping, sign):
                    task.cancel()
                await self._wind_down()

    # -- homes and bots --

    def _look_around(self) -> None:
        """Update the homes and their bots: add new ones, close those that are gone or paused. While
        the list cannot be read, the known homes go on and no others begin."""
        try:
            every = homes.every(self.root)
        except (FuroshikiError, OSError) as error:
            log.error("which homes there are cannot be read: %s", error)
            return
        there = {home.name: home for home in every if home.paused_at is None}
        self._resting = len(every) - len(there)
        for name in self.known.keys() - there.keys():
            del self.known[name]
            self._spawn(self._close(name))
            self._end_bot(name)
        for name, home in there.items():
            known = self.known.setdefault(name, Known(home))
            known.home = home
        self._begin_bot(None, self.settings)
        for name, known in self.known.items():
            seen = known.settings_stamp()
            if seen != known.settings:
                try:
                    if known.has_settings:
                        self._begin_bot(name, settings_of(known.home))
                    known.settings, known.trouble = seen, None
                except BadSetting as error:
                    self._on_trouble(known, str(error))
            elif name in self._bots:
                self._begin_again(self._bots[name])
        for name in deferred_updates.homes(self.root) & self.known.keys():
            bot = self._bots.get(name) or self._bots.get(None)
            me = None if bot is None or bot.poller is None else bot.poller.me
            if me is not None:
                self._spawn(self._into(name, (), me))

    def _begin_bot(self, home: str | None, settings: Settings) -> None:
        from furoshiki.channels.telegram.bot import Client

        token = settings.telegram_bot_token
        if token is None:
            return
        if home in self._bots:
            self._begin_again(self._bots[home])
            return
        client = Client(token.get_secret_value(), settings.telegram_api_url)
        bot = self._bots[home] = Bot(client, home)
        if home is None:
            bot.numbering = Numbering(self.root / HOST / "run" / f"newest-{client.id}")
        self._begin_again(bot)

    def _begin_again(self, bot: Bot) -> None:
        """Start polling a bot, or restart it, at most every `TRY_AGAIN_SECONDS`."""
        if bot.task is not None:
            if not bot.task.done() or self._loop_time() < bot.not_before:
                return
            bot.not_before = self._loop_time() + TRY_AGAIN_SECONDS
        bot.task = asyncio.create_task(self._poll(bot), name=f"poll for {bot.home or 'all'}")

    def _end_bot(self, home: str) -> None:
        bot = self._bots.pop(home, None)
        self._states.works(home)
        if bot is not None and bot.task is not None:
            bot.task.cancel()
            self._spawn(bot.client.close())

    async def _poll(self, bot: Bot) -> None:
        from furoshiki.channels.telegram.poller import REFUSED, Poller

        async def keep(batch: list[Mapping[str, Any]], me: Me) -> Received:
            return await self._keep(bot, batch, me)

        def alert(kind: str, words: str | None) -> None:
            self._states.note(bot.home, bot_states.UNAUTHORIZED if kind == REFUSED else kind, over=words is None)
            if words is not None and kind == REFUSED and bot.home in self.known:
                self._on_trouble(self.known[bot.home], words)
            elif words is not None:
                log.warning("bot of %s: %s: %s", bot.home or "all", kind, words)

        bot.poller = Poller(bot.client, keep, self._rng, lambda taken: self._greet(bot, taken), alert, self._pace)
        try:
            with only_listener(self.root / HOST / "run", bot.client.id):
                await bot.poller.run()
        except FuroshikiError as error:
            if bot.home in self.known:
                self._on_trouble(self.known[bot.home], str(error))
            else:
                log.error("the bot of all cannot be used: %s", error)
        except Exception:  # a failing bot must not end the others, and is begun again
            log.exception("listening for the bot of %s broke", bot.home or "all")

    # -- incoming updates --

    async def _keep(self, bot: Bot, batch: list[Mapping[str, Any]], me: Me) -> Received:
        """Put a batch into the right inboxes; return the answers for strangers."""
        heard = Received()
        self._states.note(bot.home, bot_states.UNAUTHORIZED, over=True)
        if bot.home is not None:
            await self._into(bot.home, batch, me)
            return heard
        if bot.numbering is not None:
            for message_id in update_routing.message_ids(batch):
                bot.numbering.saw(message_id)
        try:
            self._members.read()
        except FuroshikiError as error:  # nothing is acknowledged then
            raise StorageUnavailable(str(error)) from error
        found = self._sorter.sort(batch, me, self._clock.now())
        await asyncio.gather(*(self._into(home, updates, me) for home, updates in found.homes.items()))
        heard.say, heard.callbacks = found.say, found.callbacks
        return heard

    def _rests(self, name: str) -> bool:
        """Return whether a home is paused and only stores updates; a new home is added first."""
        if name not in self.known:
            self._look_around()
        return name not in self.known

    async def _into(self, name: str, updates: Sequence[Mapping[str, Any]], me: Me) -> None:
        """Store updates for one home: in its inbox, or set aside while it is paused or keeps
        failing. Raises StorageUnavailable when neither works."""
        until = self._loop_time() + (PATIENCE_SECONDS if name in self.known else 0.0)
        while True:
            try:
                home = await self._wake(name)
                await self._from_aside(home, me)
                home.delivery.taken(await home.delivery.store(list(updates), me))
                home.used_at = self._loop_time()
                return
            except Exception as error:  # a failing home must not block the others
                if self._loop_time() >= until:
                    log.warning("%s cannot keep what it is sent: it is set aside", name)
                    self._say_in(name, error)
                    await self._aside(name, updates)
                    return
            await asyncio.sleep(TRY_SECONDS)

    async def _aside(self, name: str, updates: Sequence[Mapping[str, Any]]) -> None:
        try:
            await asyncio.to_thread(deferred_updates.keep, self.root, name, updates)
        except OSError as error:
            raise StorageUnavailable(f"what {name} is sent cannot be set aside: {in_words(error)}") from error

    def _say_in(self, name: str, error: Exception) -> None:
        """Log an error in the home's own log."""
        known = self.known.get(name)
        if known is not None:
            with home_logs.about(known.home.data, secrets_of(known.home)):
                log.warning("messages are set aside: %s: %s", type(error).__name__, error)

    def _loop_time(self) -> float:
        return asyncio.get_running_loop().time()

    async def _from_aside(self, home: OpenHome, me: Me) -> None:
        """Put the updates that were set aside into the inbox."""
        waiting = await asyncio.to_thread(deferred_updates.list_waiting, self.root, home.home.name)
        if waiting:
            home.delivery.taken(await home.delivery.store([update for _, update in waiting], me))
            await asyncio.to_thread(deferred_updates.remove_files, [path for path, _ in waiting])

    def _greet(self, bot: Bot, heard: Received) -> None:
        """Answer strangers, unrecorded."""

        async def call(method: str, **params: Any) -> None:
            outcome = await bot.client.call(method, **params)
            if bot.numbering is not None and isinstance(outcome, Delivered) and outcome.message_id is not None:
                bot.numbering.saw(outcome.message_id)

        for chat_id, words in heard.say:
            self._spawn(call("SendMessage", chat_id=chat_id, text=words))
        for callback_id in heard.callbacks:
            self._spawn(call("AnswerCallbackQuery", callback_query_id=callback_id))

    # -- waking and closing --

    async def _wake(self, name: str) -> OpenHome:
        """Return the home, opening it if necessary. Raises FuroshikiError."""
        known = self.known.get(name)
        if known is None:
            raise StorageUnavailable(f"{name} rests, or is gone")
        async with known.opening:
            there = self.open.get(name)
            if there is not None:
                return there
            own = self._bots.get(name)
            bot = own or self._bots.get(None)
            if bot is None:
                raise NotConfigured(f"{name} has no bot: TELEGRAM_BOT_TOKEN is neither in its .env nor in the host's")
            shared = None if own else self.settings
            owner = None if own else self._members.read().person_of(name)
            home = await open_home(
                known.home,
                self._minds,
                self._clock,
                bot.client,
                shared=shared,
                owner_id=owner,
                numbering=bot.numbering,
                pace=self._pace,
            )
            self.open[name] = home
            known.trouble = None
            return home

    async def _close(self, name: str) -> None:
        known = self.known.get(name)
        async with known.opening if known is not None else contextlib.nullcontext():
            there = self.open.pop(name, None)
            if there is not None:
                await there.close()

    async def _watch(self) -> None:
        """Wake homes that have work and close idle ones, forever."""
        loop = asyncio.get_running_loop()
        looked = loop.time()
        while True:
            self._went_round = loop.time()
            await asyncio.sleep(LOOK_SECONDS)
            if self._notifier.watchdog_s:
                self._notifier.alive(f"{len(self.open)} of {len(self.known)} homes awake")
            if loop.time() - looked > HOMES_SECONDS:
                looked = loop.time()
                self._look_around()
            now = self._clock.now()
            for known in list(self.known.values()):
                try:
                    if known.home.name in self.open:
                        await self._rest_or_go_on(known, loop.time())
                    elif self._call(known, loop.time(), now):
                        await asyncio.sleep(0)  # after a start many checks follow each other
                except Exception as error:  # a failing home must not stop the others
                    log.exception("%s broke", known.home.name)
                    self._on_trouble(known, f"{type(error).__name__}: {error}")

    async def _rest_or_go_on(self, known: Known, at: float) -> None:
        there = self.open[known.home.name]
        if there.broke is not None:
            log.error("%s broke and is opened again; its own log says more", known.home.name)
            with home_logs.about(known.home.data, there.world.settings.secrets()):
                log.error("it broke and is opened again", exc_info=there.broke)
        elif not await self._is_idle(there, at):
            return
        known.look_by, known.wakes_at = ALWAYS, None
        await self._close(known.home.name)

    async def _is_idle(self, there: OpenHome, at: float) -> bool:
        try:
            if not await there.at_rest():
                there.used_at = at
        except StorageUnavailable:
            return True
        return at - there.used_at >= self._idle_s

    def _call(self, known: Known, at: float, now: datetime) -> bool:
        """Wake a sleeping home when it has changed and has work, or its time has come; return True
        when it was checked."""
        stamps = known.database_stamp()
        unchanged = stamps == known.stamps and at < known.look_by
        if unchanged and (known.wakes_at is None or now < known.wakes_at):
            return False
        if at < known.not_before or known.opening.locked():
            return False
        try:
            called, known.wakes_at = _look(known.home.data, now)
            known.stamps, known.look_by = stamps, at + SWEEP_SECONDS * self._rng.uniform(0.5, 1.0)
        except (StorageUnavailable, OSError) as error:
            self._on_trouble(known, str(error))
            return True
        if called or (known.wakes_at is not None and known.wakes_at <= now):
            self._spawn(self._woken(known))
        return True

    async def _woken(self, known: Known) -> None:
        try:
            await self._wake(known.home.name)
            known.trouble = None
        except (FuroshikiError, OSError) as error:
            self._on_trouble(known, str(error))

    def _on_trouble(self, known: Known, words: str) -> None:
        if known.trouble != words:
            log.warning("%s: %s", known.home.name, words)
        known.trouble = words
        known.look_by = ALWAYS
        known.not_before = asyncio.get_running_loop().time() + TRY_AGAIN_SECONDS

    def _see(self) -> Seen:
        """Return the figures that decide whether the host takes messages."""
        sign, shared = stamp_of(self.root / HOST / "run" / "brain.alive"), self._bots.get(None)
        return Seen(
            round_s=self._loop_time() - self._went_round,
            brain_s=None if sign is None else max(0.0, self._clock.now().timestamp() - sign[0] / 1e9),
            bots=len(self._bots),
            hearing=sum(bot.hears for bot in self._bots.values()),
            shared_hears=None if shared is None else shared.hears,
            awake=len(self.open),
            asleep=len(self.known.keys() - self.open.keys()),
            resting=self._resting,
            troubled=sum(known.trouble is not None for known in self.known.values()),
            aside=len(deferred_updates.homes(self.root)),
            draining=self._draining,
        )

    # -- shutting down --

    def _spawn(self, work: Any) -> None:
        task = asyncio.ensure_future(work)
        self._waking.add(task)
        task.add_done_callback(self._waking.discard)

    async def _wind_down(self) -> None:
        taking = [bot.task for bot in self._bots.values() if bot.task is not None]
        for task in (*taking, *self._waking):
            task.cancel()
        await asyncio.gather(*taking, *self._waking, return_exceptions=True)
        closing = [asyncio.create_task(self._close(name)) for name in list(self.open)]
        if closing:
            await asyncio.wait(closing, timeout=FAREWELL_SECONDS)
        for bot in self._bots.values():
            await bot.client.close()
            if bot.numbering is not None:
                bot.numbering.close()
        self._minds.close(0.5)


def _look(data: Path, now: datetime) -> tuple[bool, datetime | None]:
    """Return whether a sleeping home has work, and its next timer. Raises StorageUnavailable."""
    called, moments = False, []
    for folder in (data, *places.folders(data)):
        path = folder / DATABASE
        with explained(path, BUSY_SECONDS), closing(connect(path, "ro", busy_seconds=BUSY_SECONDS)) as db:
            called = called or store.calls(db, now)
            moments.append(store.wakes_at(db))
    return called, min((one for one in moments if one is not None), default=None)
