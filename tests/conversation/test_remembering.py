"""What a turn is shown from memory, what that changes afterwards, and that looking alone changes nothing."""

from __future__ import annotations

import asyncio
import json
import random
import re
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from furoshiki.conversation import turn as turn_module
from furoshiki.conversation.context import build_context
from furoshiki.conversation.worker import Worker
from furoshiki.core.database import kv
from furoshiki.core.timestamps import stamp
from furoshiki.language import testimony
from furoshiki.memory import concepts, focus, injection
from furoshiki.memory.focus import drifts
from furoshiki.memory.injection import Injection, Moment, inject
from furoshiki.memory.perception.perceive import perceive
from furoshiki.memory.perception.values import Percept
from furoshiki.memory.store import accesses, memories, retrievals
from furoshiki.memory.store.retrievals import Retrieval
from furoshiki.memory.values import Memory, NewMemory
from furoshiki.messages.store import inbox, turn_journal, turns
from furoshiki.mind.consolidation import memory_feedback
from furoshiki.models.llm.values import ToolCall
from furoshiki.recall.retrieval.values import Recalled
from furoshiki.world import World
from tests.support.rows import user_said
from tests.support.world import START, FrozenClock, Human, NoVectors, Script, claimed

LONG_AGO = START - timedelta(days=40)
BUDGET = 2000


def said(world: World, text: str, session: str = "old", speaker: str = "user") -> int:
    with world.database.write() as db:
        return turns.add(db, user_said(text, LONG_AGO, session_id=session, speaker=speaker, channel="console"))


def learned(world: World, content: str, kind: str = "semantic", **more: Any) -> int:
    turn = said(world, content, session=f"s{content}")
    with world.database.write() as db:
        return memories.add(db, NewMemory(kind, content, (turn,), **more), LONG_AGO)


def realized(world: World, content: str, category: str) -> int:
    return learned(world, content, "reflection", category=category, source_tag="internal_consolidation")


def memory(world: World, memory_id: int) -> Memory:
    with world.database.read() as db:
        found = memories.get(db, memory_id)
    assert found is not None
    return found


def dump(world: World) -> str:
    with world.database.read() as db:
        return "\n".join(db.iterdump())


def found(*ids: int, kind: Any = "memory", text: str = "something") -> list[Recalled]:
    return [
        Recalled(f"{kind}:{row}", kind, (row,), None, LONG_AGO, None, f"{text} {row}", 1.0 / place)
        for place, row in enumerate(ids, 1)
    ]


def shown(world: World, what: list[Recalled], budget: int = BUDGET, **more: Any) -> Injection:
    moment = more.pop("moment", Moment(world.now, {}))
    return inject(world, what, moment, budget, **{"deterministic": True} | more)


# what is shown


def test_the_best_come_whole_and_the_rest_in_one_line(world: World) -> None:
    long = "The harbour office opens at seven and the ferry leaves from the second pier. " * 6
    rows = [learned(world, f"{number} {long}", compressed=f"harbour {number}") for number in range(6)]
    injection = shown(world, [replace(one, text=f"{one.id} {long}") for one in found(*rows)], budget=400)
    assert [one.id for one in injection.shown] == [f"memory:{row}" for row in rows]
    assert [one.line for one in injection.shown] == [None, None, *(f"harbour {number}" for number in range(2, 6))]


def test_a_short_pasted_text_comes_whole_or_not_at_all(world: World) -> None:
    """ "here are the rules:" alone is no answer to what the rules say."""
    pasted = "the landlady sent the rules: " + "The key to the cellar is with Arthur. " * 10
    rules = replace(found(1, kind="turn")[0], text=pasted, foreign=testimony.whole(pasted, "quote")[:1])
    others = [replace(one, text=f"{one.text} " + "and so on and on " * 20) for one in found(2, 3, 4, kind="turn")]
    lines = {budget: [one.line for one in shown(world, [*others, rules], budget).shown] for budget in (175, 300)}
    assert len(lines[175]) == 3, "it does not fit, and is left out"
    assert len(lines[300]) == 4 and lines[300][-1] is None


