"""The way out leads where it may and nowhere else: real connections to a server on loopback, names from a table."""

from __future__ import annotations

import base64
import gzip
import json
import logging
import socket
import zlib
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from furoshiki.extensions.plugins.broker import egress
from furoshiki.extensions.plugins.broker.egress import Asked, Way, fetch
from furoshiki.extensions.plugins.rules.hosts import NotAllowed, places
from tests.emulators.loopback import Loopback, Reply, Request

Answers = dict[str, Callable[[Request], Reply]]


class Site:
    """A server that is called several names, and what was asked of it."""

    def __init__(self) -> None:
        self.answers: Answers = {}
        self.asked: list[Request] = []
        self.looked_up: list[str] = []
        self.server = Loopback(self._answer)

    def _answer(self, request: Request) -> Reply:
        self.asked.append(request)
        return self.answers.get(request.path, lambda _: Reply(body=b"{}"))(request)

    def url(self, host: str, path: str = "/") -> str:
        return f"http://{host}:{self.server.port}{path}"

    def resolve(self, host: str, _port: int) -> list[str]:
        self.looked_up.append(host)
        return {"half.example": ["93.184.216.34", "127.0.0.1"]}.get(host, ["127.0.0.1"])

    def ask(self, url: str, named: str = "one.local, two.local", **args: Any) -> dict[str, Any]:
        """Ask as a plugin that may speak to all of these, of which its owner named some as this house's."""
        port = self.server.port
        allowed = tuple(f"{one}:{port}" for one in ("one.local", "two.local", "rebound.example", "half.example"))
        local = places(", ".join(f"{one.strip()}:{port}" for one in named.split(",") if one.strip()))
        return fetch(Asked.read({"url": url, **args}), Way(allowed, {}, local), "weather", self.resolve)


@pytest.fixture
def site() -> Iterator[Site]:
    made = Site()
    yield made
    made.server.stop()


def body(found: dict[str, Any]) -> bytes:
    return base64.b64decode(found["body"])


