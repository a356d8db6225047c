"""Settings, world and database for the commands; each function loads only what it needs."""

from __future__ import annotations

import sys
from collections.abc import Callable
from datetime import datetime
from typing import TYPE_CHECKING

from furoshiki.core.catalogue import later, say
from furoshiki.core.errors import FuroshikiError
from furoshiki.core.paths import PEOPLE

if TYPE_CHECKING:
    from furoshiki.core.database.connection import Database
    from furoshiki.core.settings import Settings
    from furoshiki.messages.values import Envelope
    from furoshiki.world import Clock, Stage, World


NOBODY = later("there is no person “{person}”; `furoshiki people` lists them")
# the accepted words for yes and no; the untranslated ones are accepted as well
YES, NO = later("y yes"), later("n no")

# the place of the other person a command is about; None for the owner's own memory
person: str | None = None


class Misused(FuroshikiError):
    """What was typed makes no sense together: `--help` shows how it is meant."""

    exit_code = 2


def world(
    stage: Callable[[Envelope], Stage] | None = None, memoryd: bool = False, now: datetime | None = None
) -> World:
    """Build the world of the configured data directory, its database migrated.

    `memoryd` allows memoryd to be started; `now` is a simulated present.
    """
    from furoshiki.app.wiring import build_world
    from furoshiki.core import settings

    built = build_world(settings.load(), clock(now), stage=stage, spawn_memoryd=memoryd)
    if person is None:
        return built
    from furoshiki.owner.people.places import People

    for guest in People().everybody(built):
        if guest.who.place == person:
            return guest
    raise FuroshikiError(say(NOBODY, person=person))


def storage() -> tuple[Settings, Database]:
    """Return settings and database, for commands that need no mind."""
    from furoshiki.app.wiring import prepare
    from furoshiki.core import settings
    from furoshiki.core.database.connection import Database
    from furoshiki.maintenance import upgrading

    held = settings.load()
    prepare(held.data)
    upgrading.ensure(held.data, held.database, clock().now, held.backup_recipients)
    if person is None:
        return held, Database(held.database)
    from furoshiki.owner.people import places

    folder = held.data / PEOPLE / person
    if folder not in places.folders(held.data):
        raise FuroshikiError(say(NOBODY, person=person))
    theirs = held.model_copy(update={"furoshiki_data": folder, "furoshiki_database_url": None})
    return theirs, Database(theirs.database)


def phrase(kept: str) -> str:
    """Return a stored sentence for display: addressed to the owner, or unchanged for others."""
    from furoshiki.language.facts.retelling import address_user

    return address_user(kept) if person is None else kept


def clock(now: datetime | None = None) -> Clock:
    """Return the machine's clock, or a clock that starts at `now` and goes on from there."""
    from furoshiki.app.wiring import SystemClock

    real = SystemClock()
    return real if now is None else SystemClock(now - real.now())


def agreed(question: str, unasked: str) -> bool:
    """Ask a yes/no question. Raises Misused with the words `unasked` without a terminal."""
    if not sys.stdin.isatty():
        raise Misused(unasked)
    yes = (*say(YES).split(), *YES.split())
    return input(f"{question} [{yes[0]}/{say(NO).split()[0].upper()}] ").strip().lower() in yes


def moment(text: str) -> datetime:
    """Parse an ISO-8601 moment. Raises Misused."""
    from furoshiki.core.timestamps import parse

    try:
        return parse(text)
    except ValueError:
        wrong = later("“{text}” is not a time: write it like 2026-11-21T18:00 (without an offset, it is UTC)")
        raise Misused(say(wrong, text=text)) from None
