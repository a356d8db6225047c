"""Builds the World of a process from its settings: here its parts are chosen and connected."""

from __future__ import annotations

import contextlib
import dataclasses
import functools
import json
import logging
import random
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from furoshiki.app.jobs import import_function
from furoshiki.app.reflex_provider import ReflexMind
from furoshiki.core import logs
from furoshiki.core.database import troubles
from furoshiki.core.database.connection import CACHE_KB, Database
from furoshiki.core.errors import BadSetting, StorageUnavailable
from furoshiki.core.paths import ROOT, host_of, read_toml_file, settings_files, stamp_of
from furoshiki.core.prompts import Prompts
from furoshiki.core.settings import Settings, reload
from furoshiki.core.timestamps import day_start
from furoshiki.feelings import heartbeat
from furoshiki.feelings.rules.laws import InnerLife
from furoshiki.feelings.state_files import StateFiles
from furoshiki.language.lexicon import Lexicon
from furoshiki.language.requests.helplines import Helplines, rows
from furoshiki.language.tables.care_words import CareWords
from furoshiki.maintenance import restore, upgrading
from furoshiki.messages.channels import CHANNELS, Channel
from furoshiki.messages.store import accounts
from furoshiki.messages.values import Envelope, Shaped
from furoshiki.models.llm import troubles as troubled
from furoshiki.models.llm.batching import Batches
from furoshiki.models.llm.failures import Failure
from furoshiki.models.llm.gateway_reload import Swapping
from furoshiki.models.llm.plans import ModelRef
from furoshiki.models.llm.quirks import Found, Quirks
from furoshiki.models.llm.rules.budget import BudgetLimits
from furoshiki.models.llm.rules.refusals import Quirk, in_words
from furoshiki.models.llm.store import costs, quirks
from furoshiki.models.llm.values import CallRecord
from furoshiki.recall.retrieval.client import Vectors, spawner
from furoshiki.world import Clock, Silent, Stage, World

if TYPE_CHECKING:
    from furoshiki.language.danger_head import DangerHead
    from furoshiki.language.signal_head import Head
    from furoshiki.models.limits.home_limits import HomeLimits
    from furoshiki.models.llm.gateway import Gateway

log = logging.getLogger(__name__)

# languages other than English with words in config/lexicon
LANGUAGES = tuple(sorted({path.stem for path in (ROOT / "config" / "lexicon").glob("*.toml")} - {"en"}))

OTHERS = 0o077  # file permissions of everybody but the owner

FOLDERS = ("memory", "config", "logs", "run", "backups")


def build_world(
    settings: Settings,
    clock: Clock,
    *,
    stage: Callable[[Envelope], Stage] | None = None,
    spawn_memoryd: bool = True,
    minds_when_asked: bool = False,
    synchronous: str | None = None,
    cache_kb: int = CACHE_KB,
) -> World:
    """Build the world of this process. Creates the data directory and migrates the database if
    needed.

    With `minds_when_asked` the language models are set up at the first question: a script without
    questions saves 0.1 s, and an invalid config/models.toml is reported only then. `synchronous`
    overrides how long a commit waits for the disk, `cache_kb` is each thread's database cache (see
    `Database`).

    Raises BadSetting for an invalid file in config/, StorageUnavailable for an unusable database.
    """
    prepare(settings.data)
    upgrading.ensure(settings.data, settings.database, clock.now, settings.backup_recipients)
    database = Database(settings.database, cache_kb=cache_kb, synchronous=synchronous)
    rng = random.Random(settings.furoshiki_seed)
    laws = inner_life(settings.data, settings)
    spawn = spawner(settings.data) if spawn_memoryd else None
    state = StateFiles(settings.data / "memory", lambda: heartbeat.rebuilt(database, laws, clock.now()), now=clock.now)
    from furoshiki.models.media.service import Media

    operator = operator_limits(settings, database, clock)
    models = Swapping(lambda: gateway(settings, database, clock, rng, operator=operator))
    if not minds_when_asked:
        _ = models.gateway
    return World(
        clock=clock,
        rng=rng,
        database=database,
        vectors=Vectors(settings.data, spawn),
        ask=models.ask,
        hand_in=models.hand_in,
        media=Media(lambda: models.gateway, clock.now),
        warm=models.warm,
        state=state,
        prompts=Prompts(ROOT / "prompts"),
        settings=settings,
        zone=settings.zone,
        laws=laws,
        words=lambda told: lexicon(find_second_language(settings, database, told)),
        caring=load_care_words,
        config=ROOT / "config",
        stage=stage or (lambda _envelope: Silent()),
        shape=shape,
        fetch=fetcher(settings),
        head=signal_head,
        meaning=load_meaning_head,
        danger_head=danger_head,
        follow=Follower(settings, models, lambda now: gateway(now, database, clock, rng, operator=operator), operator),
    )


