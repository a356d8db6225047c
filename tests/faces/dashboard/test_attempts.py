"""What somebody could try to come in, or to have the owner's browser do: the table in docs/security.md, tried.

Words that others wrote and that a page shows (a memory, a message, a plugin's name, a file's name) are tried beside the
pages that show them.
"""

from __future__ import annotations

import errno
import http.client
import re
import socket
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from datetime import timedelta
from typing import Any
from urllib.parse import quote, urlencode

import pytest
from aiogram.utils.web_app import safe_parse_webapp_init_data
from fastapi.routing import iter_route_contexts
from starlette.testclient import TestClient

from furoshiki.core.errors import FuroshikiError
from furoshiki.core.logins import links, passwords, sessions, tokens
from furoshiki.core.logins.rules import without_keys_sent
from furoshiki.core.logins.values import ENTER
from furoshiki.core.settings import Settings
from furoshiki.faces.dashboard import live, server
from furoshiki.faces.dashboard.access import guard, limits
from furoshiki.faces.dashboard.access.cookies import SECURE
from furoshiki.faces.dashboard.access.rules import init_data, patience
from furoshiki.faces.dashboard.access.rules.origin import SAFE
from furoshiki.faces.dashboard.app import Late
from furoshiki.messages.store import outbox, turns
from furoshiki.messages.values import NewOutgoing, NewTurn
from tests.support.browser import listening
from tests.support.dashboard import House, Signed
from tests.support.init_data import TOKEN, signed_data, with_bot
from tests.support.odd_numbers import ODD
from tests.support.world import FrozenClock

CHANGING = "/access/tokens"
"""A form that changes something."""

PLAIN = "furoshiki_session_8330"

FORM = {"name": "Prometheus", "role": "viewer"}
EVIL = {"origin": "https://evil.example", "sec-fetch-site": "cross-site", "sec-fetch-mode": "cors"}


@pytest.fixture
def stranger(house: House) -> TestClient:
    """A browser that never signed in."""
    return TestClient(house.client.app, base_url="http://localhost", follow_redirects=False)


def nothing_was_made(house: House) -> bool:
    return tokens.list_all(house.gate.ledger) == []


def routes(house: House) -> Iterator[tuple[str, str]]:
    """Every path that is not open to all, with each of its methods."""
    app: Any = house.client.app
    for part in app.routes:
        if isinstance(part, Late):
            part.load()
    for route in iter_route_contexts(app.routes):
        filled = re.sub(r"{.*?}", "1", route.path or "")
        if filled and filled not in guard.OPEN_PAGES and not filled.startswith(guard.OPEN):
            yield from ((filled, method) for method in sorted(route.methods or ()))


def test_without_a_login_nothing_is_shown_or_done(house: House, stranger: TestClient) -> None:
    assert len(set(routes(house))) > 8
    for path, method in routes(house):
        house.gate.limits = guard.Limits()
        assert stranger.request(method, path).status_code == 401, (method, path)
    assert stranger.get("/made-up").status_code == 401, "not even what exists is told"


def test_whatever_changes_something_asks_for_the_token_of_its_session(house: House) -> None:
    changing = [(path, method) for path, method in routes(house) if method not in SAFE]
    assert changing
    for path, method in changing:
        assert house.client.request(method, path).status_code == 403, (method, path)


@pytest.mark.parametrize("given", ["", "0" * 64, "another's"])
def test_a_form_without_the_token_of_its_session_does_nothing(house: House, given: str) -> None:
    theirs = guard.csrf_of(house.sign_in("admin")) if given == "another's" else given
    for how in ({"data": {**FORM, "csrf": theirs}}, {"data": FORM, "headers": {"x-csrf-token": theirs}}):
        answer = house.client.post(CHANGING, **how)  # type: ignore[arg-type]
        assert (answer.status_code, "so nothing was done" in answer.text) == (403, True)
    assert nothing_was_made(house)


def test_a_viewer_changes_nothing(signed: Signed) -> None:
    house = signed("viewer")
    for path, method in routes(house):
        if method not in SAFE and path not in ("/sign-out", "/theme"):
            answer = house.client.request(method, path, headers={"x-csrf-token": house.csrf})
            assert (answer.status_code, "change nothing" in answer.text) == (403, True), (method, path)
    assert "another" not in house.page("/access") and nothing_was_made(house)


