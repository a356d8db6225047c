"""Ports of loopback: a free one, and whether a dashboard answers there."""

from __future__ import annotations

import http.client
import socket

LOOPBACK = "127.0.0.1"


def free_port() -> int:
    """A port that nobody listens at now."""
    with socket.socket() as found:
        found.bind((LOOPBACK, 0))
        return int(found.getsockname()[1])


def answers(port: int) -> bool:
    """Whether a dashboard answers there."""
    line = http.client.HTTPConnection(LOOPBACK, port, timeout=5)
    try:
        line.request("GET", "/healthz")
        return line.getresponse().status in (200, 503)  # that is for the brain, which need not run
    except OSError:
        return False
    finally:
        line.close()
