"""What is written into `.env` holds from the next message on, without a restart."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.e2e.program import Program
from tests.emulators.llm import LLMEmulator, Say, answers
from tests.emulators.telegram import TelegramEmulator

pytestmark = [pytest.mark.e2e, pytest.mark.slow]


@pytest.fixture
def keyless(program: Program) -> Iterator[Program]:
    """Nothing about models in the environment: that would hold before any file."""
    program.set(OPENAI_API_KEY=None, OPENAI_BASE_URL=None, FUROSHIKI_MODEL_CHAT=None)
    yield program


def write(program: Program, llm: LLMEmulator, **values: str) -> None:
    said = {"OPENAI_BASE_URL": llm.openai_url, "FUROSHIKI_MODEL_CHAT": "openai:test-model", **values}
    program.data.mkdir(exist_ok=True)
    (program.data / ".env").write_text("".join(f"{name}={value}\n" for name, value in said.items()))


def ask(program: Program, telegram: TelegramEmulator, text: str) -> str:
    before = len(telegram.replies())
    telegram.say(text)
    telegram.wait_for(lambda: len(telegram.replies()) > before)
    program.wait_quiet()
    return telegram.replies()[-1]


def test_a_key_that_was_mended_answers_the_next_message(
    keyless: Program, telegram: TelegramEmulator, llm: LLMEmulator
) -> None:
    llm.when(lambda asked: asked.key == "sk-wrong-key", answers.unauthorized())
    llm.when(lambda asked: asked.schema is None, Say("The model speaks."))
    write(keyless, llm, OPENAI_API_KEY="sk-wrong-key")
    listener = keyless.listening()
    assert "model speaks" not in ask(keyless, telegram, "good morning")
    write(keyless, llm, OPENAI_API_KEY="sk-right-key")
    assert ask(keyless, telegram, "and now?") == "The model speaks."
    assert listener.alive()
    assert "sk-" not in "".join(path.read_text() for path in (keyless.data / "logs").glob("*.log"))


def test_a_model_that_is_given_later_and_taken_away_again(
    keyless: Program, telegram: TelegramEmulator, llm: LLMEmulator
) -> None:
    llm.when(lambda asked: asked.schema is None, Say("The model speaks."))
    keyless.listening()
    assert "model speaks" not in ask(keyless, telegram, "good morning")
    write(keyless, llm, OPENAI_API_KEY="sk-right-key", FUROSHIKI_COMPANION_NAME="Nemo")
    assert ask(keyless, telegram, "and now?") == "The model speaks."
    assert "Nemo" in ask(keyless, telegram, "/settings")
    (keyless.data / ".env").write_text("FUROSHIKI_MODEL_CHATT=openai:test-model\n")
    assert ask(keyless, telegram, "still there?") == "The model speaks."
    (keyless.data / ".env").unlink()
    assert "model speaks" not in ask(keyless, telegram, "and now?")
