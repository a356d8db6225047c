"""kill -9 of the listener at any moment: afterwards the chat shows exactly one reply for every message."""

from __future__ import annotations

import pytest

from tests.emulators.llm import LLMEmulator
from tests.emulators.telegram import TelegramEmulator
from tests.faults.killing import Killing
from tests.support import extent
from tests.support.forked_program import ForkedProgram

pytestmark = [pytest.mark.faults, pytest.mark.slow]

KILLS = extent.times(39, 13)
"""bench/kill.py takes 500, of programs with an interpreter of their own."""


def test_every_message_is_answered_exactly_once(
    forked_program: ForkedProgram, telegram: TelegramEmulator, llm: LLMEmulator
) -> None:
    outcome = Killing(forked_program, telegram, llm, seed=11, start_seconds=0.4).run(KILLS)
    print(outcome)
    assert outcome.sent > KILLS
    assert outcome.clean, outcome
