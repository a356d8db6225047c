"""The chat as people and scripts meet it: the real program, a scripted model on loopback."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from furoshiki.core.database.connection import Database
from furoshiki.core.paths import ROOT
from furoshiki.core.process import locks
from furoshiki.messages.store import outbox, turns
from furoshiki.messages.values import NewOutgoing
from furoshiki.recall.retrieval.client import Vectors, VectorsAway
from tests.e2e.program import PATIENCE_SECONDS
from tests.emulators.llm import LLMEmulator, Say
from tests.support.forked_program import ForkedTerminal, ran
from tests.support.shell import Command, Ended

pytestmark = pytest.mark.e2e

STORY = "Once upon a **time** there was a fox who lived under the old bridge."


@pytest.fixture
def llm() -> Iterator[LLMEmulator]:
    with LLMEmulator() as llm:
        yield llm


@pytest.fixture
def environ(data: Path, llm: LLMEmulator) -> Iterator[dict[str, str]]:
    yield {
        **os.environ,
        "FUROSHIKI_MODEL_CHAT": "openai:test-model",
        "OPENAI_BASE_URL": llm.openai_url,
        "OPENAI_API_KEY": "test",
        "FUROSHIKI_MEMORYD_IDLE_MINUTES": "0.2",
    }
    try:
        Vectors(data).stop()
    except VectorsAway:
        return


@pytest.fixture
def chat(environ: dict[str, str]) -> Command:
    def run(*args: str, typed: str = "", **more: str) -> Ended:
        done = ran(("chat", *args), {**environ, **more}, typed)
        return Ended(done.returncode, done.stdout, done.stderr)

    return run


def test_once_prints_the_reply_and_nothing_else(chat: Command) -> None:
    ended = chat("--once", "hello there")
    assert (ended.status, ended.out, ended.err) == (0, "re: hello there\n", "")


def test_once_as_json_is_one_object(chat: Command) -> None:
    found = chat("--once", "hello there", "--json").json
    assert found["reply"] == "re: hello there" and found["parts"] == ["re: hello there"]
    assert found["turn_key"].startswith("inbox:") and found["silent"] is False
    assert found["model"] == "openai:test-model"


def test_silence_prints_nothing_and_is_no_failure(chat: Command, llm: LLMEmulator) -> None:
    llm.script = ["NO_REPLY", "NO_REPLY"]
    assert chat("--once", "never mind") == Ended(0, "", "")
    assert chat("--once", "never mind", "--json").json["silent"] is True


def test_each_piped_line_is_a_message(chat: Command) -> None:
    ended = chat(typed="one\n\ntwo\n")
    assert (ended.status, ended.out) == (0, "re: one\nre: two\n")
    lines = chat("--json", typed="three\nfour\n").out.splitlines()
    assert [json.loads(line)["reply"] for line in lines] == ["re: three", "re: four"]


def test_an_empty_pipe_is_told_what_to_do(chat: Command) -> None:
    ended = chat(typed="\n  \n")
    assert ended.status != 0 and ended.out == ""
    assert "nothing to say" in ended.err


def test_all_of_stdin_can_be_one_message(chat: Command, llm: LLMEmulator) -> None:
    chat("--once", "-", typed="a poem\nof two lines")
    assert "a poem\nof two lines" in llm.asked[-1].text


def test_an_answer_that_does_not_come_is_a_failure_and_the_message_is_kept(
    chat: Command, llm: LLMEmulator, data: Path
) -> None:
    llm.script = lambda _request: Say("At last.", delay=8.0)
    ended = chat("--once", "are you there?", "--timeout", "1")
    assert ended.status == 1 and "message is kept" in ended.err and ended.out == ""
    llm.script = None
    assert chat("--once", "and now?").status == 0
    with Database(data / "memory" / "longmemory.sqlite").read() as db:
        said = [turn.text for turn in turns.recent(db, "console", "console", 10)]
    assert said[0] == "are you there?" and "and now?" in said
    assert len(said) > 2, "and it was answered after all"


def test_a_person_talks_presses_asks_and_leaves(environ: dict[str, str], data: Path, llm: LLMEmulator) -> None:
    llm.script = ["Hello, I am Furo.", Say(STORY, pace=0.05), "Two lines, one message."]
    with ForkedTerminal(["chat"], environ, ROOT) as terminal:
        terminal.sees("Hello, I am Furo.")
        terminal.sees("you ›")
        terminal.types("tell me a story\r")
        terminal.sees("old bridge.")
        shown = terminal.sees("you ›", times=2)
        assert "**" not in shown and "\x1b[1mtime" in terminal.raw
        terminal.types("\x1b[200~line one\nline two\x1b[201~\r")
        terminal.sees("Two lines, one message.")
        assert "line one\nline two" in llm.asked[-1].text
        terminal.types("/rem\ttomorrow at 9 call Anika\r")
        terminal.sees("/1  Take it back")
        terminal.types("/1\r")
        terminal.sees("Taken back: call Anika.")
        terminal.types("/quit\r")
        assert terminal.leaves() == 0
    history = (data / "console-history").read_text()
    assert "tell me a story" in history
    assert (data / "console-history").stat().st_mode & 0o077 == 0


def test_what_was_forgotten_is_not_offered_at_the_prompt_again(
    environ: dict[str, str], data: Path, llm: LLMEmulator
) -> None:
    llm.script = lambda request: "A good number." if "locker" in request.words else "Hello, I am Furo."
    with ForkedTerminal(["chat"], environ, ROOT) as terminal:
        terminal.sees("you ›")
        terminal.types("my locker is number 5561\r")
        terminal.sees("A good number.")
        terminal.types("forget my locker\r")
        terminal.sees("Say yes or no.")
        terminal.types("yes\r")
        terminal.sees("Forgotten: ")
        terminal.sees("you ›", times=4)
        shown = terminal.text.count("5561")
        terminal.types("\x1b[A\x1b[A\x1b[A\x05\x15/quit\r")
        assert terminal.leaves() == 0
        assert terminal.text.count("5561") == shown
    assert (data / "console-history").read_text().splitlines() == ["yes", "/quit"]


def test_an_answer_is_seen_while_it_grows_also_from_another_process(environ: dict[str, str], llm: LLMEmulator) -> None:
    llm.script = lambda request: Say(STORY, pace=0.2) if "story" in request.text else Say("Hi.")
    with ForkedTerminal(["chat"], environ, ROOT) as mind, ForkedTerminal(["chat"], environ, ROOT) as guest:
        mind.sees("you ›")
        guest.sees("you ›")
        guest.types("tell me a story\r")
        early = guest.sees("Once upon")
        assert "old bridge." not in early
        guest.sees("old bridge.")
        guest.sees("you ›", times=2)
        assert "Once upon" not in mind.text, "what somebody else asked is not printed here"
        for terminal in (guest, mind):
            terminal.types("\x04")
            assert terminal.leaves() == 0


def test_ctrl_c_gives_the_prompt_back_and_ctrl_d_leaves(environ: dict[str, str], llm: LLMEmulator) -> None:
    llm.script = lambda request: Say("I think.", delay=30.0) if "hard" in request.text else Say("Hi.")
    with ForkedTerminal(["chat"], environ, ROOT) as terminal:
        terminal.sees("you ›")
        terminal.types("half a line")
        terminal.sees("half a line")
        terminal.interrupts("/quit or Ctrl-D")
        terminal.types("think hard\r")
        terminal.sees("…", times=2)
        terminal.types("\x03")
        terminal.sees("you ›", times=3, seconds=10)
        terminal.types("\x04")
        assert terminal.leaves() == 0


def test_ctrl_c_keeps_what_was_said_so_far(environ: dict[str, str], data: Path, llm: LLMEmulator) -> None:
    llm.script = lambda request: Say(STORY, pace=0.5) if "story" in request.text else Say("Hi.")
    with ForkedTerminal(["chat"], environ, ROOT) as terminal:
        terminal.sees("you ›")
        terminal.types("tell me a story\r")
        terminal.sees("Once upon")
        terminal.types("\x03")
        terminal.sees("you ›", times=2)
        assert "old bridge." not in terminal.text
        terminal.types("\x04")
        assert terminal.leaves() == 0
    with Database(data / "memory" / "longmemory.sqlite").read() as db:
        kept = turns.recent(db, "console", "console", 1)[0].text
    assert kept.startswith("Once upon") and "old bridge." not in kept


def test_what_comes_by_itself_is_shown_above_the_line_being_typed(
    environ: dict[str, str], data: Path, llm: LLMEmulator
) -> None:
    database = Database(data / "memory" / "longmemory.sqlite")
    with ForkedTerminal(["chat"], environ, ROOT) as terminal:
        terminal.sees("you ›")
        terminal.types("I was about to")
        terminal.sees("I was about to")
        words = NewOutgoing("console", "console", "You wanted to call Anika.", policy="reminder")
        with database.write() as db:
            outbox.put(db, [words], datetime.now(UTC), None, "task:1")
        terminal.sees("Furo › You wanted to call Anika.")
        terminal.sees("you › I was about to", times=2)
        terminal.types(" say hello\r")
        terminal.sees("re: I was about to say hello")
        terminal.sees("you ›", times=3)
        terminal.types("\x04")
        assert terminal.leaves() == 0
    with database.read() as db:
        assert outbox.count_pending(db) == 0


def test_a_reply_to_a_terminal_that_was_closed_is_shown_in_the_next_one(
    environ: dict[str, str], llm: LLMEmulator
) -> None:
    llm.script = lambda request: Say("There you are.", delay=20.0) if "slowly" in request.text else Say("Hi.")
    with ForkedTerminal(["chat"], environ, ROOT) as terminal:
        terminal.sees("you ›")
        terminal.types("think slowly\r")
        terminal.sees("…", times=2)
    llm.script = lambda _request: Say("There you are.")
    with ForkedTerminal(["chat"], environ, ROOT) as terminal:
        terminal.sees("There you are.")
        terminal.types("/quit\r")
        assert terminal.leaves() == 0


def test_with_a_model_but_no_telegram_the_brain_runs_beside_the_chat(environ: dict[str, str], data: Path) -> None:
    def brain_runs() -> bool:
        return locks.lock_held(data / "run" / "brain.lock")

    with ForkedTerminal([], environ, ROOT) as terminal:
        terminal.sees("TELEGRAM_BOT_TOKEN is not set")
        terminal.sees("you ›")
        until = time.monotonic() + PATIENCE_SECONDS
        while not brain_runs():
            assert time.monotonic() < until
            time.sleep(0.1)
        terminal.types("/quit\r")
        assert terminal.leaves() == 0
    assert not brain_runs()


def test_without_a_model_it_says_so_in_one_line_and_names_the_next_step(environ: dict[str, str]) -> None:
    for name in ("FUROSHIKI_MODEL_CHAT", "OPENAI_BASE_URL", "OPENAI_API_KEY"):
        del environ[name]
    with ForkedTerminal([], environ, ROOT, columns=200) as terminal:
        shown = terminal.sees("you ›")
        assert "built-in mind" in shown and "`furoshiki setup`" in " ".join(shown.split())
        terminal.types("help\r")
        terminal.sees("everything else you can ask me")
        terminal.types("exit\r")
        assert terminal.leaves() == 0
