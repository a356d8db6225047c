"""Every way in which a model may fail: the user always gets one honest answer, and nothing invented."""

from __future__ import annotations

import functools
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from furoshiki.models.llm import gateway
from furoshiki.models.llm.attempt import Breaker
from tests.e2e.program import KEY, Program
from tests.emulators.llm import Answer, LLMEmulator, Request, answers
from tests.emulators.telegram import TelegramEmulator
from tests.support.extent import NIGHTLY
from tests.support.forked_program import ForkedProgram, command

pytestmark = [pytest.mark.faults, pytest.mark.slow]

GOOD = "Here is a proper answer."
IMPATIENT = "[patience]\nfirst_sign_s = { chat = 1.0 }\nstall_s = 1.0\n"


@dataclass(frozen=True)
class Passing:
    """A fault that is over after `times` calls: the model's own answer must come through."""

    name: str
    fault: Answer
    times: int = 1


PASSING = (
    Passing("429", answers.too_many(retry_after=1)),
    Passing("429 without a hint", answers.too_many(retry_after=None), 2),
    Passing("overloaded", answers.overloaded(), 2),
    Passing("internal error", answers.server_error(), 2),
    Passing("bad gateway", answers.bad_gateway()),
    Passing("silence", answers.hang()),
    Passing("reset", answers.reset(), 2),
    Passing("garbage", answers.garbage()),
    Passing("wrong types", answers.wrong_types()),
    Passing("truncated", answers.truncated()),
    Passing("torn", answers.truncated(clean=False)),
    Passing("error in the stream", answers.stream_error()),
    Passing("empty", answers.empty()),
)
EACH_TIME = {"429", "internal error", "silence", "torn", "empty"}
"""Refused, broken, silent, half said and said without a word."""

OF_EACH_KIND = [one for one in PASSING if NIGHTLY or one.name in EACH_TIME]
"""What fails again and again; each single fault of all these is met every time, and passes."""

FINAL = (
    Passing("429 for an hour", answers.too_many(retry_after=3600)),
    Passing("wrong key", answers.unauthorized()),
    Passing("no credit", answers.no_credit()),
    Passing("10 MB", answers.huge()),
)
"""Nothing that trying again would mend."""

HALF = ("I was just about to", "One moment", "half", "Traceback", "Error")
"""Words of the broken answers, and of errors: none of them may reach the user."""


@pytest.fixture
def impatient(program: Program) -> Program:
    """A program that waits a second where it would wait half a minute."""
    program.set(TELEGRAM_BOT_TOKEN=None, TELEGRAM_API_URL=None, TELEGRAM_OWNER_ID=None)
    (program.data / "config").mkdir(parents=True)
    (program.data / "config" / "models.toml").write_text(IMPATIENT)
    return program


def lines(program: Program, *said: str) -> list[dict[str, Any]]:
    """What `furoshiki chat` answers to lines from a pipe; it must have exited well and kept the key to itself."""
    done = program.run("chat", "--json", input_text="".join(f"{line}\n" for line in said), timeout=180.0)
    assert done.returncode == 0, done
    assert "Traceback" not in done.stderr
    assert KEY not in done.stdout + done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


def failing(cases: Sequence[Passing], n: int | None) -> Callable[[Request], Answer]:
    """A model that fails for messages that hold a case's name: so often as the case says, or `n` times."""
    left = {case.name: n or case.times for case in cases}

    def answer(request: Request) -> Answer:
        for case in cases:
            if request.tools and request.words == f"try: {case.name}" and left[case.name]:
                left[case.name] -= 1
                return case.fault
        return GOOD

    return answer


def test_a_fault_that_passes_costs_time_and_nothing_else(impatient: Program, llm: LLMEmulator) -> None:
    llm.script = failing(PASSING, None)
    found = lines(impatient, *(f"try: {case.name}" for case in PASSING))
    assert {case.name: one["reply"] for case, one in zip(PASSING, found, strict=True)} == {
        case.name: GOOD for case in PASSING
    }
    assert len(llm.asked) == sum(case.times + 1 for case in PASSING)


