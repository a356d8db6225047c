"""The house itself in trouble: wrong settings, two of a kind, files cut or spoiled, a database that is held."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import signal
import sqlite3
import subprocess
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from furoshiki.recall.retrieval.client import Vectors, VectorsAway, spawner
from tests.e2e.program import PATIENCE_SECONDS, Program
from tests.emulators.llm import LLMEmulator, Say
from tests.emulators.telegram import TelegramEmulator
from tests.support.extent import at_night
from tests.support.files import below, contents
from tests.support.forked_program import ForkedProgram

pytestmark = [pytest.mark.faults, pytest.mark.slow]

FACT = "My grandmother Filomena taught me to play the concertina."
QUESTION = "what instrument did I learn from my grandmother?"


def ask(program: Program, telegram: TelegramEmulator, text: str, timeout: float = PATIENCE_SECONDS) -> str:
    """Say something in Telegram; the one reply."""
    before = len(telegram.replies())
    telegram.say(text)
    telegram.wait_for(lambda: len(telegram.replies()) > before, timeout)
    program.wait_quiet()
    [reply] = telegram.replies()[before:]
    return reply


class TestSettings:
    @pytest.mark.parametrize("command", [("up",), ("listen",), ("brain",), ("chat", "--once", "hello"), ("status",)])
    def test_an_unknown_setting_is_named_with_its_nearest_match(
        self, program: Program, command: tuple[str, ...]
    ) -> None:
        done = program.run(*command, FUROSHIKI_MODEL_CHATT="openai:test-model")
        assert done.returncode == 3, done
        assert "FUROSHIKI_MODEL_CHATT" in done.stderr
        assert "did you mean FUROSHIKI_MODEL_CHAT?" in done.stderr
        assert len(done.stderr.strip().splitlines()) == 1

    @pytest.mark.parametrize(
        ("name", "value", "said"),
        [
            ("FUROSHIKI_TIMEZONE", "Europe/Lisboa", "Europe/Lisbon"),
            ("FUROSHIKI_MODEL_CHAT", "opnai:test-model", "openai"),
            ("TELEGRAM_OWNER_ID", "robin", "TELEGRAM_OWNER_ID"),
            ("TELEGRAM_BOT_TOKEN", "not a token", "BotFather"),
            ("FUROSHIKI_DATABASE_URL", "postgresql://localhost/x", "sqlite:///"),
        ],
    )
    def test_a_wrong_value_is_named_with_what_would_be_right(
        self, program: Program, name: str, value: str, said: str
    ) -> None:
        program.set(**{name: value})
        done = program.run("listen")
        assert done.returncode == 3, done
        assert name in done.stderr
        assert said in done.stderr
        assert len(done.stderr.strip().splitlines()) == 1

    def test_a_missing_token_is_explained(self, program: Program) -> None:
        program.set(TELEGRAM_BOT_TOKEN=None)
        done = program.run("listen")
        assert done.returncode == 3, done
        assert "TELEGRAM_BOT_TOKEN" in done.stderr
        assert "BotFather" in done.stderr


class TestTwoOfAKind:
    @pytest.mark.parametrize("service", ["listen", "brain", *at_night("up")])
    def test_one_survives_and_the_other_says_why_it_does_not(
        self, program: Program, telegram: TelegramEmulator, service: str
    ) -> None:
        program.run("migrate")
        both = [program.start(service), program.start(service)]
        program.wait_for(lambda: any(not one.alive() for one in both), what="one to give way")
        time.sleep(1.0)
        [survivor] = [one for one in both if one.alive()]
        [other] = [one for one in both if not one.alive()]
        assert other.wait() == 1
        assert "already" in other.log
        assert "Traceback" not in other.log
        if service != "brain":
            assert ask(program, telegram, "who is there?") == "re: who is there?"
            assert telegram.conflicts == 0
        assert survivor.stop() == 0


class TestState:
    @pytest.mark.parametrize(
        "damage",
        [
            "truncated",
            "missing",
            *at_night("empty", "garbage", "list"),
        ],
    )
    def test_a_spoiled_state_file_costs_no_message(
        self, program: Program, telegram: TelegramEmulator, damage: str
    ) -> None:
        listener = program.listening()
        ask(program, telegram, "hello")
        for name in ("heartbeat-state.json", "session-context.json"):
            path = program.data / "memory" / name
            if path.exists():
                _spoil(path, damage)
        assert ask(program, telegram, "are you all right?") == "re: are you all right?"
        assert listener.alive()
        found = json.loads((program.data / "memory" / "heartbeat-state.json").read_text())
        assert set(found["emotions"])
        status = program.run("status", "--json")
        assert status.returncode == 0, status


class TestIndex:
    """Chroma is an index: whatever happens to it, nothing is forgotten and the chat goes on."""

    @pytest.fixture
    def remembered(self, program: Program, telegram: TelegramEmulator, llm: LLMEmulator) -> Iterator[Program]:
        program.set(FUROSHIKI_CHROMA_FROM="0")
        program.listening()
        ask(program, telegram, FACT)
        program.wait_for(
            lambda: program.value("SELECT count(*) FROM turns WHERE embed_model IS NOT NULL") >= 2,
            60.0,
            "the vectors",
        )
        self.finds_it(program)
        yield program

    @pytest.mark.parametrize("damage", ["garbled", *at_night("deleted", "emptied")])
    def test_a_spoiled_index_is_rebuilt_while_the_chat_goes_on(
        self, remembered: Program, telegram: TelegramEmulator, damage: str
    ) -> None:
        chroma = remembered.data / "memory" / "chroma"
        assert below(chroma)
        if damage == "deleted":
            shutil.rmtree(chroma, ignore_errors=True)  # its owner may be writing
        else:
            for path, content in contents(chroma):
                with contextlib.suppress(FileNotFoundError):  # memoryd may have noticed by now, and set it all aside
                    path.write_bytes(b"" if damage == "emptied" else os.urandom(len(content)))
        assert ask(remembered, telegram, "still here?") == "re: still here?"
        self.kill_memoryd(remembered)
        assert ask(remembered, telegram, "and now?") == "re: and now?"
        self.finds_it(remembered)

    def test_memoryd_killed_in_the_middle_comes_back(self, remembered: Program, telegram: TelegramEmulator) -> None:
        for number in range(2):
            self.kill_memoryd(remembered)
            assert ask(remembered, telegram, f"still here {number}?") == f"re: still here {number}?"
            self.finds_it(remembered)

    def test_a_manager_that_ends_the_unit_finds_memoryd_gone(self, remembered: Program) -> None:
        """systemd kills what is left of a unit when its main process has ended."""
        [listener] = remembered.running[-1:]
        assert listener.stop() == 0
        assert remembered.memoryd() is not None, "outside of a unit others may need it"
        listener = remembered.listening(INVOCATION_ID="3f2a")
        assert listener.stop() == 0
        remembered.wait_for(lambda: remembered.memoryd() is None, what="the end of memoryd")
        assert "ended: stopped" in (remembered.data / "logs" / "memoryd.log").read_text().splitlines()[-1]

    def kill_memoryd(self, program: Program) -> None:
        found = program.memoryd()
        assert found is not None
        os.kill(found, signal.SIGKILL)

    def finds_it(self, program: Program) -> None:
        """By meaning alone, through the index."""
        vectors = Vectors(program.data, spawner(program.data))

        def found() -> bool:
            with contextlib.suppress(VectorsAway):
                [(best, _), *_] = vectors.query(QUESTION, k=2, seconds=5.0)
                return best == "turn:1" and vectors.status()["index"] == "ready"
            return False

        program.wait_for(found, what="the memory")
        logs = {path.name: path.stat().st_mode & 0o077 for path in (program.data / "logs").iterdir()}
        assert set(logs.values()) == {0}, "what the owner says is nobody else's to read"


class TestDatabase:
    def test_a_held_database_delays_and_loses_nothing(self, program: Program, telegram: TelegramEmulator) -> None:
        listener = program.listening()
        ask(program, telegram, "hello")
        with _held(program):
            telegram.say("message 1")
            telegram.say("message 2")
            time.sleep(4.0)
            assert telegram.replies() == ["re: hello"]
        telegram.wait_for(lambda: "message 2" in telegram.replies()[-1])
        program.wait_quiet()
        said = " ".join(telegram.replies())
        assert said.count("message 1") == said.count("message 2") == 1
        assert listener.alive()

    def test_a_database_held_in_the_middle_of_a_turn_answers_once(
        self, program: Program, telegram: TelegramEmulator, llm: LLMEmulator
    ) -> None:
        program.listening()
        ask(program, telegram, "hello")
        llm.script = lambda request: Say(f"re: {request.words}", delay=1.0)
        telegram.say("message 1")
        llm.wait_for(lambda: llm.asked[-1].words == "message 1")
        with _held(program):
            time.sleep(3.0)
        telegram.wait_for(lambda: telegram.replies()[-1] == "re: message 1")
        program.wait_quiet()
        assert telegram.replies() == ["re: hello", "re: message 1"]
        assert len(llm.asked) == 2

    @pytest.mark.nightly
    def test_a_database_held_longer_than_anybody_waits_loses_nothing(
        self, program: Program, telegram: TelegramEmulator, llm: LLMEmulator
    ) -> None:
        """For a minute: a writer gives up after 30 s, and what it was doing must be done all the same afterwards. Who
        waits for the database twice in a row does not look like a mind that stands still."""
        program.listening()
        ask(program, telegram, "hello")
        llm.script = lambda request: Say(f"re: {request.words}", delay=0.5)
        telegram.say("message 1")
        llm.wait_for(lambda: llm.asked[-1].words == "message 1")
        with _held(program):
            telegram.say("message 2")
            time.sleep(61.0)
        telegram.wait_for(lambda: "message 2" in telegram.replies()[-1])
        program.wait_quiet()
        assert telegram.replies() == ["re: hello", "re: message 1", "re: message 2"]


class TestDisk:
    def test_a_small_disk_that_is_full_to_its_last_byte_delays_and_damages_nothing(
        self, small_disk: Path, telegram: TelegramEmulator, llm: LLMEmulator
    ) -> None:
        """The whole program on 24 MB: it can be asked how it is meanwhile, and goes on by itself when there is room."""
        with ForkedProgram(small_disk / "data", telegram, llm) as program:
            listener = program.listening()
            ask(program, telegram, "hello")
            filler = small_disk / "filler"
            with filler.open("wb", buffering=0) as file, pytest.raises(OSError, match="No space"):
                while True:
                    file.write(bytes(4096))
            telegram.say("message 1")
            telegram.say("message 2")
            status = program.run("status")
            assert "Traceback" not in status.stdout + status.stderr
            assert listener.alive()
            assert program.value("PRAGMA integrity_check") == "ok"
            filler.unlink()
            telegram.wait_for(lambda: "message 2" in telegram.replies()[-1])
            program.wait_quiet()
            said = " ".join(telegram.replies())
            assert said.count("message 1") == said.count("message 2") == 1
            assert program.value("PRAGMA integrity_check") == "ok"


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of 24 MB."""
    place = tmp_path / "small"
    place.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", "size=24m", "tmpfs", place]
    if subprocess.run(command, capture_output=True, check=False).returncode != 0:
        pytest.skip("a small file system takes root")
    try:
        yield place
    finally:
        subprocess.run(["umount", "-l", place], check=True)


