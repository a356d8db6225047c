"""What waits for the owner reaches them without any model: by the real pulse, in prepared words, with its buttons."""

from __future__ import annotations

from datetime import timedelta

from furoshiki.core.database import events, kv
from furoshiki.memory import weighing
from furoshiki.memory.store import memories
from furoshiki.memory.values import NewMemory
from furoshiki.messages.store import turns
from furoshiki.mind.consolidation import promotion
from furoshiki.mind.inner_life.self_model import description
from furoshiki.mind.inner_life.store import drift
from furoshiki.mind.inner_life.store.drift import NewDrift
from furoshiki.owner.user_model import languages
from tests.support.reaching_out import hears, pass_, told
from tests.support.rows import user_said, was_of_use
from tests.support.unasked import thinks
from tests.support.world import FrozenClock, Human


async def test_a_failure_of_the_background_is_no_message(reached: Human, clock: FrozenClock) -> None:
    world = reached.world
    with world.database.write() as db:
        events.announce(db, "reflection_failed", {"reason": "the answer was no JSON"}, world.now)
    await pass_(world, clock, days=3)
    assert told(world) == []


async def test_may_i_count_on_this_is_asked_and_a_button_answers(reached: Human, clock: FrozenClock) -> None:
    world = reached.world
    with world.database.write() as db:
        turn = turns.add(db, user_said("I row.", world.now - timedelta(days=2)))
        held = memories.add(db, NewMemory("semantic", "They row.", (turn,)), world.now)
        db.execute("UPDATE memories SET alpha=7.5, beta=1.4, access_count=6")
        was_of_use(db, held, world.now)
    promotion.step(world, weighing.cycle(world, "night"))
    await pass_(world, clock, minutes=30)
    [one] = told(world)
    assert "You row" in one.text and one.text.count("You row") == 1 and "They" not in one.text
    yes = one.extra["buttons"][0][0]["data"]
    assert await reached.says("", kind="callback", data=yes) == ["Good, I count on it."]
    with world.database.read() as db:
        assert kv.get(db, f"{promotion.APPROVED}{held}") is True


async def test_a_new_description_of_itself_is_accepted_by_its_button(reached: Human, clock: FrozenClock) -> None:
    world = reached.world
    new = NewDrift(description.text(world), "I am Furo, and calm.", "", 0.6, 0.4, (), (), "x", 0, "proposed")
    with world.database.write() as db:
        drift.add(db, new, world.now)
    await pass_(world, clock, minutes=30)
    [one] = told(world)
    assert "ay I change how I describe myself? 40% of the text would be new" in one.text
    accept = one.extra["buttons"][0][0]["data"]
    assert "that is who I am" in (await reached.says("", kind="callback", data=accept))[0]
    assert "and calm" in (world.settings.data / "config" / "SELF.md").read_text()
    await pass_(world, clock, days=3)
    assert len(told(world)) == 1, "what was decided is not brought up again"


async def test_what_is_said_unasked_is_in_the_language_they_usually_write(reached: Human, clock: FrozenClock) -> None:
    world = reached.world
    for words in ("ich habe heute lange gearbeitet", "morgen ist endlich Wochenende", "das war ein guter Tag für mich"):
        hears(world, words, world.now - timedelta(days=1))
    thinks(world, "Something I do not know of them yet: Where do they live?")
    with languages.speaking_as_usual(world):
        await pass_(world, clock, minutes=30)
    [one] = told(world)
    assert one.text in (
        "Etwas Einfaches, das ich nie gefragt habe: Wo wohnst du?",
        "Ich möchte mir vorstellen, wo du bist. Wo wohnst du?",
    )
    assert [button["text"] for button in one.extra["buttons"][-1]] == ["Später", "Weniger davon"]
    later = one.extra["buttons"][-1][0]["data"]
    [said] = await reached.says("", kind="callback", data=later)
    assert said.startswith("Ich komme darauf zurück: ")