def test_what_was_true_once_is_shown_with_its_end(world: World, human: Human, model: Script) -> None:
    paris = learned(world, "They live in Paris with a parrot.")
    with world.database.write() as db:
        memories.close(db, paris, START - timedelta(days=3))
    [one] = shown(world, found(paris)).shown
    assert (one.past, one.until) == (True, START - timedelta(days=3))


def test_a_turn_brings_its_neighbours_unless_they_are_in_view(world: World) -> None:
    before, middle, after = said(world, "what is her boat called?"), said(world, "Morgana"), said(world, "I love it")
    [one] = shown(world, found(middle, kind="turn")).shown
    assert one.beside == (("before", "user", "what is her boat called?"), ("after", "user", "I love it"))
    [one] = shown(world, found(middle, kind="turn"), in_view={f"turn:{before}"}).shown
    assert one.beside == (("after", "user", "I love it"),)
    both = shown(world, found(middle, after, kind="turn")).shown
    assert both[0].beside == (("before", "user", "what is her boat called?"),)
    assert shown(world, found(middle, kind="turn"), budget=30).shown[0].beside == ()


def test_a_moment_gives_its_place_to_the_words_it_quotes(world: World) -> None:
    words = "I lost my keys in the park"
    turn = said(world, words)
    other = learned(world, "Their parrot is called Kapitan.")
    with world.database.write() as db:
        quote = NewMemory("episodic", f"They said: “{words}”", (turn,), category="moment")
        moment = memories.add(db, quote, LONG_AGO)
    quoting = replace(found(moment)[0], turn_ids=(turn,))
    ranking = [quoting, *found(other), *found(turn, kind="turn", text=words)]
    came = shown(world, ranking)
    assert [one.id for one in came.shown] == [f"turn:{turn}", f"memory:{other}"], "its words come first, and once"
    assert {one.item for one in came.woken if one.injected} == {f"turn:{turn}", f"memory:{other}", f"memory:{moment}"}
    seen = shown(world, ranking[:2], in_view={f"turn:{turn}"})
    assert [one.id for one in seen.shown] == [f"memory:{other}"]
    alone = shown(world, ranking[:2])
    assert [one.id for one in alone.shown] == [f"memory:{moment}", f"memory:{other}"], "where the words are not found"


def test_a_known_fact_in_view_is_not_said_twice_unless_it_is_over(world: World) -> None:
    fact = learned(world, "They live in Paris.")
    came = shown(world, found(fact), in_view={f"memory:{fact}"})
    assert not came.shown
    assert [(one.item, one.injected) for one in came.woken] == [(f"memory:{fact}", True)], (
        "it came to mind all the same"
    )
    with world.database.write() as db:
        memories.close(db, fact, START)
    [over] = shown(world, found(fact), in_view={f"memory:{fact}"}).shown
    assert over.past and over.until == START


@pytest.mark.parametrize("facts", [[], ["They are a carpenter.", "Their wife is called Carmen."]])
@pytest.mark.parametrize("unread", [0, 3])
def test_in_short_a_session_is_what_was_talked_about_and_not_its_heads(
    world: World, facts: list[str], unread: int
) -> None:
    told = "Chuy closes his working life on Friday to look after Carmen, who took him for her brother."
    names = ("date", "part_of_day", "start", "end", "topics", "user_state", "mood", "connection")
    more = dict.fromkeys(names, "x") | {"companion": "Furo", "connection": "0.8, warmth 0.7"}
    page = world.prompts.render(
        "post_conversation/document", **more, unread=unread, facts=facts, summary=told, lines=["a line"]
    )
    [one] = found(1, kind="session")
    line = injection._make_thing(replace(one, text=page), 1, None, 0.0, 0.0).line
    assert line.startswith("Chuy closes") and "Session" not in line


def test_a_session_in_view_as_a_whole_is_not_retold(world: World) -> None:
    first, second = said(world, "hello"), said(world, "it rains")
    session = replace(found(1, kind="session")[0], turn_ids=(first, second))
    assert not shown(world, [session], in_view={f"turn:{first}", f"turn:{second}"}).shown
    assert shown(world, [session], in_view={f"turn:{first}"}).shown


