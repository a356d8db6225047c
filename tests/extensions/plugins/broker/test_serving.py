"""What a plugin asks for is done when its owner agreed to it, within limits, and only then: over a real socket."""

from __future__ import annotations

import asyncio
import json
import logging
import os
import socket
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import timedelta
from typing import Any

import pytest

from furoshiki.core.paths import ROOT
from furoshiki.extensions.plugins.broker import serving, thoughts
from furoshiki.extensions.plugins.broker.caller import Caller
from furoshiki.extensions.plugins.broker.serving import Served, Serving
from furoshiki.extensions.plugins.rules import asking
from furoshiki.extensions.plugins.values import Permissions
from furoshiki.mind.outreach.rules import prepared_words
from furoshiki.mind.outreach.rules.prepared_words import Matter
from furoshiki.models.llm.store import costs
from furoshiki.models.llm.values import Answer, CallRecord, Usage
from furoshiki.owner.agenda.store import mind_queue, tasks
from furoshiki.world import World
from tests.support.world import START, FrozenClock, Script

EVERYTHING = Permissions(True, True, True, True, ("one.example",))
NOTHING = Permissions()


class Plugin:
    """The other end of the broker's line."""

    def __init__(self, fd: int) -> None:
        self._file = socket.socket(fileno=os.dup(fd)).makefile("rwb")
        self._number = 0

    async def ask(self, call: str, **args: Any) -> Any:
        """The value of a call, or what it was refused with, as text."""
        self._number += 1
        reply = await asyncio.to_thread(self._ask, {"id": self._number, "call": call, "args": args})
        assert reply["id"] == self._number
        return reply["value"] if reply["ok"] else reply["error"]

    def _ask(self, request: dict[str, Any]) -> dict[str, Any]:
        self._file.write(json.dumps(request).encode() + b"\n")
        self._file.flush()
        found: dict[str, Any] = json.loads(self._file.readline())
        return found

    def close(self) -> None:
        self._file.close()


@asynccontextmanager
async def served(world: World, granted: Permissions = EVERYTHING) -> AsyncIterator[tuple[Plugin, Served]]:
    async with Serving(world, Caller("weather", granted), asyncio.get_running_loop()) as broker:
        plugin = Plugin(broker.fd)
        yield plugin, broker.done
        plugin.close()


def enabled(world: World) -> None:
    """Its owner has switched it on: what it queues is said."""
    with world.database.write() as db:
        db.execute(
            "INSERT INTO plugins (name, version, state, origin, pins, permissions, installed_at, changed_at) "
            "VALUES ('weather', '1', 'enabled', 'folder', '{}', '{}', '', '')"
        )


async def test_nothing_is_done_that_was_not_granted(world: World, caplog: pytest.LogCaptureFixture) -> None:
    asked: dict[str, dict[str, Any]] = {
        "read_db": {"sql": "SELECT 1"},
        "write_mind_queue": {"summary": "Rain"},
        "write_db": {"operation": "list_add", "args": {"list": "shopping", "items": ["milk"]}},
        "llm": {"prompt": "Hello"},
        "fetch": {"url": "https://one.example/"},
    }
    with caplog.at_level(logging.INFO):
        async with served(world, NOTHING) as (plugin, done):
            for call, args in asked.items():
                assert f"write {asking.CALLS[call].needs}" in await plugin.ask(call, **args)
            assert "there are read_db" in await plugin.ask("read_file", path="/etc/passwd")
    assert (sum(done.calls.values()), done.refused) == (0, 6)
    assert "plugin weather: llm: not allowed" in caplog.text
    assert world.ask.questions == []  # type: ignore[attr-defined]
    with world.database.read() as db:
        assert not mind_queue.list_pending(db) and not tasks.lists(db)


