"""Use cases for the tests of the runtime, named by path as real ones are."""

from __future__ import annotations

import asyncio
import os
import signal
import sqlite3
from datetime import datetime

from furoshiki.core.database import kv
from furoshiki.core.errors import NotConfigured
from furoshiki.world import Report, World

REASON: str | None = None
"""What the question `reason` returns; a test sets it."""


def reason(_db: sqlite3.Connection, _now: datetime) -> str | None:
    return REASON


def asked_for(db: sqlite3.Connection, _now: datetime) -> str | None:
    return "because" if kv.get(db, "probe") else None


def works(world: World) -> Report:
    return Report(True, f"worked at {world.now:%H:%M}", {"folder": world.settings.data})


async def thinks(world: World) -> Report:
    await asyncio.sleep(0)
    return Report(False, "thought, and found nothing")


def needs_a_key(_world: World) -> Report:
    raise NotConfigured("THE_KEY is not set: put it into .env")


def breaks(_world: World) -> Report:
    raise ZeroDivisionError("123456789:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA")


def is_stopped(_world: World) -> Report:
    os.kill(os.getpid(), signal.SIGTERM)
    raise AssertionError("SIGTERM should have ended this")


async def is_stopped_thinking(_world: World) -> Report:
    os.kill(os.getpid(), signal.SIGTERM)
    await asyncio.sleep(5)
    raise AssertionError("SIGTERM should have ended this")


def whose(world: World) -> Report:
    return Report(True, f"for {world.who.id}", {"for": world.who.id})
