"""What is on its mind is shown to a turn until the person has told of it, not until it expires."""

from __future__ import annotations

import pytest

from furoshiki.owner.agenda.store import mind_queue
from tests.support.world import FrozenClock, Human, Script

ON_ITS_MIND = "Ask how the driving test went"


@pytest.mark.parametrize(
    ("said", "shown"),
    [
        ("I passed my driving test!", False),
        ("failed the driving test, again", False),
        ("the driving test is tomorrow", True),
        ("when is my driving test?", True),
        ("I was driving all day", True),
    ],
)
async def test_what_they_have_told_is_on_its_mind_no_more(
    human: Human, model: Script, clock: FrozenClock, said: str, shown: bool
) -> None:
    with human.world.database.write() as db:
        mind_queue.add(db, "follow_up", ON_ITS_MIND, "follow_up:test", human.world.now)
    clock.pass_(minutes=1)
    model.lines = ["Mhm.", "Right."]
    await human.says("good evening")
    assert _shows(model)
    clock.pass_(minutes=1)
    await human.says(said)
    clock.pass_(hours=2)
    model.lines = ["Sure."]
    await human.says("what should I cook tonight?")
    assert _shows(model) == shown


def _shows(model: Script) -> bool:
    return any(ON_ITS_MIND in message.text for message in model.questions[-1].messages[-1:])
