"""The servers that shipped plugins speak to, on loopback: a forecast, a search, a calendar (ICS and CalDAV), a feed.

What they answer are the samples that lie beside the plugins' tests. A body has an ETag, and who has it is told so.
"""

from __future__ import annotations

import hashlib
from pathlib import Path

from tests.emulators.loopback import Loopback, Reply, Request

PLUGINS = Path(__file__).resolve().parents[2] / "plugins"
SAMPLES = {
    ("GET", "/v1/forecast"): "weather/tests/samples/forecast.json",
    ("GET", "/search"): "web-search/tests/samples/searxng.json",
    ("GET", "/ann/week.ics"): "calendar/tests/samples/week.ics",
    ("REPORT", "/dav/ann/"): "calendar/tests/samples/multistatus.xml",
    ("GET", "/news.xml"): "feeds/tests/samples/rss.xml",
}


class Web:
    """All of them under one address. `asked` is what came, `bodies` what is answered, to be changed by a test; with
    `password` ("ann:secret" in base64) the calendars want to know who asks."""

    def __init__(self, password: str = "") -> None:
        self.asked: list[Request] = []
        self.bodies = {where: (PLUGINS / name).read_bytes() for where, name in SAMPLES.items()}
        self._password = password
        self._server = Loopback(self._answer)
        self.url = self._server.url
        self.host = f"127.0.0.1:{self._server.port}"

    def stop(self) -> None:
        self._server.stop()

    def count(self, path: str) -> int:
        """How often a path was asked for."""
        return sum(one.path == path for one in self.asked)

    def _answer(self, request: Request) -> Reply:
        self.asked.append(request)
        body = self.bodies.get((request.method, request.path))
        if body is None:
            return Reply(404, b"nothing here", "text/plain")
        if self._password and "ann" in request.path and request.headers.get("authorization") != self._password:
            return Reply(401, b"who are you?", "text/plain")
        etag = f'"{hashlib.sha256(body).hexdigest()[:12]}"'
        if request.headers.get("if-none-match") == etag:
            return Reply(304, headers={"ETag": etag})
        return Reply(207 if request.method == "REPORT" else 200, body, "application/octet-stream", {"ETag": etag})
