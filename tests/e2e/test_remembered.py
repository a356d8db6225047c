"""What the owner says is known days later, with its source; it changes, and it can be forgotten for good."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from furoshiki.core.paths import ROOT
from tests.e2e.days import Later
from tests.e2e.program import Running
from tests.emulators.llm import LLMEmulator
from tests.emulators.telegram import Message, TelegramEmulator
from tests.support.files import contents

pytestmark = [pytest.mark.e2e, pytest.mark.slow]

MODEL = ("OPENAI_API_KEY", "OPENAI_BASE_URL", "FUROSHIKI_MODEL_CHAT")


class House:
    """One installation whose days pass when a test says so; without a model on days that do not ask for one."""

    def __init__(self, data: Path) -> None:
        self.day = 0.0
        self.telegram = TelegramEmulator(clock=lambda: time.time() + self.day * 86_400)
        self.llm = LLMEmulator()
        self.program = Later(data, self.telegram, self.llm)
        self._model = {name: self.program.environment[name] for name in MODEL}
        self.program.set(PYTHONPATH=f"{ROOT / 'tests' / 'e2e' / 'later'}:{ROOT}")
        self._listener: Running | None = None

    def wake(self, day: float, with_model: bool = False) -> None:
        """Let it be that day: the listener is stopped and started again."""
        if self._listener is not None:
            self._listener.stop()
        self.day = day
        self.program.set(DAYS_LATER=str(day), **(self._model if with_model else dict.fromkeys(MODEL)))
        self._listener = self.program.listening("listen")

    def ask(self, text: str) -> Message:
        """Say something and wait for the one reply."""
        return self._answer_to(lambda: self.telegram.say(text))

    def press(self, message: Message, label: str) -> Message:
        """Press a button and wait for what is said to it."""
        [data] = [one["callback_data"] for row in message.buttons for one in row if one["text"] == label]
        return self._answer_to(lambda: self.telegram.press(message.id, data))

    def night(self, *scripts: str, hours: float) -> None:
        """Run scripts some hours after now."""
        for script in scripts:
            at = datetime.now(UTC) + timedelta(days=self.day, hours=hours)
            ran = self.program.run("run", script, "--now", at.isoformat())
            assert ran.returncode == 0, ran.stderr

    def prompt(self, text: str) -> str:
        """Everything a model is sent when this is said."""
        before = len(self.llm.requests)
        self.ask(text)
        return "\n".join(json.dumps(one.body, ensure_ascii=False) for one in self.llm.requests[before:])

    def found(self, query: str) -> list[dict[str, str]]:
        """What `furoshiki memory search` finds."""
        ran = self.program.run("memory", "search", query, "--json")
        assert ran.returncode == 0, ran.stderr
        found: list[dict[str, str]] = json.loads(ran.stdout)
        return found

    def _answer_to(self, gesture: Callable[[], object]) -> Message:
        before = len(self._said())
        gesture()
        self.program.wait_for(lambda: len(self._said()) > before, what="the reply")
        self.program.wait_quiet()
        return self._said()[-1]

    def _said(self) -> list[Message]:
        return [message for message in self.telegram.chat() if message.author == "bot"]


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    here = House(tmp_path / "data")
    with here.telegram, here.llm, here.program:
        yield here
        print(here.program.picture())


def test_told_on_one_day_known_on_another_changed_and_forgotten(house: House) -> None:
    house.wake(0)
    for told in ("hi", "I'm Noor", "I live in Paris", "my sister is called Anita", "my favourite tea is oolong"):
        house.ask(told)
    house.night("flush_scratch", "run_post_conversation", "consolidate_light", hours=2)
    house.night("consolidate_memory", hours=25)

    house.wake(3)
    assert "Paris" in house.ask("where do I live?").text
    why = house.ask("/why all").text
    [told] = house.program.rows("SELECT id FROM turns WHERE text='I live in Paris'")
    [fact] = house.program.rows("SELECT id FROM memories WHERE object='Paris'")
    assert f"turn:{told['id']}" in why and "I live in Paris" in why
    ran = house.program.run("memory", "why", str(fact["id"]))
    assert f"turn:{told['id']}" in ran.stdout and "I live in Paris" in ran.stdout
    assert "Lyon" in house.ask("I moved to Lyon").text
    assert "Anika" in house.ask("no, my sister is called Anika, not Anita").text
    assert "Lyon" in house.ask("where do I live?").text
    house.night("flush_scratch", "run_post_conversation", "consolidate_light", hours=2)
    house.night("consolidate_memory", hours=25)

    house.wake(6)
    before = house.ask("where did I live before?").text
    assert "Paris" in before
    assert "Anika" in house.ask("what's my sister's name?").text

    house.wake(9, with_model=True)
    [now] = house.program.rows("SELECT id FROM memories WHERE object='Lyon' AND status='active'")
    prompt = house.prompt("what do you think of where I live, and of where I lived?")
    assert prompt.count(f"[memory:{now['id']} ·") == 1, "what is known stands there once, with its id"
    assert prompt.count(f"[memory:{fact['id']} ·") == 1 and "not now] The user lives in Paris." in prompt
    assert "user's sister is called Anita" not in prompt, "it was never true"

    question = house.ask("/forget Lyon")
    assert "I moved to Lyon" in question.text and "You live in Lyon" in question.text and "memory:" not in question.text
    assert "Forgotten" in house.press(question, "Forget it").text
    assert "Lyon" not in house.prompt("what do you think of where I live, and of where I lived?")
    assert not [one for one in house.found("Lyon") if "Lyon" in one["text"]]

    house.wake(10)
    assert "Lyon" not in house.ask("where do I live?").text
    held = b"".join(content for _, content in contents(house.program.data / "memory"))
    assert b"Lyon" not in held
    assert b"oolong" in held, "and nothing else went with it"