def test_a_request_goes_as_it_was_asked_for(
    site: Site, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:9")
    site.answers["/v1"] = lambda _: Reply(201, b"\xff\x00", "image/png", {"X-Left": "9"})
    with caplog.at_level(logging.INFO, egress.__name__):
        found = site.ask(
            site.url("one.local", "/v1?key=hush"),
            method="post",
            headers={"Authorization": "Bearer t", "X-Api-Key": "k"},
            body=base64.b64encode(b"hello").decode(),
        )
    assert (found["status"], body(found), found["headers"]["x-left"]) == (201, b"\xff\x00", "9")
    [request] = site.asked
    assert (request.method, request.query, request.body) == ("POST", {"key": "hush"}, b"hello")
    assert request.headers["host"] == f"one.local:{site.server.port}"
    assert request.headers["authorization"] == "Bearer t" and request.headers["user-agent"] == "furoshiki-plugin"
    assert "one.local" in caplog.text and "hush" not in caplog.text and "/v1" not in caplog.text


def test_a_name_that_points_inside_is_not_connected_to(site: Site) -> None:
    for host in ("rebound.example", "half.example"):
        url = site.url(host).replace("http:", "https:")
        with pytest.raises(NotAllowed, match="FUROSHIKI_PLUGIN_LOCAL_HOSTS"):
            site.ask(url)
    assert site.looked_up == ["rebound.example", "half.example"] and not site.asked


def test_a_name_is_looked_up_once_and_the_judged_address_is_used(site: Site) -> None:
    answers = iter([["93.184.216.34"], ["127.0.0.1"]])
    made: list[str] = []

    def connect(address: tuple[str, int], timeout: float) -> None:
        made.append(address[0])
        raise OSError("not in this test")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(egress.socket, "create_connection", connect)
        with pytest.raises(NotAllowed, match="could not be asked"):
            fetch(Asked("https://a.example/"), Way(("a.example",), {}, ()), "w", lambda _host, _port: next(answers))
    assert made == ["93.184.216.34"]


def test_redirects_are_followed_and_judged_again(site: Site) -> None:
    def to(where: str, status: int = 302) -> Callable[[Request], Reply]:
        return lambda _: Reply(status, headers={"Location": where})

    site.answers |= {
        "/a": to("/b?x=1", 307),
        "/b": to(site.url("two.local", "/c"), 302),
        "/c": lambda _: Reply(body=b"here"),
        "/round": to("/round"),
        "/out": to("https://evil.example/"),
        "/in": to("http://127.0.0.1:22/"),
        "/rebound": to(site.url("rebound.example").replace("http:", "https:")),
        "/file": to("file:///etc/passwd"),
    }
    secret = {"Authorization": "secret", "X-Subscription-Token": "secret"}
    sent = {"headers": {**secret, "Content-Type": "text/plain"}, "body": "aGk="}
    assert body(site.ask(site.url("one.local", "/a"), method="POST", **sent)) == b"here"
    first, second, third = site.asked
    assert (first.method, second.method, second.body, third.method, third.body) == ("POST", "POST", b"hi", "GET", b"")
    assert [second.headers[name.lower()] for name in secret] == ["secret", "secret"]
    assert "secret" not in third.headers.values()
    assert "content-type" not in third.headers
    for path in ("/out", "/in", "/file"):
        with pytest.raises(NotAllowed, match="not allowed|https://host"):
            site.ask(site.url("one.local", path))
    with pytest.raises(NotAllowed, match="inside the owner's network"):
        site.ask(site.url("one.local", "/rebound"))
    with pytest.raises(NotAllowed, match="more than 5 times"):
        site.ask(site.url("one.local", "/round"))


def test_an_answer_has_its_size_however_it_is_packed(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(egress, "LONGEST_ANSWER", 100_000)
    bomb, fits = b"a" * 5_000_000, b"b" * 100_000
    site.answers |= {
        "/plain": lambda _: Reply(body=bomb),
        "/gzip": lambda _: Reply(body=gzip.compress(bomb), headers={"Content-Encoding": "gzip"}),
        "/chunks": lambda _: Reply(chunks=(b"c" * 50_000 for _ in range(1000))),
        "/fits": lambda _: Reply(body=gzip.compress(fits), headers={"Content-Encoding": "gzip"}),
        "/deflate": lambda _: Reply(body=zlib.compress(fits), headers={"Content-Encoding": "deflate"}),
        "/odd": lambda _: Reply(body=b"x", headers={"Content-Encoding": "br"}),
        "/lies": lambda _: Reply(body=b"x", headers={"Content-Encoding": "gzip"}),
    }
    for path in ("/plain", "/gzip", "/chunks"):
        with pytest.raises(NotAllowed, match="more than 100000 bytes"):
            site.ask(site.url("one.local", path))
    for path in ("/fits", "/deflate"):
        assert body(site.ask(site.url("one.local", path))) == fits
    for path in ("/odd", "/lies"):
        with pytest.raises(NotAllowed, match="packs|unpacked"):
            site.ask(site.url("one.local", path))


def test_an_answer_that_drips_or_never_comes_ends_in_time(site: Site) -> None:
    def drip() -> Iterator[bytes]:
        while True:
            site.server.pause(0.02)
            yield b"x"

    site.answers["/drip"] = lambda _: Reply(chunks=drip())  # type: ignore[arg-type]
    site.answers["/never"] = lambda request: (site.server.pause(30, request), Reply())[1]
    for path in ("/drip", "/never"):
        with pytest.raises(NotAllowed, match="within 0.2 s"):
            site.ask(site.url("one.local", path), timeout=0.2)


def test_what_speaks_no_tls_proves_nothing(site: Site) -> None:
    with pytest.raises(NotAllowed, match="could not be asked|did not answer"):
        site.ask(site.url("one.local").replace("http:", "https:"), timeout=0.2)
    assert "GET" not in {one.method for one in site.asked}


def test_a_name_that_nobody_knows_is_told_as_that() -> None:
    def unknown(_host: str, _port: int) -> list[str]:
        raise socket.gaierror(-2, "Name or service not known")

    with pytest.raises(NotAllowed, match="a.example has no address"):
        fetch(Asked("https://a.example/"), Way(("a.example",), {}, ()), "weather", unknown)


@pytest.mark.parametrize(
    ("args", "why"),
    [
        ({"url": 1}, "url"),
        ({"method": "CONNECT"}, "GET"),
        ({"timeout": -1}, "seconds"),
        ({"timeout": "x"}, "seconds"),
        ({"body": "not base64!"}, "base64"),
        ({"body": {}}, "base64"),
        ({"body": base64.b64encode(b"x" * 600_000).decode()}, "512|524288"),
        ({"headers": []}, ""),
        ({"headers": ["x"]}, "object"),
        ({"headers": {"Host": "evil"}}, "may not be sent"),
        ({"headers": {"Connection": "keep-alive"}}, "may not be sent"),
        ({"headers": {"Transfer-Encoding": "chunked"}}, "may not be sent"),
        ({"headers": {"Content-Length": "5"}}, "may not be sent"),
        ({"headers": {"Proxy-Authorization": "x"}}, "may not be sent"),
        ({"headers": {"X-Forwarded-For": "127.0.0.1"}}, "may not be sent"),
        ({"headers": {"X-A: b\r\nHost": "x"}}, "may not be sent"),
        ({"headers": {"X-A": "b\r\nHost: evil"}}, "one line"),
        ({"headers": {"X-A": 1}}, "text"),
    ],
)
def test_a_request_that_is_none_is_told_so(args: dict[str, Any], why: str) -> None:
    if not why:
        assert Asked.read({"url": "https://a.example/", **args}).headers == {}
        return
    with pytest.raises(NotAllowed, match=why):
        Asked.read({"url": "https://a.example/", **args})


def test_a_plugin_cannot_wait_longer_than_it_may() -> None:
    assert Asked.read(json.loads('{"url": "https://a.example/", "timeout": 1e9}')).timeout_s == egress.MOST_S
    assert Asked.read({"url": "https://a.example/", "timeout": 10**400}).timeout_s == egress.MOST_S