def test_a_viewer_finds_no_link_of_the_owners_in_the_conversation(signed: Signed) -> None:
    house = signed("viewer")
    link = links.make_link(house.gate.ledger, "admin", house.world.now, base="http://127.0.0.1:8330")
    key = link.rpartition("/")[2]
    with house.world.database.write() as db:
        outbox.put(db, [NewOutgoing("console", "console", f"go to {link} now")], house.world.now, None, None)
        turns.add(db, NewTurn("s1", "console", "console", "user", f"what is {link} for", house.world.now))
    for path in ("/", "/chat"):
        text = house.page(path)
        assert "http://127.0.0.1:8330/enter/" in text and key not in text, path
    assert house.client.get(f"/enter/{key}").text.count(key), "where it is used it stays whole"
    assert key in signed("admin").page("/chat")


def test_a_login_link_in_an_answer_that_grows_is_blackened_as_far_as_it_is_written() -> None:
    growing = b'data: {"text": "open https://furo.example.net/enter/anna.0123456789abc'
    assert without_keys_sent(growing) == growing[:-13] + b"*" * 13


@pytest.mark.parametrize(
    "headers",
    [
        EVIL,
        {"sec-fetch-site": "same-site"},
        {"origin": "http://localhost:8331"},
        {"origin": "https://localhost.evil.example"},
        {"origin": "null", "sec-fetch-site": "cross-site"},
    ],
)
def test_another_site_can_have_nothing_done(house: House, headers: dict[str, str]) -> None:
    answer = house.client.post(CHANGING, data={**FORM, "csrf": house.csrf}, headers=headers)
    assert (answer.status_code, nothing_was_made(house)) == (403, True)


@pytest.mark.parametrize("path", ["/events", "/api/v1/events", "/"])
def test_another_site_can_listen_to_nothing(house: House, path: str) -> None:
    answer = house.client.get(path, headers={**EVIL, "accept": "text/event-stream"})
    assert answer.status_code == 403
    assert "access-control-allow-origin" not in answer.headers


@pytest.mark.parametrize(
    "host",
    ["evil.example", "localhost.evil.example", "127.0.0.1.nip.io", "localhost:8331", "", "localhost, evil.example"],
)
def test_under_a_foreign_name_nothing_answers(house: House, host: str) -> None:
    for path in ("/", "/healthz", "/sign-in", "/static/style.css"):
        assert house.client.get(path, headers={"host": host}).status_code == 421


@pytest.mark.parametrize(
    "path",
    [
        "/static/../app.py",
        "/static/%2e%2e/app.py",
        "/static/..%2fapp.py",
        "/static//etc/passwd",
        "/static/vendor/README.md",
    ],
)
def test_nothing_but_what_is_meant_to_be_served_is(house: House, path: str) -> None:
    assert house.client.get(path).status_code == 404


def test_a_login_link_works_once_though_twenty_try_at_the_same_time(house: House, stranger: TestClient) -> None:
    link = links.make_link(house.gate.ledger, "viewer", house.world.now, base="")
    assert stranger.get(link).status_code == 200 and stranger.head(link).status_code in (200, 405), "looking is free"
    key, entered, start = link.removeprefix(ENTER), [], threading.Barrier(20)

    def race() -> None:
        start.wait(10)
        found = links.sign_in(house.gate.ledger, key, house.world.now, "curl")
        if not isinstance(found, str):
            entered.append(found)

    racing = [threading.Thread(target=race) for _ in range(20)]
    for thread in racing:
        thread.start()
    for thread in racing:
        thread.join(20)
    assert [one.session.role for one in entered] == ["viewer"]
    for again in (stranger.get(link), stranger.post(link)):
        assert again.status_code == 410
        assert "This link was already used" in again.text and "furoshiki dashboard --open" in again.text
        assert "set-cookie" not in again.headers


