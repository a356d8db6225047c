"""Ways into the pages of a home: its owner's, and the operator's, of which the owner is told."""

from __future__ import annotations

from furoshiki.conversation.commands.look import dashboard
from furoshiki.core.atomic_files import locked
from furoshiki.core.database.connection import Database
from furoshiki.core.logins import addresses
from furoshiki.core.paths import HOST
from furoshiki.host import homes
from furoshiki.host.open_home import settings_of
from furoshiki.messages.store import accounts, outbox
from tests.support.roof import Roof
from tests.support.shell import Command, command, data

__all__ = ["command", "data"]


def test_who_makes_a_link_into_a_home_leaves_a_line_there_and_its_owner_is_told(command: Command, roof: Roof) -> None:
    database = Database(roof.root / "anna" / "memory" / "longmemory.sqlite")
    with database.write() as db:
        accounts.pair(db, "telegram", "7", "7", "owner", roof.now())
    with locked(roof.root / HOST / "run" / addresses.LOCK):  # the host's dashboard runs
        made = command("dashboard", "--open", "--json", "--home", "anna")
    assert "/enter/anna." in made.json["link"]
    assert "furoshiki dashboard" in (roof.root / "anna" / "logs" / "operator.log").read_text()
    with database.read() as db:
        [told] = [one.text for one in outbox.read_waiting(db, "telegram")]
    database.close()
    assert "The operator of the machine I live on has used `furoshiki dashboard`" in told
    answer = roof.browser(None).post(made.json["link"].partition("8330")[2])
    assert answer.status_code == 303
    operator = command("host", "dashboard", "sessions", "--json")
    assert [one["role"] for one in operator.json] == ["admin"]
    assert not (roof.root / "ben" / "logs" / "operator.log").exists()


def test_the_pages_of_a_home_are_where_its_host_serves_them(roof: Roof) -> None:
    held = settings_of(homes.get_home(roof.root, "anna"))
    assert dashboard.find_host_settings(held) is None
    (roof.root / HOST / ".env").write_text("FUROSHIKI_DASHBOARD_URL=https://homes.example.net\n")
    with locked(roof.root / HOST / "run" / addresses.LOCK):
        found = dashboard.find_host_settings(held)
    assert found is not None and found.furoshiki_dashboard_url == "https://homes.example.net"
    assert addresses.home_of(held) == "?home=anna"


def test_a_home_counts_as_running_while_its_host_does(roof: Roof) -> None:
    def running() -> dict[str, bool]:
        return dict(roof.of("anna").get("/api/v1/status").json()["running"])

    assert not any(running().values())
    with locked(roof.root / HOST / "run" / "telegram-1.lock"), locked(roof.root / HOST / "run" / "brain.lock"):
        assert all(running()[name] for name in ("mind", "listener", "brain"))
