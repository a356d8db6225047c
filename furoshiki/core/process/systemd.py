"""Status notifications to systemd: one datagram each, without a library; no-ops without systemd."""

import contextlib
import os
import socket
import time
from collections.abc import Mapping


class Notifier:
    """Sends notifications to systemd. `watchdog_s`: the watchdog interval in seconds, or None."""

    def __init__(self, environ: Mapping[str, str]) -> None:
        self._address = environ.get("NOTIFY_SOCKET", "")
        asked = environ.get("WATCHDOG_USEC", "")
        meant_for_us = environ.get("WATCHDOG_PID", str(os.getpid())) == str(os.getpid())
        self.watchdog_s = int(asked) / 1_000_000 if asked.isdigit() and meant_for_us and self._address else None
        self._fed = float("-inf")

    def ready(self, status: str = "") -> None:
        """Report that the service is ready."""
        self._send("READY=1", status)

    def alive(self, status: str = "") -> None:
        """Report that the service still works; resets the watchdog."""
        self._send("WATCHDOG=1", status)

    def feed(self, status: str) -> None:
        """Report that the service still works, if a third of the watchdog's interval is over."""
        if self.watchdog_s and time.monotonic() - self._fed > self.watchdog_s / 3:
            self._fed = time.monotonic()
            self.alive(status)

    def stopping(self) -> None:
        """Report that the service ends on purpose."""
        self._send("STOPPING=1", "")

    def _send(self, state: str, status: str) -> None:
        if not self._address:
            return
        text = state + (f"\nSTATUS={status}" if status else "")
        address = "\0" + self._address[1:] if self._address.startswith("@") else self._address
        # a missing service manager must not stop the service
        with contextlib.suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as line:
            line.sendto(text.encode(), address)
