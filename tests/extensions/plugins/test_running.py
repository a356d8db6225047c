"""A run as it is on record: what it said, what it failed by, and when it is switched off."""

from __future__ import annotations

import asyncio
import json
import os
import socket
import subprocess
import threading
from dataclasses import replace
from pathlib import Path
from typing import get_args

import pytest

from furoshiki.core import failure_words
from furoshiki.extensions.plugins import pins, running
from furoshiki.extensions.plugins.sandbox import probing
from furoshiki.extensions.plugins.sandbox.values import Backend
from furoshiki.extensions.plugins.store import plugins
from furoshiki.extensions.plugins.values import EntryPoint, Installed, Manifest, Permissions, PluginSetting, Run
from furoshiki.owner.agenda.store import backlog, mind_queue
from furoshiki.world import World
from tests.support.world import START

pytestmark = pytest.mark.slow


@pytest.fixture(autouse=True)
def _held_here() -> None:
    here = probing.choose_backend("auto")
    if here.backend is None:
        pytest.skip(f"nothing holds plugins here: {here.words}")


ENTRY = EntryPoint("cron", "scripts/run.py", when="0 7 * * *", timeout_s=5)
ECHO = """
import helper, json, sys
given = json.load(sys.stdin)
open("kept", "a").write("x")
print(json.dumps({"context": helper.WORDS + given["target"], "log": given["settings"]["key"]}))
"""


ASKS = """
from furoshiki_plugin import answer, data_dir, given, read_db
(data_dir() / "seen").write_text(given().hook)
answer(context=str(read_db("SELECT count(*) AS n FROM turns")[0]["n"]), log="asked")
"""


def installed(world: World, script: str) -> Installed:
    """A plugin with one script, allowed as it is."""
    folder = world.home / "plugins" / "echo"
    (folder / "scripts").mkdir(parents=True, exist_ok=True)
    (folder / "scripts" / "helper.py").write_text("WORDS = 'for '")
    (folder / "scripts" / "run.py").write_text(script)
    settings = (PluginSetting("key", "a key", secret=True),)
    manifest = Manifest("echo", "1.0", "echoes", "me", "MIT", "0.1", (ENTRY,), Permissions(), settings)
    with world.database.write() as db:
        db.execute("DELETE FROM plugins")
        db.execute(
            "INSERT INTO plugins (name, version, state, origin, pins, permissions, installed_at, changed_at) "
            "VALUES ('echo', '1.0', 'enabled', 'folder', ?, '{\"read_db\": true}', ?, ?)",
            (json.dumps(pins.hash_files(folder)), "2026-01-01T00:00:00Z", "2026-01-01T00:00:00Z"),
        )
    return Installed("echo", folder, manifest, "enabled", "folder")


async def run(world: World, plugin: Installed) -> Run:
    return await running.run(world, plugin, ENTRY, {"target": "deep", "settings": {"key": "secret-key-1"}})


ASKING = """
from furoshiki_plugin import Refused, answer, data_dir, fetch, given, read_db, say_later, setting
(data_dir() / "kept").write_text("x")
try:
    fetch("https://one.example/")
except Refused as error:
    refused = str(error)
rows = read_db("SELECT count(*) AS n FROM turns")
say_later("Rain comes at three")
context = f"{rows} {refused} {given().target} {setting('key')}"
answer(context, {"a": [setting("key")]}, [{"summary": "The river is high " + setting("key")}])
"""


def row(world: World) -> plugins.Row:
    with world.database.read() as db:
        return plugins.read_all(db)["echo"]


def told(world: World) -> list[str]:
    """What its owner is told of what went wrong."""
    with world.database.read() as db:
        return failure_words.lines((one.kind, one.payload) for one in backlog.list_failures(db, ("alert",), START))


async def test_a_run_says_its_words_keeps_its_files_and_is_on_record(world: World) -> None:
    plugin = installed(world, ECHO)
    found = await run(world, plugin)
    assert (found.status, found.error, found.output.context) == ("ok", "", "for deep")
    assert "secret-key" not in found.output.log
    assert (plugin.folder / "data" / "kept").read_text() == "x"
    with world.database.read() as db:
        [recorded] = db.execute("SELECT plugin, hook, target, status, error, cpu_ms > 0 FROM plugin_runs").fetchall()
    assert tuple(recorded) == ("echo", "cron", "deep", "ok", None, 1)


async def test_what_it_asks_for_comes_to_it_as_far_as_its_owner_agreed(world: World) -> None:
    plugin = installed(world, ASKING)
    with world.database.write() as db:
        db.execute("UPDATE plugins SET permissions=?", (json.dumps({"read_db": True, "write_mind_queue": True}),))
    found = await run(world, plugin)
    assert (found.status, found.error) == ("ok", "")
    assert found.output.context.startswith("[{'n': 0}] fetch: not allowed: write network")
    assert found.output.context.endswith("deep [hidden]")
    assert (plugin.folder / "data" / "kept").read_text() == "x"
    with world.database.read() as db:
        waits = [one.summary for one in mind_queue.list_pending(db)]
    assert waits == ["From the plugin echo: Rain comes at three", "From the plugin echo: The river is high [hidden]"]
    assert found.output.data == {"a": ["[hidden]"]}


@pytest.mark.parametrize("backend", get_args(Backend))
async def test_the_module_for_authors_asks_from_inside(world: World, backend: Backend) -> None:
    if (why := probing.fault(backend)) is not None:
        pytest.skip(f"{backend} does not work here: {why}")
    asked = {"hook": "cron", "state": {}, "settings": {}}
    world = replace(world, settings=world.settings.model_copy(update={"furoshiki_plugin_sandbox": backend}))
    plugin = installed(world, ASKS)
    found = await running.run(world, plugin, ENTRY, asked)
    assert (found.status, found.error, found.output.context) == ("ok", "", "0")
    assert (plugin.folder / "data" / "seen").read_text() == "cron"


