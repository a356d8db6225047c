"""SIGTERM ends a host within five seconds, whatever hangs in it."""

from __future__ import annotations

from pathlib import Path

import pytest

from furoshiki.app.wiring import SystemClock
from furoshiki.core.atomic_files import locked
from furoshiki.host import homes
from furoshiki.host.members import MemberFile
from tests.emulators.llm import LLMEmulator, Say
from tests.emulators.telegram import TelegramEmulator
from tests.support.forked_program import ForkedProgram

pytestmark = [pytest.mark.faults, pytest.mark.slow]

PERSON = 1001


def test_a_hanging_model_keeps_nobody_from_ending(tmp_path: Path, telegram: TelegramEmulator, llm: LLMEmulator) -> None:
    root = tmp_path / "homes"
    homes.add(root, "anna", SystemClock().now())
    MemberFile(root).settle(PERSON, "anna")
    llm.script = lambda _request: Say("too late", delay=600.0)
    settings = {"FUROSHIKI_HOMES": str(root)}
    with ForkedProgram(tmp_path / "data", telegram, llm, **settings) as program:
        host = program.listening("host")
        user = {"id": PERSON, "is_bot": False, "first_name": "Anna", "language_code": "en"}
        telegram.say("Tell me everything about lighthouses.", user=user, chat_id=PERSON)
        program.wait_for(lambda: llm.requests, what="the model")
        program.wait_for((root / ".host" / "run" / "memoryd.alive").exists, what="memoryd")
        assert host.stop() == 0
    for name in ("memoryd.lock", "up.lock"):
        with locked(root / ".host" / "run" / name, wait=False) as free:
            assert free, name
