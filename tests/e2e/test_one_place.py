"""What is added often is added in one place: each test adds something to a copy of the program, and lives with it."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.e2e.program import KEY, Program
from tests.emulators.llm import LLMEmulator
from tests.support.changed_tree import ChangedTree

pytestmark = pytest.mark.e2e


@pytest.fixture(scope="module")
def copied(tmp_path_factory: pytest.TempPathFactory) -> ChangedTree:
    return ChangedTree(tmp_path_factory.mktemp("tree"))


@pytest.fixture
def tree(copied: ChangedTree) -> Iterator[ChangedTree]:
    """As it is; changed by one test alone."""
    yield copied
    copied.restore()


@pytest.fixture
def program(tree: ChangedTree, tmp_path: Path) -> Iterator[Program]:
    """The program of the changed tree, with no language model."""
    with Program(tmp_path / "data", root=tree.root) as found:
        yield found


def says(program: Program, text: str) -> str:
    """What is answered in the terminal."""
    said = program.run("chat", "--once", text, "--json")
    assert said.returncode == 0, said.stderr
    return str(json.loads(said.stdout)["reply"])


PROVIDER = """
[echo]
title = "Echo"
about = "says it back"
address = "{url}"
keys_at = "https://echo.example/keys"
models = ["test-model", "test-model"]
by_key = true
lacks = ["stream_options"]
asked = [{{ send = {{ reasoning_effort = "low" }}, room = 77 }}]

"""


def test_a_provider_is_one_row(tree: ChangedTree, program: Program, llm: LLMEmulator) -> None:
    table = "config/providers.toml"
    tree.insert(table, "[anthropic]", PROVIDER.format(url=llm.openai_url))
    program.set(ECHO_API_KEY=KEY)
    assert "good evening" in says(program, "good evening")
    [asked, *_] = llm.asked
    assert asked.key == KEY
    assert "stream_options" not in asked.body and asked.body["reasoning_effort"] == "low"
    [call, *_] = program.rows("SELECT * FROM llm_calls")
    assert (call["provider"], call["model"], call["error"]) == ("echo", "test-model", None)
    assert program.run("config", "check").returncode == 0
    shown = program.run("status", "--json").stdout + program.run("config", "show").stdout
    assert "test-model" in shown and "ECHO_API_KEY" in shown and KEY not in shown
    llm.offline()
    away = program.run("config", "check")
    assert away.returncode != 0 and "Echo does not answer at" in away.stdout + away.stderr
    assert tree.changed.keys() == {table}


COMMAND = '''"""`/dice`: what was thrown."""

from __future__ import annotations

from furoshiki.conversation.commands.registry import Command
from furoshiki.messages.values import Envelope, Words
from furoshiki.world import World


@Command("dice", "throw a die; /dice 20 for one with twenty sides")
async def run(world: World, args: str, _envelope: Envelope) -> Words:
    return Words(f"{args or 6} sides")
'''


def test_a_slash_command_is_one_module(tree: ChangedTree, program: Program) -> None:
    module = "furoshiki/conversation/commands/dice.py"
    tree.write(module, COMMAND)
    assert says(program, "/dice 20") == "20 sides"
    assert "/dice — throw a die" in says(program, "/more")
    assert tree.changed.keys() == {module}


JOB = """    {
      "name": "stargaze",
      "script": "stargaze.py",
      "when": "daily 23:00",
      "about": "It looks at the stars.",
      "idle": "it is cloudy",
      "steps": [
        ["furoshiki.mind.inner_life.stars:clear", "furoshiki.mind.inner_life.stars:look"]
      ]
    },