async def test_a_turn_shows_each_thing_it_knows_once_and_says_that_it_knew_it(
    world: World, human: Human, model: Script
) -> None:
    parrot = learned(world, "Their parrot is called Kapitan.")
    model.lines = ["Kapitan."]
    await human.says("what is my parrot called?")
    question = model.questions[-1]
    prompt = "\n".join([*(block.text for block in question.system), *(one.text for one in question.messages)])
    assert prompt.count(f"[memory:{parrot} ·") == 1
    with world.database.read() as db:
        entry = turn_journal.find_last_committed(db)
    assert entry is not None and f"memory:{parrot}" in entry.evidence


def test_what_woke_together_comes_along(world: World) -> None:
    boat, sister, rain = learned(world, "A boat."), learned(world, "A sister."), learned(world, "They like rain.")
    with world.database.write() as db:
        accesses.together(db, [boat, sister], START)
    injection = shown(world, found(boat))
    assert [one.id for one in injection.shown] == [f"memory:{boat}", f"memory:{sister}"]
    assert [(one.item, one.rank) for one in injection.woken] == [(f"memory:{boat}", 1), (f"memory:{sister}", 0)]
    with world.database.write() as db:
        accesses.together(db, [sister, rain], START)
        memories.close(db, sister, START)
    assert [one.id for one in shown(world, found(boat)).shown] == [f"memory:{boat}"]
    drifting = shown(world, found(boat), moment=Moment(world.now, {}, drifting=True))
    assert [one.id for one in drifting.shown] == [f"memory:{boat}", f"memory:{rain}"]


def test_while_the_talk_drifts_one_thing_brings_up_another_that_is_about_the_same(world: World) -> None:
    boat = learned(world, "They keep a sailboat in Setubal.")
    uncle = learned(world, "Their uncle Ruben built the sailboat.")
    other = learned(world, "They like rain.")
    with world.database.write() as db:
        assert concepts.read_new(db, START) == 3
    assert [one.id for one in shown(world, found(boat)).shown] == [f"memory:{boat}"]
    drifting = shown(world, found(boat), moment=Moment(world.now, {}, drifting=True))
    assert [one.id for one in drifting.shown] == [f"memory:{boat}", f"memory:{uncle}"]
    assert f"memory:{other}" not in {one.item for one in drifting.woken}


async def test_idle_words_about_something_else_bring_up_what_was_not_asked_for(
    world: World, human: Human, model: Script
) -> None:
    learned(world, "They keep a sailboat in Setubal.")
    learned(world, "Their uncle Ruben built it with Setubal oak.", "episodic")
    with world.database.write() as db:
        concepts.read_new(db, START)
        db.execute("UPDATE memories SET content='Their uncle Ruben made it of oak.' WHERE content LIKE '%oak.'")
    await human.says("I baked bread with olives for the neighbours")
    await human.says("where is my sailboat?")
    assert "Ruben" not in model.last_words, "who asks wants an answer"
    await human.says("and the bread turned out well with olives for the neighbours")
    await human.says("ah, my sailboat")
    assert "Their uncle Ruben made it of oak." in model.last_words


@pytest.mark.parametrize(
    ("text", "share", "so"),
    [
        ("ah, my sailboat", 0.05, True),
        ("ah, my sailboat", 0.3, False),
        ("ah, my sailboat", 0.0, False),
        ("where is my sailboat", 0.05, False),
        ("the sailboat?", 0.05, False),
        ("remind me of the sailboat tomorrow", 0.05, False),
        ("I have to tell you what happened at the harbour this morning", 0.05, False),
        ("", 0.05, False),
    ],
)
def test_talk_drifts_when_it_asks_for_nothing_and_leaves_its_subject(text: str, share: float, so: bool) -> None:
    assert drifts(text, share) == so


