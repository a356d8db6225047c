"""Check the system's health: problems, which make `status` fail, and notes, one sentence each."""

import shutil
import sqlite3
from collections.abc import Callable, Collection
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any

from furoshiki import own_files
from furoshiki.core import failure_words
from furoshiki.core.catalogue import later, say, say_number, say_sentence, unpack
from furoshiki.core.database import troubles
from furoshiki.core.database.troubles import MODEL, Trouble
from furoshiki.core.paths import settings_files
from furoshiki.core.settings import Settings
from furoshiki.core.timestamps import stamp
from furoshiki.extensions.plugins.store import plugins
from furoshiki.language.humanize import ago, shorten
from furoshiki.maintenance import setup_check
from furoshiki.models.llm.plans import Plans
from furoshiki.models.llm.store import quirks, waits
from furoshiki.owner.agenda.store import backlog
from furoshiki.recall.embeddings import models
from furoshiki.recall.retrieval import encoder_change, other_languages
from furoshiki.world import World

# free disk space, in bytes, below which writing will soon fail
LEAST_FREE_BYTES = 100 * 1024 * 1024

FAILURES_TOLD = timedelta(days=3)  # how long background failures are reported

# the soul engine ticks every 15 minutes; a longer silence than this is a fault
LATE_TICK = timedelta(minutes=60)

WORDS_TOLD = 60  # maximum characters quoted of an undelivered message
SET_ASIDE_TOLD = timedelta(days=7)  # how long a damaged file is reported


@dataclass(frozen=True)
class Recorded:
    """Recorded failures from the database."""

    given_up: dict[str, int]
    undelivered: list[tuple[str, str]]
    unasked: list[waits.Wait]
    failed: list[backlog.Failure]
    standing: list[Trouble]
    plugins_off: list[tuple[str, str]]
    quirks: Callable[[Collection[str]], list[str]]


def read_records(db: sqlite3.Connection, now: datetime) -> Recorded:
    return Recorded(
        given_up=backlog.count_failures(db, now - timedelta(days=1)),
        undelivered=backlog.list_undelivered(db, now - timedelta(days=1)),
        unasked=waits.read_waits(db),
        failed=backlog.list_failures(db, failure_words.KINDS, now - FAILURES_TOLD),
        standing=troubles.read_all(db),
        plugins_off=plugins.list_switched_off(db),
        quirks=partial(quirks.describe_quirks, quirks.read_quirks(db, now), now),
    )


