"""A model chosen in the chat: its key is sent in a message, which goes at once, and stays in one file alone."""

from __future__ import annotations

import pytest

from tests.e2e.program import Program
from tests.emulators.llm import LLMEmulator, Say, answers
from tests.emulators.telegram import TelegramEmulator
from tests.support.files import contents
from tests.support.taps import Chat

pytestmark = [pytest.mark.e2e, pytest.mark.slow]

WRONG, RIGHT = "sk-ant-api03-wrong-4b1d9c7e2f50", "sk-ant-api03-right-9f2e7c1b4d81"
ANOTHER = "sk-or-v1-27aa3be15d90cc41e0f3"
KEYS = (WRONG, RIGHT, ANOTHER)


def test_a_key_sent_in_the_chat_gives_it_a_mind_and_is_found_nowhere_else(
    program: Program, telegram: TelegramEmulator, llm: LLMEmulator
) -> None:
    program.set(OPENAI_API_KEY=None, OPENAI_BASE_URL=None, FUROSHIKI_MODEL_CHAT=None)
    program.set(ANTHROPIC_BASE_URL=llm.anthropic_url, FUROSHIKI_LOG_LEVEL="debug")
    llm.when(lambda asked: asked.key == WRONG, answers.unauthorized())
    llm.when(lambda asked: asked.schema is None, Say("The model speaks."))
    listener = program.listening()
    chat = Chat(program, telegram)
    said = chat.says("/start")
    while "Which one should I think with?" not in said:
        said = chat.taps("Skip")
    assert "No language model answers for me yet." in said and "Anthropic $4–8" in said
    assert "You can create keys here" in chat.taps("I'll send you a key")
    assert "Anthropic does not accept that key" in chat.says(WRONG)
    said = chat.says(f"here it is: {RIGHT}")
    assert "“The model speaks.” From now on I think with claude" in said and "May I write first" in said
    assert "How was your day?" in chat.taps("Skip")
    assert chat.says("and what do you say now?") == "The model speaks."
    assert "I think with claude" in chat.says("/mind")
    chat.taps("Leave as is")

    assert "That key is from OpenRouter." in chat.says(ANOTHER)
    assert "I forgot the key" in chat.taps("No")
    told = chat.says(f"{'my notes of a long day with many words in them: ' * 2}{ANOTHER}")
    assert "Your message contains a key" in "\n".join(telegram.replies()[-2:]) and told

    assert listener.alive(), "it holds without a restart"
    left = [one.text for one in telegram.chat() if one.author == "user"]
    assert not any(one in text for text in left for one in (WRONG, RIGHT)) and ANOTHER not in left
    kept = [(path.name, one) for path, held in contents(program.data) for one in KEYS if one.encode() in held]
    assert kept == [(".env", RIGHT)]
    assert (program.data / ".env").stat().st_mode & 0o777 == 0o600
    assert RIGHT not in listener.log and WRONG not in listener.log