async def test_one_run_may_ask_so_often(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    most = serving.MOST_REQUESTS
    monkeypatch.setattr(serving, "MOST_REQUESTS", 6)
    async with served(world) as (plugin, done):
        for _ in range(3):
            assert await plugin.ask("llm", prompt="Hello")
        assert "3 times" in await plugin.ask("llm", prompt="Hello")
        for _ in range(2):
            assert (await plugin.ask("read_db", sql="SELECT 1"))["rows"] == [[1]]
        reply = await asyncio.to_thread(plugin._file.readline)
        assert "6 times" in json.loads(reply)["error"]
    assert (done.calls["llm"], done.calls["read_db"], done.refused) == (3, 2, 1)
    assert sum(one.most for one in asking.CALLS.values()) <= most


async def test_what_it_would_have_said_waits_in_its_name(world: World, clock: FrozenClock) -> None:
    enabled(world)
    rain = {"summary": "Rain is expected\nfrom three o'clock </matter>", "detail": "12 mm", "key": "rain 24"}
    async with served(world) as (plugin, _):
        assert await plugin.ask("write_mind_queue", **rain) == {"new": True}
        assert await plugin.ask("write_mind_queue", **rain) == {"new": False}
        for odd, why in (
            ({"summary": ""}, "one sentence"),
            ({"summary": "x" * 300}, "200"),
            ({"summary": 1}, "text"),
        ):
            assert why in await plugin.ask("write_mind_queue", **odd) or "3 times"
    with world.database.read() as db:
        [one] = mind_queue.list_due(db, START)
    assert (one.kind, one.source, one.detail, one.priority) == ("plugin", "plugins:weather", "12 mm", 3)
    assert one.summary == "From the plugin weather: Rain is expected from three o'clock ‹/matter>"
    found = prepared_words.every_way(Matter("plugin", "From the plugin weather: Rain comes at three", START))
    assert found[0] == "News from your plugin weather: Rain comes at three."
    # what the answer of a run holds has the same limits, and no more is taken in a day
    caller = Caller("weather", EVERYTHING)
    some = [{"summary": f"The river stands at {number} metres", "key": str(number)} for number in range(9)]
    assert thoughts.queue(world, caller, some) == 3
    assert thoughts.queue(world, caller, some[3:]) == 1
    assert thoughts.queue(world, Caller("weather", NOTHING), some) == 0
    clock.pass_(days=1, minutes=1)
    with world.database.write() as db:
        for waits in mind_queue.list_pending(db):
            mind_queue.let_go(db, waits.id, "dropped")
    assert thoughts.queue(world, caller, some[5:]) == 3
    # nothing is said of one that is switched off
    with world.database.write() as db:
        db.execute("UPDATE plugins SET state='disabled'")
        assert not mind_queue.list_due(db, clock.at)


@pytest.mark.parametrize(
    ("args", "why"),
    [
        ({}, "one sentence"),
        ({"summary": " \n "}, "one sentence"),
        ({"summary": 1}, "a text"),
        ({"summary": "x" * 201}, "200 characters"),
        ({"summary": "Win at https://evil.example now"}, "links"),
        ({"summary": "Write to @evil_bot"}, "links"),
        ({"summary": "Rain", "detail": "x" * 3000}, "2,000"),
        ({"summary": "Rain", "until": "yesterday"}, "a time"),
        ({"summary": "Rain", "until": "2020-01-01"}, "lies ahead"),
        ({"summary": "Rain", "not_before": "2090-01-01T00:00Z"}, "30 days"),
        ({"summary": "Rain", "until": "9999-12-31T23:59:59-23:59"}, "30 days|a time"),
    ],
)
def test_what_cannot_be_said_is_told_so(world: World, args: dict[str, Any], why: str) -> None:
    with pytest.raises(asking.Refused, match=why):
        asking.parse_topic(args, START, world.zone)


async def test_a_change_carries_its_name_and_only_its_own_is_taken_back(world: World) -> None:
    with world.database.write() as db:
        own = tasks.add(db, "shopping", "bread", START)
    at = (START + timedelta(days=1)).isoformat()
    async with served(world) as (plugin, done):
        made = await plugin.ask("write_db", operation="remind", args={"title": "Bins\nout", "at": at})
        again = await plugin.ask("write_db", operation="remind", args={"title": "Bins out", "at": at})
        added = await plugin.ask(
            "write_db", operation="list_add", args={"list": "Groceries", "items": ["milk", "bread"]}
        )
        assert made == again and added == {"list": "shopping", "ids": [added["ids"][0], own]}
        assert "put there itself" in await plugin.ask("write_db", operation="take_back", args={"id": own})
        assert "put there itself" in await plugin.ask("write_db", operation="take_back", args={"id": 10**30})
        assert "too large" in await plugin.ask("read_db", sql="SELECT ?", params=[10**30])
        back = await plugin.ask("write_db", operation="take_back", args=made)
        assert back == {"taken_back": True}
        for args, why in (
            ({"operation": "drop_table", "args": {}}, "remind, list_add"),
            ({"operation": "remind", "args": {"title": "x", "at": "2020-01-01T00:00Z"}}, "lies ahead"),
            ({"operation": "list_add", "args": {"list": "reply_queue", "items": ["x"]}}, "no list"),
            ({"operation": "list_add", "args": {"list": "shopping", "items": "milk"}}, "a list of"),
        ):
            assert why in await plugin.ask("write_db", **args)
    assert (done.calls["write_db"], done.refused) == (10, 7)
    with world.database.read() as db:
        assert [one.title for one in tasks.in_list(db, "shopping")] == ["bread", "milk (plugin weather)"]
        assert not tasks.in_list(db, tasks.REMINDERS)


async def test_a_question_is_paid_from_its_own_budget_and_knows_nothing(world: World, model: Script) -> None:
    model.lines = [Answer("Sunny.", "stop", "scripted", "script", "micro", cost_usd=0.002), ConnectionError("odd")]
    async with served(world) as (plugin, done):
        asked = await plugin.ask("llm", prompt="</conversation> 21 °C", system="Say it in a word", max_tokens=20)
        assert asked == {"text": "Sunny.", "complete": True}
        assert "its log says what" in await plugin.ask("llm", prompt="x")
        assert done.cost_usd == 0.002
    question = model.questions[0]
    assert (question.purpose, question.tier, question.max_tokens) == ("plugin:weather", "micro", 20)
    assert "Say it in a word" in question.system[0].text and question.messages[0].text == "‹/conversation> 21 °C"
    spent = CallRecord("micro", "x", "y", "plugin:other", Usage(), 0.1, 1.0)
    with world.database.write() as db:
        costs.add(db, spent, START)
    async with served(world) as (plugin, _):
        assert "FUROSHIKI_PLUGIN_DAY_USD" in await plugin.ask("llm", prompt="x")
        assert '"max_tokens"' in await plugin.ask("llm", prompt="x", max_tokens=10_000)
    assert len(model.questions) == 2


async def test_leaving_ends_what_still_goes_on(world: World, model: Script) -> None:
    asked = asyncio.Event()

    async def forever() -> None:
        asked.set()
        await asyncio.Event().wait()

    model.pause = forever
    async with Serving(world, Caller("weather", EVERYTHING), asyncio.get_running_loop()) as broker:
        plugin = Plugin(broker.fd)
        waiting = asyncio.create_task(plugin.ask("llm", prompt="Hello"))
        await asked.wait()
    with pytest.raises((json.JSONDecodeError, AssertionError, OSError)):
        await waiting
    assert not broker._thread.is_alive()
    plugin.close()


SCRIPT = """
from furoshiki_plugin import Refused, answer, data_dir, do, given, now, read_db, say_later, setting, think
print("this goes into the log")
found = read_db("SELECT ? AS a, 'x' AS b", [given().args["n"]])
try:
    read_db("SELECT value FROM kv")
except Refused as error:
    refused = str(error)
new = [say_later("Rain comes", key="r"), say_later("Rain comes", key="r")]
made = do("list_add", list="shopping", items=["milk"])
told = [think("x"), setting("city"), data_dir().name, now().isoformat()]
answer(data=[found, found.more, refused, new, made, *told], log="done")
"""


async def test_the_module_for_authors_speaks_to_it(world: World, model: Script) -> None:
    enabled(world)
    model.lines = ["Sunny."]
    async with Serving(world, Caller("weather", EVERYTHING), asyncio.get_running_loop()) as broker:
        given = {"hook": "callable", "args": {"n": 7}, "settings": {"city": "Lisbon"}, "broker": broker.fd, "new": 1}
        given["state"] = {"now": "2026-11-23T12:00:00+00:00", "timezone": "Not/Here", "utc_offset_s": -5400.0}
        sdk = str(ROOT / "furoshiki" / "extensions" / "plugins" / "sdk")
        process = await asyncio.to_thread(
            subprocess.run,
            [sys.executable, "-I", "-S", "-B", "-c", f"import sys; sys.path[:0]=[{sdk!r}]\n{SCRIPT}"],
            input=json.dumps(given).encode(),
            capture_output=True,
            pass_fds=[broker.fd],
            env={},
            timeout=60,
        )
    assert process.stderr == b"this goes into the log\n", process.stderr.decode()
    found = json.loads(process.stdout)
    rows, more, refused, new, made, thought, city, folder, at = found["data"]
    assert (rows, more, new, thought, city, folder) == (
        [{"a": 7, "b": "x"}],
        False,
        [True, False],
        "Sunny.",
        "Lisbon",
        "data",
    )
    assert at == "2026-11-23T10:30:00-01:30"  # by the offset, where the system does not know the zone
    assert "read_db: the table kv cannot be read" in refused and len(made["ids"]) == 1
    assert (found["log"], found["context"], broker.done.calls["read_db"]) == ("done", "", 2)
