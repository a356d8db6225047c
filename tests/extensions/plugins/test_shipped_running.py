"""The shipped plugins as an owner has them: installed, run by their hooks in the real sandbox, and what came of it.

The servers are emulators on loopback, which the owner named as hosts of their own network.
"""

from __future__ import annotations

import asyncio
import base64
import functools
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import pytest

from furoshiki.core.framing import frame
from furoshiki.core.settings import Settings
from furoshiki.core.timestamps import stamp
from furoshiki.extensions.plugins import (
    conversation_texts,
    hooks,
    installed,
    installing,
    own_settings,
    package,
    running,
)
from furoshiki.extensions.plugins.rules import asking
from furoshiki.extensions.plugins.sandbox import probing
from furoshiki.extensions.plugins.values import Run
from furoshiki.world import World
from tests.emulators.web import PLUGINS, Web
from tests.support.world import FrozenClock

pytestmark = pytest.mark.slow

MONDAY = datetime(2026, 11, 23, 8, 55, tzinfo=UTC)
USER = "Basic " + base64.b64encode(b"ann:secret").decode()


@pytest.fixture(scope="module", autouse=True)
def _held_here() -> None:
    here = probing.choose_backend("auto")
    if here.backend is None:
        pytest.skip(f"nothing holds plugins here: {here.words}")


@pytest.fixture
def web() -> Iterator[Web]:
    server = Web(USER)
    yield server
    server.stop()


def enabled(world: World, name: str, **values: str) -> None:
    """A shipped plugin, put in place and set up."""
    files = package.gather_files(PLUGINS / name)
    for setting, value in values.items():
        own_settings.put(world.home, package.judge_files(files), setting, value)
    installing.install(world, files, "shipped")


async def ran(world: World, name: str, hook: str, **args: Any) -> Run:
    """One of its entry points, which does what it is for."""
    found = await came_to(world, name, hook, **args)
    assert found.ok, (found.status, found.error)
    return found


async def came_to(world: World, name: str, hook: str, **args: Any) -> Run:
    """One of its entry points, as it ends."""
    one = installed.one(world, name)
    assert one is not None and one.manifest is not None and not one.problems
    entry = next(each for each in one.manifest.entry_points if each.hook == hook)
    return await running.run(world, one, entry, hooks.build_input(world, one, entry, args=args))


