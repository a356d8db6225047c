"""kill -9 of the listener at any moment: afterwards the chat shows exactly one reply for every message."""

from __future__ import annotations

import pytest

from tests.e2e.program import Program
from tests.emulators.llm import LLMEmulator
from tests.emulators.telegram import TelegramEmulator
from tests.faults.killing import Killing

pytestmark = [pytest.mark.faults, pytest.mark.slow]

KILLS = 25
"""bench/kill.py takes 500."""


def test_every_message_is_answered_exactly_once(program: Program, telegram: TelegramEmulator, llm: LLMEmulator) -> None:
    outcome = Killing(program, telegram, llm, seed=11).run(KILLS)
    print(outcome)
    assert outcome.sent > KILLS
    assert outcome.clean, outcome
