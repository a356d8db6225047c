"""What commands need of the house: settings, a world, the database. Each loads no more than it must."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

from furoshiki.errors import FuroshikiError

if TYPE_CHECKING:
    from collections.abc import Callable

    from furoshiki.domain.conversation import Envelope
    from furoshiki.world import Stage, World


class NoSuchTime(FuroshikiError):
    """The time given is none: write it as 2026-11-21T18:00 (with an offset, or it counts as UTC)."""

    exit_code = 2


def world(
    stage: Callable[[Envelope], Stage] | None = None, memoryd: bool = False, now: datetime | None = None
) -> World:
    """A world of the configured data directory, its database at the newest schema.

    `memoryd` lets it start memoryd when that is not there; `now` is the moment to pretend.
    """
    from furoshiki import settings
    from furoshiki.wiring import SystemClock, build_world

    clock = SystemClock()
    if now is not None:
        clock = SystemClock(now - clock.now())
    return build_world(settings.load(), clock, stage=stage, spawn_memoryd=memoryd)


def moment(text: str) -> datetime:
    """The moment behind an ISO-8601 text. Raises NoSuchTime."""
    from furoshiki.domain.when import parse

    try:
        return parse(text)
    except ValueError:
        raise NoSuchTime(f"{text!r} is no time: write it as 2026-11-21T18:00 (without an offset it is UTC)") from None
