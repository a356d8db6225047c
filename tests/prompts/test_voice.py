"""The whole prompt, as a model reads it, in six states that could not be more different.

Read the files in tests/prompts/voices one after another: the same companion should speak in each, in another mood.
`pytest tests/prompts --update-golden` rewrites them.
"""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest

from furoshiki.conversation.rules.reciting import strip_recitals
from furoshiki.core.paths import ROOT
from furoshiki.feelings.rules.mood import WORDS, Mood
from furoshiki.feelings.rules.needs import NEEDS
from furoshiki.feelings.rules.user_needs import DIMENSIONS
from furoshiki.language.tokens import estimate
from furoshiki.models.llm.values import Question
from furoshiki.world import World
from tests.prompts.voices import VOICES, live
from tests.support.world import FrozenClock, Human, Script

HERE = Path(__file__).parent / "voices"
FIRST_TOKENS = 3200
"""What the first message of a conversation may cost, skills included."""


def asked(model: Script) -> Question:
    assert model.questions, "nothing was asked"
    return next(one for one in reversed(model.questions) if one.purpose == "turn")


def page(question: Question) -> str:
    """The prompt as a page: the blocks, the conversation, the last message; what is cached ends in a line."""
    parts = []
    for block in question.system:
        parts += [block.text, *(["~~~ cached up to here ~~~"] if block.cache else [])]
    for message in question.messages:
        parts += [f"[{message.role}]\n{message.text}", *(["~~~ cached up to here ~~~"] if message.cache else [])]
    return "\n\n".join(parts) + "\n"


def tokens(question: Question) -> int:
    skills = [{"name": one.name, "description": one.description, "schema": dict(one.schema)} for one in question.tools]
    return estimate(page(question)) + estimate(json.dumps(skills))


async def spoken_to(world: World, human: Human, model: Script, name: str) -> Question:
    voice = VOICES[name]
    live(world, voice)
    await human.says(voice.message)
    return asked(model)


@pytest.mark.parametrize("name", VOICES)
async def test_a_voice_is_the_one_that_was_reviewed(
    name: str, world: World, human: Human, model: Script, request: pytest.FixtureRequest
) -> None:
    question = await spoken_to(world, human, model, name)
    text, path = page(question), HERE / f"{name.replace(' ', '-')}.md"
    if request.config.getoption("--update-golden"):
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    assert path.read_text(encoding="utf-8") == text, "look at the difference, then run with --update-golden"
    assert _words_of(VOICES[name].mood) in question.messages[-1].text
    assert tokens(question) <= FIRST_TOKENS


def test_no_voice_is_left_over() -> None:
    assert {path.stem for path in HERE.glob("*.md")} == {name.replace(" ", "-") for name in VOICES}


@pytest.mark.parametrize("name", VOICES)
def test_no_dial_stands_in_a_prompt(name: str) -> None:
    """What is not shown cannot be recited."""
    said = (HERE / f"{name.replace(' ', '-')}.md").read_text(encoding="utf-8")
    assert re.findall(r"(?<![\w:.])[01]?\.\d+|\d+ ?%", said) == []
    assert not re.search(rf"\b(?:{'|'.join((*DIMENSIONS, *NEEDS))})\b ?[:=]", said)
    for line in said.splitlines():
        assert strip_recitals(line) == line


async def test_whatever_the_mood_what_was_paid_for_before_is_the_same_to_the_byte(
    world: World, human: Human, model: Script, clock: FrozenClock
) -> None:
    live(world, VOICES["playful in a warm streak"])
    before: Question | None = None
    for word in WORDS:
        clock.pass_(minutes=2)
        world.state.change(lambda beat: replace(beat, mood=Mood(word, world.now)))  # noqa: B023 - called at once
        await human.says("and then?")
        now = asked(model)
        assert _words_of(word) in now.messages[-1].text
        assert not any(_words_of(other) in block.text for other in WORDS for block in now.system)
        if before is not None:
            assert now.system == before.system
            kept = [message.text for message in before.messages[:-1]]
            assert [message.text for message in now.messages[: len(kept)]] == kept
        before = now


async def test_who_it_is_stands_first_and_is_the_same_for_everybody(world: World, human: Human, model: Script) -> None:
    first = (await spoken_to(world, human, model, "newborn")).system[0]
    assert first.cache
    for name, voice in VOICES.items():
        whole = (HERE / f"{name.replace(' ', '-')}.md").read_text(encoding="utf-8")
        assert whole.startswith(first.text) is (voice.own_words is None)


def _words_of(mood: str) -> str:
    return (ROOT / "prompts" / "_parts" / "mood" / f"{mood}.md.j2").read_text(encoding="utf-8").strip()
