"""Killed between feeling a reaction and writing it down: it is felt once, and so are the words beside it.

The program here has an interpreter of its own and learns from its environment where to die; elsewhere it is forked.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from furoshiki.core.process.crash_points import CRASHED
from tests.e2e.program import Program
from tests.emulators.llm import LLMEmulator
from tests.emulators.telegram import TelegramEmulator

pytestmark = [pytest.mark.faults, pytest.mark.slow]


def heart(program: Program) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((program.data / "memory" / "heartbeat-state.json").read_text())
    return found


@pytest.fixture
def program(tmp_path: Path, telegram: TelegramEmulator, llm: LLMEmulator) -> Iterator[Program]:
    with Program(tmp_path / "data", telegram, llm) as found:
        yield found


def test_a_reaction_that_was_felt_when_the_listener_died_is_felt_once(
    program: Program, telegram: TelegramEmulator
) -> None:
    listener = program.listening()
    telegram.say("good morning")
    telegram.wait_for(lambda: bool(telegram.replies()))
    program.wait_quiet()
    listener.stop()
    before = heart(program)
    telegram.react([one.id for one in telegram.chat() if one.author == "bot"][-1], "❤")
    dying = program.start("listen", FUROSHIKI_CRASH_AT="reaction.felt")
    assert dying.wait() == CRASHED
    felt = heart(program)
    assert felt["emotions"]["affection"] > before["emotions"]["affection"]
    telegram.say("I am on the train")
    program.listening()
    telegram.wait_for(lambda: len(telegram.replies()) > 1)
    program.wait_quiet()
    after = heart(program)
    assert after["emotions"]["affection"] == pytest.approx(felt["emotions"]["affection"], abs=0.01)
    assert len(after["heard"]) == 2
    assert program.value("SELECT count(*) FROM turns WHERE kind='reaction'") == 1
