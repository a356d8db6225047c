"""What was talked about today is asked over Telegram, without a model, and answered with the person's words."""

from __future__ import annotations

import pytest

from tests.e2e.program import Program
from tests.emulators.telegram import TelegramEmulator

pytestmark = [pytest.mark.e2e, pytest.mark.slow]


def test_the_day_is_quoted_over_telegram(program: Program, telegram: TelegramEmulator) -> None:
    program.set(OPENAI_API_KEY=None, OPENAI_BASE_URL=None, FUROSHIKI_MODEL_CHAT=None)
    program.listening()
    telegram.say("I planted three tulips")
    telegram.wait_for(telegram.replies)
    telegram.say("what did we talk about today?")
    telegram.wait_for(
        lambda: telegram.replies()[-1].splitlines() == ["Today you told me:", "• “I planted three tulips”"]
    )
