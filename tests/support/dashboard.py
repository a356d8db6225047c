"""A dashboard over the world of a test, asked in this process."""

from __future__ import annotations

import html
import re
from collections.abc import Callable
from dataclasses import dataclass

import pytest
from starlette.testclient import TestClient

from furoshiki.core.logins import sessions
from furoshiki.core.logins.ledger import Ledger
from furoshiki.faces.dashboard.access import cookies
from furoshiki.faces.dashboard.access.guard import Gate
from furoshiki.faces.dashboard.app import create_app
from furoshiki.faces.dashboard.values import Role
from furoshiki.world import World


@dataclass
class House:
    """The application with its world, and somebody in it."""

    world: World
    gate: Gate
    client: TestClient
    csrf: str

    def sign_in(self, role: Role) -> str:
        """Begin another session; what its browser is to keep."""
        return sessions.begin(self.gate.ledger, role, "link", "Firefox on Linux", self.world.now).secret

    def post(self, path: str, **fields: object) -> str:
        """Send a form as a browser does, with its hidden field; the page that it ends on."""
        answer = self.client.post(path, data={"csrf": self.csrf, **fields})
        assert answer.status_code == 200, (answer.status_code, answer.text[:2000])
        return answer.text

    def page(self, path: str) -> str:
        """The HTML of a page."""
        answer = self.client.get(path)
        assert answer.status_code == 200, (answer.status_code, answer.text[:2000])
        return answer.text


Signed = Callable[[Role], House]


@pytest.fixture
def signed(world: World) -> Signed:
    """A dashboard with somebody signed in, in a role."""
    gate = Gate(Ledger(world.settings.data), world.settings, world.clock.now)
    app = create_app(world, gate)

    def made(role: Role) -> House:
        house = House(world, gate, TestClient(app, base_url="http://localhost", client=("127.0.0.1", 50000)), "")
        secret = house.sign_in(role)
        visitor = gate.by_cookie(secret)
        assert visitor is not None
        house.client.cookies.set(cookies.plain(world.settings), secret)
        house.csrf = visitor.csrf
        return house

    return made


@pytest.fixture
def house(signed: Signed) -> House:
    """A dashboard with its owner signed in."""
    return signed("admin")


def seen(page: str, name: str) -> str:
    """What the form of a setting says its owner looked at; "" where it has no form."""
    found = re.search(rf'action="/settings/{name}".*?name="seen" value="(\w+)"', page, re.S)
    return found[1] if found else ""


def save(client: TestClient, csrf: str, name: str, value: object) -> tuple[int, str]:
    """Save a setting on its page, as a browser does; the status and the page that follows."""
    looked_at = seen(client.get(f"/settings?q={name}").text, name)
    fields = {"csrf": csrf, "seen": looked_at or "x", "value": str(value)}
    answer = client.post(f"/settings/{name}", data=fields, follow_redirects=True)
    return answer.status_code, html.unescape(answer.text)
