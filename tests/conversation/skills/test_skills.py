"""What each skill tells, through a message and the database: from what is kept, and never what is not there."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from furoshiki.conversation.skills import choosing, registry
from furoshiki.conversation.skills.choosing import Ability
from furoshiki.core.paths import ROOT, read_toml_file
from furoshiki.memory import concepts
from furoshiki.memory.store import gists, memories
from furoshiki.memory.store.gists import Gist
from furoshiki.memory.values import NewMemory
from furoshiki.messages.store import act_iterations, skill_runs, turns
from furoshiki.messages.store.act_iterations import Action, Iteration
from furoshiki.messages.values import COMPANION, NewTurn
from furoshiki.mind.outreach.rules import gates
from furoshiki.mind.outreach.rules.laws import OutreachLaws
from furoshiki.mind.outreach.store import decisions as outreach
from furoshiki.models.llm.values import Tool, ToolCall
from furoshiki.owner.agenda.store import focus_sessions, mind_queue, tasks
from furoshiki.world import World
from tests.support.rows import user_said
from tests.support.world import FrozenClock, Human, NoVectors, Script

LAWS = OutreachLaws.from_mapping(read_toml_file(ROOT / "config" / "outreach.toml"))


async def called(human: Human, model: Script, skill: str, **args: Any) -> str:
    """What a mind is shown when it calls a skill."""
    model.lines = [ToolCall("1", skill, args), "I see."]
    await human.says("go on")
    return str(json.loads(model.questions[-1].messages[-1].text)["result"])


def kept(world: World, content: str, days_ago: int = 3, **more: Any) -> int:
    at = world.now - timedelta(days=days_ago)
    with world.database.write() as db:
        turn = turns.add(db, user_said(content, at, session_id=f"s{content}", channel="console"))
        return memories.add(db, NewMemory(more.pop("type", "semantic"), content, (turn,), **more), at)


def fails(world: World, name: str, times: int, ok: bool = False) -> None:
    with world.database.write() as db:
        for number in range(times):
            skill_runs.add(db, f"inbox:9{number}", f"{name}{ok}", name, {}, {}, ok, 1.0, world.now)


async def test_associate_follows_what_was_met_together(world: World, human: Human, model: Script) -> None:
    for content in ("Anika sails a dinghy", "the dinghy lies in the harbour", "the harbour smells of tar"):
        kept(world, content)
    with world.database.write() as db:
        concepts.read_new(db, world.now)
    told = await called(human, model, "associate", seeds=["Anika"])
    assert "dinghy (0.4" in told and "the dinghy lies in the harbour" in told
    assert "is kept about zebras yet" in await called(human, model, "associate", seeds=["zebras"])


async def test_autobiography_tells_with_days_and_sources(world: World, human: Human, model: Script) -> None:
    home = kept(world, "They live in Lisbon.", category="location")
    old = kept(
        world, "They lived in Porto.", 400, category="location", subject="user", predicate="lives_in", object="Porto"
    )
    kept(world, "They want to run a marathon.", category="goal")
    with world.database.write() as db:
        memories.close(db, old, world.now - timedelta(days=100))
        tasks.add(db, "shopping", "book the ferry", world.now)
    told = await called(human, model, "autobiography")
    assert f"They live in Lisbon. [memory:{home} · 21 March 2026]" in told
    assert "They lived in Porto." in told and "until 14 December 2025, not now" in told
    assert "What they care about:\n  They want to run a marathon." in told
    assert "book the ferry [to do]" in told
    alone = await called(human, model, "autobiography", part="patterns")
    assert alone.splitlines() == ["What comes again:", "  Nothing is known of it yet."]


async def test_a_focus_session_is_kept_noticed_and_left_alone(
    world: World, human: Human, model: Script, clock: FrozenClock
) -> None:
    model.lines = [ToolCall("1", "focus", {"action": "set", "topic": "the thesis", "minutes": 50}), "Go."]
    await human.says("let me focus on the thesis for 50 minutes")
    await human.says("the thesis needs another chapter on methods")
    assert "They set out to focus on the thesis and have 50 minutes left.\nKeep to it" in model.last_words
    await human.says("did anybody watch that football match in Madrid yesterday evening?")
    assert "This message is about something else" in model.last_words
    with world.database.read() as db:
        session = focus_sessions.current(db, world.now)
    assert session is not None and session.strayed == 1
    told = await called(human, model, "focus", action="check")
    assert told == "Focused on the thesis. 50 minutes left. 1 message about something else."
    moment = gates.Moment(world.now, world.zone, focus_until=session.until)
    seen = gates.room(gates.Candidate(1, "thought", 3), moment, LAWS)
    assert (seen.passed, seen.value, seen.until) == (False, gates.SESSION, session.until)
    assert gates.room(gates.Candidate(1, "thought", 1), moment, LAWS).passed
    clock.pass_(minutes=51)
    await human.says("done")
    assert "set out to focus" not in model.last_words


async def test_tools_are_found_by_what_they_are_for(world: World, human: Human, model: Script) -> None:
    told = await called(human, model, "find_tools", purpose="reminders in the user's zone")
    assert told.splitlines()[0].startswith("schedule: Reminders: make, move")
    assert "focus: Set" in await called(human, model, "find_tools")


@pytest.mark.parametrize("items", ["milk", ["milk"]])
async def test_a_null_is_not_given_and_one_item_is_a_list_of_one(human: Human, model: Script, items: Any) -> None:
    told = await called(human, model, "list", action="add", items=items, list=None, when=None)
    assert "Added: milk" in told
    assert "do not fit" in await called(human, model, "list", action="add", items=["milk"], amount=2)


async def test_an_item_is_found_by_some_of_its_words_where_it_is_the_only_one(human: Human, model: Script) -> None:
    await called(human, model, "list", action="add", list="home depot", items=["two slide bolts", "door alarm"])
    assert "Checked off: two slide bolts" in await called(human, model, "list", action="check", items=["bolts"])
    await called(human, model, "list", action="add", list="home depot", items=["smoke alarm"])
    assert "Not on the list: alarm" in await called(human, model, "list", action="check", items=["alarm"])
    assert "Added: alarm" in await called(human, model, "list", action="add", list="home depot", items=["alarm"])


def test_what_keeps_failing_is_offered_last_and_says_so(world: World) -> None:
    there = [Ability(Tool(name, "Tells the weather at sea.", {})) for name in ("boats_weather", "sea_weather")]
    assert [one.tool.name for one, _ in choosing.rank(world, there, "weather at sea")] == [
        "boats_weather",
        "sea_weather",
    ]
    fails(world, "boats_weather", 5)
    (first, _), (last, _) = choosing.rank(world, there, "weather at sea")
    assert (first.tool.name, last.tool.name) == ("sea_weather", "boats_weather")
    assert last.tool.description.endswith("It failed 5 of the last 5 times: try something else first.")


async def test_introspection_says_what_fails_and_what_is_not_there(world: World, human: Human, model: Script) -> None:
    told = await called(human, model, "introspect", about="doings")
    assert "Nothing was done by myself this week that nobody asked for." in told
    fails(world, "list", 4)
    with world.database.write() as db:
        did = (Action("recall", {"query": "harbour"}, ok=True),)
        act_iterations.keep(db, [Iteration("wandering:1", "drift", 1, did, "finished", 5.0, 0.0, world.now)])
    told = await called(human, model, "introspect", about="doings")
    assert "moved by drift: recall; it came to an end." in told
    assert "Which way I answered lately:" in told
    assert "I wrote first" not in told
    with world.database.write() as db:
        item = mind_queue.add(db, "thought", "How was the sea?", "k", world.now)
        for chat in (human.chat_id, "another"):
            turn = turns.add(db, NewTurn("s", human.channel, chat, COMPANION, f"How was the sea, {chat}?", world.now))
            outreach.record(
                db, outreach.NewDecision("thought", 3, "sent", "it is quiet", item_id=item, turn_id=turn), world.now
            )
    told = await called(human, model, "introspect", about="doings")
    because = "because of “How was the sea?”"
    assert f"I wrote first (thought, {because}): How was the sea, {human.chat_id}?" in told and "another" not in told
    told = await called(human, model, "introspect", about="knowing")
    assert "warmth of the context" in told and "feeling of knowing" in told
    assert "Memory was not searched by me this week." in told
    assert "list is unreliable just now. It failed 4 of the last 4 times" in told


async def test_a_mind_that_searches_in_vain_is_told_to_stop(world: World, human: Human, model: Script) -> None:
    told = [
        await called(human, model, "recall", query=f"the {name} of Atlantis") for name in ("king", "sea", "gate", "zoo")
    ]
    assert told[0] == "Nothing was found."
    assert "3 of 3 searches before: do not search on in other words" in told[3]
    assert "4 searches of memory, 4 found nothing" in await called(human, model, "introspect", about="knowing")


async def test_what_is_found_is_never_called_nothing_however_it_was_asked_for(
    world: World, human: Human, model: Script
) -> None:
    kept(world, "Anika is two years older than they are.")
    fails(world, "recall", 5, ok=True)  # of before it was kept how much a search finds
    for asked in ("family sibling sister called Anika", "age of the sibling Anika", "birthday of Anika, year, age"):
        for line in (await called(human, model, "recall", query=asked)).splitlines():
            assert line.endswith("Anika is two years older than they are.")
    nothing = await called(human, model, "recall", query="the king of Atlantis")
    assert nothing == "Nothing was found."
    assert "4 searches of memory, 1 found nothing." in await called(human, model, "introspect", about="knowing")


@pytest.mark.parametrize(
    ("query", "first"), [("age of the sister", "is forty"), ("wie alt ist die Schwester", "Lisbon")]
)
async def test_what_a_search_finds_is_read_again_where_it_is_english(
    world: World, human: Human, model: Script, query: str, first: str
) -> None:
    class Ranking(NoVectors):
        def recall(self, *_: Any, **__: Any) -> list[tuple[str, float]]:
            return [(name, 1.0 - place / 10) for place, name in enumerate(names)]

        def score(self, query: str, texts: Sequence[str]) -> list[float]:
            return [float("forty" in text) for text in texts]

    names = [
        f"memory:{kept(world, text)}"
        for text in ("Their sister lives in Lisbon.", "Their sister is forty.", "They row.")
    ]
    human.worker.world = replace(world, vectors=Ranking())
    told = await called(human, model, "recall", query=query)
    assert first in told.splitlines()[0]


async def test_recall_looks_through_what_is_on_the_mind(world: World, human: Human, model: Script) -> None:
    with world.database.write() as db:
        gists.add(db, Gist("drift", "question", "Is the ferry to Tavira worth it?", world.now))
    told = await called(human, model, "recall", query="ferry Tavira")
    assert "[my passing thought, no fact · just now] Is the ferry to Tavira worth it?" in told


@pytest.mark.parametrize("name", ["autobiography", "focus"])
def test_what_is_private_is_not_offered_to_a_group(name: str) -> None:
    assert name in [tool.name for tool in registry.tools("owner")]
    assert name not in [tool.name for tool in registry.tools("group")]
