"""kill -9 of the listener at any moment: afterwards the chat shows exactly one reply for every message."""

from __future__ import annotations

import pytest

from tests.e2e.program import Program
from tests.emulators.llm import LLMEmulator
from tests.emulators.telegram import TelegramEmulator
from tests.faults.killing import Killing
from tests.support import extent

pytestmark = [pytest.mark.faults, pytest.mark.slow]

KILLS = extent.times(39, 13)
"""bench/kill.py takes 500, of programs with an interpreter of their own."""


def test_every_message_is_answered_exactly_once(program: Program, telegram: TelegramEmulator, llm: LLMEmulator) -> None:
    outcome = Killing(program, telegram, llm, seed=11, start_seconds=0.4).run(KILLS)
    print(outcome)
    assert outcome.sent > KILLS
    assert outcome.clean, outcome
