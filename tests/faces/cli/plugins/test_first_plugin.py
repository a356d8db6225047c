"""The first plugin of docs/plugins.md, typed as it stands there, and what else the command answers."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path

import pytest

from furoshiki.core.paths import ROOT
from furoshiki.extensions.plugins import switching
from furoshiki.extensions.plugins.sandbox import probing
from tests.support import plugins
from tests.support.shell import Command

TYPED = re.findall(r"^furoshiki (.+)$", (ROOT / "docs" / "plugins.md").read_text(encoding="utf-8"), re.MULTILINE)


@pytest.mark.slow
def test_every_command_of_the_page(command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    here = probing.choose_backend("auto")
    if here.backend is None:
        pytest.skip(f"nothing holds plugins here: {here.words}")
    (tmp_path / "mine").mkdir()
    monkeypatch.chdir(tmp_path / "mine")
    said = {}
    for line in TYPED:
        ended = command(*line.split())
        assert ended.status == 0, (line, ended.err)
        said[line] = ended.out
    assert "pre_conversation (scripts/main.py): ok" in said["plugins check hello"]
    assert "says: It is " in said["plugins run hello"]
    assert "said the time of day" in said["plugins logs hello"]
    assert "hello\t0.1.0\tenabled\t" in said["plugins list"]
    for shipped in ("journal-export", "weather"):
        trial = command("plugins", "check", str(ROOT / "plugins" / shipped))
        assert (trial.status, "it asks for what it may only once you agreed" in trial.out) == (0, True), shipped
    assert not any(line.startswith("hello\t") for line in command("plugins", "list").out.splitlines())


def test_what_is_wrong_says_where_and_what_to_do(command: Command, tmp_path: Path) -> None:
    folder = plugins.write(tmp_path / "mine" / "dice")
    text = (folder / "PLUGIN.md").read_text()
    (folder / "PLUGIN.md").write_text(text.replace("author", "auhtor"))
    ended = command("plugins", "check", str(folder))
    assert ended.status == 1
    assert "PLUGIN.md line 5: 'auhtor' is not known here; write 'author', if you meant that" in ended.err
    (folder / "PLUGIN.md").write_text(text)
    ended = command("plugins", "apply", str(folder))
    assert ended.status == 2
    assert "this needs your yes" in ended.err
    assert "It may do nothing beyond its own folder." in ended.err
    assert command("plugins", "info", "../dice").status == 2
    assert "dice is switched off: `furoshiki plugins enable dice`" in command("plugins", "run", "dice").err
    assert command("plugins", "run", "cards").err.startswith("furoshiki: there is no plugin 'cards'")


def test_a_setting_is_the_plugins_own_and_in_no_log(command: Command, data: Path) -> None:
    (data / ".env").write_text("FUROSHIKI_BUBBLES=false\n")
    manifest = "settings:\n  - {name: KEY, about: its key, secret: true, required: true}\n"
    folder = plugins.write(data / "mine" / "mail-box", name="mail-box", more=manifest)
    ended = command("plugins", "apply", str(folder), "--yes")
    assert "But it needs KEY (its key): `furoshiki plugins set mail-box KEY VALUE`" in ended.out
    assert not command("plugins", "info", "mail-box", "--json").json["runs"]
    assert command("plugins", "set", "mail-box", "KEI", "x").status == 3
    assert command("plugins", "set", "mail-box", "KEY", "a-secret-key").status == 0
    assert command("plugins", "info", "mail-box", "--json").json["runs"]
    assert "PLUGIN_MAIL_BOX_KEY=a-secret-key" in (data / ".env").read_text()
    assert (data / ".env").stat().st_mode & 0o077 == 0
    assert "a-secret-key" in _secrets()
    assert command("config", "check", "--offline").status in (0, 4)  # it is no setting nobody knows
    assert command("plugins", "set", "mail-box", "KEY", "--unset").status == 0
    assert not command("plugins", "info", "mail-box", "--json").json["runs"]


def _secrets() -> tuple[str, ...]:
    from furoshiki.core import settings

    return settings.load(os.environ).secrets()


def test_its_jobs_come_and_go_beside_the_owners_own(command: Command, data: Path) -> None:
    path = data / "memory" / "schedules.json"
    own = {"jobs": [{"name": "backup", "when": "daily 04:00"}]}
    path.write_text(json.dumps(own))
    folder = plugins.write(
        data / "mine" / "sky", name="sky", entries='  - {hook: cron, script: scripts/main.py, when: "5 7 * * *"}'
    )
    command("plugins", "apply", str(folder), "--yes")
    theirs, mine = json.loads(path.read_text())["jobs"]
    assert theirs == own["jobs"][0]
    assert (mine["name"], mine["args"], mine["when"]) == ("plugin_sky_1", ["sky", "1"], "cron: 5 7 * * *")
    assert any(line.startswith("sky\t") for line in command("schedules").out.splitlines())
    mine["enabled"] = False
    path.write_text(json.dumps({"jobs": [theirs, mine]}))
    assert command("plugins", "reload", "--json").json == {"jobs": 1}
    assert json.loads(path.read_text())["jobs"][1]["enabled"] is False  # the owner's word stays
    command("plugins", "disable", "sky")
    assert json.loads(path.read_text()) == own
    path.write_text("{")
    ended = command("plugins", "reload")
    assert ended.status == 3
    assert "furoshiki plugins reload" in ended.err


def test_an_earlier_version_that_may_more_comes_back_only_after_a_yes(command: Command, data: Path) -> None:
    reads = "permissions:\n  read_db: true\n"
    folder = plugins.write(data / "mine" / "dice", more=reads)
    command("plugins", "apply", str(folder), "--yes")
    plugins.write(folder, version="2.0")
    command("plugins", "apply", str(folder), "--yes")
    asked = command("plugins", "rollback", "dice")
    assert (asked.status, "this needs your yes" in asked.err) == (2, True)
    assert "dice 1.0 (in place of 2.0)" in asked.err and "read what I remember about you" in asked.err
    assert command("plugins", "info", "dice", "--json").json["version"] == "2.0"
    assert command("plugins", "rollback", "dice", "--yes").status == 0
    assert command("plugins", "rollback", "dice").status == 0, "the newer one may less: nothing to ask"
    command("plugins", "disable", "dice")
    assert command("plugins", "rollback", "dice").status == 2, "what is off is not switched on unasked"


def test_what_is_set_already_is_given_to_no_newcomer_unseen(command: Command, data: Path, tmp_path: Path) -> None:
    setting = "settings:\n  - {{name: {}, about: a key, secret: true}}\n"
    (data / ".env").write_text("PLUGIN_WEB_SEARCH_KEY=of-another\n")
    folder = plugins.write(data / "mine" / "web", name="web", more=setting.format("SEARCH_KEY"))
    asked = command("plugins", "apply", str(folder))
    assert asked.status == 2
    assert "already set in .env, perhaps for another plugin: PLUGIN_WEB_SEARCH_KEY" in asked.err
    command("plugins", "apply", str(folder), "--yes")
    again = command("plugins", "apply", str(folder))
    assert again.status == 2 and "already set" not in again.err, "they are its own by now"


def test_a_newer_version_that_comes_with_it_is_shown_and_installed(
    command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(switching, "ROOT", tmp_path / "checkout")
    plugins.write(tmp_path / "checkout" / "plugins" / "dice")
    command("plugins", "enable", "dice", "--yes")
    plugins.write(tmp_path / "checkout" / "plugins" / "dice", version="1.1.0")
    newer = "1.1.0 comes with me: `furoshiki plugins enable dice`"
    assert newer in command("plugins", "list").out and newer in command("plugins", "info", "dice").out
    assert "dice 1.1.0 (in place of 1.0)" in command("plugins", "enable", "dice", "--yes").err
    assert newer not in command("plugins", "info", "dice").out
    assert command("plugins", "info", "dice", "--json").json["version"] == "1.1.0"