def test_a_link_that_is_old_or_made_up_lets_nobody_in(house: House, stranger: TestClient, clock: FrozenClock) -> None:
    link = links.make_link(house.gate.ledger, "admin", house.world.now, base="")
    clock.pass_(minutes=5)
    assert "has expired" in stranger.post(link).text
    assert "unknown here" in stranger.post("/enter/" + "A" * 43).text
    assert "unknown here" in stranger.get("/enter/" + quote("\ud800é", errors="surrogatepass")).text


def test_only_hashes_are_kept_and_nobody_else_can_read_them(house: House) -> None:
    ledger, now = house.gate.ledger, house.world.now
    secrets = [links.make_link(ledger, "admin", now, base="").removeprefix(ENTER), house.sign_in("admin")]
    secrets.append(tokens.make_token(ledger, "Prometheus", "viewer", now))
    passwords.choose(ledger, "viewer", "four words of nobody", now)
    path = house.world.settings.data / "run" / "dashboard-access.json"
    assert path.stat().st_mode & 0o777 == 0o600
    text = path.read_text()
    assert not [one for one in (*secrets, "four words of nobody") if one in text]
    assert all(len(one) >= 43 for one in secrets), "256 bits"


def test_an_ended_session_is_worth_nothing(house: House, clock: FrozenClock) -> None:
    assert house.client.get("/access").status_code == 200
    answer = house.client.post("/sign-out", data={"csrf": house.csrf}, follow_redirects=False)
    assert f'{PLAIN}=""' in answer.headers["set-cookie"]
    kept = house.sign_in("admin")
    for gone in ({"hours": 12}, {"days": 7}):
        secret, begun = house.sign_in("admin"), house.world.now
        while house.world.now + timedelta(hours=11) < begun + timedelta(**gone):
            clock.pass_(hours=11)
            assert house.gate.by_cookie(secret), "used again and again, it lasts a week"
        clock.pass_(hours=12)
        assert house.gate.by_cookie(secret) is None
    assert house.gate.by_cookie(kept) is None


def test_signing_out_everywhere_ends_all_sessions_and_open_links(house: House, stranger: TestClient) -> None:
    other, link = house.sign_in("viewer"), links.make_link(house.gate.ledger, "admin", house.world.now, base="")
    assert "2 sessions ended" in house.post("/access/sessions/end-all")
    assert house.gate.by_cookie(other) is None
    assert stranger.post(link).status_code == 410
    assert house.client.get("/").status_code == 401


def test_a_visitor_who_was_signed_out_watches_no_longer(
    house: House, clock: FrozenClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live, "ALIVE_SECONDS", 0.05)
    with listening(house) as address:
        line = http.client.HTTPConnection(address.removeprefix("http://"), timeout=10)
        line.request("GET", "/events", headers={"Cookie": f"{PLAIN}={house.client.cookies[PLAIN]}"})
        stream = line.getresponse()
        assert stream.status == 200 and stream.readline()
        sessions.end_all(house.gate.ledger, house.world.now)
        clock.pass_(seconds=10)
        stream.read()  # it ends
        line.close()


def test_what_breaks_is_told_without_what_broke(house: House) -> None:
    def broken() -> None:
        raise RuntimeError("the canary")

    app: Any = house.client.app
    app.add_api_route("/broken", broken)
    answer = house.client.get("/broken")
    assert answer.status_code == 500 and "not your fault" in answer.text and "canary" not in answer.text
    assert "default-src 'none'" in answer.headers["content-security-policy"]


