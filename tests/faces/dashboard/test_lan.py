"""The pages opened for a phone: one address, one browser, an hour; and what somebody else in the network could try."""

from __future__ import annotations

import asyncio
import dataclasses
import http.client
import re
import ssl
from collections.abc import Mapping
from datetime import timedelta
from typing import Any

import pytest
from starlette.testclient import TestClient

from furoshiki.core.errors import AlreadyRunning
from furoshiki.core.logins import lan as opened
from furoshiki.core.logins import links, passwords, sessions, tokens
from furoshiki.core.logins.lan import Opening
from furoshiki.core.logins.ledger import Ledger
from furoshiki.faces.dashboard import lan
from furoshiki.faces.dashboard.access.cookies import SECURE
from furoshiki.faces.dashboard.access.guard import Gate
from furoshiki.faces.dashboard.app import create_app
from furoshiki.world import World
from tests.support.ports import LOOPBACK, free_port


@dataclasses.dataclass
class Phone:
    """Pages that are open at a stand-in for an address of the home's network, asked over real connections."""

    world: World
    opening: Opening
    stop: asyncio.Event
    serving: asyncio.Task[None]

    @property
    def ledger(self) -> Ledger:
        return Ledger(self.world.settings.data)

    def link(self) -> str:
        """The path of a new login link for the phone."""
        now = self.world.clock.now()
        made = links.make_link(
            Ledger(self.world.settings.data, self.opening.place), "admin", now, base=self.opening.base
        )
        return made.removeprefix(self.opening.base)

    async def ask(
        self, path: str, method: str = "GET", headers: Mapping[str, str] | None = None, body: str = ""
    ) -> tuple[int, Mapping[str, str], str]:
        """Status, headers and words of an answer; a certificate that is not the pinned one is an error."""

        def asked() -> tuple[int, Mapping[str, str], str]:
            scheme, _, host = self.opening.base.partition("://")
            line: http.client.HTTPConnection
            if scheme == "https":
                [pinned] = (self.world.settings.data / "run").glob("dashboard-lan-*.pem")
                line = http.client.HTTPSConnection(host, timeout=20, context=ssl.create_default_context(cafile=pinned))
            else:
                line = http.client.HTTPConnection(host, timeout=20)
            form = {"Content-Type": "application/x-www-form-urlencoded"} if body else {}
            line.request(method, path, body, {**form, **(headers or {})})
            answer = line.getresponse()
            found = answer.status, dict(answer.getheaders()), answer.read().decode()
            line.close()
            return found

        return await asyncio.to_thread(asked)

    async def sign_in(self, link: str) -> dict[str, str]:
        """Use a link; the cookie that the browser keeps, as a header."""
        status, headers, _ = await self.ask(link, "POST")
        assert status == 303, status
        return {"Cookie": headers["set-cookie"].partition(";")[0]}


