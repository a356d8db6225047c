"""What is said next, and a reaction, is noted on the decision it judges, and what is learned of it is noticed."""

from __future__ import annotations

from datetime import timedelta

import pytest

from furoshiki.agenda.store import tasks
from furoshiki.memory.store import gists
from furoshiki.memory.store.gists import Gist
from furoshiki.routing import regulator
from furoshiki.routing.store import decisions
from furoshiki.world import World
from tests.support.routing import decided
from tests.support.world import FrozenClock, Human, Script

ASKED = "which boats leave for the island in winter?"


def labels(world: World) -> list[tuple[str, str | None, str | None]]:
    """Of every decision, oldest first, its mode and what was said of it by whom."""
    with world.database.read() as db:
        return [(one.mode, one.feedback, one.feedback_from) for one in decisions.in_chat(db, "telegram", "7", 99)][::-1]


async def reacts(human: Human, *emoji: str) -> None:
    """React to the answer to what was asked first; with nothing, take the reaction back."""
    with human.world.database.write() as db:
        [asked] = db.execute("SELECT turn_key FROM turns WHERE text=? ORDER BY id LIMIT 1", (ASKED,)).fetchone()
        db.execute("UPDATE outbox SET external_id='500' WHERE turn_key=?", (asked,))
    await human.says("", kind="reaction", emoji=list(emoji), reacted_to="500")


async def test_the_next_message_judges_the_answer_before_it_once(
    world: World, human: Human, model: Script, clock: FrozenClock
) -> None:
    model.lines = ["Hi.", "Several.", "The white ones.", "From the old harbour.", "You are welcome.", "Good."]
    await human.says("I went to the island with my sister")
    await human.says(ASKED)
    await human.says(ASKED)
    assert labels(world)[1:] == [("RESPOND", "missed_clarify", "message"), ("RESPOND", None, None)]
    await human.says("can you look that up?")
    await human.says("thanks, that helped!")
    await human.says("my sister lives there")
    assert [label for _, label, _ in labels(world)][1:] == ["missed_clarify", "missed_act", "correct_route", None, None]
    clock.pass_(hours=7)
    await human.says("great")
    assert labels(world)[5] == ("RESPOND", None, None), "what is said so much later is about something else"


async def test_a_reaction_judges_the_answer_it_stands_on_until_it_is_taken_back(world: World, human: Human) -> None:
    await human.says("I went to the island with my sister")
    await human.says(ASKED)
    await reacts(human, "👎")
    assert labels(world)[1] == ("RESPOND", "wrong_route", "reaction")
    await reacts(human, "👍")
    assert labels(world)[1] == ("RESPOND", "correct_route", "reaction")
    await human.says(ASKED)
    assert labels(world)[1][1:] == ("correct_route", "reaction"), "what they showed goes before what is read out of it"
    await reacts(human)
    assert labels(world)[1][1:] == ("missed_clarify", "message"), "the next message had said that"


@pytest.mark.parametrize("emoji", ["😢", "🤔"])
async def test_a_tear_is_about_what_was_told(world: World, human: Human, emoji: str) -> None:
    await human.says(ASKED)
    await reacts(human, emoji)
    assert labels(world)[0][1:] == (None, None)


async def test_what_was_learned_answers_the_next_message_otherwise(
    world: World, human: Human, model: Script, clock: FrozenClock
) -> None:
    """Too much was simply answered in words. An order in a warm talk is seen as one now, where it was not before."""

    async def ordered() -> str:
        for _ in range(2):
            await human.says("I went to the island with my sister")
        with world.database.write() as db:
            session = decisions.in_chat(db, "telegram", "7", 1)[0].session_id
            for text in ("the ferry leaves at nine", "they pack", "it may rain"):
                gists.add(db, Gist("user", "note", text, world.now, session_id=session))
        await human.says("delete the reminder for Sunday")
        return model.last_words

    with world.database.write() as db:
        tasks.add(db, tasks.REMINDERS, "call Anika", world.now, due_at=world.now + timedelta(days=9))
    assert "done, not talked about" not in await ordered()
    with world.database.write() as db:
        decided(db, world.now, 10, mode="RESPOND")
    regulator.regulate(world)
    clock.pass_(hours=3)
    assert "done, not talked about" in await ordered()
    with world.database.read() as db:
        last = decisions.in_chat(db, "telegram", "7", 1)[0]
        changes = [tuple(one) for one in db.execute("SELECT parameter, value_after, state FROM router_changes")]
    assert changes == [("respond_base", 0.48, "measuring")]
    assert (last.mode, last.tie_break, last.weights_version) == ("ACT", "classifier", 1)