class Follower:
    """Returns a world with the present settings. Without changed files that costs a few `stat`s.

    Invalid settings are reported once, and the previous ones stay in force.
    """

    def __init__(
        self,
        settings: Settings,
        models: Swapping,
        opened: Callable[[Settings], Gateway],
        operator: HomeLimits | None = None,
    ) -> None:
        self._files = settings_files(settings.data)
        self._catalogue = settings.data / "config" / "models.toml"
        self._models = models
        self._opened = opened
        self._operator = operator
        self._seen = self._stamps()
        self._of_models = self._read_inputs(settings)

    def __call__(self, world: World) -> World:
        """Return the same world if nothing changed."""
        stamps = self._stamps()
        if stamps == self._seen:
            return world
        self._seen = stamps
        try:
            found = reload(world.settings)
            laws = inner_life(found.data, found)
            if (known := self._read_inputs(found)) != self._of_models:
                self._models.swap(self._opened(found))
                self._of_models = known
        except BadSetting as error:
            log.warning("the changed settings cannot be used, and those before them hold: %s", error)
            return world
        self._models.limit(budget(found))
        if self._operator is not None:
            _follow(self._operator, found)
        logs.tune(found.furoshiki_log_level, found.secrets())
        log.info("the settings have changed and hold from now on")
        return replace(world, settings=found, zone=found.zone, laws=laws)

    def _stamps(self) -> list[object]:
        return [stamp_of(path) for path in (*self._files, self._catalogue)]

    def _read_inputs(self, settings: Settings) -> tuple[object, ...]:
        """Return all inputs of the models."""
        return tuple(settings.model_values().items()), stamp_of(self._catalogue)


def prepare(data: Path) -> None:
    """Create the data directory for its owner alone, and complete an interrupted restore."""
    try:
        data.mkdir(parents=True, exist_ok=True, mode=0o700)
        restore.finish(data)  # before any folder is made that it would put back
        for name in FOLDERS:
            (data / name).mkdir(exist_ok=True, mode=0o700)
        data.chmod(0o700)
        _keep_private(data / ".env", ROOT / ".env")
    except OSError as error:
        raise BadSetting(f"FUROSHIKI_DATA: {data} cannot be made ({error.strerror}): choose another folder") from error


def _keep_private(*files: Path) -> None:
    """Restrict files with keys to their owner."""
    for path in files:
        with contextlib.suppress(OSError):  # missing, or owned by another user
            if path.stat().st_mode & OTHERS:
                path.chmod(0o600)
                log.info("%s could be read by others; it has mode 600 now", path)


