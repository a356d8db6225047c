"""Many models say their words together with a call, and add little or nothing after its result."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from furoshiki.conversation.rules import speech
from furoshiki.models.llm.values import Answer, Question, ToolCall
from tests.support.world import Human, Script

KEPT = ToolCall("c1", "memorize", {"text": "Their husband Aldo is a baker."})
LOOKED = ToolCall("c2", "recall", {"query": "Aldo"})
TEN_YEARS = "Ten years of dough at three in the morning! Does the house smell of bread?"


def answer(text: str, *calls: ToolCall) -> Answer:
    return Answer(text, "tools" if calls else "stop", "scripted", "script", "chat", calls)


@pytest.mark.parametrize(
    ("after", "sent"),
    [
        ("", TEN_YEARS),
        ("NO_REPLY", TEN_YEARS),
        ("I wrote down that Aldo bakes.", f"{TEN_YEARS}\n\nI wrote down that Aldo bakes."),
        ("Ten years of dough at three in the morning, imagine! Does the house smell of bread?", None),
    ],
)
async def test_words_beside_what_is_kept_reach_the_person(
    human: Human, model: Script, after: str, sent: str | None
) -> None:
    model.lines = [answer(TEN_YEARS, KEPT), answer(after)]
    said = await human.says("my husband Aldo is a baker, we are married ten years")
    assert "\n\n".join(said) == (after if sent is None else sent)


async def test_words_before_a_look_only_announce_it(human: Human, model: Script) -> None:
    model.lines = [answer("Let me look.", LOOKED), answer("He bakes, you said.")]
    assert await human.says("what does Aldo do?") == ["He bakes, you said."]


async def test_a_mind_that_says_nothing_after_a_look_is_asked_once_more(human: Human, model: Script) -> None:
    shown: list[str] = []

    def again(question: Question) -> Any:
        shown.append(question.messages[-1].text)
        assert not question.may_be_silent, "a second time another model answers, or the built-in mind"
        return answer("He bakes, you said.")

    model.lines = [answer("Let me look.", LOOKED), answer(""), again]
    assert await human.says("what does Aldo do?") == ["He bakes, you said."]
    assert "Nothing you wrote has reached them yet" in shown[0]


async def test_a_refusal_after_a_look_is_not_asked_again(human: Human, model: Script) -> None:
    model.lines = [answer("Let me look.", LOOKED), replace(answer(""), finish="refused")]
    assert await human.says("what does Aldo do?") == ["I would rather not answer that one."]
    assert not model.lines


async def test_a_failed_action_leaves_no_words_about_it(human: Human, model: Script) -> None:
    failing = ToolCall("c1", "memorize", {"text": ""})
    model.lines = [answer("That stays with me.", failing), answer("What is he called?")]
    assert await human.says("my husband is a baker") == ["What is he called?"]


@pytest.mark.parametrize(
    ("before", "after", "joined"),
    [
        ("", "Hello.", "Hello."),
        ("Hello.", " \n", "Hello."),
        ("我记下了你丈夫是面包师。", "他几点起床？", "我记下了你丈夫是面包师。\n\n他几点起床？"),
        ("Noted, Friday at six it is; sleep well.", "Friday at six.", "Noted, Friday at six it is; sleep well."),
    ],
)
def test_what_one_repeats_is_said_once(before: str, after: str, joined: str) -> None:
    assert speech.join_said(before, after) == joined
