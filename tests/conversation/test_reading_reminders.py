"""A reminder whose time no rule reads: a small model may say what is meant, and is not believed on its word."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from furoshiki.conversation.commands.remind import ReadReminder
from furoshiki.core.errors import NoMindAnswered
from furoshiki.models.llm.values import Answer, Question
from furoshiki.owner.agenda.store import tasks
from tests.support.commands import Commander
from tests.support.world import Script

SAID = "the morning after Pentecost call Jost"
READ: dict[str, Any] = {"verdict": "clear", "title": "call Jost", "when": "2026-05-25T09:00"}


def says(**read: Any) -> Callable[[Question], Answer]:
    """A model that reads so."""
    parsed = ReadReminder.model_validate(read)
    return lambda question: Answer("", "stop", "scripted", "script", question.tier, parsed=parsed)


def kept(command: Commander) -> list[str]:
    with command.world.database.read() as db:
        return [f"{one.title} {one.due_at:%Y-%m-%dT%H:%M}" for one in tasks.in_list(db, tasks.REMINDERS) if one.due_at]


async def test_what_no_rule_reads_a_model_may(command: Commander, model: Script) -> None:
    model.lines = [says(**READ)]
    answer = await command(f"/remind {SAID}")
    assert kept(command) == ["call Jost 2026-05-25T08:00"]  # nine in Lisbon, where it is summer by then
    assert "Monday, 25 May" in answer.text
    [question] = model.questions
    assert (question.tier, question.purpose) == ("fast", "reminder")
    assert SAID in str(question.messages[0].text)


@pytest.mark.parametrize(
    "wrong",
    [
        {"verdict": "unclear"},
        {"when": "2026-03-23T09:00"},
        {"when": "2046-03-23T09:00"},
        {"when": "soon"},
        {"title": "call Jost and pay him"},
        {"title": ""},
        {"recurrence": "FREQ=MINUTELY"},
        {"recurrence": "FREQ=OFTEN"},
    ],
)
async def test_what_cannot_be_so_is_asked_about(wrong: dict[str, Any], command: Commander, model: Script) -> None:
    model.lines = [says(**(READ | wrong))]
    answer = await command(f"/remind {SAID}")
    assert kept(command) == []
    assert "When" in answer.text and "?" in answer.text


async def test_without_a_model_it_is_asked_about(command: Commander, model: Script) -> None:
    model.lines = [NoMindAnswered("nobody is there")]
    answer = await command(f"/remind {SAID}")
    assert kept(command) == []
    assert "?" in answer.text


@pytest.mark.parametrize("said", ["tomorrow at 9 or 10 call Jost", "tomorrow at 9 call Jost", "call Jost"])
async def test_what_rules_read_or_find_two_meanings_of_is_put_to_nobody(
    said: str, command: Commander, model: Script
) -> None:
    model.lines = [says(**READ)]
    await command(f"/remind {said}")
    assert model.questions == []
