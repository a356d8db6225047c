"""The Chat page before real processes: one conversation with Telegram, an answer that grows, deaths in the middle."""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from datetime import UTC, datetime
from http.client import HTTPConnection, HTTPException
from typing import Any

import pytest

from furoshiki.core.logins import tokens
from furoshiki.core.logins.ledger import Ledger
from tests.e2e.program import PATIENCE_SECONDS, Program, Running
from tests.emulators.llm import LLMEmulator, Request, Say
from tests.emulators.telegram import TelegramEmulator

pytestmark = [pytest.mark.e2e, pytest.mark.slow]

STORY = "Once upon a time there was a fox who lived by the river, and every evening it counted the boats. " * 3


class Dashboard:
    """`furoshiki dashboard` as a program with a token meets it."""

    def __init__(self, program: Program) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self._program = program
        self._key = tokens.make_token(Ledger(program.data), "test", "admin", datetime.now(UTC))

    def start(self) -> tuple[Running, Running]:
        """It and the listener, both at once: that takes as long as one of them."""
        running = self._program.start("dashboard", FUROSHIKI_DASHBOARD_PORT=str(self.port))

        def answers() -> bool:
            assert running.alive(), running.log
            with suppress(OSError), socket.create_connection(("127.0.0.1", self.port), 1):
                return True
            return False

        listener = self._program.listening()
        self._program.wait_for(answers, what="the dashboard")
        return running, listener

    def say(self, text: str, once: str) -> int:
        body = json.dumps({"text": text, "once": once})
        connection, response = self._asked("POST", "/api/v1/messages", body)
        found = json.loads(response.read())
        connection.close()
        return int(found["id"])

    def page(self) -> str:
        connection, response = self._asked("GET", "/chat")
        html = response.read().decode()
        connection.close()
        return html

    def watch(self, envelope: int) -> Iterator[tuple[str, dict[str, Any]]]:
        """The events of an answer, until its end or that of the dashboard."""
        connection, response = self._asked("GET", f"/api/v1/messages/{envelope}/events")
        event = ""
        with suppress(OSError, HTTPException):
            for line in response:
                kind, _, value = line.decode().strip().partition(": ")
                if kind == "event":
                    event = value
                elif kind == "data":
                    yield event, json.loads(value)
        connection.close()

    def _asked(self, method: str, path: str, body: str | None = None) -> tuple[HTTPConnection, Any]:
        connection = HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE_SECONDS)
        headers = {"Authorization": f"Bearer {self._key}", "Content-Type": "application/json"}
        connection.request(method, path, body, headers)
        response = connection.getresponse()
        assert response.status in (200, 202), (response.status, response.read()[:500])
        return connection, response


def _said(request: Request) -> str:
    return " ".join(turn.text for turn in request.turns)


def test_it_is_one_conversation_and_deaths_lose_and_double_nothing(
    program: Program, telegram: TelegramEmulator, llm: LLMEmulator
) -> None:
    llm.when(lambda request: "a story" in request.words, Say(STORY, pace=0.03))
    dashboard = Dashboard(program)
    pages, listener = dashboard.start()
    telegram.say("we are going to Madrid in May")
    telegram.wait_for(lambda: telegram.replies() == ["re: we are going to Madrid in May"])

    envelope = dashboard.say("the train or the plane?", "message-one")
    *_, (last, done) = dashboard.watch(envelope)
    assert last == "done" and done["parts"] == ["re: the train or the plane?"]
    assert "Madrid in May" in _said(llm.asked[-1]), "the page shows it, so it is known there"
    telegram.say("bye for today")
    telegram.wait_for(lambda: len(telegram.replies()) == 2)
    [asked] = [request for request in llm.asked if request.words == "bye for today"]
    assert "the train or the plane?" in asked.text, "and Telegram has heard of it"
    assert program.value("SELECT count(DISTINCT session_id) FROM turns") == 1

    envelope = dashboard.say("tell me a story", "message-two")
    grown = threading.Barrier(3)

    def watched() -> list[tuple[str, dict[str, Any]]]:
        found = []
        for event in dashboard.watch(envelope):
            found.append(event)
            if event[0] == "text" and sum(kind == "text" for kind, _ in found) == 1:
                grown.wait(PATIENCE_SECONDS)
        return found

    with ThreadPoolExecutor(2) as windows:
        both = [windows.submit(watched) for _ in range(2)]
        grown.wait(PATIENCE_SECONDS)  # both windows have seen it grow
        listener.kill()
        pages.kill()
        for one in both:
            texts = [event["text"] for kind, event in one.result(PATIENCE_SECONDS) if kind == "text"]
            assert texts and all(STORY.startswith(text) and text != STORY for text in texts), "it grew in both"
    pages, _listener = dashboard.start()
    assert dashboard.say("tell me a story", "message-two") == envelope, "sent again: it is the same message"
    *_, (last, done) = dashboard.watch(envelope)
    assert last == "done" and "".join(done["parts"]).split() == STORY.split() and done["error"] is None
    rows = program.rows("SELECT speaker, channel, text FROM turns WHERE channel='web' ORDER BY id")
    assert [row["speaker"] for row in rows] == ["user", "companion"] * 2, [tuple(row) for row in rows]
    assert len(telegram.replies()) == 2 and program.unfinished() == 0
    html = dashboard.page()
    assert html.count("tell me a story") == 1 and html.count("there was a fox") == 3 and "Nobody is there" not in html
    assert pages.stop() == 0
