"""A character card sent in Telegram as a file: a tap makes the companion like it, in a model's prompt too."""

from __future__ import annotations

import pytest

from tests.e2e.program import Program
from tests.emulators.llm import LLMEmulator, Say
from tests.emulators.telegram import TelegramEmulator
from tests.support.character_cards import ABOUT, V2, encoded, png
from tests.support.taps import Chat, newest

pytestmark = [pytest.mark.e2e, pytest.mark.slow]


def test_a_card_is_fetched_shown_and_followed_after_a_tap(
    program: Program, telegram: TelegramEmulator, llm: LLMEmulator
) -> None:
    llm.when(lambda asked: asked.schema is None, Say("Of course."))
    program.listening()
    chat = Chat(program, telegram)
    chat.says("hello")
    telegram.document(png(chara=encoded(V2)), "seraphina.png", "image/png")
    telegram.wait_for(lambda: "character card" in newest(telegram).text)
    assert ABOUT in newest(telegram).text
    assert chat.taps("Yes").startswith("I'll try to be like that.")
    assert chat.taps("No") == "Then I stay Furo."
    chat.says("who are you?")
    assert ABOUT in llm.asked[-1].system and "OBEY" not in str(llm.asked[-1])
