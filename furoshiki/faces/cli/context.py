"""What commands need of the house: settings, a world, the database. Each loads no more than it must."""

from __future__ import annotations

import sys
from datetime import datetime
from typing import TYPE_CHECKING

from furoshiki.core.catalogue import later, say
from furoshiki.core.errors import FuroshikiError
from furoshiki.core.paths import PEOPLE

if TYPE_CHECKING:
    from collections.abc import Callable

    from furoshiki.core.database.connection import Database
    from furoshiki.core.settings import Settings
    from furoshiki.messages.values import Envelope
    from furoshiki.world import Clock, Stage, World


NOBODY = later("there is no person “{person}”; `furoshiki people` lists them")
YES, NO = later("y yes"), later("n no")
"""What is typed for each; before it is translated it is understood as well."""

person: str | None = None
"""The place of somebody beside the owner that the command is about; None for the owner's own memory."""


class NoSuchPerson(FuroshikiError):
    """Nobody has a place of that name: `furoshiki people` lists who has one."""


class Misused(FuroshikiError):
    """What was typed makes no sense together: `--help` shows how it is meant."""

    exit_code = 2


def world(
    stage: Callable[[Envelope], Stage] | None = None, memoryd: bool = False, now: datetime | None = None
) -> World:
    """A world of the configured data directory, its database at the newest schema.

    `memoryd` lets it start memoryd when that is not there; `now` is the moment to pretend.
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
    raise NoSuchPerson(say(NOBODY, person=person))


def storage() -> tuple[Settings, Database]:
    """Settings and database alone, for commands that need no mind."""
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
        raise NoSuchPerson(say(NOBODY, person=person))
    theirs = held.model_copy(update={"furoshiki_data": folder, "furoshiki_database_url": None})
    return theirs, Database(theirs.database)


def phrase(kept: str) -> str:
    """What is kept of somebody as it is shown: to the owner as one says it to them, of somebody else as it is kept."""
    from furoshiki.language.facts.retelling import address_user

    return address_user(kept) if person is None else kept


def clock(now: datetime | None = None) -> Clock:
    """The machine's clock, or one that pretends it is `now` and goes on from there."""
    from furoshiki.app.wiring import SystemClock

    real = SystemClock()
    return real if now is None else SystemClock(now - real.now())


def agreed(question: str, unasked: str) -> bool:
    """Whether the person at the terminal says yes. Raises Misused with the words `unasked` where nobody is there."""
    if not sys.stdin.isatty():
        raise Misused(unasked)
    yes = (*say(YES).split(), *YES.split())
    return input(f"{question} [{yes[0]}/{say(NO).split()[0].upper()}] ").strip().lower() in yes


def moment(text: str) -> datetime:
    """The moment behind an ISO-8601 text. Raises Misused."""
    from furoshiki.core.timestamps import parse

    try:
        return parse(text)
    except ValueError:
        wrong = later("“{text}” is not a time: write it as 2026-11-21T18:00 (without an offset it is UTC)")
        raise Misused(say(wrong, text=text)) from None