def gateway(
    settings: Settings,
    database: Database,
    clock: Clock,
    rng: random.Random,
    opened: Callable[..., Gateway] | None = None,
    operator: HomeLimits | None = None,
) -> Gateway:
    """Build the language models of the settings (with `opened`, as `llm.factory.open_minds` does),
    with the reflex mind as the last resort."""
    from furoshiki.models.llm.factory import open_minds
    from furoshiki.models.llm.gateway import Around

    def ledger(call: CallRecord) -> None:
        try:
            with database.write(synced=False) as db:  # on disk with the next synced commit: an answer's own
                costs.add(db, call, clock.now())
        except StorageUnavailable as error:  # a paid answer is worth more than its ledger row
            log.warning("a call of %.4f dollars could not be written down: %s", call.cost_usd, error)
        if operator is not None:
            operator.paid(call.cost_usd)

    def spent_today() -> float:
        with database.read() as db:
            return costs.spent_since(db, day_start(clock.now()))

    values = settings.model_values()
    paid, found = list[str](), Found()
    with contextlib.suppress(StorageUnavailable), database.read() as db:
        paid, found = costs.list_priced(db), quirks.read_quirks(db, clock.now())

    def keep(ref: ModelRef, quirk: Quirk) -> None:
        """Record what a model does without; if that fails, it is found out again."""
        log.info("%s %s", ref, in_words({quirk.name: quirk.value}))
        with contextlib.suppress(StorageUnavailable), database.write() as db:
            quirks.keep(db, str(ref), quirk, clock.now())

    def heard(ref: ModelRef, failure: Failure | None) -> None:
        """Record whether a model answers; an unchanged state costs one read."""
        what = f"{troubles.MODEL}{ref}"
        try:
            with database.read() as db:
                if failure is None and not troubles.is_met(db, what):
                    return
            with database.write() as db:
                if failure is None:
                    troubles.over(db, what, clock.now())
                elif troubled.matters(failure):
                    words = troubled.in_words(ref, failure, values)
                    troubles.record_failure(db, what, words, clock.now(), troubled.tell_after(failure))
        except StorageUnavailable as error:
            log.warning("whether %s answers could not be written down: %s", ref, error)
        if failure is not None:
            log.warning("%s does not answer: %s", ref, failure)

    minds = (opened or open_minds)(
        values,
        Around(
            reflex=ReflexMind(
                rng, lambda: lexicon(find_second_language(settings, database)), lambda: load_care_words()[0]
            ),
            ledger=ledger,
            spent_today=spent_today,
            clock=clock.now,
            rng=rng,
            heard=heard,
            batches=Batches(database, clock.now) if settings.furoshiki_batch == "on" else None,
            operator=operator,
            quirks=Quirks(clock.now, found, keep),
        ),
        data=settings.data,
        limits=budget(settings),
        paid=paid,
    )
    minds.companion = settings.furoshiki_companion_name
    return minds


def operator_limits(settings: Settings, database: Database, clock: Clock) -> HomeLimits | None:
    """Return the operator's limits for a home of a host; None for a companion that runs alone."""
    host = host_of(settings.data)
    if host is None:
        return None
    from furoshiki.models.limits.home_limits import HomeLimits

    def used() -> tuple[float, int]:
        with database.read() as db:
            return costs.spent_since(db, day_start(clock.now())), costs.calls_since(db, day_start(clock.now()))

    limits = HomeLimits(settings.data, host, clock.now, used)
    _follow(limits, settings)
    return limits


def _follow(operator: HomeLimits, settings: Settings) -> None:
    operator.usd_of_all = settings.furoshiki_host_daily_budget_usd
    operator.at_once = settings.furoshiki_host_calls_at_once


def budget(settings: Settings) -> BudgetLimits:
    return BudgetLimits(settings.furoshiki_soft_budget_usd, settings.furoshiki_hard_budget_usd)


def inner_life(data: Path, settings: Settings) -> InnerLife:
    """Load the laws of the inner life: shipped file, owner's file, settings, in rising priority."""
    name = "inner_life.toml"
    own = data / "config" / name
    shipped, owners = read_toml_file(ROOT / "config" / name), read_toml_file(own) if own.is_file() else None
    try:
        laws = InnerLife.from_mapping(shipped, owners, [])
    except ValueError as error:
        raise BadSetting(f"{own if own.is_file() else name}: {error}") from error
    marks = settings.furoshiki_needs_amber, settings.furoshiki_needs_rose
    return replace(laws, needs=laws.needs.marked(*marks))