class TestSchedules:
    def test_a_mistake_is_told_with_its_line_and_the_last_good_ones_stay(self, program: Program) -> None:
        program.run("migrate")
        brain = program.start("brain")
        log = program.data / "logs" / "brain.log"
        program.wait_for(lambda: log.exists() and "jobs are scheduled" in log.read_text(), what="the brain")
        own = program.data / "memory" / "schedules.json"
        own.write_text('{\n "jobs": [\n  {"name": "soul_engine", "when": "every 30 minutes"},\n  {"name": "soul"]\n}\n')
        program.wait_for(lambda: "schedules.json line 4" in log.read_text(), what="the complaint")
        listed = program.run("schedules", "--json")
        assert listed.returncode == 3, listed
        assert "line 4" in listed.stderr + listed.stdout
        assert brain.alive()
        own.write_text('{\n "jobs": [\n  {"name": "soul_engine", "when": "every 30 minutes"}]\n}\n')
        program.wait_for(lambda: log.read_text().count("jobs are scheduled") == 2, what="the mended schedule")
        listed = program.run("schedules", "--json")
        assert "every 30 minutes" in listed.stdout, listed
        assert brain.stop() == 0


def _spoil(path: Path, damage: str) -> None:
    content = path.read_bytes()
    match damage:
        case "truncated":
            path.write_bytes(content[: len(content) // 2])
        case "empty":
            path.write_bytes(b"")
        case "garbage":
            path.write_bytes(os.urandom(300))
        case "list":
            path.write_bytes(b"[1, 2, 3]")
        case "missing":
            path.unlink()


@contextlib.contextmanager
def _held(program: Program) -> Iterator[None]:
    """Somebody else writes to the database and takes their time."""
    over, begun = threading.Event(), threading.Event()

    def hold() -> None:
        db = sqlite3.connect(program.data / "memory" / "longmemory.sqlite", isolation_level=None)
        db.execute("BEGIN IMMEDIATE")
        begun.set()
        over.wait()
        db.rollback()
        db.close()

    holder = threading.Thread(target=hold)
    holder.start()
    begun.wait()
    try:
        yield
    finally:
        over.set()
        holder.join()
