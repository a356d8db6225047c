"""Telling systemd how a service is: one datagram, no library. Without systemd every call does nothing."""

import contextlib
import os
import socket
from collections.abc import Mapping


class Notifier:
    """The way to the service manager that started this process. `watchdog_s` is how often it wants to hear from us."""

    def __init__(self, environ: Mapping[str, str]) -> None:
        self._address = environ.get("NOTIFY_SOCKET", "")
        asked = environ.get("WATCHDOG_USEC", "")
        meant_for_us = environ.get("WATCHDOG_PID", str(os.getpid())) == str(os.getpid())
        self.watchdog_s = int(asked) / 1_000_000 if asked.isdigit() and meant_for_us and self._address else None

    def ready(self, status: str = "") -> None:
        """The service works from now on."""
        self._send("READY=1", status)

    def alive(self, status: str = "") -> None:
        """The service still works; feeds the watchdog."""
        self._send("WATCHDOG=1", status)

    def stopping(self) -> None:
        """The service ends on purpose."""
        self._send("STOPPING=1", "")

    def _send(self, state: str, status: str) -> None:
        if not self._address:
            return
        text = state + (f"\nSTATUS={status}" if status else "")
        address = "\0" + self._address[1:] if self._address.startswith("@") else self._address
        # a manager that is not there must never be a reason to stop working
        with contextlib.suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as line:
            line.sendto(text.encode(), address)