async def its_own_tests_pass(world: World, name: str) -> None:
    """The plugin's own tests, with the packages that were installed for it; ours may be others."""
    folder = world.home / "plugins" / name
    command = [sys.executable, "-m", "pytest", "-c", os.devnull, "-p", "no:cacheprovider", "-rs", "tests"]
    environ = {**os.environ, "PYTHONPATH": str(folder / "packages"), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    environ["PYTHONDONTWRITEBYTECODE"] = "1"
    ran = functools.partial(subprocess.run, capture_output=True, text=True, timeout=120)
    done = await asyncio.to_thread(ran, command, cwd=folder, env=environ)
    assert done.returncode == 0 and "skipped" not in done.stdout, done.stdout + done.stderr


def thoughts(world: World) -> list[str]:
    with world.database.read() as db:
        return [row["summary"] for row in db.execute("SELECT summary FROM mind_queue ORDER BY id")]


@pytest.fixture
def home(world: World, clock: FrozenClock, web: Web) -> World:
    clock.at = MONDAY
    settings = Settings(**{**world.settings.model_dump(), "furoshiki_plugin_local_hosts": web.host})
    object.__setattr__(world, "settings", settings)
    return world


async def test_dice_are_rolled_and_the_web_is_searched(home: World, web: Web) -> None:
    enabled(home, "dice")
    enabled(home, "web-search", ENGINE="searxng", URL=web.url)
    rolled = await ran(home, "dice", "callable", dice="1d6+1", coins=2)
    assert rolled.output.data["result"].startswith("1d6+1: [")
    found = await ran(home, "web-search", "callable", query="frost lisbon")
    assert found.output.data["results"][0]["url"] == "https://example.org/frost"
    web.bodies.clear()
    refused = await ran(home, "web-search", "callable", query="frost lisbon")
    assert "check the setting URL of web-search" in refused.output.context


async def test_weather_is_fetched_and_told_until_it_is_stale(home: World, clock: FrozenClock, web: Web) -> None:
    enabled(home, "weather", PLACE="38.721234,-9.139", URL=web.url)
    assert (await ran(home, "weather", "pre_conversation")).output.context == ""
    assert (await ran(home, "weather", "cron")).output.log == "the forecast for 38.72, -9.14 is here"
    told = (await ran(home, "weather", "pre_conversation")).output.context
    assert told == (PLUGINS / "weather/tests/samples/told.txt").read_text().strip().replace("Lisbon", "38.72, -9.14")
    await conversation_texts.refresh(home)
    with home.database.read() as db:
        assert conversation_texts.list_current(home, db) == [("weather", frame(told))], (
            "what the next conversation is told"
        )
    web.bodies.clear()
    web.stop()
    assert "no new forecast" in (await ran(home, "weather", "cron")).output.log, "no failure of the plugin"
    clock.pass_(hours=13)
    assert (await ran(home, "weather", "pre_conversation")).output.context == ""
    gone = await came_to(home, "weather", "cron")
    assert (gone.status, "no forecast: fetch:" in gone.error) == ("failed", True), "its owner is told in the end"


async def test_the_calendar_is_told_and_comes_to_mind_before_it_begins(
    home: World, clock: FrozenClock, web: Web
) -> None:
    enabled(home, "calendar", URL=f"{web.url}/ann/week.ics", USER="ann", PASSWORD="secret")
    await its_own_tests_pass(home, "calendar")
    await ran(home, "calendar", "cron")
    told = (await ran(home, "calendar", "pre_conversation")).output.context
    assert told.splitlines()[0].startswith("Calendar today, Monday 23 November: 09:30–10:00 Dentist (Rua Augusta 1")
    (before,) = thoughts(home)
    assert '"Dentist" begins at 09:30' in before
    clock.pass_(minutes=10)
    await ran(home, "calendar", "cron")
    assert web.count("/ann/week.ics") == 1 and thoughts(home) == [before]
    where = ("GET", "/ann/week.ics")
    web.bodies[where] = (
        web.bodies[where]
        .replace(b"20261123T093000", b"20261123T100000")
        .replace(b"20261123T100000\nSUMMARY", b"20261123T103000\nSUMMARY")
    )
    clock.pass_(minutes=30)
    await ran(home, "calendar", "cron")
    assert '"Dentist" begins at 10:00 (it was moved)' in thoughts(home)[-1] and len(thoughts(home)) == 2
    own_settings.put(home.home, package.judge_files(package.gather_files(PLUGINS / "calendar")), "KIND", "caldav")
    own_settings.put(
        home.home, package.judge_files(package.gather_files(PLUGINS / "calendar")), "URL", f"{web.url}/dav/ann/"
    )
    await ran(home, "calendar", "cron")
    assert "Choir" in (await ran(home, "calendar", "pre_conversation")).output.context
    web.stop()
    clock.pass_(hours=11)
    assert "no new calendar" in (await ran(home, "calendar", "cron")).output.log
    clock.pass_(hours=2)
    assert "no new calendar" in (await came_to(home, "calendar", "cron")).error


async def test_one_thing_of_the_feeds_that_fits_comes_to_mind(
    home: World, clock: FrozenClock, web: Web, monkeypatch: pytest.MonkeyPatch
) -> None:
    enabled(home, "feeds", URLS=f"{web.url}/news.xml {web.url}/gone.xml")
    known = ("type, content, subject, predicate, object, created_at, source_tag", stamp(home.now))
    with home.database.write() as db:
        db.execute(
            f"INSERT INTO memories ({known[0]}) VALUES ('semantic', 'x', 'user', 'likes', 'roots', ?, 'told')",
            (known[1],),
        )
    await its_own_tests_pass(home, "feeds")
    first = await ran(home, "feeds", "cron")
    assert "127.0.0.1" in first.output.log and "answered 404" in first.output.log
    assert thoughts(home) == [], "what was there before is old news"
    where = ("GET", "/news.xml")
    web.bodies[where] = web.bodies[where].replace(b"b-1", b"b-2").replace(b"A late frost", b"A later frost")
    clock.pass_(hours=4)
    with monkeypatch.context() as full:
        full.setattr(asking, "THOUGHTS_A_DAY", 0)
        assert "something fits, later" in (await ran(home, "feeds", "cron")).output.log
    assert "something fits" in (await ran(home, "feeds", "cron")).output.log
    (thought,) = thoughts(home)
    assert 'In "Botany News" there is "A later frost & what it does to roots" (because of: root)' in thought
    clock.pass_(days=1)
    await ran(home, "feeds", "cron")
    assert thoughts(home) == [thought] and web.asked[-2].headers["if-none-match"]
    web.stop()
    assert "no feed" not in (await ran(home, "feeds", "cron")).output.log
    clock.pass_(hours=14)
    assert "no feed can be read: 127.0.0.1" in (await came_to(home, "feeds", "cron")).error


async def test_the_journal_is_exported_and_what_was_forgotten_is_not_kept(home: World, clock: FrozenClock) -> None:
    enabled(home, "journal-export")
    entry = "INSERT INTO inner_monologue (kind, day, at, passages, provider) VALUES ('journal', ?, ?, ?, 'local')"
    days = ("2026-09-30", "2026-11-22")
    with home.database.write() as db:
        for day in days:
            db.execute(entry, (day, f"{day}T21:00:00+00:00", json.dumps([{"text": f"Of {day}.", "cites": []}])))
    assert "2 days written" in (await ran(home, "journal-export", "post_reflection")).output.log
    folder = home.home / "plugins/journal-export/data"
    assert {path.stem for path in folder.glob("*/*.md")} == set(days)
    assert "Of 2026-11-22." in (folder / "2026/2026-11-22.md").read_text()
    with home.database.write() as db:
        db.execute("DELETE FROM inner_monologue WHERE day=?", (days[0],))
    assert "0 removed" in (await ran(home, "journal-export", "post_reflection")).output.log
    with home.database.write() as db:
        db.execute("INSERT INTO tombstones VALUES ('x', 'memory', ?)", (stamp(home.now),))
    assert "1 removed" in (await ran(home, "journal-export", "post_reflection")).output.log
    assert {path.stem for path in folder.glob("*/*.md")} == {days[1]}
