"""A reader that never ends: the process that hangs is ended and started again, and the message is set aside.

What hangs is a real runaway pattern, which holds the interpreter so that no Python can stop it.
"""

from __future__ import annotations

import pytest

from tests.e2e.program import Program
from tests.emulators.llm import LLMEmulator, Say
from tests.emulators.telegram import TelegramEmulator

pytestmark = [pytest.mark.faults, pytest.mark.slow, pytest.mark.timeout(600)]

HANGING = {"FUROSHIKI_HANG_AT": "perceive:marzipan", "FUROSHIKI_STALLED_SECONDS": "10"}
"""Long enough for imports on a busy machine, which are no standstill."""
HANGING_WARM = {**HANGING, "FUROSHIKI_STALLED_SECONDS": "3"}
"""Where nothing is left to be imported."""
SET_ASIDE = "Something in me breaks every time I try to answer your message"


@pytest.mark.nightly
def test_a_message_that_hangs_the_mind_is_set_aside_and_the_next_is_answered(
    program: Program, telegram: TelegramEmulator, llm: LLMEmulator
) -> None:
    llm.script = lambda _request: Say("I am well.")
    up = program.listening("up", **HANGING)
    telegram.say("do you like marzipan?")
    telegram.say("how are you?")
    program.wait_for(lambda: "I am well." in telegram.replies(), 300, "the answer to the second message")
    program.wait_quiet(60)

    assert sum(reply.startswith(SET_ASIDE) for reply in telegram.replies()) == 1
    assert telegram.replies().count("I am well.") == 1
    assert up.log.count("listen ended with status 1") == 3
    states = program.rows("SELECT state, attempts FROM inbox WHERE kind='text' ORDER BY id")
    assert [row["state"] for row in states] == ["dead", "done"]
    assert states[0]["attempts"] == 3
    assert states[1]["attempts"] <= 1, "where it waited with the first it broke with it once, and then was by itself"
    where = (program.data / "logs" / "stalled.log").read_text("utf-8")
    assert "crash_points.py" in where and "perceive.py" in where


def test_a_chat_that_hangs_ends_with_plain_words_and_goes_on_after_the_third_time(
    program: Program, llm: LLMEmulator
) -> None:
    llm.script = lambda _request: Say("I am well.")
    for said in ("do you like marzipan?", "are you there?", "hello?"):
        ended = program.run("chat", "--once", said, timeout=200, **HANGING_WARM)
        assert ended.returncode == 1
        assert "The chat stopped in the middle of something" in ended.stderr
    answered = program.run("chat", "--once", "how are you?", timeout=200, **HANGING_WARM)
    assert (answered.returncode, answered.stdout.strip(), answered.stderr) == (0, "I am well.", "")
    states = program.rows("SELECT state, count(*) AS n FROM inbox WHERE kind='text' GROUP BY state ORDER BY state")
    assert [(row["state"], row["n"]) for row in states] == [("dead", 1), ("done", 3)]
    assert program.value("SELECT count(*) FROM outbox WHERE text LIKE ?", f"{SET_ASIDE}%") == 1