def test_a_mood_brings_up_what_feels_like_it(world: World) -> None:
    rows = [learned(world, f"Fact {number}.") for number in range(14)]
    with world.database.write() as db:
        db.execute("""UPDATE memories SET feelings='{"sadness": 0.9}' WHERE id=?""", (rows[13],))
    calm = [one.id for one in shown(world, found(*rows)).shown]
    sad = [one.id for one in shown(world, found(*rows), moment=Moment(world.now, {"sadness": 0.9})).shown]
    assert f"memory:{rows[13]}" not in calm
    assert f"memory:{rows[13]}" in sad


def test_chance_never_costs_the_first_half_and_dice_are_not_touched_without_it(world: World) -> None:
    rows = [learned(world, f"Fact {number}.") for number in range(20)]
    first = [f"memory:{row}" for row in rows[:6]]
    drawn = [[one.id for one in shown(world, found(*rows), deterministic=False).shown] for _ in range(30)]
    assert all(ids[:6] == first for ids in drawn)
    assert len({tuple(sorted(ids)) for ids in drawn}) > 1, "the other half is drawn"
    before = world.rng.getstate()
    assert shown(world, found(*rows)) == shown(world, found(*rows))
    assert world.rng.getstate() == before


def test_the_previous_focus_leans_on_what_comes_to_mind(world: World) -> None:
    ferry, *rest = [learned(world, text) for text in ("The ferry to Porto.", *(f"Fact {n}." for n in range(14)))]
    ranking = [*found(*rest), replace(found(ferry, text="The ferry to Porto.")[0], score=0.0)]
    with world.database.write() as db:
        turn = turns.add(db, user_said("we took the ferry to Porto", START, session_id="s1"))
        focus.move(db, {"session": "s1", "turns": [], "vector": None}, [turn], START)
    before = focus.inertia(world, "was the ferry late?", "s1")
    assert (before.share, before.words) == (0.3, frozenset({"took", "ferry", "porto"}))
    leaning = shown(world, ranking, moment=Moment(world.now, {}, before)).shown
    assert f"memory:{ferry}" in [one.id for one in leaning]
    assert f"memory:{ferry}" not in [one.id for one in shown(world, ranking).shown]
    assert focus.inertia(world, "what is for dinner?", "s1").share == 0.05
    assert focus.inertia(world, "was the ferry late?", "s2").share == 0.05
    assert before.next == {"session": "s1", "turns": [turn], "vector": None}


def test_the_focus_is_a_vector_where_there_are_vectors(world: World) -> None:
    class Compass:
        def embed(self, texts: list[str]) -> list[list[float]]:
            return [[1.0, 0.0] if "ferry" in text else [0.0, 1.0] for text in texts]

    seeing = replace(world, vectors=Compass())  # type: ignore[arg-type]
    first = focus.inertia(seeing, "the ferry", "s1")
    assert (first.share, first.vector) == (0.0, ())
    with world.database.write() as db:
        turn = turns.add(db, user_said("the ferry", START, session_id="s1"))
        assert first.next is not None
        focus.move(db, first.next, [turn], START)
    assert focus.inertia(seeing, "a ferry again", "s1").share == 0.3
    away = focus.inertia(seeing, "dinner", "s1")
    assert (away.share, away.vector) == (0.05, (1.0, 0.0))
    assert away.next is not None
    assert away.next["turns"] == []


async def test_what_is_over_is_told_as_past_in_the_prompt_and_by_the_skill(
    world: World, human: Human, model: Script
) -> None:
    paris = learned(world, "They live in Paris with a parrot.")
    with world.database.write() as db:
        memories.close(db, paris, START - timedelta(days=3))
    model.lines = [ToolCall("c1", "recall", {"query": "Paris parrot"}), "You lived in Paris until 21 March."]
    await human.says("where did I live with the parrot in Paris?")
    label = f"[memory:{paris} · 12 February 2026 · until 21 March 2026, not now]"
    assert f"- {label} They live in Paris with a parrot." in model.questions[0].messages[-1].text
    assert f"{label} They live in Paris" in json.loads(model.questions[1].messages[-1].text)["result"]
    with world.database.read() as db:
        assert retrievals.usefulness(db, f"memory:{paris}").shown == 1