def test_a_full_disk_signs_nobody_out_and_lets_nobody_in(
    house: House, stranger: TestClient, clock: FrozenClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    link = links.make_link(house.gate.ledger, "admin", house.world.now, base="")
    clock.pass_(minutes=4)

    def full(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("furoshiki.core.logins.ledger.write_text", full)
    clock.pass_(seconds=30)
    refused = stranger.post(link)
    assert "the disk is full" in refused.text and "set-cookie" not in refused.headers
    clock.pass_(minutes=5)
    assert house.client.get("/access").status_code == 200


def test_a_session_that_was_put_into_a_browser_is_not_signed_in(house: House, stranger: TestClient) -> None:
    planted, former = "planted-by-somebody-else", house.sign_in("viewer")
    for brought in (planted, former):
        stranger.cookies.clear()
        stranger.cookies.set(PLAIN, brought)
        answer = stranger.post(links.make_link(house.gate.ledger, "admin", house.world.now, base=""))
        assert answer.status_code == 303 and brought not in answer.headers["set-cookie"]
        assert house.gate.by_cookie(brought) is None, "neither before nor after"
    cookie = answer.headers["set-cookie"].lower()
    assert "httponly" in cookie and "samesite=strict" in cookie and "domain" not in cookie


def test_under_https_the_cookie_is_secure_and_no_other_host_can_set_it(house: House) -> None:
    house.gate.settings = Settings(
        **{**house.world.settings.model_dump(), "furoshiki_dashboard_url": "https://furo.example.net"}
    )
    outside = TestClient(house.client.app, base_url="https://furo.example.net", follow_redirects=False)
    answer = outside.post(links.make_link(house.gate.ledger, "admin", house.world.now, base=""))
    assert answer.headers["set-cookie"].startswith(f"{SECURE}=") and "; Secure" in answer.headers["set-cookie"]
    assert "domain" not in answer.headers["set-cookie"].lower() and outside.get("/access").status_code == 200
    plain = TestClient(house.client.app, base_url="https://furo.example.net", cookies={PLAIN: house.sign_in("admin")})
    assert plain.get("/access").status_code == 401, "the other name counts on the machine itself alone"


def test_a_password_cannot_be_guessed(house: House, stranger: TestClient) -> None:
    clock = [0.0]
    house.gate.limits = guard.Limits(lambda: clock[0])
    passwords.choose(house.gate.ledger, "admin", "correct horse battery", house.world.now)
    right = {"role": "admin", "password": "correct horse battery"}
    assert stranger.post("/sign-in", data=right).status_code == 303
    for role, word in (
        ("admin", "x"),
        ("admin", ""),
        ("viewer", right["password"]),
        ("root", "x"),
        ("admin", "y" * 500),
    ):
        answer = stranger.post("/sign-in", data={"role": role, "password": word})
        assert answer.status_code == 403 and "password is wrong" in answer.text and "set-cookie" not in answer.headers
    shut = stranger.post("/sign-in", data=right)
    assert (shut.status_code, shut.headers["retry-after"]) == (429, "60")
    assert "Try again in 60 seconds." in shut.text
    tries = 0
    for minute in range(1, 60):
        clock[0] = minute * 61.0
        tries += sum(house.gate.limits.guess("testclient") == 0 for _ in range(10))
    assert tries == 25, "thirty an hour with the five before"
    assert 60 < sum(house.gate.limits.guess(f"10.0.0.{one}") == 0 for one in range(250)) <= 100, (
        "all addresses together"
    )
    assert sum(house.gate.limits.guess(f"10.0.1.{one}") == 0 for one in range(250)) == 0


@pytest.mark.parametrize(
    ("peer", "host", "counted"),
    [
        ("127.0.0.1", "furo.example.net", "203.0.113.9"),
        ("127.0.0.1", "localhost", "127.0.0.1"),
        ("198.51.100.4", "furo.example.net", "198.51.100.4"),
    ],
)
def test_only_a_proxy_on_this_machine_is_believed_where_somebody_comes_from(
    house: House, peer: str, host: str, counted: str
) -> None:
    house.gate.settings = house.world.settings.model_copy(
        update={"furoshiki_dashboard_url": "https://furo.example.net"}
    )
    asked: list[str] = []
    house.gate.limits.guess = lambda address: asked.append(address) or 9.0  # type: ignore[method-assign,func-returns-value]
    client = TestClient(house.client.app, base_url=f"http://{host}", client=(peer, 50_000))
    client.post("/sign-in", data={"password": "x"}, headers={"x-forwarded-for": "10.0.0.1, 203.0.113.9"})
    assert asked == [counted]


def test_what_does_not_fit_is_not_sent_back(house: House, stranger: TestClient) -> None:
    answer = stranger.post("/sign-in", data={"password": "correct horse" * 50})
    assert answer.status_code == 422 and "password: String should have at most 512" in answer.text
    assert "correct horse" not in answer.text


def test_a_changed_password_signs_out_those_who_knew_the_old_one(house: House, stranger: TestClient) -> None:
    passwords.choose(house.gate.ledger, "viewer", "four words of nobody", house.world.now)
    stranger.post("/sign-in", data={"role": "viewer", "password": "four words of nobody"})
    assert stranger.get("/access").status_code == 200
    passwords.choose(house.gate.ledger, "viewer", "four other words", house.world.now)
    assert stranger.get("/access").status_code == 401
    with pytest.raises(FuroshikiError):
        passwords.choose(house.gate.ledger, "viewer", "short", house.world.now)


def test_tokens_open_what_their_role_may_and_nothing_once_revoked(house: House, stranger: TestClient) -> None:
    ledger, now = house.gate.ledger, house.world.now
    key = tokens.make_token(ledger, "Prometheus", "viewer", now)
    headers = {"authorization": f"Bearer {key}"}
    assert stranger.get("/access", headers=headers).status_code == 200
    assert stranger.post(CHANGING, data=FORM, headers=headers).status_code == 403, "a viewer's"
    writing = {"authorization": f"Bearer {tokens.make_token(ledger, 'script', 'admin', now)}"}
    assert stranger.post(CHANGING, data=FORM, headers=writing).status_code == 200, "no browser sends it by itself"
    tokens.revoke(ledger, "Prometheus", now)
    for wrong in (headers["authorization"], "Bearer", "Bearer x", "Basic YTpi", f"Bearer {'x' * 300}"):
        answer = house.client.get("/api/v1/status", headers={"authorization": wrong})
        assert (answer.status_code, answer.json()["error"]["code"]) == (401, "bad_token"), (
            "and no cookie counts beside it"
        )


def test_who_asks_without_end_is_slowed_down(house: House, stranger: TestClient) -> None:
    house.gate.limits = guard.Limits(lambda: 0.0)
    answers = [stranger.get("/healthz") for _ in range(121)]
    assert 429 not in [one.status_code for one in answers[:120]]
    assert answers[-1].status_code == 429 and int(answers[-1].headers["retry-after"]) >= 1
    assert house.client.get("/access").status_code == 200, "who is signed in is counted by themselves"


def test_nobody_can_send_more_than_there_is_room_for(house: House, stranger: TestClient) -> None:
    much = {"content-type": "application/x-www-form-urlencoded", "content-length": str(guard.BODY_BYTES + 1)}
    assert house.client.post(CHANGING, content=b"", headers=much).status_code == 413
    assert stranger.post("/sign-in", data={"password": "x" * guard.FORM_BYTES}).status_code == 413
    assert house.client.post(CHANGING, content=iter([b"a=b"])).status_code == 411
    assert house.client.post("/enter/x", headers={"content-length": "9" * 30}).status_code == 413


@pytest.mark.parametrize(
    "back", ["//evil.example", "/\\evil.example", "https://evil.example", "/a\r\nSet-Cookie: a=b", "javascript:1"]
)
def test_no_form_leads_elsewhere_or_writes_a_header(house: House, stranger: TestClient, back: str) -> None:
    passwords.choose(house.gate.ledger, "admin", "correct horse battery", house.world.now)
    fields = {"role": "admin", "password": "correct horse battery", "back": back}
    answer = stranger.post("/sign-in", data=fields)
    assert answer.headers["location"] == "/" and len(answer.headers.get_list("set-cookie")) == 1


def test_a_session_has_a_most_of_streams_and_one_that_ended_counts_no_more(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "STREAMS", 1)
    with listening(house) as address:
        cookie = {"Cookie": f"{PLAIN}={house.client.cookies[PLAIN]}"}
        first = http.client.HTTPConnection(address.removeprefix("http://"), timeout=10)
        first.request("GET", "/events", headers=cookie)
        assert first.getresponse().status == 200
        for path in ("/events", "/api/v1/events", "/chat/stream/1", "/api/v1/messages/1/events"):
            answer = house.client.get(path)
            assert (answer.status_code, "Close some of them" in answer.text) == (429, True), path
        assert house.page("/chat"), "pages still come"
    visitor = house.gate.by_cookie(house.client.cookies[PLAIN])
    assert visitor is not None and house.gate.limits.stream(visitor.session)


@pytest.mark.parametrize("given", ["https://furo.example.net:443", "https://furo.example.net"])
def test_under_its_address_it_answers_also_where_the_address_names_the_usual_port(house: House, given: str) -> None:
    house.gate.settings = house.world.settings.model_copy(update={"furoshiki_dashboard_url": given})
    assert house.client.get("/sign-in", headers={"host": "furo.example.net"}).status_code == 200


@contextmanager
def line_to(address: str, *said: bytes) -> Iterator[socket.socket]:
    """A connection on which something was said."""
    host, _, port = address.removeprefix("http://").rpartition(":")
    with socket.create_connection((host, int(port)), 10) as line:
        for words in said:
            line.sendall(words)
        yield line


def test_who_asks_half_a_question_is_shown_out_and_who_waits_for_news_stays(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(patience, "ASKING_S", 0.3)
    monkeypatch.setattr(server, "TICK_S", 0.02)
    cookie = f"Cookie: {PLAIN}={house.client.cookies[PLAIN]}\r\n".encode()
    with listening(house) as address, ExitStack() as lines:

        def asked(what: str, *more: bytes) -> socket.socket:
            head = f"{what} HTTP/1.1\r\nHost: {address.removeprefix('http://')}\r\n".encode()
            return lines.enter_context(line_to(address, b"".join((head, *more))))

        news = asked("GET /events", cookie, b"\r\n")
        assert b"200 OK" in news.recv(4096)
        halves = [
            lines.enter_context(line_to(address)),
            asked("GET /healthz"),
            asked("GET /healthz", b"\r\n", b"GET /healthz HTTP/1.1\r\n"),
            asked("POST /sign-in", b"Content-Length: 900\r\n\r\nrole=admin&"),
            asked("POST /chat", cookie, b"Content-Length: 900000\r\n\r\ntext="),
            asked("POST /nothing", b"Content-Length: 900000\r\n\r\nx"),
        ]
        for half in halves:
            while half.recv(65536):
                pass  # until it is ended from the other side
        house.client.app.state.hub.tell(["turns"])  # type: ignore[attr-defined]
        while b"turns" not in news.recv(4096):
            pass


@pytest.mark.parametrize(
    "host, counted",
    [
        ("127.0.0.1", None),
        ("::1", None),
        ("::ffff:127.0.0.1", None),
        ("192.168.1.7", "192.168.1.7"),
        ("::ffff:192.168.1.7", "192.168.1.7"),
        ("2001:db8:0:1:aaaa::7", "2001:db8:0:1::/64"),
        ("fe80::1%eth0", "fe80::/64"),
    ],
)
def test_connections_are_counted_by_household(host: str, counted: str | None) -> None:
    assert patience.peer(host) == counted


def test_one_peer_cannot_take_every_place_and_who_keeps_waiting_makes_room(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server, "CONNECTIONS", 3)
    with listening(house) as address, line_to(address) as first, line_to(address):
        with line_to(address, b"GET / HTTP/1.1\r\nHost: elsewhere\r\n\r\n") as line:
            assert first.recv(100) == b"", "the connection that has been asking longest"
            assert b"HTTP/1.1 421" in line.recv(4096)
        monkeypatch.setattr(patience, "FROM_ONE_PEER", 2)
        monkeypatch.setattr(patience, "peer", lambda host: host)  # this machine's own are not counted
        with line_to(address), line_to(address), line_to(address) as line:
            assert line.recv(4096).startswith(b"HTTP/1.1 429")


def test_the_name_of_a_token_is_words_and_nothing_else(house: House) -> None:
    html = house.post(CHANGING, name="<script>alert(1)</script>\x1b[2J", role="viewer")
    assert "<script>alert" not in html and "&lt;script&gt;" in html and "\x1b" not in html


@pytest.fixture
def telegram(house: House) -> House:
    """A house with a bot and its owner, Telegram's number 7."""
    return with_bot(house)


def test_the_owner_comes_in_from_telegram_once_with_each_proof(telegram: House, stranger: TestClient) -> None:
    given = signed_data(7, telegram.world.now.timestamp(), signature="x")
    assert safe_parse_webapp_init_data(TOKEN, given).user.id == 7, "as the library of Telegram's bots reads it"  # type: ignore[union-attr]
    answer = stranger.post("/app", data={"init_data": given})
    assert (answer.status_code, answer.headers["location"]) == (303, "/")
    assert "used already" in stranger.post("/app", data={"init_data": given}).text


def test_within_a_frame_of_telegram_there_is_a_link_for_a_window(telegram: House, stranger: TestClient) -> None:
    given = signed_data(7, telegram.world.now.timestamp())
    link = stranger.post("/app", data={"init_data": given, "framed": "true"}).json()["link"]
    assert "set-cookie" not in stranger.post("/app", data={"init_data": given, "framed": "true"}).headers
    assert stranger.post(link).status_code == 303
    policy = stranger.get("/app").headers["content-security-policy"]
    assert "frame-ancestors https://web.telegram.org" in policy and "script-src 'self';" in policy
    assert "frame-ancestors 'none'" in stranger.get("/sign-in").headers["content-security-policy"]


def test_nobody_else_comes_in_from_telegram(telegram: House, stranger: TestClient) -> None:
    now = telegram.world.now.timestamp()
    good = signed_data(7, now)
    attempts = {
        "another's": signed_data(8, now),
        "of another bot": signed_data(7, now, token="654321:other"),
        "changed": good.replace("Noor", "Mira"),
        "without a hash": good.partition("&hash=")[0],
        "two users": good + "&user=" + quote('{"id": 7}'),
        "old": signed_data(7, now - 601),
        "of tomorrow": signed_data(7, now + 86400),
        "no number": signed_data(7, now).replace("%22id%22%3A+7", "%22id%22%3A+%227%22"),
        "nothing": "",
        "too long": good + "&x=" + "y" * 9000,
        "no text": "hash=%ff%00&user=%ed%a0%80",
    }
    for name, given in attempts.items():
        answer = stranger.post("/app", data={"init_data": given})
        assert answer.status_code == 403, name
        assert "set-cookie" not in answer.headers, name


def test_init_data_is_read_as_the_library_of_telegrams_bots_reads_it(clock: FrozenClock) -> None:
    good = signed_data(7, clock.now().timestamp())
    for given in (
        good,
        good + "x",
        good.replace("AAE", "AAF"),
        signed_data(7, clock.now().timestamp(), chat_type="a=b&c"),
    ):
        try:
            theirs: object = safe_parse_webapp_init_data(TOKEN, given).user.id  # type: ignore[union-attr]
        except ValueError:
            theirs = "forged"
        assert init_data.user_of(given, TOKEN, clock.now()) == theirs


def test_sessions_show_the_browser_and_end_from_there(house: House) -> None:
    phone = sessions.begin(house.gate.ledger, "viewer", "password", "Safari on iPhone", house.world.now)
    assert "Safari on iPhone" in house.page("/access")
    assert "That browser is signed out." in house.post("/access/sessions/end", session=phone.session.id)
    assert house.gate.by_cookie(phone.secret) is None


@pytest.mark.slow
def test_no_number_in_an_address_breaks_a_page(house: House) -> None:
    """Whatever stands where a number is expected, in a path or a query, is told as wrong and never an error of ours."""
    app: Any = house.client.app
    app.openapi()
    names = ("cursor", "before", "limit", "days", "hours", "change", "since", "anger", "k", "page")
    for route in iter_route_contexts(app.routes):
        if "GET" not in (route.methods or ()) or "events" in (route.path or ""):
            continue
        for odd in (*ODD[:7], "9" * 20, "1" + "0" * 23, "-1", "NaN"):
            filled = re.sub(r"{.*?}", quote(odd, safe=""), route.path or "")
            asked = [filled] if "{" in (route.path or "") else [f"{filled}?{urlencode(dict.fromkeys(names, odd))}"]
            for path in asked:
                assert house.client.get(path, follow_redirects=False).status_code != 500, path
