"""What rounds of skills come to: the next question, and the draft with what it's based on."""

from __future__ import annotations

import json
from typing import Any, cast

from furoshiki.conversation.skills.skill import Result
from furoshiki.conversation.transcript import Transcript
from furoshiki.conversation.values import NOBODY, REFLEX
from furoshiki.memory.perception.values import Percept
from furoshiki.memory.store.retrievals import Retrieval
from furoshiki.memory.values import Note, Shown
from furoshiki.models.llm.values import Answer, Message, ToolCall
from tests.support.turns import context
from tests.support.world import START

ASKED = Message("user", "what did I plan?")
WALK = Note("They walk on Sundays.")


def transcript(**more: Any) -> Transcript:
    memories = (
        Shown("memory:1", "a walk", "user", START, 1.0, line="walk"),
        Shown("memory:2", "a long story", "user", START, 0.5, line="story"),
    )
    woken = (Retrieval("memory:1", 1, True), Retrieval("memory:3", 2, False), Retrieval("turn:9", 3, True))
    return Transcript(context(cast(Percept, None), shown=memories, retrieved=woken, **more), (ASKED,))


def answer(*names: str, model: str = "m") -> Answer:
    calls = tuple(ToolCall(f"c{number}", name, {"query": name}) for number, name in enumerate(names))
    return Answer("Let me see.", "stop", "p", model, "chat", calls, fallbacks=("other: 529",))


def found(*ids: str, **more: Any) -> Result:
    return Result(True, "found", {"results": [{"id": one} for one in ids], "parts": [{"name": "soul:1"}]}, **more)


def test_a_round_is_told_to_the_mind_as_it_was() -> None:
    after = transcript().after(answer("recall", "lists"), [found(), Result(False, "no such list")])
    asked, question, first, second = after.messages
    assert (asked, question.role, [one.name for one in question.calls]) == (ASKED, "assistant", ["recall", "lists"])
    assert [(one.role, one.call_id, json.loads(one.text)["ok"]) for one in (first, second)] == [
        ("tool", "c0", True),
        ("tool", "c1", False),
    ]


def test_the_built_in_mind_reads_every_result_by_the_skill_s_own_name() -> None:
    after = transcript().after(answer("memory_query"), [found()]).after(answer("lists"), [Result(True, "none")])
    assert [(one.name, one.args, one.text) for one in after.tool_results] == [
        ("recall", {"query": "memory_query"}, "found"),
        ("lists", {"query": "lists"}, "none"),
    ]


def test_who_took_over_goes_on() -> None:
    asked = transcript().after(answer("recall", model=REFLEX), [found()])
    assert asked.given_up == ("other: 529",)
    assert asked.after(answer("lists"), [found()]).given_up == ("other: 529",)
    assert transcript().after(answer("recall"), [found()]).given_up == ()


def test_a_draft_rests_on_what_was_in_view_and_what_was_found() -> None:
    rounds = transcript().after(answer("recall", "memorize"), [found("memory:2", "turn:5"), found(notes=(WALK,))])
    draft = rounds.after(answer("schedule"), [found(asked="t1")]).answered(answer(), "You walk.", ["turn:7"])
    assert (draft.text, draft.model, draft.notes) == ("You walk.", "m", (WALK,))
    assert (draft.skills, draft.asks) == (("recall", "memorize", "schedule"), ("t1",))
    assert draft.evidence == ("memory:1", "turn:9", "memory:2", "turn:5", "soul:1", "turn:7")
    assert draft.shortened == ("memory:1",)
    assert [(one.item, one.injected) for one in draft.woken] == [
        ("memory:1", True),
        ("memory:3", False),
        ("turn:9", True),
        ("memory:2", True),
        ("turn:5", True),
    ]


def test_what_skills_did_stays_done_when_no_mind_ends_its_answer() -> None:
    rounds = transcript().after(answer("recall"), [found("turn:5", notes=(WALK,), asked="t1")])
    draft = rounds.unanswered("Sorry.")
    assert (draft.text, draft.model, draft.notes, draft.asks) == ("Sorry.", NOBODY, (WALK,), ("t1",))
    assert draft.evidence == ("memory:1", "turn:9", "memory:2", "turn:5")
