"""A dashboard over the world of a test, asked in this process."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import pytest
from starlette.testclient import TestClient

from furoshiki.dashboard.access.sessions import COOKIE, Sessions
from furoshiki.dashboard.app import create_app
from furoshiki.dashboard.values import Role
from furoshiki.world import World


@dataclass
class House:
    """The application with its world, and somebody in it."""

    world: World
    sessions: Sessions
    client: TestClient
    csrf: str

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
    sessions = Sessions()
    app = create_app(world, sessions)

    def made(role: Role) -> House:
        secret = sessions.sign_in(role)
        visitor = sessions.visitor(secret)
        assert visitor is not None
        client = TestClient(app, base_url="http://localhost", cookies={COOKIE: secret})
        return House(world, sessions, client, visitor.csrf)

    return made


@pytest.fixture
def house(signed: Signed) -> House:
    """A dashboard with its owner signed in."""
    return signed("admin")