def judge(
    world: World, running: dict[str, bool], last_tick: datetime | None, recorded: Recorded, chosen: Plans
) -> dict[str, Any]:
    """Return `ok`, `problems` and `notes`."""
    now, settings = world.now, world.settings
    problems, notes = setup_check.faults(settings, chosen), [*chosen.notes, *setup_check.oddities(settings)]
    notes += own_files.list_faults(settings.data)
    said = {trouble.words for trouble in recorded.standing}
    for trouble in filter_current(recorded.standing, settings, chosen):
        problems.append(say("{words} (last tried {ago})", words=trouble.words, ago=ago(trouble.at, now)))
    notes += recorded.quirks(setup_check.list_models(chosen))
    notes += [
        *_unsaid(recorded.undelivered),
        *_describe_waits(recorded.unasked, now),
        *_describe_failures(recorded.failed, said, now),
    ]
    with world.database.read() as db:
        change = encoder_change.find_change(db, settings)
        if other_languages.is_missing(db, settings):
            notes.append(say(models.NO_MULTILINGUAL))
    notes += [] if change is None else [change.words]
    notes += _describe_given_up(recorded.given_up)
    free = shutil.disk_usage(settings.data).free
    if free < LEAST_FREE_BYTES:
        full = later("only {free} MB of disk space are left: free some up, or nothing more can be saved")
        problems.append(say(full, free=free // 2**20))
    if running["brain"] and last_tick is not None and now - last_tick > LATE_TICK:
        stands_still = later("my feelings were last updated {ago}: see `furoshiki logs brain`")
        problems.append(say(stands_still, ago=ago(stamp(last_tick), now)))
    if settings.telegram_bot_token is not None and not running["listener"]:
        notes.append(say("the listener is not running, so Telegram messages do not reach me: `furoshiki up`"))
    if running["listener"] and not running["brain"]:
        notes.append(
            say("the brain is not running, so feelings stand still and conversations are not read: `furoshiki up`")
        )
    for plugin, reason in recorded.plugins_off:
        off = later("the plugin {plugin} is off: {reason}; `furoshiki plugins info {plugin}`")
        notes.append(say(off, plugin=plugin, reason=shorten(reason)))
    for name in sorted({path.name.partition(".corrupt-")[0] for path in world.state.set_aside(now - SET_ASIDE_TOLD)}):
        rebuilt = later(
            "memory/{name} was damaged and has been rebuilt from the database; the damaged file is kept next to it"
        )
        notes.append(say(rebuilt, name=name))
    return {"ok": not problems, "problems": problems, "notes": notes}


def filter_current(standing: list[Trouble], settings: Settings, chosen: Plans) -> list[Trouble]:
    """Keep the troubles about something still in use that occurred with the present settings."""
    models = setup_check.list_models(chosen)
    # when a settings file last changed: earlier failures may be fixed by that
    times = [path.stat().st_mtime for path in settings_files(settings.data) if path.is_file()]
    changed = datetime.fromtimestamp(max(times, default=0.0), UTC)
    found = []
    for trouble in standing:
        if trouble.what.startswith(MODEL):
            if trouble.what.removeprefix(MODEL) not in models or trouble.at < changed:
                continue
        elif trouble.what.startswith("telegram") and settings.telegram_bot_token is None:
            continue
        found.append(trouble)
    return found


def _describe_given_up(given_up: dict[str, int]) -> list[str]:
    lost, unsaid = given_up["inbox"], given_up["outbox"]
    found = []
    if lost:
        found.append(
            say_number(
                "{number} message could not be answered in the last day",
                "{number} messages could not be answered in the last day",
                lost,
            )
        )
    if unsaid:
        found.append(
            say_number(
                "{number} reply could not be delivered in the last day",
                "{number} replies could not be delivered in the last day",
                unsaid,
            )
        )
    return found


def _unsaid(undelivered: list[tuple[str, str]]) -> list[str]:
    """Describe undelivered messages by their first words, with the error."""
    line = later("not delivered: “{words}” ({error})")
    named = [(shorten(text, WORDS_TOLD) or say("a file"), error[: WORDS_TOLD * 2]) for text, error in undelivered]
    return [say(line, words=words, error=error) for words, error in named]


def _describe_waits(waiting: list[waits.Wait], now: datetime) -> list[str]:
    """Describe work that waits for a model: since when, and why the last attempt failed."""
    if not waiting:
        return []
    names = ", ".join(one.purpose.rpartition(".")[2].replace("_", " ") for one in waiting)
    line = later("I have been waiting for a model ({names}); this started {ago}: {reason}")
    return [say(line, names=names, ago=ago(waiting[0].since, now), reason=shorten(say_sentence(waiting[0].reason)))]


def _describe_failures(failures: list[backlog.Failure], standing: set[str], now: datetime) -> list[str]:
    """Describe recent background failures in plain words, without those still ongoing."""
    past = [
        failure
        for failure in failures
        if unpack(failure.payload.get("words")) not in standing
        and not str(failure.payload.get("kind", "")).startswith("plugin.")
    ]
    if not past:
        return []
    lines = failure_words.lines((failure.kind, failure.payload) for failure in past)
    dated = say("{words} (last {ago})", words=lines[-1], ago=ago(past[-1].at, now))
    return [*lines[:-1], dated]
