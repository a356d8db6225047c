"""Its owner names it in Telegram: a tap, and it goes by that name at once, after a restart, and to a model."""

from __future__ import annotations

import pytest

from tests.e2e.program import Program
from tests.emulators.llm import LLMEmulator, Say
from tests.emulators.telegram import TelegramEmulator
from tests.support.taps import Chat

pytestmark = [pytest.mark.e2e, pytest.mark.slow]


def test_a_tap_names_it_and_another_gives_its_name_back(
    program: Program, telegram: TelegramEmulator, llm: LLMEmulator
) -> None:
    without = {"OPENAI_API_KEY": None, "OPENAI_BASE_URL": None, "FUROSHIKI_MODEL_CHAT": None}
    given = {key: program.environment[key] for key in without}
    program.set(**without)
    listener = program.listening()
    chat = Chat(program, telegram)
    assert "Furo" in chat.says("what's your name?")
    assert chat.says("i'll call you pip") == "Shall I be called Pip from now on?"
    assert chat.taps("Yes") == "Then I'm Pip from now on."
    assert listener.alive()
    for asked in ("what's your name?", "/settings"):
        answer = chat.says(asked)
        assert ("Pip" in answer, "Furo" in answer) == (True, False), answer
    assert listener.stop() == 0

    program.set(**given)
    llm.when(lambda asked: asked.schema is None, Say("Of course."))
    program.listening()
    chat.says("what's your name?")
    assert ("Pip" in llm.asked[-1].system, "Furo," in llm.asked[-1].system) == (True, False)
    assert chat.says("your name is Furo") == "Shall I be called Furo from now on?"
    assert telegram.replies()[-2] == "re: your name is Furo"
    assert chat.taps("Yes") == "Then I'm Furo from now on."
    assert "Furo" in chat.says("/settings")
