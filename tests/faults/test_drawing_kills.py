"""Killed while a picture is ordered, painted and sent: it is paid once and sent once, or its person is told."""

from __future__ import annotations

import json
import random
import threading
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from furoshiki.conversation.skills.drawing import delivering
from furoshiki.conversation.worker import Worker
from furoshiki.core.process.crash_points import CRASHED
from furoshiki.core.settings import Settings
from furoshiki.messages import events
from furoshiki.messages.store import inbox
from furoshiki.messages.values import NewEnvelope
from furoshiki.models.llm.store import costs
from furoshiki.models.llm.values import Answer, CallRecord, Question, ToolCall
from tests.support import deaths, painters
from tests.support.deaths import opened, rows_in
from tests.support.dying_night import awake_in
from tests.support.laws import NOON

pytestmark = [pytest.mark.faults, pytest.mark.slow]

SUBJECT = "a fox asleep on a roof"

LEFT = {
    "photos": "SELECT turn_key FROM outbox WHERE kind='photo'",
    "told": "SELECT text FROM outbox WHERE turn_key LIKE 'picture:%' AND kind='text'",
    "answers": "SELECT text FROM outbox WHERE turn_key='inbox:1'",
    "turns": "SELECT text FROM turns WHERE turn_key LIKE 'picture:%'",
    "paid": "SELECT cost_usd FROM llm_calls WHERE purpose='pictures'",
    "states": "SELECT state FROM pictures",
}


class Painter(BaseHTTPRequestHandler):
    """Counts what it paints."""

    painted = 0

    def do_POST(self) -> None:
        type(self).painted += 1
        self.rfile.read(int(self.headers["content-length"]))
        body = b"".join(part for part in painters.picture().parts if isinstance(part, bytes))
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def address() -> Iterator[str]:
    with ThreadingHTTPServer(("127.0.0.1", 0), Painter) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_address[1]}/v1"
        server.shutdown()


async def live(home: Path, address: str) -> None:
    """Start, mend what a crash left, answer what waits, and paint what is ordered."""

    async def ask(question: Question, _on_text: Callable[[str], Awaitable[None]] | None = None) -> Answer:
        told = json.dumps([one.text for one in question.messages])
        if question.purpose == "turn" and "Coming in a moment" not in told:
            call = ToolCall("1", "draw_picture", {"subject": SUBJECT})
            return Answer("", "tools", "s", "s", question.tier, (call,))
        return Answer("I'm at it.", "stop", "s", "s", question.tier)

    world = awake_in(home, ask=ask)
    given: dict[str, Any] = {
        "openai_api_key": painters.KEY,
        "openai_base_url": address,
        "furoshiki_model_pictures": "openai:gpt-image-2",
    }
    settings = Settings(**{**world.settings.model_dump(), **given})

    def ledger(record: CallRecord) -> None:
        with world.database.write() as db:
            costs.add(db, record, world.now)

    def spent() -> float:
        with world.database.read() as db:
            return costs.spent_since(db, NOON)

    media = painters.media(settings.model_values(), ledger, home, world.clock.now, spent_today=spent)
    worker = Worker(replace(world, settings=settings, media=media, rng=random.Random(7)))
    worker.recover()
    delivering.begin(worker.world)
    await painters.drain(world.database)
    while await worker.step():
        await worker.quiet()
    delivering.begin(worker.world)
    await painters.drain(world.database)


def fill(home: Path) -> None:
    found = {"chat_id": "7", "message_id": "5", "text": f"draw me {SUBJECT}", "private": True, "at": NOON.isoformat()}
    with opened(home) as database, database.write() as db:
        inbox.store(db, [NewEnvelope("telegram", "update-5", "7", events.read("text", found))], NOON)


def test_it_is_painted_and_paid_once_wherever_it_was_killed(empty_database: Path, tmp_path: Path, address: str) -> None:
    whole = deaths.new_home(empty_database, tmp_path / "whole")
    fill(whole)
    ended = deaths.run(live, whole, address)
    assert ended.status == 0, ended.output
    alive = rows_in(whole, LEFT)
    assert alive["photos"] == [("picture:1",)] and alive["paid"] == [(0.07,)] and alive["states"] == [("sent",)]
    points = [one for one in ended.passed if one.startswith(("picture.", "turn.", "worker.", "store."))]
    firsts = [one for one in points if one.endswith(":1")]
    assert {"picture.claimed:1", "picture.painted:1", "picture.kept:1", "picture.entered:1", "picture.sent:1"} <= {
        *firsts
    }
    for number, point in enumerate(firsts):
        home = deaths.new_home(empty_database, tmp_path / str(number))
        fill(home)
        Painter.painted = 0
        died = deaths.run(live, home, address, dies_at=point)
        assert died.status == CRASHED, (point, died.output)
        again = deaths.run(live, home, address)
        assert again.status == 0, (point, again.output)
        left = rows_in(home, LEFT)
        assert Painter.painted <= 1, f"painted twice after {point}"
        assert left["paid"] == [(0.07,)], (point, left)
        assert len(left["photos"]) + len(left["told"]) == 1, (point, left)
        assert len(left["turns"]) == 1 and left["answers"] == alive["answers"], (point, left)
        # The picture is painted beside the turn, which may be killed meanwhile.
        lost = "picture.claimed:1" in died.passed and "picture.kept:1" not in died.passed
        assert bool(left["told"]) == lost, (point, left)
        if lost:
            assert left["told"][0][0].startswith("I was interrupted while drawing")