"""
DOOR = '''"""Look at the stars."""

from furoshiki.app.run_job import script

script("stargaze")
'''
STARS = '''"""What comes of looking at the stars."""

from __future__ import annotations

import sqlite3
from datetime import datetime

from furoshiki.world import Report, World


def clear(_db: sqlite3.Connection, now: datetime) -> str | None:
    return "the sky is clear" if now.hour == 23 else None


def look(world: World) -> Report:
    return Report(True, f"saw the stars of {world.now.year}")
'''


def test_a_job_is_its_row_and_its_script_and_what_it_does(tree: ChangedTree, program: Program) -> None:
    tree.insert("schedules.json", '    {\n      "name": "run_post_conversation"', JOB)
    tree.write("scripts/stargaze.py", DOOR)
    tree.write("furoshiki/mind/inner_life/stars.py", STARS)
    says(program, "good evening")
    for hour, did, words in ((22, False, "it is cloudy"), (23, True, "saw the stars of 2031")):
        command = [sys.executable, tree.root / "scripts" / "stargaze.py", "--now", f"2031-05-04T{hour}:30", "--json"]
        told = json.loads(subprocess.check_output(command, env=program.environment, timeout=60))
        assert (told["did"], told["summary"]) == (did, words)
    [run] = program.rows("SELECT exit_code, summary FROM run_log WHERE script = 'stargaze'")
    assert tuple(run) == (0, "saw the stars of 2031")
    [job] = [one for one in json.loads(program.run("schedules", "--json").stdout) if one["name"] == "stargaze"]
    assert (job["when"], job["about"]) == ("daily 23:00", "It looks at the stars.")
    assert len(tree.changed) == 3


PAGE = '''"""How many turns there were."""

from fastapi import APIRouter, Depends, Request
from fastapi.responses import HTMLResponse

from furoshiki.faces.dashboard import rendering
from furoshiki.faces.dashboard.access.current import viewer
from furoshiki.messages.store import turns

PAGE = ("Tally", "How many turns there were", "Over time", 85)

router = APIRouter(include_in_schema=False, dependencies=[Depends(viewer)])


@router.get("/tally")
def page(request: Request) -> HTMLResponse:
    with request.app.state.world().database.read() as db:
        count = turns.count(db)
    return rendering.page(request, "tally", count=count)
'''
TEMPLATE = """{% extends "base.html.j2" %}
{% block content %}<h1>{{ here.label }}</h1><p>There were {{ count }} turns.</p>{% endblock %}
"""
VISIT = """
from starlette.testclient import TestClient
from furoshiki.app.wiring import SystemClock, build_world
from furoshiki.core import settings
from furoshiki.core.logins import sessions
from furoshiki.core.logins.ledger import Ledger
from furoshiki.faces.dashboard.access import cookies
from furoshiki.faces.dashboard.access.guard import Gate
from furoshiki.faces.dashboard.app import create_app
found = settings.load()
world = build_world(found, SystemClock(), minds_when_asked=True)
gate = Gate(Ledger(found.data), found, world.clock.now)
client = TestClient(create_app(world, gate), base_url="http://localhost")
client.cookies.set(cookies.plain(found), sessions.begin(gate.ledger, "viewer", "link", "", world.now).secret)
for path in ("/", "/tally"):
    print(client.get(path).raise_for_status().text)
"""


def test_a_page_is_its_module_and_its_template(tree: ChangedTree, program: Program) -> None:
    tree.write("furoshiki/faces/dashboard/pages/tally.py", PAGE)
    tree.write("furoshiki/faces/dashboard/templates/tally.html.j2", TEMPLATE)
    command = [sys.executable, "-c", VISIT]
    shown = subprocess.check_output(command, cwd=tree.root, env=program.environment, text=True, timeout=60)
    now, tally = shown.split("</html>")[:2]
    assert 'href="/tally"' in now
    assert "<h1>Tally</h1><p>There were 0 turns.</p>" in tally
    assert len(tree.changed) == 2


CHANNEL = '''"""Pigeons: they carry capitals."""

from collections.abc import Collection

from furoshiki.core.settings import Settings
from furoshiki.messages.values import Envelope, Shaped


def shaped(markdown: str, allowed_links: Collection[str]) -> list[Shaped]:
    return [Shaped(line.upper()) for line in markdown.splitlines() if line]


async def fetch(settings: Settings, envelope: Envelope) -> bytes:
    return b"Milk and bread"
'''
FLIGHTS = """
import asyncio
from furoshiki.app.wiring import SystemClock, build_world
from furoshiki.conversation.worker import Worker
from furoshiki.core import settings
from furoshiki.messages import events
from furoshiki.messages.store import accounts, inbox
from furoshiki.messages.values import NewEnvelope
world = build_world(settings.load(), SystemClock())
worker = Worker(world)
async def flies(sender, kind, **said):
    payload = {"chat_id": sender, "message_id": kind + sender, "private": True, "at": world.now.isoformat(), **said}
    with world.database.write() as db:
        new = NewEnvelope("pigeon", kind + sender, sender, events.read(kind, payload))
        inbox.store(db, [new], world.now)
    while await worker.step():
        await worker.quiet()
