"""Chat: the whole conversation whatever channel it was on, a form that needs no script, an answer as a stream."""

from __future__ import annotations

import asyncio
import json
import re
import threading
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import timedelta

import pytest

from furoshiki.app.wiring import fetcher
from furoshiki.channels.local import files
from furoshiki.channels.local.live_reply import stage
from furoshiki.conversation.worker import Worker
from furoshiki.faces.dashboard.pages.chat import events
from furoshiki.feelings.rules.emotions import NAMES
from furoshiki.feelings.store import history
from furoshiki.messages.store import accounts, outbox, turns
from furoshiki.messages.values import NewOutgoing, NewTurn
from furoshiki.models.llm.values import Answer, Question
from furoshiki.world import World
from tests.support.dashboard import House, Signed
from tests.support.world import Human, Script


async def answered(world: World) -> None:
    """The process that is the mind has been there."""
    worker = Worker(world)
    while await asyncio.wait_for(worker.step(), 20):
        await worker.quiet()


def shown(html: str) -> list[str]:
    """The words of every message on the page, without their marks."""
    found = re.findall(r'<div class="bubble[^"]*">(.*?)</div>', html, re.DOTALL)
    return [re.sub(r"<[^>]+>", "", one).strip() for one in found]


async def test_it_shows_what_was_said_anywhere_and_answers_what_is_written(
    house: House, human: Human, model: Script
) -> None:
    world = house.world
    with world.database.write() as db:
        accounts.pair(db, "telegram", "7", "7", "owner", world.now)
    model.lines = ["**Lovely**, and <b>when</b>?", "In May, then."]
    await human.says("we are going to Madrid")
    html = house.post("/chat", text="in May & with <i>Anika</i>", once="abcdefgh")
    assert "Waits for an answer" in html and 'http-equiv="refresh"' in html, "without a script it is loaded again"
    assert "Nobody is there to answer" in html and "furoshiki up" in html
    house.post("/chat", text="in May & with <i>Anika</i>", once="abcdefgh")
    await answered(world)
    html = house.page("/chat")
    assert shown(html) == [
        "we are going to Madrid",
        "Lovely, and &lt;b&gt;when&lt;/b&gt;?",
        "in May &amp; with &lt;i&gt;Anika&lt;/i&gt;",
        "In May, then.",
    ], "sent twice under one name, kept once"
    assert html.count("Telegram</span>") == 2 and 'http-equiv="refresh"' not in html


async def test_commands_and_their_buttons_work_without_a_script(house: House) -> None:
    house.post("/chat", text="/remind tomorrow at 9 call Anika")
    await answered(house.world)
    html = house.page("/chat")
    [data] = re.findall(r'<button name="data" value="([^"]+)"', html)
    assert "Taken back" not in house.post("/chat/press", data=data)
    await answered(house.world)
    html = house.page("/chat")
    assert shown(html)[-1] == "Taken back: call Anika." and 'name="data"' not in html, "it was pressed"


async def test_a_file_is_read_and_not_kept(house: House, model: Script) -> None:
    world = replace(house.world, fetch=fetcher(house.world.settings))
    fields = {"csrf": house.csrf, "text": "what is in it?"}
    large = {"file": ("large.txt", b"x" * (files.MOST_BYTES + 1))}
    assert house.client.post("/chat", data=fields, files=large).status_code == 413
    html = house.client.post("/chat", data=fields, files={"file": ("C:\\x\\list.csv", b"milk,2\neggs,6")}).text
    assert "With a file: list.csv" in html
    model.lines = ["Milk and eggs."]
    await answered(world)
    assert "milk,2\neggs,6" in model.turn_words
    assert shown(house.page("/chat"))[-1] == "Milk and eggs."
    with world.database.read() as db:
        [inbox] = db.execute("SELECT payload FROM inbox").fetchall()
        [turn] = db.execute("SELECT text, attachments FROM turns WHERE speaker='user'").fetchall()
    assert "list.csv" in inbox["payload"] and '"data"' not in inbox["payload"] + turn["attachments"]
    assert turn["text"].startswith("[document list.csv]")


async def test_a_picture_is_shown_where_it_was_asked_for(house: House) -> None:
    world = house.world
    with world.database.write() as db:
        for hours in range(60, 0, -1):
            felt = dict.fromkeys(NAMES, hours / 100)
            history.record(db, world.now - timedelta(hours=hours), felt, {}, "curious", "tick")
    house.post("/chat", text="/mood week")
    await answered(world)
    [address] = re.findall(r'<img class="drawn" src="([^"]+)"', house.page("/chat"))
    assert house.client.get(address).content.startswith(b"\x89PNG") and "My week" in shown(house.page("/chat"))[-1]
    assert house.client.get("/chat/file/999").status_code == 404


@pytest.mark.parametrize(
    ("name", "kind"), [("a.png", "photo"), ("a.svg", "document"), ("a.mp3", "audio"), ("", "document")]
)
def test_a_file_is_what_its_name_says(name: str, kind: str) -> None:
    assert files.make_attachment(name, b"x")[0] == kind


