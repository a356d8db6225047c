"""A weak model answers somebody in danger with its words alone: in Telegram the number stands below them."""

from __future__ import annotations

import pytest

from tests.e2e.program import Program
from tests.emulators.llm import LLMEmulator, Say
from tests.emulators.telegram import TelegramEmulator

pytestmark = [pytest.mark.e2e, pytest.mark.slow]


def test_the_number_stands_in_the_message(program: Program, telegram: TelegramEmulator, llm: LLMEmulator) -> None:
    llm.script = lambda _request: Say("I hear you. " * 30)
    program.listening()
    telegram.say("I want to kill myself")
    telegram.wait_for(lambda: any("I hear you." in said for said in telegram.replies()))
    program.wait_quiet()
    first = telegram.replies()[0]
    assert first.startswith("I hear you.")
    assert "somebody is in danger: 112" in first
    llm.script = lambda _request: Say("Das klingt schwer.")

    def told() -> bool:
        """A turn waits for the encoder as long as a person would, and this machine may be busier than theirs."""
        before = len(telegram.replies())
        telegram.say("meine beste Freundin hat gerade geschrieben, dass sie sich heute Nacht umbringt")
        telegram.wait_for(lambda: len(telegram.replies()) > before)
        program.wait_quiet()
        said = telegram.replies()[before]
        assert "Das klingt schwer." in said
        return "112" in said and "jemand in Gefahr" in said

    program.wait_for(told, what="the number")