async def fly():
    await flies("5", "text", text="good evening")
    await flies("6", "text", text="/status")
    note = {"name": "note.txt", "media_type": "text/plain", "size": 14, "file_id": "1"}
    await flies("5", "document", text="", attachment=note)
with world.database.write() as db:
    accounts.pair(db, "pigeon", "5", "5", "owner", world.now, "Ada")
asyncio.run(fly())
"""


def test_a_channel_is_one_folder(tree: ChangedTree, program: Program) -> None:
    folder = "furoshiki/channels/pigeon"
    tree.write(f"{folder}/__init__.py", CHANNEL)
    names = {key: f"furoshiki.channels.pigeon:{name}" for key, name in (("shape", "shaped"), ("fetch", "fetch"))}
    tree.write(f"{folder}/channel.toml", "".join(f'{key} = "{name}"\n' for key, name in names.items()))
    command = [sys.executable, "-c", FLIGHTS]
    subprocess.check_call(command, cwd=tree.root, env=program.environment, timeout=60)
    sent = program.rows("SELECT chat_id, text FROM outbox WHERE channel='pigeon' ORDER BY id")
    assert {one["chat_id"] for one in sent} == {"5"}, "anyone who is not paired is a stranger"
    assert len(sent) == 2 and all(one["text"].isupper() for one in sent) and "NOTE.TXT" in sent[1]["text"]
    assert program.value("SELECT text FROM turns WHERE kind='document'") == "[document note.txt]\nMilk and bread"
    assert tree.changed.keys() == {f"{folder}/__init__.py", f"{folder}/channel.toml"}


EMOTION = """[emotions.awe]
natural = 0.1
drift_per_hour = 0.02
colour = "teal"
above = "I am in awe"
recalls = "curiosity"

"""


RECITED = """
from furoshiki.conversation.rules.reciting import is_recital
print(is_recital("my awe is at 0.8"), is_recital("my aim is at 0.8"))
"""


def test_an_emotion_is_one_row_and_a_home_lives_on_with_it_and_without_it(tree: ChangedTree, program: Program) -> None:
    laws, state = "config/inner_life.toml", program.data / "memory" / "heartbeat-state.json"
    says(program, "good evening")
    assert "awe" not in json.loads(state.read_text())["emotions"]
    tree.insert(laws, "[emotions.anger]\n", EMOTION)
    tree.insert(laws, "excitement = 0.20, joy = 0.08 }", "awe = 0.8, ")
    assert tree.changed.keys() == {laws}
    says(program, "I am so excited, I can't wait!")
    assert json.loads(state.read_text())["emotions"]["awe"] > 0.5
    assert "I am in awe" in says(program, "/mood")
    command = [sys.executable, "-c", RECITED]
    recited = subprocess.check_output(command, cwd=tree.root, env=program.environment, text=True, timeout=60)
    assert recited.split() == ["True", "False"]
    tree.restore()
    assert "awe" not in says(program, "/mood")


LANGUAGE = """
[languages.tok]
name = "Toki Pona"
words = "mi sina li pona ala e tawa kama jan telo"
asks = "seme"
first = "toki! mi {me}."
again = ["mi kute."]
"""
LEXICON = """
language = "tok"

[signals.anger]
strong = ["mi pilin utala"]

[signals.praise]
plain = ["sina pona"]

[nlp]
greeting = ["toki"]
"""


def test_a_language_of_ten_words_is_a_row_and_a_file(tree: ChangedTree, program: Program) -> None:
    rows = "config/languages.toml"
    tree.write(rows, (tree.root / rows).read_text("utf-8") + LANGUAGE)
    tree.write("config/lexicon/tok.toml", LEXICON)
    program.set(FUROSHIKI_LANGUAGE="tok")
    assert says(program, "jan li kama tawa telo, mi pilin utala e sina").startswith("toki! mi Furo.")
    heard = program.value("SELECT signals FROM turns WHERE speaker='user'")
    assert heard and json.loads(heard)["anger"] > 0.3
    assert len(tree.changed) == 2
