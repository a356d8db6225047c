"""Extensions: exactly what was shown is allowed, and hostile words stay words."""

from __future__ import annotations

from pathlib import Path

import pytest

from furoshiki.extensions.plugins import installed
from furoshiki.extensions.repair import dispatching
from furoshiki.extensions.repair.dispatching import Checked
from furoshiki.mind.inner_life.self_model import description
from tests.extensions.plugins.authoring.conftest import NAME
from tests.support import extensions, plugins
from tests.support.dashboard import House, Signed

DICE = "/extensions/plugins/dice"
MAY = """permissions:
  read_db: true
  network: [dice.example.org]
settings:
  - name: key
    about: A key
    secret: true
"""


def mark(html: str) -> str:
    """What the form of a yes brings back."""
    return html.partition('name="mark" value="')[2].partition('"')[0]


def script(house: House) -> Path:
    return house.world.home / extensions.SCRIPT


def state(house: House, name: str = "dice") -> str:
    found = installed.one(house.world, name)
    return found.state if found is not None else "none"


def test_a_plugin_is_shown_with_what_it_may_and_did(house: House, tmp_path: Path) -> None:
    extensions.installed(house.world, tmp_path / "source", more=MAY)
    extensions.ran(house.world, 24)
    extensions.ran(house.world, 1, status="failed", error=f"boom {extensions.HOSTILE}")
    for path in ("/extensions", DICE):
        html = house.page(path)
        assert "read what I remember about you" in html and "dice.example.org" in html
        assert extensions.HOSTILE not in html and "&lt;script&gt;" in html
    assert "runs: 25, failed: 1, for models: $0.25" in house.page(DICE) and "Older" in html
    html = house.post(f"{DICE}/settings/key", value="canary")
    assert "PLUGIN_DICE_KEY is set" in html and "canary" not in html
    assert "PLUGIN_DICE_KEY=canary" in (house.world.home / ".env").read_text()
    assert "canary" not in house.page(DICE)
    assert "no longer set" in house.post(f"{DICE}/settings/key", do="unset")


def test_it_is_switched_off_gone_back_from_and_removed(house: House, signed: Signed, tmp_path: Path) -> None:
    extensions.installed(house.world, tmp_path / "source")
    extensions.installed(house.world, tmp_path / "source", version="2.0", script="# two\n")
    assert signed("viewer").client.post(DICE, data={"do": "remove"}).status_code == 403
    assert signed("viewer").client.get(f"{DICE}/rollback").status_code == 403
    html = house.page(f"{DICE}/rollback")
    assert "Go back to dice 1.0?" in html and "<del>− # two</del>" in html
    assert "dice is 1.0 again" in house.post(f"{DICE}/rollback", mark=mark(html))
    assert script(house).read_text() == plugins.SCRIPT
    assert "dice is off" in house.post(DICE, do="disable") and state(house) == "disabled"
    html = house.page(f"{DICE}/enable")
    assert "dice is enabled" in house.post(f"{DICE}/enable", mark=mark(html)) and state(house) == "enabled"
    assert "dice is removed" in house.post(DICE, do="remove") and state(house) == "none"
    assert "off, comes with me" in house.page(DICE), "one of that name comes with the program"
    assert house.client.get("/extensions/plugins/nothing").status_code == 404


def test_what_changed_while_it_was_read_is_not_allowed(house: House, tmp_path: Path) -> None:
    extensions.installed(house.world, tmp_path / "source")
    script(house).write_text("# mine\n")
    html = house.page(f"{DICE}/enable")
    assert "<ins>+ # mine</ins>" not in html and "# mine" in html, "it is what is in place"
    script(house).write_text("# theirs\n")
    answer = house.client.post(f"{DICE}/enable", data={"csrf": house.csrf, "mark": mark(html)})
    assert answer.status_code == 409 and "has changed since you saw it" in answer.text and "# theirs" in answer.text
    assert "main.py was changed" in house.page(DICE)
    assert "dice is enabled" in house.post(f"{DICE}/enable", mark=mark(answer.text))
    assert "main.py was changed" not in house.page(DICE)


def test_a_plugin_it_wrote_is_applied_as_it_was_read(house: House) -> None:
    number = extensions.wrote(house.world)
    page = f"/extensions/proposals/plugin-{number}"
    html = house.page(page)
    assert "connect to trams.example.org on the internet" in html and "scripts/tram.py" in html
    assert extensions.HOSTILE not in html and extensions.HOSTILE not in house.page("/extensions")
    draft = house.world.home / "drafts" / NAME / "scripts" / "tram.py"
    kept = draft.read_text()
    draft.write_text(kept.replace("[:3]", "[:4]"))
    answer = house.client.post(page, data={"csrf": house.csrf, "do": "accept", "mark": mark(html)})
    assert answer.status_code == 409 and state(house, NAME) == "none"
    draft.write_text(kept)
    assert f"{NAME} is enabled" in house.post(page, do="accept", mark=mark(html))
    assert state(house, NAME) == "enabled" and house.client.get(page).status_code == 404


def test_a_repair_is_accepted_or_declined_as_it_was_read(
    house: House, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    extensions.installed(house.world, tmp_path / "source")
    number = extensions.broke(house.world)
    page = f"/extensions/proposals/repair-{number}"
    for path in ("/extensions", page, f"/extensions/repairs/{number}", "/extensions/repairs"):
        assert extensions.HOSTILE not in house.page(path)
    html = house.page(page)
    assert "flush=True" in html and "runs the plugin&#39;s tests" in html
    script(house).write_text('print("{}")\n# more\n')
    sent = {"csrf": house.csrf, "do": "accept", "mark": mark(html)}
    answer = house.client.post(page, data=sent)
    assert answer.status_code == 409 and "has changed since you read it" in answer.text
    script(house).write_text(plugins.SCRIPT)
    monkeypatch.setattr(dispatching, "check", lambda *_given: Checked(True, "its tests pass"))  # they need the sandbox
    house.post(page, do="accept", mark=mark(house.page(page)))
    assert "flush=True" in script(house).read_text()
    assert "flush=True" in house.page(f"/extensions/repairs/{number}")


def test_a_change_of_itself_waits_for_a_word(house: House, signed: Signed) -> None:
    number = extensions.reconsidered(house.world, description.text(house.world))
    page = f"/extensions/proposals/self-{number}"
    html = house.page(page)
    assert "<ins>+ I like trams.</ins>" in html
    assert "Accept" not in signed("viewer").page(page)
    assert "Accepted: 40% of SELF.md is new." in house.post(page, do="accept", mark=mark(html))
    assert description.text(house.world).endswith("I like trams.")


def test_a_broken_file_of_servers_is_told(house: House) -> None:
    (house.world.home / "config" / "tool_servers.toml").write_text("[weather]\nurl = 3\n")
    assert 'role="alert"' in house.page("/extensions").partition("Tool servers")[2]
