"""That the day's budget is spent is told by the companion itself, once a day, with the answer it still gives."""

from __future__ import annotations

from furoshiki.conversation.commit import BUDGET_SPENT
from furoshiki.models.llm.values import Answer, Question
from tests.support.world import FrozenClock, Human, Script


def past(standing: str) -> object:
    def answer(question: Question) -> Answer:
        return Answer("Of course.", "stop", "scripted", "script", question.tier, standing=standing)  # type: ignore[arg-type]

    return answer


def told(human: Human) -> int:
    with human.world.database.read() as db:
        row = db.execute("SELECT count(*) FROM outbox WHERE text=?", (BUDGET_SPENT,)).fetchone()
    return int(row[0])


async def test_the_spent_budget_is_told_once_a_day(human: Human, model: Script, clock: FrozenClock) -> None:
    model.lines = ["Hello.", past("soft"), past("hard"), past("hard"), past("hard"), past("free"), past("hard")]
    await human.says("Good morning to you, my dear companion!")
    await human.says("Tell me about the harbour, please.")
    assert told(human) == 0, "below the hard limit there is nothing to tell"
    await human.says("And about the lighthouse?")
    assert told(human) == 1
    await human.says("And about the ferry, too?")
    assert told(human) == 1
    clock.pass_(days=1)
    await human.says("A new day: what about the tide?")
    assert told(human) == 2
    clock.pass_(days=1)
    await human.says("And what about the mill?")
    assert told(human) == 2, "on a day with money left nothing is told"
    await human.says("And about the bakery, then?")
    assert told(human) == 3