def test_what_goes_to_somebody_else_is_not_shown(house: House) -> None:
    world = house.world
    with world.database.write() as db:
        accounts.pair(db, "telegram", "7", "7", "owner", world.now)
        for chat in ("7", "8"):
            outbox.put(db, [NewOutgoing("telegram", chat, f"for {chat}")], world.now, None, f"place#{chat}")
    assert shown(house.page("/chat")) == ["for 7"]


def test_earlier_messages_are_a_page_of_their_own(house: House) -> None:
    world = house.world
    with world.database.write() as db:
        for number in range(90):
            turns.add(db, NewTurn("s1", "web", "web", "user", f"message {number}", world.now))
    html = house.page("/chat")
    assert shown(html) == [f"message {number}" for number in range(50, 90)]
    [before] = re.findall(r'data-earlier="(\d+)"', html)
    html = house.page(f"/chat?before={before}")
    assert shown(html) == [f"message {number}" for number in range(10, 50)]
    assert 'name="text"' not in html and "Jump to newest" in html


def test_a_viewer_reads_along_and_writes_nothing(signed: Signed) -> None:
    house = signed("viewer")
    assert "signed in as a viewer" in house.page("/chat") and 'name="text"' not in house.page("/chat")
    for path in ("/chat", "/chat/press", "/chat/stop", "/chat/hello"):
        assert house.client.post(path, data={"csrf": house.csrf, "text": "x", "data": "x"}).status_code == 403


@pytest.mark.parametrize(("text", "status"), [("  \n", 400), ("x" * 16_001, 413)])
def test_what_cannot_be_sent_says_why(house: House, text: str, status: int) -> None:
    answer = house.client.post("/chat", data={"csrf": house.csrf, "text": text})
    assert answer.status_code == status and ("Write something" in answer.text or "in parts" in answer.text)


def test_a_channel_that_is_off_says_so(house: House) -> None:
    (house.world.home / "config").mkdir(exist_ok=True)
    (house.world.home / "config" / "furoshiki.toml").write_text('[channels]\nweb = "off"\n')
    assert "The web channel is off" in house.page("/chat")


async def test_a_companion_nobody_has_met_can_be_asked_to_begin(house: House, model: Script) -> None:
    assert "Nothing has been said yet" in house.page("/chat") and "/chat/hello" in house.page("/chat")
    house.post("/chat/hello")
    model.lines = ["Hello, I am new."]
    await answered(house.world)
    assert shown(house.page("/chat")) == ["Hello, I am new."] and "/chat/hello" not in house.page("/chat")


@contextmanager
def slowly(world: World, go_on: threading.Event) -> Iterator[None]:
    """A mind in a thread that says a beginning, waits, and says the rest unless it is stopped."""

    async def speaks(question: Question, on_text: Callable[[str], Awaitable[None]] | None = None) -> Answer:
        assert on_text is not None
        await on_text("Once upon")
        while not go_on.is_set():
            await asyncio.sleep(0.01)
        await asyncio.sleep(0.11)  # what is shown is written ten times a second
        await on_text("Once upon a time")
        return Answer("Once upon a time.", "stop", "scripted", "script", question.tier)

    mind = replace(world, ask=speaks, stage=lambda envelope: stage(world.settings.data / "run", envelope))
    thread = threading.Thread(target=lambda: asyncio.run(answered(mind)), daemon=True)
    thread.start()
    try:
        yield
    finally:
        go_on.set()
        thread.join(10)


async def heard(world: World, envelope: int, last: str = "", until: str = "done") -> list[tuple[str, dict[str, str]]]:
    found = []
    async for event in events(lambda: world, envelope, last, lambda: False):
        fields = dict(line.split(": ", 1) for line in event.strip().splitlines() if not line.startswith(":"))
        if fields:
            found.append((fields["event"], {"id": fields["id"], **json.loads(fields["data"])}))
        if fields.get("event") == until:
            break
    return found


@pytest.mark.parametrize("stopped", [False, True])
async def test_an_answer_is_streamed_can_be_taken_up_again_and_stopped(house: House, stopped: bool) -> None:
    kept = house.client.post(
        "/chat", data={"csrf": house.csrf, "text": "a story"}, headers={"accept": "application/json"}
    )
    envelope, go_on = kept.json()["id"], threading.Event()
    with slowly(house.world, go_on):
        begun = await heard(house.world, envelope, until="text")
        assert begun[-1][1]["text"] == "Once upon"
        assert "is answering" in house.page("/chat")
        again = asyncio.create_task(heard(house.world, envelope, begun[-1][1]["id"]))
        if stopped:
            house.post("/chat/stop")
        go_on.set()
        rest = await again
    assert all(one["text"] != "Once upon" for kind, one in rest if kind == "text"), "what was seen is not said again"
    kind, done = rest[-1]
    assert kind == "done" and done["parts"][0].startswith("Once upon") and not done["silent"]
    assert await heard(house.world, envelope, "done") == []
    answer = house.client.get(f"/chat/stream/{envelope}", headers={"last-event-id": "done"})
    assert answer.status_code == 204, "a browser does not ask a third time"
    assert "done" in house.client.get(f"/api/v1/messages/{envelope}/events").text


def test_stop_with_nothing_to_stop_says_so(house: House) -> None:
    assert "Nothing was being written" in house.post("/chat/stop")
