"""A model that takes neither tools nor pictures nor a long prompt, met through the whole program."""

from __future__ import annotations

import json

import pytest

from tests.e2e.program import Program
from tests.emulators.llm import LLMEmulator, Request, answers
from tests.emulators.llm.answers import Answer, Fault
from tests.emulators.telegram import TelegramEmulator

pytestmark = [pytest.mark.e2e, pytest.mark.slow]


def refusal(status: int, words: str) -> Fault:
    """A refusal in a server's own words."""
    return answers.raw(json.dumps({"error": {"message": words, "type": "api_error"}}).encode(), status)


NO_TOOLS = refusal(400, "registry.ollama.ai/library/test-model does not support tools")
NO_EYES = refusal(404, "No endpoints found that support image input")
TOO_LONG = refusal(400, "This model's maximum context length is 2048 tokens. Please reduce the length.")


def model(request: Request) -> Answer:
    """What such a model answers: its tools it calls in words."""
    if request.tools:
        return NO_TOOLS
    if "image_url" in json.dumps(request.body):
        return NO_EYES
    if "a long story" in request.words and len(request.prompt) > 2048 * 4:
        return TOO_LONG
    if "shopping" in request.words and not any("<tool_result>" in turn.text for turn in request.turns):
        args = {"action": "add", "list": "shopping", "items": ["milk"]}
        return f"<tool_call>{json.dumps({'name': 'list', 'arguments': args})}</tool_call>"
    return "What is on it? I cannot see it." if "cannot see pictures" in request.prompt else "Done."


def test_a_small_model_is_asked_in_what_it_takes(
    program: Program, llm: LLMEmulator, telegram: TelegramEmulator
) -> None:
    llm.script = model
    program.listening(timeout=150.0)

    def answered(number: int) -> str:
        telegram.wait_for(lambda: len(telegram.replies()) >= number, 150.0)
        program.wait_quiet()
        return telegram.replies()[-1]

    telegram.say("put milk on the shopping list")
    assert "Done" in answered(1)
    assert [row["title"] for row in program.rows("SELECT title FROM tasks")] == ["milk"]
    telegram.photo()
    assert answered(2) == "What is on it? I cannot see it."
    telegram.say("a long story: " + "and then it rained " * 200)
    assert answered(3) == "Done."
    telegram.say("/status")
    told = answered(4)
    assert "takes no tools" in told and "cannot see pictures" in told and "tokens at once" in told
    assert not [row for row in program.rows("SELECT error FROM llm_calls WHERE purpose='turn'") if row["error"]]