def test_when_the_model_keeps_failing_the_built_in_mind_answers(impatient: Program, llm: LLMEmulator) -> None:
    """A good answer comes in between, as it would: else the fourth failure in a row shuts the model out for a while."""
    llm.script = failing(OF_EACH_KIND, 3)
    found = lines(impatient, *(line for case in OF_EACH_KIND for line in (f"try: {case.name}", "and now?")))
    assert [one["reply"] for one in found[1::2]] == [GOOD] * len(OF_EACH_KIND)
    for case, one in zip(OF_EACH_KIND, found[::2], strict=True):
        assert one["model"] is None, case.name
        assert one["reply"].strip(), case.name
        half = any(word in one["reply"] for word in HALF)
        assert not half or "My model broke off there" in one["reply"], (case.name, one["reply"])
    assert len(llm.asked) <= 4 * len(OF_EACH_KIND)
    assert impatient.value("SELECT count(*) FROM turns WHERE speaker='companion'") == len(found)


@pytest.mark.parametrize("case", FINAL, ids=lambda case: case.name)
def test_what_no_second_try_would_mend_is_tried_once(impatient: Program, llm: LLMEmulator, case: Passing) -> None:
    llm.break_with(case.fault, n=None)
    [first, second] = lines(impatient, "my sister is called Anika", "what is my sister called?")
    assert first["reply"].strip()
    assert "Anika" in second["reply"]
    assert not any(word in first["reply"] + second["reply"] for word in HALF)
    assert len(llm.asked) <= 2


def test_a_second_provider_takes_over(impatient: Program, llm: LLMEmulator) -> None:
    impatient.set(
        ANTHROPIC_API_KEY=KEY,
        ANTHROPIC_BASE_URL=llm.anthropic_url,
        FUROSHIKI_MODEL_CHAT="openai:test-model,anthropic:claude-haiku-5-5",
    )
    llm.script = [GOOD]
    llm.break_with(answers.server_error(), n=None, when=lambda request: request.api != "anthropic")
    assert lines(impatient, "hello")[0]["reply"] == GOOD
    assert llm.requests[-1].api == "anthropic"


def test_an_answer_cut_at_its_length_says_so(impatient: Program, llm: LLMEmulator) -> None:
    llm.script = [answers.cut_short("This answer goes on and")]
    assert lines(impatient, "tell me all")[0]["reply"] == "This answer goes on and …"


def test_a_refusal_of_the_provider_is_not_passed_off_as_silence(impatient: Program, llm: LLMEmulator) -> None:
    llm.script = [answers.refusal("")]
    assert lines(impatient, "do something terrible")[0]["reply"].strip()


def hopeful(*args: str) -> None:
    """`furoshiki …` that leaves a model alone for a second where it would for twenty."""
    setattr(gateway, "Breaker", functools.partial(Breaker, rest_s=1.0))  # noqa: B010 - in this process alone
    command(*args)


class Hopeful(ForkedProgram):
    """One installation of that kind."""

    work = staticmethod(hopeful)


def test_a_provider_that_comes_back_is_used_again(tmp_path: Path, telegram: TelegramEmulator, llm: LLMEmulator) -> None:
    """In Telegram, while the listener runs on: nobody waits longer than the tries take, and the model returns."""
    with Hopeful(tmp_path / "data", telegram, llm) as program:
        program.listening()
        _comes_back(program, telegram, llm)


def _comes_back(program: Program, telegram: TelegramEmulator, llm: LLMEmulator) -> None:
    llm.offline()
    for number in range(3):
        telegram.say(f"are you there? {number}")
        telegram.wait_for(lambda: len(telegram.replies()) == number + 1)  # noqa: B023 - called at once
    assert all(reply.strip() for reply in telegram.replies())
    llm.online()
    llm.script = lambda request: GOOD
    number = len(telegram.replies())

    def back() -> bool:
        nonlocal number
        telegram.say("and now?")
        number += 1
        telegram.wait_for(lambda: len(telegram.replies()) == number)
        return telegram.replies()[-1] == GOOD

    program.wait_for(back, what="the model")
