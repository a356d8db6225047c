"""What was told stays known, and whatever dies is started again."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path

import pytest

from tests.e2e import processes
from tests.e2e.program import Program, numbers
from tests.emulators.llm import LLMEmulator, Say
from tests.emulators.telegram import TelegramEmulator
from tests.support.forked_program import ForkedProgram

pytestmark = [pytest.mark.e2e, pytest.mark.slow]


def test_a_name_told_in_one_run_is_known_in_the_next_without_any_key(tmp_path: Path) -> None:
    with ForkedProgram(tmp_path / "data") as program:
        first = program.run("chat", "--once", "Hi, my name is Noor and I keep bees.")
        assert first.returncode == 0, first
        second = program.run("chat", "--once", "What is my name?")
        assert "Noor" in second.stdout, second


def test_the_name_is_before_the_model_after_a_restart(
    program: Program, telegram: TelegramEmulator, llm: LLMEmulator
) -> None:
    listener = program.listening()
    telegram.say("please call me Noor")
    telegram.wait_for(lambda: telegram.replies())
    program.wait_quiet()
    assert listener.stop() == 0
    program.listening()
    telegram.say("hello again")
    telegram.wait_for(lambda: len(telegram.replies()) == 2)
    assert "Noor" in llm.asked[-1].turns[-1].text.partition("<message>")[0]


def test_a_listener_that_dies_is_started_again_and_owes_nothing(
    program: Program, telegram: TelegramEmulator, llm: LLMEmulator
) -> None:
    up = program.listening("up")
    llm.script = lambda request: Say(f"re: {request.words}", delay=1.0)
    telegram.say("message 1")
    llm.wait_for(lambda: llm.requests)
    os.kill(program.process("listen"), signal.SIGKILL)
    telegram.say("message 2")
    telegram.wait_for(lambda: sorted(numbers(telegram.replies())) == [1, 2])
    program.wait_quiet()
    assert sorted(numbers(telegram.replies())) == [1, 2]
    assert "listen was ended by signal 9" in up.log


def test_a_killed_supervisor_takes_its_children_along(program: Program, telegram: TelegramEmulator) -> None:
    up = program.listening("up")
    children = [program.process("listen"), program.process("brain")]
    up.kill()
    program.wait_for(lambda: not any(processes.command(pid) for pid in children), what="the children to end")
    program.listening("up")
    telegram.say("message 1")
    telegram.wait_for(lambda: numbers(telegram.replies()) == [1])


def test_an_orderly_stop_answers_nothing_twice(program: Program, telegram: TelegramEmulator) -> None:
    """Stopped while messages pour in, several times."""
    number = 0
    for _ in range(3):
        listener = program.listening()
        for _ in range(4):
            number += 1
            telegram.say(f"message {number}")
            time.sleep(0.15)
        assert listener.stop() == 0
    program.listening()
    program.wait_quiet()
    assert numbers(telegram.replies()) == list(range(1, number + 1))
