"""`furoshiki dashboard`: who may come in, said and changed at the shell."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from furoshiki.core.atomic_files import locked
from furoshiki.core.logins import addresses, links, passwords, sessions, tokens
from furoshiki.core.logins.ledger import Ledger
from furoshiki.core.logins.values import Link
from furoshiki.faces.cli import context
from tests.support.shell import Command


def typed(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO(text))


def test_a_token_is_shown_once_and_taken_back(command: Command, data: Path) -> None:
    assert "furoshiki dashboard token NAME" in command("dashboard", "tokens").out
    made = command("dashboard", "token", "Prometheus", "--role", "viewer")
    assert made.out.startswith(tokens.PREFIX) and "not be shown again" in made.err
    [row] = command("dashboard", "tokens", "--json").json
    assert (row["name"], row["role"], row["used_at"]) == ("Prometheus", "viewer", None)
    assert made.out.strip() not in (data / "run" / "dashboard-access.json").read_text()
    assert command("dashboard", "revoke", "Prometheus").status == 0
    assert command("dashboard", "revoke", "Prometheus").status == 1


def test_sessions_are_listed_and_ended(command: Command, data: Path) -> None:
    assert "Nobody is signed in" in command("dashboard", "sessions").out
    now, ledger = context.clock().now(), Ledger(data)
    first = sessions.begin(ledger, "admin", "link", "Firefox on Linux", now)
    for _ in range(2):
        sessions.begin(ledger, "viewer", "password", "Safari on iPhone", now)
    assert "Firefox on Linux" in command("dashboard", "sessions").out
    assert command("dashboard", "sign-out", first.session.id).status == 0
    assert command("dashboard", "sign-out", first.session.id).status == 1
    assert command("dashboard", "sign-out", "--json").json == {"signed_out": 2}


def test_a_password_is_set_changed_and_taken_away(
    command: Command, data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    typed(monkeypatch, "short\n")
    assert "10 to 512 characters" in command("dashboard", "password").err
    typed(monkeypatch, "correct horse battery\n")
    assert command("dashboard", "password").status == 0
    ledger = Ledger(data)
    assert passwords.find_role(ledger, "admin", "correct horse battery") == "admin"
    assert passwords.find_role(ledger, "viewer", "correct horse battery") is None
    assert command("dashboard", "password", "--remove", "--json").json == {"role": "admin", "removed": True}
    assert passwords.which(ledger) == ()


def test_nothing_of_it_goes_into_a_backup(command: Command, data: Path) -> None:
    command("dashboard", "token", "Prometheus")
    command("backup", "--json")
    assert list((data / "backups").iterdir())
    assert not [path for path in (data / "backups").rglob("*") if "dashboard-access" in path.name]


def test_a_browser_is_opened_without_telling_the_whole_machine_the_link(
    command: Command, data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[str] = []
    monkeypatch.setenv("DISPLAY", ":0")
    monkeypatch.setattr("webbrowser.open", lambda address: opened.append(address) is None)
    with locked(data / "run" / addresses.LOCK):  # it is served
        done = command("dashboard", "--open", "--role", "viewer")
    link = done.out.rpartition(" ")[2].strip()
    leading = data / "run" / "open-dashboard.html"
    assert opened == [leading.as_uri()] and link in leading.read_text()
    assert leading.stat().st_mode & 0o777 == 0o600
    found = links.examine(Ledger(data), link.rpartition("/")[2], context.clock().now())
    assert isinstance(found, Link) and found.role == "viewer"


@pytest.mark.parametrize("url", ["ftp://a", "https://a/b", "https://u:p@a", "a.example", "https://a?b"])
def test_an_address_that_is_none_is_refused_with_what_one_looks_like(
    command: Command, data: Path, url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FUROSHIKI_DASHBOARD_URL", url)
    done = command("dashboard", "sessions")
    assert done.status == 3 and "https://furo.example.net" in done.err