async def test_three_failures_in_a_row_switch_it_off_and_a_success_between_them_counts(world: World) -> None:
    plugin = installed(
        world, "import os, sys\nsys.exit('broken: ' + 'secret-key-1' if not os.path.exists('well') else 0)"
    )
    found = [await run(world, plugin) for _ in range(2)]
    assert [one.status for one in found] == ["failed"] * 2
    assert "secret-key" not in found[0].error
    (plugin.folder / "data" / "well").touch()
    assert (await run(world, plugin)).ok
    assert row(world).failures == 0
    (plugin.folder / "data" / "well").unlink()
    for _ in range(3):
        assert row(world).state == "enabled"
        await run(world, plugin)
    assert (row(world).state, row(world).reason) == (
        "failing",
        "3 failures in a row: it ended with 1: broken: [hidden]",
    )


async def test_files_that_nobody_allowed_are_not_started(world: World) -> None:
    plugin = installed(world, ECHO)
    (plugin.folder / "scripts" / "run.py").write_text("open('started', 'w')")
    found = await run(world, plugin)
    assert (found.status, found.error) == ("changed", "scripts/run.py was changed")
    assert (row(world).state, row(world).reason) == ("changed", "scripts/run.py was changed")
    await run(world, plugin)
    assert told(world) == [
        "the files of the plugin echo are not those you allowed, so it is off: `furoshiki plugins info echo`"
    ]
    assert not (plugin.folder / "data" / "started").exists()


async def test_what_it_keeps_is_limited_before_and_after(world: World, tmp_path: Path) -> None:
    small = world.settings.model_copy(update={"furoshiki_plugin_data_mb": 1})
    plugin = installed(world, "for i in range(4): open(str(i), 'wb').write(b'x' * 900_000)")
    held = running._execute(small, plugin, ENTRY, {}, running.functools.partial(Run, "echo", "cron"))
    again = running._execute(small, plugin, ENTRY, {}, running.functools.partial(Run, "echo", "cron"))
    assert (held.status, again.status) == ("too_much", "too_much")
    assert "FUROSHIKI_PLUGIN_DATA_MB" in again.error


async def test_a_folder_nobody_can_look_into_is_too_much_and_counted(world: World) -> None:
    dig = "import os\nfor _ in range(30):\n    os.mkdir('d' * 200)\n    os.chdir('d' * 200)"
    plugin = installed(world, dig)
    for _ in range(3):
        found = await run(world, plugin)
        assert (found.status, "cannot be looked at" in found.error) == ("too_much", True)
    assert row(world).state == "failing"
    subprocess.run(["rm", "-rf", plugin.folder / "data"], check=True)


async def test_saying_that_it_was_not_started_counts_and_one_hook_hides_no_other(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    lies = "import os, sys\nif 'cron' in sys.stdin.read(): os.write(2, b'the plugin was not started'); os._exit(126)"
    plugin = installed(world, lies)
    other = replace(ENTRY, hook="post_conversation", when="")
    for number in range(3):
        if number == 2:  # neither a failure of its own nor a success
            with monkeypatch.context() as patch:
                patch.setattr(probing, "fault", lambda _: "gone")
                found = await running.run(world, plugin, ENTRY, {"hook": "cron"})
            assert (found.status, found.error, "auto" in probing._working) == ("no_sandbox", "gone", False)
        assert row(world).state == "enabled"
        found = await running.run(world, plugin, ENTRY, {"hook": "cron"})
        assert (found.status, found.error) == ("failed", "it ended with 126: the plugin was not started")
        found = await running.run(world, plugin, other, {"hook": "other"})
        assert found.ok, found.error
    assert row(world).state == "failing"


async def test_a_run_nobody_waits_for_is_ended_and_keeps_its_number_until_then(world: World) -> None:
    ours, theirs = socket.socketpair()
    ours.settimeout(20)
    known, seen = os.fstat(theirs.fileno()), list[os.stat_result]()
    plugin = installed(world, "import time\nopen('began', 'w')\ntime.sleep(600)")
    slow = replace(ENTRY, timeout_s=600)

    def held(line: int, stop: threading.Event) -> Run:
        made = running.functools.partial(Run, "echo", "cron")
        found = running._execute(world.settings, plugin, slow, {}, made, line, stop)
        seen.append(os.fstat(line))
        return found

    waiting = asyncio.create_task(running._in_thread(held, theirs.fileno()))
    while not (plugin.folder / "data" / "began").exists() and not waiting.done():
        await asyncio.sleep(0.02)
    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting
    theirs.close()
    with open(os.devnull), open(os.devnull):
        assert await asyncio.to_thread(ours.recv, 1) == b""
    ours.close()
    assert (seen[0].st_dev, seen[0].st_ino) == (known.st_dev, known.st_ino)


async def test_nothing_runs_where_nothing_holds_it(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    plugin = installed(world, "open('started', 'w')")
    monkeypatch.setattr(
        probing, "choose_backend", lambda _wanted: probing.Found(None, {"landlock": "this kernel has no Landlock"})
    )
    for _ in range(3):
        found = await run(world, plugin)
    assert (found.status, found.error) == ("no_sandbox", "landlock: this kernel has no Landlock")
    assert row(world).state == "enabled"
    assert not (plugin.folder / "data").exists()