class Opener:
    """Opens pages within the test, and closes them after it."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.phones: list[Phone] = []

    async def __call__(self, unused_s: float = 3600.0, **settings: Any) -> Phone:
        held = self.world.settings.model_copy(update={"furoshiki_dashboard_port": free_port(), **settings})
        ready, stop = asyncio.get_running_loop().create_future(), asyncio.Event()
        serving = asyncio.create_task(lan.hold_open(held, LOOPBACK, stop, ready.set_result, unused_s))
        await asyncio.wait({ready, serving}, return_when=asyncio.FIRST_COMPLETED)
        if serving.done():
            await serving
        self.phones.append(Phone(self.world, ready.result(), stop, serving))
        return self.phones[-1]


@pytest.fixture
async def opener(world: World, monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.setattr(lan, "LOOK_S", 0.05)
    found = Opener(dataclasses.replace(world, clock=lan.SystemClock()))
    yield found
    for phone in found.phones:
        phone.stop.set()
        await asyncio.wait_for(phone.serving, 20)


def needs_openssl() -> None:
    if not opened.can_encrypt():
        pytest.skip("openssl is not installed here")


async def test_a_link_lets_one_browser_in_once_over_an_encrypted_line(opener: Opener) -> None:
    needs_openssl()
    phone = await opener()
    assert phone.opening.base.startswith(f"https://{LOOPBACK}:")
    assert re.fullmatch("([0-9A-F]{2}:){31}[0-9A-F]{2}", phone.opening.fingerprint)
    assert opened.find_opening(phone.world.settings.data) == phone.opening
    assert (await phone.ask("/"))[0] == 401
    link = phone.link()
    assert (await phone.ask(link))[0] == 200, "a preview uses nothing up"
    mine = await phone.sign_in(link)
    assert mine["Cookie"].startswith(SECURE)
    status, _, page = await phone.ask("/settings", headers=mine)
    assert status == 200 and "Settings" in page
    status, _, page = await phone.ask(link, "POST")
    assert status == 410 and "was already used" in page


async def test_another_link_signs_out_who_came_in_before(opener: Opener) -> None:
    phone = await opener()
    first, other = phone.link(), phone.link()
    assert (await phone.ask(first, "POST"))[0] == 410, "the later link holds alone"
    one = await phone.sign_in(other)
    two = await phone.sign_in(phone.link())
    assert [(await phone.ask("/", headers=which))[0] for which in (one, two)] == [401, 200]


async def test_what_lets_in_elsewhere_lets_nobody_in_here_nor_the_other_way_round(opener: Opener) -> None:
    phone = await opener()
    ledger, now = phone.ledger, phone.world.clock.now()
    elsewhere = links.make_link(ledger, "admin", now, base="")
    passwords.choose(ledger, "admin", "four words of nobody", now)
    token = tokens.make_token(ledger, "Prometheus", "admin", now)
    session = sessions.begin(ledger, "admin", "link", "Firefox", now).secret
    name = (await phone.sign_in(phone.link()))["Cookie"].partition("=")[0]
    assert (await phone.ask(elsewhere, "POST"))[0] == 410
    assert (await phone.ask("/", headers={"Authorization": f"Bearer {token}"}))[0] == 401
    assert (await phone.ask("/", headers={"Cookie": f"{name}={session}"}))[0] == 401
    assert (await phone.ask("/sign-in", "POST", body="password=four+words+of+nobody&role=admin"))[0] == 401
    assert (await phone.ask("/app", "POST", body="init_data=x"))[0] == 401
    assert (await phone.ask("/healthz"))[0] == 401, "whether it lives is nobody's business there"

    home = TestClient(create_app(phone.world, Gate(ledger, phone.world.settings, phone.world.clock.now)))
    home.base_url = "http://localhost"
    home.follow_redirects = False
    assert home.post(phone.link()).status_code == 410
    mine = await phone.sign_in(phone.link())
    secret = mine["Cookie"].partition("=")[2]
    home.cookies.set("furoshiki_session_8330", secret)
    assert home.get("/").status_code == 401


@pytest.mark.parametrize("host", ["evil.example", "192.168.1.7:8330", "localhost"])
async def test_under_another_name_it_does_not_answer(opener: Opener, host: str) -> None:
    phone = await opener()
    mine = await phone.sign_in(phone.link())
    assert (await phone.ask("/", headers={**mine, "Host": host}))[0] == 421


@pytest.mark.parametrize("peer", ["203.0.113.9", "8.8.8.8", "2001:db8::9", "100.64.0.1", "made up", ""])
def test_from_outside_of_private_networks_nobody_is_heard(world: World, peer: str) -> None:
    gate = Gate(Ledger(world.settings.data, "here"), world.settings, world.clock.now)
    app = lan.OneNetwork(create_app(world, gate))
    link = links.make_link(gate.ledger, "admin", world.now, base="")
    far = TestClient(app, base_url="http://localhost", client=(peer, 4711), follow_redirects=False)
    assert (far.post(link).status_code, far.get("/static/style.css").status_code) == (403, 403)
    near = TestClient(app, base_url="http://localhost", client=("192.168.1.20", 4711), follow_redirects=False)
    assert near.post(link).status_code == 303, "the link was not used up"


@pytest.mark.parametrize(
    ("host", "private"),
    [
        ("10.0.0.1", True),
        ("172.16.3.4", True),
        ("172.32.0.1", False),
        ("192.168.178.20", True),
        ("fd12:3456::7", True),
        ("fe80::1%wlan0", False),
        ("169.254.1.1", False),
        ("127.0.0.1", False),
        ("192.0.2.1", False),
        ("2a00:1450::5", False),
        ("furo.example.net", False),
    ],
)
def test_which_addresses_are_of_ones_own_network(host: str, private: bool) -> None:
    assert opened.is_private(host) is private


async def test_unused_it_closes(opener: Opener) -> None:
    phone = await opener(unused_s=0.3)
    await asyncio.wait_for(phone.serving, 120)
    assert opened.find_opening(phone.world.settings.data) is None
    with pytest.raises(OSError, match="refused"):
        await phone.ask("/")


def test_it_is_used_by_a_signed_in_visitor_and_not_by_a_page_that_lies_open(world: World) -> None:
    gate = Gate(Ledger(world.settings.data, "here"), world.settings, world.clock.now)
    app = lan.OneNetwork(create_app(world, gate))
    browser = TestClient(app, base_url="http://localhost", client=("192.168.1.20", 4711), follow_redirects=False)

    def uses(path: str, method: str = "GET") -> bool:
        app.used_at = 0.0
        browser.request(method, path)
        return app.used_at > 0

    link = links.make_link(gate.ledger, "admin", world.now, base="")
    assert not any(uses(path) for path in ("/", "/access", link, "/made-up"))
    browser.post(link)
    assert uses("/access")
    assert not any(uses(path) for path in ("/static/style.css", "/parts/now/heart"))


async def test_closed_from_elsewhere_it_ends_and_signs_out(opener: Opener) -> None:
    phone = await opener()
    await phone.sign_in(phone.link())
    assert opened.close(phone.world.settings.data, phone.world.clock.now())
    await asyncio.wait_for(phone.serving, 20)
    assert not opened.close(phone.world.settings.data, phone.world.clock.now())
    assert not phone.ledger.held().sessions


async def test_there_is_one_at_a_time_and_a_taken_port_is_no_hindrance(opener: Opener) -> None:
    phone = await opener()
    with pytest.raises(AlreadyRunning):
        await opener()
    port = int(phone.opening.base.rpartition(":")[2])
    phone.stop.set()
    await asyncio.wait_for(phone.serving, 20)
    with lan.server.bound(LOOPBACK, port) as taken:
        taken.listen()
        again = await opener(furoshiki_dashboard_port=port)
    assert not again.opening.base.endswith(f":{port}")


async def test_without_openssl_it_says_by_its_address_that_nothing_is_encrypted(
    opener: Opener, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(opened, "can_encrypt", lambda: False)
    phone = await opener()
    assert phone.opening.base.startswith("http://") and phone.opening.fingerprint == ""
    assert (await phone.ask("/", headers=await phone.sign_in(phone.link())))[0] == 200


def test_a_certificate_is_kept_so_that_a_phone_warns_of_it_once(world: World) -> None:
    needs_openssl()
    run, now = world.settings.data / "run", lan.SystemClock().now()
    run.mkdir(exist_ok=True)

    def made(address: str, age_days: int = 0) -> str:
        then = timedelta(days=age_days)
        return lan.compute_fingerprint(lan.make_certificate(run, address, now + then))

    first = made("192.168.1.7")
    assert made("192.168.1.7") == first and made("192.168.1.7", 301) != first
    assert made("fd00::7") != first
    [kept] = run.glob("dashboard-lan-*")
    assert kept.name == "dashboard-lan-fd00--7.pem" and kept.stat().st_mode & 0o777 == 0o600
