"""What systemd hears from us."""

from __future__ import annotations

import os
import socket
from pathlib import Path

import pytest

from furoshiki.core.process.systemd import Notifier


@pytest.fixture
def manager(tmp_path: Path) -> socket.socket:
    """A service manager that listens."""
    line = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    line.bind(str(tmp_path / "notify"))
    line.settimeout(2)
    return line


def test_systemd_hears_that_we_are_ready_alive_and_stopping(manager: socket.socket) -> None:
    notifier = Notifier({"NOTIFY_SOCKET": manager.getsockname(), "WATCHDOG_USEC": "30000000"})
    notifier.ready("scheduling")
    notifier.alive()
    notifier.stopping()
    heard = [manager.recv(1000) for _ in range(3)]
    assert heard == [b"READY=1\nSTATUS=scheduling", b"WATCHDOG=1", b"STOPPING=1"]
    assert notifier.watchdog_s == 30
    manager.close()


def test_a_watchdog_meant_for_another_process_is_not_ours(manager: socket.socket) -> None:
    environ = {"NOTIFY_SOCKET": manager.getsockname(), "WATCHDOG_USEC": "1", "WATCHDOG_PID": str(os.getpid() + 1)}
    assert Notifier(environ).watchdog_s is None
    manager.close()


def test_without_systemd_nothing_happens(tmp_path: Path) -> None:
    Notifier({}).ready()
    Notifier({"NOTIFY_SOCKET": str(tmp_path / "gone")}).alive()
