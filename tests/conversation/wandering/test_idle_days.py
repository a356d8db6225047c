"""Thirty days on which nobody writes: what the companion's own thinking asks of models, all of it together."""

from __future__ import annotations

from collections import Counter
from datetime import timedelta
from typing import Any

from furoshiki.app import jobs
from furoshiki.mind.inner_life.journal.forms import Contemplation, Musing
from furoshiki.models.llm.values import Answer, Question
from furoshiki.world import World
from tests.support.idle import REFLECTION, SAID, rows, speak
from tests.support.world import FrozenClock, Script

THINKING = ("wander", "run_micro_contemplation", "run_inner_monologue", "run_morning_reflection")
THINKING += ("run_afternoon_reflection", "run_question_processing")


def thinking(question: Question) -> Any:
    """A mind to which something comes each time."""
    form: Any = question.answer
    if form is Musing:
        parsed: Any = Musing.model_validate({"entry": [{"text": "I keep coming back to that."}]})
    elif form is Contemplation:
        parsed = Contemplation.model_validate({"thought": {"text": "I wonder where they are."}})
    elif question.purpose == "inner_monologue.wandering":
        parsed = form.model_validate({"thought": REFLECTION})
    else:
        raise AssertionError(question.purpose)
    return Answer("", "stop", "scripted", "script", question.tier, parsed=parsed)


async def test_a_silent_month_costs_little_and_ends_by_itself(world: World, model: Script, clock: FrozenClock) -> None:
    speak(world, SAID, charge=0.5, importance=0.8)
    began, asked = world.now, Counter[int]()
    while world.now < began + timedelta(days=31):
        clock.pass_(hours=2)
        for name in THINKING:
            with world.database.read() as db:
                due = jobs.due(jobs.JOBS[name].steps, db, world.now)
            for step, _ in due:
                before = len(model.questions)
                model.lines = [thinking] * 9
                found = jobs.import_function(step.use_case)(world, *step.args)
                if hasattr(found, "__await__"):
                    await found
                asked[(world.now - began).days] += len(model.questions) - before
    days = Counter(
        row["day"] for row in rows(world, "SELECT date(at) AS day FROM wanderings WHERE outcome IS NOT NULL")
    )
    assert list(days.values()) == [3, 1, 1, 1, 1, 1, 1]  # after the talk, and then once a day for a week
    silent = [asked[day] for day in range(1, 31)]
    assert max(silent) <= 2, silent  # a question looked into and what consolidation owes may add four
    assert sum(silent[7:]) == 0, silent  # with nothing said for a week there is nothing to think about
