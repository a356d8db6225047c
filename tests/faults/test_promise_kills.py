"""What was ordered in plain words is done once by the real program, whatever its model does: one that claims it without
a call, one that knows tools, one that answers without them; and wherever the program is killed on the way."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from furoshiki.core.process.crash_points import CRASHED
from tests.emulators.llm import Call, LLMEmulator, Request, Say
from tests.emulators.telegram import TelegramEmulator
from tests.support.forked_program import ForkedProgram

pytestmark = [pytest.mark.faults, pytest.mark.slow]

POINTS = ["promises.done", "turn.answered", "turn.journaled", "turn.before_commit", "turn.after_commit"]
CLAIM = "Sure! I've put that on your shopping list."


def _is_talk(request: Request) -> bool:
    return request.system.startswith("You are Furo")


def _claims(request: Request) -> Any:
    return Say(CLAIM, pace=0.01) if _is_talk(request) else None


def _on_lists(program: ForkedProgram, what: str) -> int:
    return int(program.value(f"SELECT count(*) FROM tasks WHERE title = '{what}' AND state = 'open'"))


def test_what_was_only_claimed_is_done_once_wherever_the_program_dies(tmp_path: Path) -> None:
    with (
        TelegramEmulator() as telegram,
        LLMEmulator() as llm,
        ForkedProgram(tmp_path / "data", telegram, llm) as program,
    ):
        llm.script = _claims
        first = program.listening()
        telegram.say("hello")
        telegram.wait_for(lambda: telegram.replies())
        first.stop()
        for number, point in enumerate(POINTS):
            before = len(telegram.replies())
            dying = program.listening(FUROSHIKI_CRASH_AT=point)
            telegram.say(f"put {number + 2} xylophones on the shopping list")
            assert dying.wait() == CRASHED, point
            after = program.listening()
            telegram.wait_for(lambda: len(telegram.replies()) > before)  # noqa: B023 - called at once
            program.wait_quiet()
            [reply] = telegram.replies()[before:]
            # begun again after the act, the model says what is true by then
            assert (reply == CLAIM) == (point in ("promises.done", "turn.answered")), reply
            assert f"{number + 2} xylophones" in reply or reply == CLAIM
            assert _on_lists(program, f"{number + 2} xylophones") == 1, point
            after.stop()


def test_it_is_done_once_with_any_model(tmp_path: Path) -> None:
    with (
        TelegramEmulator() as telegram,
        LLMEmulator() as llm,
        ForkedProgram(tmp_path / "data", telegram, llm) as program,
    ):
        program.listening()
        called = Call("list", {"action": "add", "list": "shopping", "items": ["milk"]})
        answers: list[Any] = []

        def script(request: Request) -> Any:
            return answers.pop(0) if answers and _is_talk(request) else None

        llm.script = script
        for said, scripted, there, words in (
            ("put milk on the list", [called, Say("Milk is on the list.")], "milk", "Milk is on the list."),
            ("put eggs on the list", [Say("ok"), Say("ok")], "eggs", "ok\n\n"),
            ("add salt to the list", [Say("Sorry, I can't manage lists."), Say("I can't manage lists.")], "salt", ""),
        ):
            before = len(telegram.replies())
            answers[:] = scripted
            telegram.say(said)
            telegram.wait_for(lambda: len(telegram.replies()) > before)  # noqa: B023 - called at once
            program.wait_quiet()
            [reply] = telegram.replies()[before:]
            assert words in reply and there in reply.lower() and "can't" not in reply
            assert _on_lists(program, there) == 1
