"""What systemd hears of listener and brain: that they are ready, that they live, and that they end on purpose."""

from __future__ import annotations

import asyncio
import os
import socket
import sys
import threading
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from furoshiki.app import listener
from furoshiki.app.scheduler.loop import Brain, SchedulerSetup
from furoshiki.core.database.connection import Database
from furoshiki.core.process.systemd import Notifier
from furoshiki.world import World


@pytest.fixture
def manager(tmp_path: Path) -> Iterator[socket.socket]:
    line = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    line.bind(str(tmp_path / "notify"))
    line.settimeout(20)
    yield line
    line.close()


def notifier(manager: socket.socket) -> Notifier:
    """One whose watchdog wants to hear something every 60 ms."""
    return Notifier({"NOTIFY_SOCKET": manager.getsockname(), "WATCHDOG_USEC": "60000"})


async def test_the_listener_is_ready_when_it_listens_and_feeds_its_watchdog(
    world: World, manager: socket.socket
) -> None:
    mind: Any = SimpleNamespace(world=world, live=asyncio.Event().wait)
    living = asyncio.create_task(listener._live(mind, notifier(manager)))
    heard = [await asyncio.to_thread(manager.recv, 100) for _ in range(3)]
    assert heard == [b"READY=1\nSTATUS=listening", b"WATCHDOG=1", b"WATCHDOG=1"]
    living.cancel()
    await asyncio.wait({living})
    while (last := await asyncio.to_thread(manager.recv, 100)) == b"WATCHDOG=1":
        pass
    assert last == b"STOPPING=1"


def test_the_brain_is_ready_when_it_schedules_and_feeds_its_watchdog(
    manager: socket.socket, tmp_path: Path, database: Database
) -> None:
    (tmp_path / "shipped.json").write_text('{"jobs": []}')
    around = SchedulerSetup(
        data=tmp_path,
        database=database.path,
        clock=lambda: datetime.now(UTC),
        zone=lambda: UTC,
        python=sys.executable,
        environ=os.environ,
        shipped=tmp_path / "shipped.json",
    )
    brain = Brain(around, notifier(manager))
    running = threading.Thread(target=brain.run)
    running.start()
    heard = [manager.recv(100).partition(b"\n")[0] for _ in range(3)]
    brain.stop()
    running.join()
    assert heard == [b"READY=1", b"WATCHDOG=1", b"WATCHDOG=1"]
    while (last := manager.recv(100)).startswith(b"WATCHDOG=1"):
        pass
    assert last == b"STOPPING=1"