async def test_what_says_itself_that_it_is_over_was_not_true_until_a_day(
    world: World, human: Human, model: Script
) -> None:
    parrot = learned(world, "They no longer have a parrot in Paris.")
    with world.database.write() as db:
        memories.close(db, parrot, START - timedelta(days=3))
    model.lines = ["No, not since Paris."]
    await human.says("do I have a parrot in Paris?")
    shown = model.questions[0].messages[-1].text
    assert f"- [memory:{parrot} · 12 February 2026 · over by 21 March 2026] They no longer have a parrot" in shown


@pytest.mark.parametrize("fact", ["They want to be called Noor.", "They are called Noor."])
async def test_how_they_want_to_be_called_is_said_once(world: World, human: Human, model: Script, fact: str) -> None:
    learned(world, fact, subject="user", predicate="name", object="Noor", category="addressing")
    await human.says("hello again, and how are you today?")
    shown = "\n".join(part.text for part in (*model.questions[-1].system, *model.questions[-1].messages))
    assert shown.count("They want to be called Noor.") == 1
    assert "They are called Noor." not in shown


# looking changes nothing


async def test_gathering_changes_nothing_in_the_database(world: World, human: Human) -> None:
    learned(world, "They live in Lisbon near the harbour.")
    said(world, "the harbour is loud at night")
    await human.says("hello, I am back at the harbour")
    with world.database.write() as db:
        db.execute("UPDATE memories SET cold_since=?", (stamp(START),))
    for words in ("the harbour again", "what do you know about Lisbon?", "night", "…"):
        human.writes(words)
        percept = await perceive(world, [claimed(world)])
        before = dump(world)
        context = build_context(world, percept)
        assert context.woken.retrieved or words == "…"
        assert dump(world) == before


WORDS = st.lists(st.sampled_from(["harbour", "loud", "Lisbon", "parrot", "where", "who", "did", "I", "of", "the"]))


