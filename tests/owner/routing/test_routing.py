"""Which way a message is answered, through the real turn: what is written, what the mind is told, what it weighs."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from furoshiki.conversation.values import REFLEX
from furoshiki.conversation.worker import Worker
from furoshiki.core.errors import NoMindAnswered
from furoshiki.models.llm.values import Answer, Question
from furoshiki.owner.routing.store import decisions
from furoshiki.owner.routing.store.decisions import Decision
from furoshiki.owner.routing.tie_form import Choice
from furoshiki.owner.routing.values import Mode
from furoshiki.world import World
from tests.support.meaning import Meant
from tests.support.world import FrozenClock, Human, Script


def written(world: World) -> list[Decision]:
    """All decisions, newest first."""
    with world.database.read() as db:
        return decisions.in_chat(db, "telegram", "7", 99)


async def test_a_message_is_routed_and_the_mind_is_told_of_it(world: World, human: Human, model: Script) -> None:
    model.lines = ["Hi Noor.", "It is on your list."]
    await human.says("hi, I'm Noor and I have just moved to Lisbon")
    await human.says("add rye bread to my shopping list")
    second, first = written(world)
    assert (first.mode, second.mode) == ("RESPOND", "ACT")
    assert second.signals["action_intent"] is True and second.signals["tokens"] == 7
    assert second.scores["ACT"] > second.scores["RESPOND"] > second.scores["CLARIFY"]
    assert second.warmth == pytest.approx(0.5 / 3) and 0 < second.margin < 0.3 and second.ms < 1000
    assert (second.path, second.acted) == ("unified", True)
    assert "They want something done, not talked about" in model.questions[1].messages[-1].text
    assert "something done" not in model.questions[0].messages[-1].text


async def test_a_sign_is_enough_for_thanks_and_not_for_a_greeting(world: World, human: Human, model: Script) -> None:
    await human.says("Hi")
    assert "beyond a sign" not in model.last_words and written(world)[0].mode == "ACKNOWLEDGE"
    await human.says("I finally slept through the night")
    await human.says("thanks!")
    assert "beyond a sign" in model.last_words


@pytest.mark.parametrize(
    ("before", "said", "mode"),
    [
        ([], "do the usual", "CLARIFY"),
        ([], "that thing", "CLARIFY"),
        (["Hi!"], "that thing", "CLARIFY"),
        ([], "mach das Übliche", "CLARIFY"),
        (["I painted the kitchen chairs green today"], "What should I do about it?", "RESPOND"),
        (["I painted the kitchen chairs green today"], "brilliant, exactly what I needed", "ACKNOWLEDGE"),
        ([], "super, genau das hab ich gebraucht", "ACKNOWLEDGE"),
        (["Hi!"], "brilliant, now the car won't start either", "RESPOND"),
    ],
)
async def test_what_names_nothing_is_asked_back_about_and_thanks_are_known_by_their_meaning(
    world: World, human: Human, model: Script, before: list[str], said: str, mode: Mode
) -> None:
    human.worker.world = replace(world, vectors=Meant())
    for one in before:
        await human.says(one)
    await human.says(said)
    assert written(world)[0].mode == mode
    hint = {"CLARIFY": "one short question", "ACKNOWLEDGE": "beyond a sign"}.get(mode)
    assert hint is None or hint in model.last_words


async def test_what_they_answer_to_is_something_it_can_mean(world: World, human: Human, model: Script) -> None:
    human.worker.world = replace(world, vectors=Meant())
    model.lines = ["Which one shall it be, the red or the blue?"]
    await human.says("Hi!")
    await human.says("that thing")
    assert written(world)[0].mode == "RESPOND"


async def test_no_hint_is_given_where_they_are_switched_off(world: World, human: Human, model: Script) -> None:
    settings = world.settings.model_copy(update={"furoshiki_router_hints": False})
    human.worker.world = replace(world, settings=settings)
    await human.says("add rye bread to my shopping list")
    assert "something done" not in model.last_words
    assert written(world)[0].mode == "ACT", "it is still written down"


async def test_why_tells_which_way_it_was_taken(human: Human) -> None:
    await human.says("remind me to call Anika on Sunday at ten")
    [told] = await human.says("/why all")
    assert "I took your message as something to do or look up: you asked for something to be done." in told


async def test_nobody_says_they_do_not_know_before_they_have_looked(world: World, human: Human, model: Script) -> None:
    model.lines = ["Hi.", "How nice.", "I don't know your shoe size.", "I looked and found nothing: what is it?"]
    await human.says("I went to the island with my sister")
    await human.says("we walked for hours")
    assert await human.says("what's my shoe size?") == ["I looked and found nothing: what is it?"]
    asked, told = model.questions[-2:]
    assert "Search with `recall` before you say" in asked.messages[-1].text
    assert [call.name for call in told.messages[-2].calls] == ["recall"] and told.messages[-1].role == "tool"
    found = written(world)[0]
    assert found.signals["about_them"] is True and found.signals["sure"] < 0.15 and found.acted is True


@pytest.mark.parametrize(
    ("said", "answer"),
    [
        ("what's my shoe size?", "Forty-one, you said so in spring."),
        ("what's the longest river of Mongolia?", "I don't know that one."),
    ],
)
async def test_one_look_is_enough_and_only_for_what_is_theirs(
    human: Human, model: Script, said: str, answer: str
) -> None:
    model.lines = ["Hi.", "How nice.", answer]
    await human.says("I went to the island with my sister")
    await human.says("we walked for hours")
    assert await human.says(said) == [answer] and len(model.questions) == 3


def by_router(world: World, human: Human) -> None:
    settings = world.settings.model_copy(update={"furoshiki_user_path": "router"})
    human.worker.world = replace(world, settings=settings)


@pytest.mark.parametrize(
    ("said", "mode", "tools", "told"),
    [
        ("add rye bread to my shopping list", "ACT", None, "something is to be done or looked up"),
        ("I went to the island with my sister", "RESPOND", {"introspect", "memorize", "recall"}, "with words"),
        ("do it again", "CLARIFY", {"recall"}, "one short question"),
        ("hello!", "ACKNOWLEDGE", set(), "show that you heard them"),
    ],
)
async def test_on_the_routers_path_the_mode_picks_prompt_and_skills(
    world: World, human: Human, model: Script, said: str, mode: str, tools: set[str] | None, told: str
) -> None:
    by_router(world, human)
    await human.says(said)
    question = model.questions[0]
    offered = {tool.name for tool in question.tools}
    assert (offered == tools) if tools is not None else {"schedule", "list", "recall"} <= offered
    words = " ".join(question.messages[-1].text.split())
    assert f"How to answer this one: {told}" in words or told in words
    assert (written(world)[0].mode, written(world)[0].path) == (mode, "router")


async def test_an_empty_message_is_silence_on_the_routers_path(world: World, human: Human, model: Script) -> None:
    by_router(world, human)
    assert await human.says(" \u200b ") == []
    assert written(world)[0].mode == "IGNORE" and not model.questions


@pytest.mark.parametrize(
    ("said", "decided"),
    [("RESPOND", ("RESPOND", "model")), ("ACT", ("CLARIFY", "score")), (None, ("CLARIFY", "score"))],
)
async def test_a_small_model_decides_what_the_classifier_does_not_on_the_routers_path(
    world: World, human: Human, model: Script, said: Mode | None, decided: tuple[Mode, str]
) -> None:
    """Asked is only where the mode decides something; a mode that was not close, and no answer, leave it as it is."""

    async def asked(question: Question, show: Any = None) -> Answer:
        if question.purpose != "routing":
            return await model(question, show)
        if said is None:
            raise NoMindAnswered("nobody is there")
        return Answer("", "stop", "test", "small", "micro", parsed=Choice(mode=said))

    by_router(world, human)
    human.worker.world = replace(human.worker.world, ask=asked)
    await human.says("can you?")
    assert (written(world)[0].mode, written(world)[0].tie_break) == decided


async def test_no_word_of_not_knowing_is_seen_before_it_has_looked(human: Human, model: Script, stage: Any) -> None:
    model.lines = ["I don't know, you never told me.", "Her name is Anika, I looked it up."]
    assert await human.says("What's my sister called?") == ["Her name is Anika, I looked it up."]
    assert stage.texts and not any("never told" in text for text in stage.texts)


async def test_what_the_built_in_mind_answered_moves_no_number_and_is_told_by_nobody(
    world: World, human: Human, model: Script, clock: FrozenClock
) -> None:
    """It reads no hints: whatever is said of its answers says nothing of the way they were taken."""

    async def reflex(question: Question, show: Any = None) -> Answer:
        return Answer("Mhm.", "stop", REFLEX, REFLEX, question.tier)

    await human.says("I went to the island with my sister")
    human.worker = Worker(replace(world, ask=reflex))
    for number in range(12):
        clock.pass_(minutes=3)
        await human.says(f"My day number {number} was long and the harbour was full of boats.")
    await human.says("thanks, that helped")
    [told] = await human.says("/why all")
    assert "I took your message" not in told
    assert [one.source_tag for one in written(world)] == [*["reflex"] * 13, "user"]


async def test_a_small_models_choice_goes_on_record_also_after_a_crash(
    world: World, human: Human, model: Script, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Died(BaseException):
        pass

    async def asked(question: Question, show: Any = None) -> Answer:
        if question.purpose != "routing":
            return await model(question, show)
        return Answer("", "stop", "test", "small", "micro", parsed=Choice(mode="RESPOND"))

    def die(at: str) -> None:
        if at == "turn.journaled":
            raise Died

    by_router(world, human)
    routed = human.worker.world = replace(human.worker.world, ask=asked)
    monkeypatch.setattr("furoshiki.conversation.turn.point", die)
    human.writes("can you?")
    with pytest.raises(Died):
        await human.worker.step()
    monkeypatch.undo()
    again = Worker(routed)
    again.recover()
    assert await again.step()
    assert [(one.mode, one.tie_break) for one in written(world)] == [("RESPOND", "model")]


@pytest.mark.parametrize("place", ["turn.point:turn.journaled", "commit.point:turn.before_commit"])
async def test_a_turn_that_is_begun_again_after_a_crash_is_routed_once(
    world: World, human: Human, model: Script, monkeypatch: pytest.MonkeyPatch, place: str
) -> None:
    class Died(BaseException):
        pass

    where, name = place.split(":")

    def die(at: str) -> None:
        if at == name:
            raise Died

    monkeypatch.setattr(f"furoshiki.conversation.{where}", die)
    human.writes("add rye bread to my shopping list")
    with pytest.raises(Died):
        await human.worker.step()
    assert written(world) == []
    monkeypatch.undo()
    again = Worker(world)
    again.recover()
    assert await again.step()
    assert [(one.mode, one.turn_key) for one in written(world)] == [("ACT", "inbox:1")]
    assert len(model.questions) == 2, "once, and once more since it had done nothing"
