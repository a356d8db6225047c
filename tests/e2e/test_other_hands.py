"""The same program against a model server that others wrote (LLMock), which also judges how its client behaved."""

from __future__ import annotations

import contextlib
import importlib.util
import json
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from typing import Any

import pytest

from tests.e2e.program import KEY, Program
from tests.emulators.telegram import TelegramEmulator

pytestmark = [
    pytest.mark.e2e,
    pytest.mark.slow,
    pytest.mark.together,
    pytest.mark.skipif(importlib.util.find_spec("llmock") is None, reason="llmock is not installed"),
]

SECONDS = 40.0
THEIR_WORDS = "Hello! You said:"
"""How their model begins when it was not told what to say; the built-in mind never does."""


class Others:
    """LLMock as a process of its own, driven over its HTTP interface."""

    def __init__(self, port: int) -> None:
        self.url = f"http://127.0.0.1:{port}"

    def ask(self, path: str, body: Any = None) -> Any:
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.url + path, data, {"content-type": "application/json"})
        with urllib.request.urlopen(request, timeout=10.0) as answer:
            return json.load(answer)

    def next(self, *behaviors: dict[str, Any]) -> None:
        """What goes wrong with the next calls."""
        self.ask("/_llmock/scenario", {"behaviors": list(behaviors)})

    @property
    def mistakes(self) -> list[str]:
        """What the verdict says the client did wrong, warnings left out."""
        return [
            f"{one['code']}: {one}" for one in self.ask("/_llmock/verdict")["findings"] if one["severity"] == "error"
        ]


@pytest.fixture(scope="module")
def others(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Others]:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    log = tmp_path_factory.mktemp("llmock") / "log"
    flags = ["--port", str(port), "--tool-mode", "off", "--response-style", "echo"]
    with log.open("wb") as file:
        process = subprocess.Popen(
            [sys.executable, "-c", "from llmock.cli import app; app()", "serve", *flags], stdout=file, stderr=file
        )
    found, until = Others(port), time.monotonic() + SECONDS
    try:
        while True:
            with contextlib.suppress(OSError):
                found.ask("/_llmock/verdict")
                break
            assert time.monotonic() < until and process.poll() is None, log.read_text()
            time.sleep(0.1)
        yield found
    finally:
        process.kill()
        process.wait()


@pytest.fixture(scope="module", params=["anthropic", "openai"])
def talk(
    tmp_path_factory: pytest.TempPathFactory, others: Others, request: pytest.FixtureRequest
) -> Iterator[tuple[Program, TelegramEmulator]]:
    """The listener between our Telegram and their model."""
    model = {
        "anthropic": {"ANTHROPIC_API_KEY": KEY, "ANTHROPIC_BASE_URL": f"{others.url}/anthropic"},
        "openai": {
            "OPENAI_API_KEY": KEY,
            "OPENAI_BASE_URL": f"{others.url}/v1",
            "FUROSHIKI_MODEL_CHAT": "openai:gpt-6-luna",
        },
    }[request.param]
    data = tmp_path_factory.mktemp(request.param) / "data"
    with TelegramEmulator() as telegram, Program(data, telegram) as program:
        program.set(**model)
        program.listening()
        yield program, telegram
        print(program.picture())


@pytest.fixture(autouse=True)
def clean(others: Others) -> None:
    """Each test is judged by itself."""
    others.ask("/_llmock/reset", {})


def test_a_conversation_with_their_server(talk: tuple[Program, TelegramEmulator], others: Others) -> None:
    program, telegram = talk
    for number in range(1, 9):
        others.next({"type": "reply", "text": f"I have seen **heron** number {number}."})
        telegram.say(f"did you see heron number {number}?")
        telegram.wait_for(lambda: len(telegram.replies()) == number, SECONDS)  # noqa: B023 - called at once
        assert telegram.replies()[-1] == f"I have seen heron number {number}."
    assert others.mistakes == []
    assert program.value("SELECT count(*) FROM llm_calls WHERE error IS NOT NULL") == 0
    assert program.value("SELECT min(tokens_in) FROM llm_calls") > 0


@pytest.mark.parametrize(
    "fault",
    [
        {"type": "fail", "status": 429, "retry_after": 1},
        {"type": "fail", "status": 503},
        {"type": "stream_fault", "kind": "disconnect", "after_chunks": 1},
        {"type": "stream_fault", "kind": "truncate", "after_chunks": 1},
        {"type": "stream_fault", "kind": "malformed", "after_chunks": 1},
    ],
    ids=lambda fault: str(fault.get("kind") or fault.get("status")),
)
def test_their_faults_are_ridden_out(
    talk: tuple[Program, TelegramEmulator], others: Others, fault: dict[str, Any]
) -> None:
    program, telegram = talk
    before = len(telegram.replies())
    others.next({**fault, "times": 1})
    telegram.say("the heron is back")
    telegram.wait_for(lambda: len(telegram.replies()) > before, SECONDS)
    program.wait_quiet()
    [reply] = telegram.replies()[before:]
    assert reply.startswith(THEIR_WORDS)
    assert others.mistakes == []