@functools.cache
def lexicon(language: str | None = None) -> Lexicon:
    """Return the words for reading messages: English, plus those of another language if given.

    Compiling the English ones takes 0.1 s, once per process.
    """
    if language is None:
        return Lexicon.from_mapping(read_toml_file(ROOT / "config" / "lexicon" / "en.toml"))
    other = Lexicon.from_mapping(read_toml_file(ROOT / "config" / "lexicon" / f"{language}.toml"))
    return dataclasses.replace(lexicon(), beside=other)


@functools.cache
def load_care_words() -> tuple[tuple[CareWords, ...], Helplines]:
    """Return the words for distress in every language, and the helplines; read once, in 0.1 s."""
    folder = ROOT / "config" / "care"
    numbers, places = (rows((folder / name).read_text(encoding="utf-8")) for name in ("help.tsv", "countries.tsv"))
    english_first = sorted(folder.glob("*.toml"), key=lambda path: (path.stem != "en", path.stem))
    words = tuple(CareWords.from_mapping(read_toml_file(path)) for path in english_first)
    return words, Helplines.from_rows(numbers, places)


@functools.cache
def signal_head(encoder: str) -> Head | None:
    """Return the classifier of signals for this encoder's vectors; None if there is none."""
    from furoshiki.language.signal_head import heads

    return heads(json.loads((ROOT / "config" / "signal_head.json").read_text(encoding="utf-8"))).get(encoder)


@functools.cache
def load_meaning_head(encoder: str) -> Head | None:
    """Return the classifier of a message's meaning, news and names, or None."""
    from furoshiki.language.intents import KINDS, NAME
    from furoshiki.language.requests import news
    from furoshiki.language.signal_head import heads

    head = heads(json.loads((ROOT / "config" / "meaning_head.json").read_text(encoding="utf-8")), KINDS).get(encoder)
    if head is None:
        return None
    by_name = json.loads((ROOT / "config" / "name_head.json").read_text(encoding="utf-8"))
    beside = heads(by_name, (NAME,)).get(encoder)
    told = json.loads((ROOT / "config" / "news_head.json").read_text(encoding="utf-8"))
    if (of_news := heads(told, news.KINDS).get(encoder)) is not None:
        beside = replace(of_news, beside=beside)
    return replace(head, apart=True, beside=beside)


@functools.cache
def danger_head(encoder: str) -> DangerHead | None:
    """Return the danger classifier for this encoder's vectors ("": by words only), or None."""
    from furoshiki.language.danger_head import heads

    return heads(json.loads((ROOT / "config" / "danger_head.json").read_text(encoding="utf-8")), encoder).get(encoder)


def find_second_language(settings: Settings, database: Database, told: str | None = None) -> str | None:
    """Return the code of the language besides English (of a guest as `told`, else the owner's); None if
    we have no words for it."""
    told = told or settings.furoshiki_language
    if told is None:
        with database.aside() as db:
            told = accounts.owners_language(db)
    short = (told or "").lower().replace("_", "-").partition("-")[0]
    return short if short in LANGUAGES else None


def shape(channel: str, text: str, links: frozenset[str]) -> Sequence[Shaped]:
    """Convert a Markdown reply to the messages of a channel."""
    maker = CHANNELS.get(channel, Channel()).shape
    messages: Sequence[Shaped] = import_function(maker)(text, links) if maker else (Shaped(text),)
    return messages


def fetcher(settings: Settings) -> Callable[[Envelope], Awaitable[bytes]]:
    """Return the function that fetches a message's file for a turn."""

    async def fetch(envelope: Envelope) -> bytes:
        getter = CHANNELS.get(envelope.channel, Channel()).fetch
        if not getter:
            raise FileNotFoundError("this channel has no files")
        data: bytes = await import_function(getter)(settings, envelope)
        return data

    return fetch


class SystemClock:
    """The machine's clock, plus an offset for simulated times."""

    def __init__(self, offset: timedelta = timedelta(0)) -> None:
        self._offset = offset

    def now(self) -> datetime:
        """Return the present moment, aware, in UTC."""
        return datetime.now(UTC) + self._offset
