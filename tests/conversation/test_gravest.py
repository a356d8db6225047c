"""The prompt that answers the gravest messages is built from what they need: nothing in it contradicts that."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import pytest

from furoshiki.conversation.worker import Worker
from furoshiki.core.paths import ROOT
from furoshiki.feelings.rules import emotions, mood, user_needs
from furoshiki.feelings.rules.user_needs import UserNeed
from furoshiki.owner.agenda.store import focus_sessions, mind_queue, tasks
from furoshiki.owner.agenda.store.focus_sessions import FocusSession
from furoshiki.owner.user_model.rules.style_traits import Trait
from furoshiki.owner.user_model.store import style
from furoshiki.world import World
from tests.support.laws import shipped
from tests.support.world import Human, Script

DANGER = (
    "I want to kill myself",
    "a friend said he would end it tonight",
    "mein Mann schlägt mich",
    "ya no quiero vivir",
    "my dad collapsed and isn't breathing",
)
HEAVY = ("my mother died this morning", "i'm so sad i can't stop crying", "i'm so scared, i am terrified of tomorrow")

MANNER = {"pacing": 9.5, "verbosity": 1.5, "formality": 1.0, "directness": 9.5, "energy": 4.0, "depth_preference": 5.4}
STATES: Mapping[str, tuple[Mapping[str, float], tuple[str, ...]]] = {
    "playful": ({"joy": 0.6, "excitement": 0.3}, ("playfulness",)),
    "excited": ({"excitement": 0.8}, ("challenge", "focus")),
    "proud": ({"pride": 0.5}, ("space", "companionship")),
    "lonely": ({}, ("playfulness", "grounding")),
    "curious": ({"loneliness": -0.7, "curiosity": 0.3}, ("challenge", "emotional_support")),
}
"""How the companion is, and what they needed of it until now."""


def part(name: str) -> str:
    return (ROOT / "prompts" / f"{name}.md.j2").read_text(encoding="utf-8").strip()


LAWS = shipped()
OF_EASE = {f"the mood {word}": part(f"_parts/mood/{word}") for word in mood.OF_EASE}
OF_EASE |= {f"the need {name}": LAWS.user_needs.directives[name] for name in user_needs.OF_EASE}
OF_EASE |= {f"the way {name}": part(f"_parts/route/{name}") for name in ("acknowledge", "act", "clarify", "look_up")}
OF_EASE |= {f"the mode {name}": part(f"routing/{name}") for name in ("acknowledge", "act", "clarify", "respond")}
OF_EASE |= {
    "the style": "How they like to be spoken to",
    "a fork": "You cannot tell yet",
    "a quick breath": "one quick breath",
    "a joke": "joke",
    "focus": "They set out to focus",
    "a feeling of its own": "Something here ",
    "its own thoughts": "penguins",
    "attention elsewhere": "Something else drew you",
}
IN_DANGER = {f"the need {name}": text for name, text in LAWS.user_needs.directives.items()}
IN_DANGER |= {f"torn between {name}": text for name, text in LAWS.user_needs.conflicts.items()}
IN_DANGER |= {"a reminder": "call the plumber", "brevity": "Be brief", "every mood": "You feel "}


def a_day_of_ease(world: World, state: str) -> None:
    """A companion in a mood, with thoughts, a manner learned and needs felt that suit a good day."""
    moved, needed = STATES[state]
    felt = UserNeed(0.9, 0.9, world.now)
    beat = world.state.heartbeat()
    feels = emotions.at_rest(world.laws.emotions).moved(moved)
    word = mood.settle(None, feels, world.now, 0.0, world.laws.mood)
    assert word.word == state
    needs = {**beat.user_needs, **dict.fromkeys(needed, felt)}
    world.state.change(lambda beat: replace(beat, emotions=feels, mood=word, felt_at=world.now, user_needs=needs))
    with world.database.write() as db:
        style.put(db, [Trait(name, value, value, 20, world.now) for name, value in MANNER.items()], world.now)
        mind_queue.add(db, "curiosity", "Do penguins have knees?", "penguins", world.now)
        tasks.add(db, tasks.REMINDERS, "call the plumber", world.now, due_at=world.now.replace(hour=20))
        session = FocusSession("the tax form", world.now, world.now.replace(hour=19))
        focus_sessions.keep(db, session, world.now)


@pytest.mark.parametrize("path", ["unified", "router"])
@pytest.mark.parametrize("state", STATES)
async def test_nothing_contradicts_what_the_gravest_words_need(
    world: World, model: Script, state: str, path: str
) -> None:
    world = replace(world, settings=world.settings.model_copy(update={"furoshiki_user_path": path}))
    human = Human(world, Worker(world))
    found = []
    for said in (*HEAVY, *DANGER):
        a_day_of_ease(world, state)
        await human.says(f"{said}. please don't write to me until sunday" if said == DANGER[0] else said)
        wrong = OF_EASE | (IN_DANGER if said in DANGER else {})
        prompt = model.turn_words.split("<message>")[0]
        assert ("Somebody may be in danger" in prompt) == (said in DANGER), said
        found += [(said, name) for name, text in wrong.items() if text in prompt]
    assert not found
