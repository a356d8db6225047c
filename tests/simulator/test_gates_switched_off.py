"""Each gate in turn lets everything pass, and a few days of life must find it out, by the promise that is broken.

With every run this is done for quiet hours and for novelty, and for the others at night: each time their rules are
tried by `tests/mind/outreach/rules/test_gates.py`, and what finds a broken promise by `test_checks.py`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, time, timedelta
from typing import Any

import pytest

from bench.simulator import model, simulate
from bench.simulator.personas import Hears, Lines, Persona, Reminded, Span, Writes
from bench.simulator.simulate import Lived, Wanted
from furoshiki.core import refs
from furoshiki.feelings.rules.user_needs import UserNeed
from furoshiki.feelings.state_files import Heartbeat
from furoshiki.mind.outreach import voice
from furoshiki.mind.outreach.rules import gates
from furoshiki.mind.outreach.rules.gates import Look
from furoshiki.owner.agenda.store import mind_queue, tasks
from furoshiki.world import World
from tests.support.extent import at_night, times

pytestmark = pytest.mark.slow

SOMEBODY = Persona(
    name="somebody",
    about="Writes all day long, and answers at once.",
    zone="Europe/Lisbon",
    writes=Writes(4, (Span(time(0), time(23, 59)),), (1, 2), (20, 60), ()),
    hears=Hears(0.9, (1, 4), 0, 0, 0, ("Yes.", "No.", "Perhaps."), ()),
    reminded=Reminded(0, 0),
    lines=(Lines("plain", 1, ("Hello.", "I am back.", "It rains.", "What a day!", "I had soup.")),),
    requests=(),
    requests_a_week=0,
    moves=(),
    sayings=(),
)

MORNING = datetime(2026, 2, 1, 9, tzinfo=UTC)

QUIET = replace(
    SOMEBODY, hears=Hears(0, (1, 4), 0, 0, 0, (), ()), writes=replace(SOMEBODY.writes, conversations_a_day=1)
)
"""The same, who does not answer."""


@pytest.fixture
def words(monkeypatch: pytest.MonkeyPatch) -> None:
    """Words for whatever is to be said: never the same twice."""
    lines = model.read()
    found = [f"{begins}: {goes_on}" for goes_on in lines.goes_on for begins in lines.begins[:1]]

    async def draft(_world: World, item: mind_queue.Waiting) -> voice.Worded:
        return voice.Worded(found[item.id % len(found)], "scripted", "lines")

    async def polish(_world: World, _item: mind_queue.Waiting, drafted: voice.Worded) -> voice.Worded:
        return drafted

    monkeypatch.setattr(voice, "draft", draft)
    monkeypatch.setattr(voice, "polish", polish)


@pytest.fixture
def life(monkeypatch: pytest.MonkeyPatch, words: None) -> Callable[..., Lived]:
    """So many days with somebody, beginning with what `prepare` does to their companion."""

    build = simulate.home.built

    def live(days: int, persona: Persona = SOMEBODY, prepare: Callable[[World], None] = thoughts) -> Lived:
        def built(*given: Any) -> World:
            world = build(*given)
            prepare(world)
            return world

        monkeypatch.setattr(simulate.home, "built", built)
        return simulate.simulate(Wanted(persona, days, seed=3, begins=MORNING))

    return live


def thoughts(world: World) -> None:
    """Plenty to say, from the first hour on."""
    with world.database.write() as db:
        for number in range(30):
            mind_queue.add(db, "follow_up", f"Thought {number}", f"test:{number}", world.now, by_key_alone=True)


def passing(gate: str) -> Callable[..., Look]:
    return lambda *_, **__: Look(gate, True, "off", "off")


def broken(lived: Lived) -> set[str]:
    return {one.rule for one in lived.story.violations}


def test_with_every_gate_in_its_place_nothing_is_broken(life: Callable[..., Lived]) -> None:
    lived = life(times(3, 2))
    assert len(lived.story.unprompted()) >= times(6, 4)
    assert lived.story.violations == []


GATES = {
    "quiet": ("quiet hours", SOMEBODY),
    "recent": ("recent conversation", SOMEBODY),
    "cooldown": ("cooldown", QUIET),
    "cap": ("daily cap", SOMEBODY),
}


@pytest.mark.parametrize("gate", ["quiet", *at_night("cap", "recent", "cooldown")])
def test_a_gate_of_times_and_numbers(life: Callable[..., Lived], monkeypatch: pytest.MonkeyPatch, gate: str) -> None:
    rule, persona = GATES[gate]
    monkeypatch.setitem(gates.GATES, gate, passing(gate))
    assert broken(life(3, persona)) == {rule}


def felt(**changed: Any) -> Callable[[World], None]:
    """Plenty to say, with a heart as it is told."""

    def prepare(world: World) -> None:
        thoughts(world)

        def step(beat: Heartbeat) -> Heartbeat:
            needs = {name: UserNeed(level, 1.0, world.now, (1,)) for name, level in changed.get("needs", {}).items()}
            emotions = replace(beat.emotions, anger=changed.get("anger", beat.emotions.anger))
            return replace(beat, emotions=emotions, user_needs={**beat.user_needs, **needs})

        world.state.change(step)

    return prepare


FEELINGS = {
    "mood": ("mood", felt(anger=1.0)),
    "room": ("room", felt(needs={"space": 0.9, "focus": 0.9})),
}


@pytest.mark.parametrize("gate", at_night("room", "mood"))
def test_a_gate_of_feelings(life: Callable[..., Lived], monkeypatch: pytest.MonkeyPatch, gate: str) -> None:
    rule, prepare = FEELINGS[gate]
    assert not broken(life(1, prepare=prepare))
    monkeypatch.setitem(gates.GATES, gate, passing(gate))
    assert broken(life(1, prepare=prepare)) == {rule}


@pytest.mark.nightly
def test_the_gate_of_what_is_still_true(life: Callable[..., Lived], monkeypatch: pytest.MonkeyPatch) -> None:
    def prepare(world: World) -> None:
        with world.database.write() as db:
            number = tasks.add(db, "home", "paint the fence", world.now)
            mind_queue.add(db, "task_update", "The fence", "test:fence", world.now, source=refs.name("tasks", number))
            tasks.set_state(db, number, "done", world.now + timedelta(seconds=1))

    monkeypatch.setattr(gates, "still_true", passing("still true"))
    monkeypatch.setattr(mind_queue, "is_open", lambda _db, _item_id: True)  # it is looked at once more while sending
    monkeypatch.setattr(mind_queue, "expire_closed", lambda _db: 0)  # and every quarter of an hour
    assert broken(life(2, prepare=prepare)) == {"still open"}


def test_the_gate_of_novelty(life: Callable[..., Lived], monkeypatch: pytest.MonkeyPatch) -> None:
    async def draft(_world: World, _item: mind_queue.Waiting) -> voice.Worded:
        return voice.Worded("How did the dinner with your sister go?", "scripted", "lines")

    monkeypatch.setattr(voice, "draft", draft)
    held = life(times(2, 1))
    assert len(held.story.unprompted()) == 1
    assert not broken(held)
    monkeypatch.setattr(gates, "novel", passing("novelty"))
    assert broken(life(times(2, 1))) == {"repetition"}


@pytest.mark.nightly
def test_what_a_decision_shows_is_part_of_what_is_judged(life: Callable[..., Lived]) -> None:
    def prepare(world: World) -> None:
        steps = "Search memory for everything about it", "Look through the open lists", "Put it together in plain lines"
        plan = "What there is to know about Anika's visits.\n" + "\n".join(f"- {one}" for one in steps)
        with world.database.write() as db:
            for number in range(2):
                key = f"test:{number}"
                mind_queue.add(db, "delegation", "May I?", key, world.now, priority=2, detail=plan, by_key_alone=True)

    lived = life(2, prepare=prepare)
    assert not broken(lived)
    seen = {(one["verdict"], one["gate"]) for one in lived.decisions if one["kind"] == "delegation"}
    assert {("sent", None), ("held", "novelty")} <= seen


@pytest.mark.nightly
@pytest.mark.parametrize(("most", "said"), [(2, set()), (4, {"nudges"})])
def test_the_gate_of_nudges(life: Callable[..., Lived], most: int, said: set[str]) -> None:
    """How often a question is brought up again is a figure of the owner's, and the promise is not."""

    def prepare(world: World) -> None:
        (world.settings.data / "config" / "outreach.toml").write_text(f"[nudge]\nmost = {most}\n")
        with world.database.write() as db:
            mind_queue.add(
                db,
                "question",
                "Where do they live?",
                "test:where",
                world.now,
                not_before=world.now + timedelta(days=1),
                by_key_alone=True,
            )

    gone = replace(QUIET, writes=replace(SOMEBODY.writes, silent_days=((1, 20),)))
    lived = life(6, gone, prepare)
    assert [one for one in lived.decisions if one["kind"] == "reply_nudge" and one["verdict"] == "sent"]
    assert broken(lived) == said