@settings(max_examples=10, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(words=WORDS, signals=st.dictionaries(st.sampled_from(["sadness", "worry"]), st.floats(0, 1)), data=st.integers())
def test_remembering_reads_and_never_writes(
    world: World, human: Human, words: list[str], signals: dict[str, float], data: int
) -> None:
    if human.sent == 0:
        for text in (
            "They live in Lisbon near the harbour.",
            "Their parrot is called Kapitan.",
            "They like the night.",
        ):
            learned(world, text)
        said(world, "the harbour is loud at night, and so is Kapitan")
        human.writes("hello")
    percept = _percept(world)
    spoken = tuple(replace(one, text=" ".join(words)) for one in percept.said)
    percept = replace(percept, said=spoken, signals=signals)
    before = dump(world)
    build_context(replace(world, rng=random.Random(data)), percept)
    assert dump(world) == before


def _percept(world: World) -> Percept:
    with world.database.read() as db:
        envelope = inbox.read_waiting(db, "telegram", "7", 0)[0]
    return asyncio.run(perceive(world, [envelope]))


# what follows


async def test_a_memory_used_in_an_answer_is_recalled_more_easily_next_time(
    world: World, human: Human, model: Script
) -> None:
    parrot = learned(world, "Their parrot is called Kapitan.")
    learned(world, "They like rain.")
    model.lines = ["Kapitan, of course."]
    await human.says("what is my parrot called?")
    after = memory(world, parrot)
    assert after.alpha > 1.0 and after.beta == 4.0
    assert (after.access_count, after.hit_count, after.last_accessed_at) == (1, 1, START)
    assert after.utility == pytest.approx(memory_feedback.LEARNS), "the answer made use of it"
    with world.database.read() as db:
        came = retrievals.outcomes(db, START - timedelta(days=1))
        log = db.execute("SELECT * FROM consolidation_log WHERE memory_id=?", (parrot,)).fetchall()
    [row] = [one.retrieval for one in came if one.retrieval.item == f"memory:{parrot}"]
    assert (row.rank, row.injected, row.used) == (1, True, True)
    assert set(row.voices) == {"semantic", "co_access", "noise", "emotion", "recency"}
    assert [one["operation"] for one in log] == ["retrieved"]
    rivals = [learned(world, f"Their parrot {number}.") for number in range(14)]
    equals = [replace(one, score=1.0) for one in found(*rivals, parrot)]
    assert f"memory:{parrot}" in [one.id for one in shown(world, equals).shown]
    with world.database.write() as db:
        db.execute("UPDATE memories SET alpha=1.0 WHERE id=?", (parrot,))
    assert f"memory:{parrot}" not in [one.id for one in shown(world, equals).shown]


async def test_a_cold_fact_that_was_found_is_a_known_fact_again(world: World, human: Human) -> None:
    parrot = learned(world, "Their parrot is called Kapitan.")
    with world.database.write() as db:
        db.execute("UPDATE memories SET cold_since=?", (stamp(START - timedelta(days=2)),))
        assert memories.read_known(db) == []
    await human.says("tell me about my parrot")
    with world.database.read() as db:
        assert [one.id for one in memories.read_known(db)] == [parrot]


async def test_what_two_turns_woke_together_wakes_together(world: World, human: Human, clock: FrozenClock) -> None:
    parrot = learned(world, "Their parrot is called Kapitan.")
    sister = learned(world, "Their sister gave them the parrot.")
    for _ in range(2):
        await human.says("tell me about the parrot")
        clock.pass_(minutes=30)
    with world.database.read() as db:
        assert accesses.partners(db, parrot, 3) == [(sister, 2.0)]
    assert [one.id for one in shown(world, found(parrot)).shown] == [f"memory:{parrot}", f"memory:{sister}"]


async def test_near_misses_lose_a_little_and_what_was_far_away_nothing(world: World, clock: FrozenClock) -> None:
    rows = [learned(world, f"Fact {number}.") for number in range(22)]
    woken = [Retrieval(f"memory:{row}", rank, rank in (1, 7)) for rank, row in enumerate(rows, 1)]
    with world.database.write() as db:
        memory_feedback.leave(db, "inbox:9", woken, None, [], START)
    assert memory_feedback.settle(world, "inbox:9")
    betas = [memory(world, row).beta for row in rows]
    assert betas == pytest.approx([4.0] * 5 + [4.05, 4.0] + [4.05] * 13 + [4.0, 4.0])
    assert [memory(world, row).alpha > 1.0 for row in rows] == [rank in (1, 7) for rank in range(1, 23)]


async def test_boundaries_do_not_move(world: World, human: Human) -> None:
    pinned = learned(world, "Never joke about the parrot.", immutable=True)
    await human.says("tell me about the parrot")
    assert (memory(world, pinned).alpha, memory(world, pinned).beta) == (50.0, 1.0)
    assert memory(world, pinned).access_count == 1


async def test_a_turn_is_settled_once(world: World, human: Human) -> None:
    parrot = learned(world, "Their parrot is called Kapitan.")
    await human.says("tell me about the parrot")
    before = dump(world)
    assert not memory_feedback.settle(world, "inbox:1")
    with world.database.write() as db:  # the note of a turn whose retrievals are on record already
        memory_feedback.leave(db, "inbox:1", [Retrieval(f"memory:{parrot}", 1, True)], None, [], START)
    assert memory_feedback.settle(world, "inbox:1")
    assert dump(world) == before


async def test_a_crash_between_the_answer_and_its_settling_loses_nothing(
    world: World, human: Human, monkeypatch: pytest.MonkeyPatch
) -> None:
    parrot = learned(world, "Their parrot is called Kapitan.")
    human.writes("tell me about the parrot")
    afterwards = await turn_module.run(world, [claimed(world)])
    assert afterwards is not None
    assert memory(world, parrot).access_count == 0
    Worker(world).recover()
    assert (memory(world, parrot).access_count, memory(world, parrot).hit_count) == (1, 1)
    with world.database.read() as db:
        assert kv.keys(db, memory_feedback.NOTE) == []
    again = memory(world, parrot)
    afterwards().close()
    assert memory(world, parrot) == again


async def test_killed_while_settling_nothing_is_half_done(
    world: World, human: Human, monkeypatch: pytest.MonkeyPatch
) -> None:
    parrot = learned(world, "Their parrot is called Kapitan.")
    with world.database.write() as db:
        memory_feedback.leave(db, "inbox:9", [Retrieval(f"memory:{parrot}", 1, True)], None, [], START)
    before = dump(world)

    def die(_name: str) -> None:
        raise asyncio.CancelledError

    with monkeypatch.context() as dying:
        dying.setattr(memory_feedback, "point", die)
        with pytest.raises(asyncio.CancelledError):
            memory_feedback.settle(world, "inbox:9")
    assert dump(world) == before
    assert memory_feedback.settle_all(world) == 1
    assert memory(world, parrot).hit_count == 1


async def test_what_an_answer_found_before_a_crash_was_shown_is_settled_after_it(
    world: World, human: Human, model: Script, monkeypatch: pytest.MonkeyPatch
) -> None:
    parrot = learned(world, "Their parrot is called Kapitan.")
    human.writes("tell me about the parrot")

    def crash(*_: object) -> None:
        raise asyncio.CancelledError

    with monkeypatch.context() as broken:
        broken.setattr(turn_module, "commit", crash)
        with pytest.raises(asyncio.CancelledError):
            await human.waits()
    with world.database.write() as db:
        db.execute("UPDATE inbox SET state='pending'")
        db.execute("DELETE FROM memories WHERE id!=?", (parrot,))
    await human.waits()
    assert len(model.questions) == 1
    assert memory(world, parrot).hit_count == 1


async def test_a_forgotten_memory_is_passed_over(world: World, human: Human) -> None:
    parrot = learned(world, "Their parrot is called Kapitan.")
    rain = learned(world, "They like rain.")
    with world.database.write() as db:
        woken = [Retrieval(f"memory:{parrot}", 1, True), Retrieval(f"memory:{rain}", 2, True)]
        memory_feedback.leave(db, "inbox:9", woken, None, [], START)
        db.execute("DELETE FROM memories WHERE id=?", (parrot,))
    assert memory_feedback.settle(world, "inbox:9")
    assert memory(world, rain).hit_count == 1


# who the companion is


async def test_boundaries_are_always_there_and_light_memories_hardly_ever(
    world: World, human: Human, model: Script, clock: FrozenClock
) -> None:
    learned(world, "They are allergic to nuts.", immutable=True)
    learned(world, "Never promise to keep a secret from Anika.", "procedural", immutable=True)
    heavy = realized(world, "I came to value plain answers.", "value")
    light = realized(world, "I might like jazz.", "self")
    with world.database.write() as db:
        db.execute("UPDATE memories SET alpha=40 WHERE id=?", (heavy,))
        db.execute("UPDATE memories SET beta=40 WHERE id=?", (light,))
    blocks = []
    for _ in range(4):
        await human.says("hello")
        blocks.append(model.questions[-1].system[1].text)
        clock.pass_(hours=2)
    for block in blocks:
        own, _, person = block.partition("# The person you talk to")
        assert "- Never promise to keep a secret from Anika." in own
        assert "They are allergic to nuts." not in own and "They are allergic to nuts." in person
    assert all("- I came to value plain answers." in block for block in blocks)
    assert not any("jazz" in block for block in blocks)


async def test_the_roll_is_made_once_a_session(world: World, human: Human, model: Script, clock: FrozenClock) -> None:
    for number in range(12):
        row = realized(world, f"I value thing {number}.", "value")
        with world.database.write() as db:
            db.execute("UPDATE memories SET alpha=6 WHERE id=?", (row,))
    for _ in range(3):
        await human.says("and so on")
        clock.pass_(minutes=2)
    assert len({question.system[1].text for question in model.questions}) == 1
    for _ in range(3):
        clock.pass_(hours=2)
        await human.says("and so on")
    assert len({question.system[1].text for question in model.questions}) > 1


def test_nothing_found_shows_nothing(world: World) -> None:
    assert shown(world, []) == Injection()


# what is asked of memory


def remembered(model: Script) -> str:
    return model.turn_words.partition("<remembered>")[2].partition("</remembered>")[0]


async def test_what_is_far_from_the_words_is_not_shown(world: World, human: Human, model: Script) -> None:
    said(world, "I went to pottery class and feel good about the bowl", session="s2")
    said(world, "we hiked up the hill behind the harbour", session="s3")
    await human.says("i feel like such a failure")
    assert not remembered(model)
    said(world, "since the exam I feel like a failure every morning")
    await human.says("i feel like such a failure again")
    assert "since the exam" in remembered(model)
    assert "pottery" not in remembered(model) and "hiked" not in remembered(model)


async def test_a_message_that_leans_on_the_talk_is_asked_with_it(world: World, human: Human, model: Script) -> None:
    said(world, "Ruth sold the caravan to a dentist on the third of May")
    said(world, "the dentist said my tooth is fine", session="s2")
    model.lines = ["She sold it, didn't she?", "In May."]
    await human.says("I miss the caravan of Ruth")
    await human.says("and when was that?")
    assert "third of May" in remembered(model)
    await human.says("what did the radiator cost?")
    assert "caravan" not in remembered(model), "who stands alone is not drowned in what was said before"


class Expecting(NoVectors):
    """memoryd is away, but what it would be asked for is noted."""

    def __init__(self) -> None:
        self.floors: list[str | None] = []

    def expect_recall(self, text: str, **asked: Any) -> None:
        self.floors.append(asked["scope"].floor)


async def test_a_statement_in_another_language_is_shown_less_than_a_question(world: World, human: Human) -> None:
    vectors = Expecting()
    human.worker.world = replace(world, vectors=vectors)
    for text in (
        "Ich war heute mit Moritz beim Tierarzt.",
        "Wie heißt mein Kater?",
        "и как его зовут?",
        "昨天下雨了，我没出门。",
    ):
        await human.says(text)
    assert vectors.floors == ["outstanding", None, None, "outstanding"]


def whole_prompt(model: Script) -> str:
    asked = [question for question in model.questions if question.purpose == "turn"][-1]
    return "\n".join([*(block.text for block in asked.system), *(one.text for one in asked.messages)])


async def test_one_statement_stands_once_in_a_prompt(world: World, human: Human, model: Script) -> None:
    learned(world, "Their parrot is called Kapitan.")
    said(world, "my parrot is called Kapitan", session="s2")
    said(world, "Kapitan the parrot learned to whistle the ferry song", session="s3")
    await human.says("what is my parrot called?")
    assert whole_prompt(model).count("called Kapitan") == 1
    assert "whistle the ferry song" in remembered(model), "what says more is shown"
    await human.says("I live in Porto now")
    await human.says("where did I say that I live?")
    shown = re.sub("when they wrote: .*", "", whole_prompt(model))
    assert shown.count("live in Porto") == 1, "what stands in the conversation is not learned today, too"


async def test_recall_does_not_find_the_question(world: World, human: Human, model: Script) -> None:
    said(world, "what is my parrot called?")
    said(world, "my parrot Kapitan bit the postman", session="s2")
    said(world, "the postman came by the harbour", session="s3")
    model.lines = [ToolCall("c1", "recall", {"query": "what is my parrot called?"}), "Kapitan."]
    await human.says("what is my parrot called?")
    found = json.loads(model.questions[1].messages[-1].text)["result"]
    assert "Kapitan bit the postman" in found and "what is my parrot" not in found
    model.lines = [ToolCall("c2", "recall", {"query": "postman"}), "Kapitan bit him."]
    await human.says("and what did I tell you of the postman?")
    asked = [question for question in model.questions if question.purpose == "turn"][-1]
    lines = json.loads(asked.messages[-1].text)["result"].splitlines()
    assert len(lines) > 1 and all(line.startswith("[") for line in lines), "names in brackets arrive as they are"
