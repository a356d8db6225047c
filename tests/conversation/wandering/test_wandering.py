"""An idle mind wanders; and what becomes of its thoughts, as the person it belongs to notices it."""

from __future__ import annotations

import random
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from furoshiki.archive.forgetting import forgetting
from furoshiki.conversation.skills import introspect
from furoshiki.conversation.skills.skill import Place, SkillContext
from furoshiki.conversation.wandering import due
from furoshiki.conversation.wandering.rules import seeds
from furoshiki.conversation.wandering.values import SeedKind
from furoshiki.core.errors import NoMindAnswered
from furoshiki.memory import concepts as memory_concepts
from furoshiki.memory import deferred_checks, weighing
from furoshiki.memory.contradiction import Contradicting
from furoshiki.memory.rules.concepts import FADED
from furoshiki.memory.store import concepts as memory_store
from furoshiki.memory.store import memories
from furoshiki.memory.values import NewMemory
from furoshiki.messages.store import turns
from furoshiki.mind.inner_life.journal import monologue
from furoshiki.models.llm.structured import ask_typed
from furoshiki.models.llm.values import Answer, Question
from furoshiki.owner.agenda.store import focus_sessions, mind_queue
from furoshiki.owner.agenda.store.focus_sessions import FocusSession
from furoshiki.world import World
from tests.support.forgetting import forget
from tests.support.idle import QUESTION, REFLECTION, SAID, only, rows, speak, strength_of, thinks, wander
from tests.support.reaching_out import pass_, told
from tests.support.rows import user_said
from tests.support.unasked import in_telegram
from tests.support.wondering import sort
from tests.support.world import FrozenClock, Human, Script


def last(world: World) -> dict[str, Any]:
    return rows(world, "SELECT * FROM wanderings ORDER BY id DESC LIMIT 1")[0]


def reason(world: World) -> str | None:
    with world.database.read() as db:
        return due.wander(db, world.now)


async def test_a_thought_is_on_its_mind_when_they_speak_next_and_once(
    world: World, human: Human, model: Script, clock: FrozenClock
) -> None:
    speak(world)
    model.lines = [thinks(REFLECTION)]
    report = await wander(only(world, "recent"))
    assert report.did, report
    shown = model.questions[0].messages[-1].text
    assert "harbour" in shown and SAID[1] in shown  # the moment it comes from
    looked = introspect.SKILL.run(SkillContext(world, None, Place("k", "", "", "")), introspect.SKILL.arguments())
    assert "By yourself you thought" in looked.text and "it went into the journal" in looked.text
    human.worker.world = world
    await human.says("good evening")
    await human.says("are you there?")
    first, second = (one.messages[-1].text for one in model.questions[1:])
    assert "passing thoughts" in first and "I have nothing like it" in first
    assert "I have nothing like it" not in second
    clock.pass_(minutes=31)
    assert rows(world, "SELECT id FROM gists WHERE expires_at>?", world.now.isoformat()) == []


async def test_words_kept_as_a_moment_stand_there_once(world: World, model: Script) -> None:
    speak(world)
    with world.database.write() as db:
        db.execute("UPDATE memories SET category='moment', content='They said: “' || content || '”'")
    model.lines = [thinks(REFLECTION)]
    await wander(only(world, "recent"))
    shown = model.questions[0].messages[-1].text
    assert SAID[1] in shown and "They said" not in shown


async def test_a_reflection_goes_into_the_journal_and_the_night_reads_it(world: World, model: Script) -> None:
    speak(world)
    model.lines = [thinks(REFLECTION)]
    await wander(only(world, "recent"))
    assert last(world)["action"] == "REFLECT"
    model.lines = [lambda _question: NoMindAnswered("enough", away=True)]
    await monologue.night(world)
    assert "I have nothing like it" in model.questions[-1].messages[-1].text


async def test_what_they_would_like_to_hear_is_said_when_it_may_be(
    owned: Human, model: Script, clock: FrozenClock
) -> None:
    world = in_telegram(owned.world)
    speak(world, ago=60)
    model.lines = [thinks({**REFLECTION, "for_them": True})]
    await wander(only(world, "recent"))
    assert last(world)["action"] == "COMMUNICATE"
    owned.world = world
    await pass_(world, clock, days=2)
    assert [one.text for one in told(world)] == [REFLECTION["text"]]


async def test_a_question_of_its_own_is_asked_when_only_they_can_know(
    owned: Human, model: Script, clock: FrozenClock
) -> None:
    world = in_telegram(owned.world)
    speak(world, ago=60)
    model.lines = [thinks(QUESTION)]
    await wander(only(world, "recent"))
    assert last(world)["action"] == "SEED_THREAD"
    [question] = rows(world, "SELECT question, state, source FROM self_questions")
    assert question == {"question": QUESTION["text"], "state": "open", "source": f"wanderings:{last(world)['id']}"}

    async def ask(asked: Question, on_text: Any = None) -> Answer:
        return await ask_typed(asked, model)

    model.lines = ['{"who": "user"}']
    await sort(replace(world, ask=ask))
    owned.world = world
    await pass_(world, clock, days=2)
    assert told(world)[0].text == QUESTION["text"]


async def test_two_that_may_contradict_each_other_are_asked_about_at_night(world: World, model: Script) -> None:
    said = ("I never swim in the sea at the harbour", "I swim in the sea at the harbour each week")
    older, newer = speak(world, said)
    with world.database.write() as db:
        for one, what in ((older, "never"), (newer, "weekly")):
            db.execute("UPDATE memories SET subject='user', predicate='swims', object=? WHERE id=?", (what, one))
    model.lines = [thinks({**REFLECTION, "text": "They swim in the sea each week."})]
    await wander(only(world, "recent"))
    assert last(world)["action"] == "RECONCILE"
    before = rows(world, "SELECT beta FROM memories WHERE id=?", older)[0]["beta"]
    model.lines = [
        lambda question: Answer("", "stop", "scripted", "script", question.tier, parsed=Contradicting(contradict=True))
    ]
    done = await deferred_checks.step(world, weighing.cycle(world, "deep"))
    assert done == {"asked": 1, "contested": 1}
    assert rows(world, "SELECT beta FROM memories WHERE id=?", older)[0]["beta"] > before


async def test_what_memory_has_to_a_question_comes_along(world: World, human: Human, model: Script) -> None:
    with world.database.write() as db:
        turn = turns.add(db, user_said("the sea helps after every late shift", world.now - timedelta(days=9)))
        memories.add(db, NewMemory("semantic", "The sea helps after every late shift.", (turn,)), world.now)
    speak(
        world, [f"{SAID[1]} once more, the {day}" for day in ("first", "second", "third", "fourth", "fifth", "sixth")]
    )
    model.lines = [thinks({**QUESTION, "messages": list(range(2, 8))})]
    await wander(only(world, "recent"))
    assert last(world)["action"] == "AMBIENT_TOOL", last(world)
    assert last(world)["outcome"].startswith("memory has ")
    human.worker.world = world
    await human.says("good evening")
    assert "What you remember of that: " in model.last_words


async def test_work_that_their_words_carry_is_proposed_and_waits_for_a_yes(world: World, model: Script) -> None:
    speak(world)
    goal = {"text": "Swim in the sea after each late shift at the harbour.", "confidence": 0.8}
    grounded = {**REFLECTION, "messages": [1, 2, 3]}
    model.lines = [thinks({**grounded, "goal": {**goal, "text": "Move to Anika in Lyon."}})]
    await wander(only(world, "recent"))
    assert rows(world, "SELECT * FROM persistent_tasks") == []
    with world.database.write() as db:
        db.execute("DELETE FROM wanderings")
        db.execute("UPDATE concepts SET wandered_at=NULL")
        db.execute("DELETE FROM gists")
    model.lines = [thinks({**grounded, "goal": goal})]
    await wander(only(world, "recent"))
    assert last(world)["action"] == "PLAN", last(world)
    [task] = rows(world, "SELECT goal, source_tag, source_confidence, state FROM persistent_tasks")
    assert task == {"goal": goal["text"], "source_tag": "drift", "source_confidence": 0.8, "state": "proposed"}


async def test_how_two_things_belong_together_is_told_where_it_was_said(world: World, model: Script) -> None:
    speak(world, SAID[1:2])
    with world.database.write() as db:
        db.execute(
            "INSERT INTO sessions (session_id, started_at, ended_at, topics, document) VALUES ('s', '', '', '', '')"
        )
        memory_store.of_session(db, 1, ["harbour", "sea"], world.now, [("sea", "harbour", "leads_to")])
    model.lines = [thinks(None)] * 4
    shown = ""
    for _ in range(4):  # whichever it begins with
        with world.database.write() as db:
            db.execute("UPDATE wanderings SET at=?", ((world.now - timedelta(hours=2)).isoformat(),))
        await wander(only(world, "recent"))
        shown += model.last_words
    assert "sea leads to harbour" in shown or "harbour comes of sea" in shown
    assert "harbour leads to sea" not in shown and "sea comes of harbour" not in shown


async def test_it_asks_itself_whether_what_it_brought_up_was_what_mattered(world: World, model: Script) -> None:
    speak(world)
    with world.database.write() as db:
        asked = mind_queue.add(db, "question", "How was the harbour?", "k", world.now - timedelta(days=1))
        assert asked is not None and mind_queue.mark_said(db, asked)
    far = only(world, "far")
    chance = next(n for n in range(99) if _before(far, "self", "distant", n))  # there is always something far apart
    model.lines = [thinks({"kind": "reflection", "text": "I wonder what I meant by that."})]
    await wander(replace(far, rng=random.Random(chance)))
    assert "You brought this up lately: How was the harbour? Was that the right priority?" in model.last_words
    assert (last(world)["seed_kind"], last(world)["action"]) == ("self", "REFLECT")


def _before(world: World, one: SeedKind, other: SeedKind, chance: int) -> bool:
    order = seeds.order(world.laws.seed_shares, random.Random(chance))
    return order.index(one) < order.index(other)


async def test_what_has_no_ground_is_dropped_and_listed(world: World, model: Script) -> None:
    speak(world)
    model.lines = [thinks({**REFLECTION, "text": "Perhaps Ruben drowned in the sea.", "messages": [3]})]
    report = await wander(only(world, "recent"))
    assert report.data["refused"] == 1
    assert (last(world)["action"], last(world)["gist_id"]) == ("NOTHING", None)
    assert rows(world, "SELECT * FROM gists") == []


async def test_what_keeps_coming_back_is_left_alone_for_a_day(world: World, model: Script, clock: FrozenClock) -> None:
    speak(world, ["the harbour and the sea"])
    came: list[bool] = []
    for _ in range(36):
        with world.database.write() as db:  # a word each hour, so that the day's thoughts are not used up
            turns.add(db, user_said("hm", world.now - timedelta(minutes=30)))
            db.execute("DELETE FROM kv WHERE key=?", (due.RESTS_UNTIL,))
            db.execute("UPDATE wanderings SET outcome=NULL")
        model.lines = [thinks(None)]
        came.append((await wander(only(world, "random"))).did)
        clock.pass_(minutes=61)
    assert came[:3] == [True, True, True]
    assert not any(came[3:23]), came
    assert any(came[25:]), came


@pytest.mark.parametrize("rewarded", [True, False])
async def test_what_yields_something_is_kept_from_fading(
    world: World, model: Script, clock: FrozenClock, rewarded: bool
) -> None:
    """Months after anybody spoke of it the harbour brings nothing up any more; wandered to now and then it does."""
    first, *_, other = speak(world, ["the harbour and the sea", "to the harbour by the sea", "harbour, and sea"])
    clock.pass_(days=25)
    for _ in range(8):
        clock.pass_(days=12)
        with world.database.write() as db:
            turns.add(db, user_said("hm", world.now - timedelta(minutes=40)))
        if rewarded:
            model.lines = [thinks({"kind": "reflection", "text": "I keep coming back to that."})]
            await wander(only(world, "decaying"))
    assert (strength_of(world, "harbour", world.now) >= FADED) is rewarded
    with world.database.read() as db:
        brought = dict(memory_concepts.find_associated(db, [first], now=world.now))
    assert (other in brought) is rewarded


async def test_nobody_wanders_while_somebody_speaks_or_something_waits(
    world: World, model: Script, clock: FrozenClock
) -> None:
    assert reason(world) is None  # nobody ever spoke
    speak(world, ago=5)
    assert reason(world) is None
    clock.pass_(minutes=30)
    assert reason(world) is not None
    with world.database.write() as db:
        focus_sessions.keep(db, FocusSession("taxes", world.now, world.now + timedelta(hours=1)), world.now)
    assert reason(world) is None
    with world.database.write() as db:
        focus_sessions.end(db)
    model.lines = [thinks(REFLECTION)]
    await wander(world)
    assert reason(world) is None  # it has just wandered
    clock.pass_(days=8)
    assert reason(world) is None  # too long ago
    off = replace(world, settings=world.settings.model_copy(update={"furoshiki_wandering": False}))
    speak(world, ago=60)
    assert not (await wander(off)).did
    assert reason(world) is None  # and nobody looks for an hour


async def test_without_a_model_it_does_not_wander_and_leaves_nothing(world: World, model: Script) -> None:
    speak(world)
    model.lines = [NoMindAnswered("there is no model", away=False)]
    assert not (await wander(world)).did
    assert rows(world, "SELECT * FROM wanderings") == []
    assert reason(world) is None


async def test_what_is_forgotten_is_on_the_mind_no_more(human: Human, model: Script) -> None:
    world = in_telegram(human.world)
    speak(world)
    model.lines = [thinks({**REFLECTION, "for_them": True})]
    await wander(only(world, "recent"))
    assert rows(world, "SELECT state FROM mind_queue") == [{"state": "pending"}]
    plan = forgetting.look(world, "harbour")
    forgetting.forget(world, plan.asked, plan.token)
    assert rows(world, "SELECT * FROM gists") == []
    with world.database.read() as db:
        assert mind_queue.list_due(db, world.now) == []
    assert "harbour" not in str(rows(world, "SELECT * FROM wanderings"))


GOAL = {"text": "Swim in the sea after each late shift at the harbour.", "confidence": 0.8}


@pytest.mark.parametrize("pruned", [False, True])
@pytest.mark.parametrize(
    ("thought", "became"),
    [
        (QUESTION, "self_questions"),
        ({**REFLECTION, "for_them": True, "text": "I have nothing like it."}, "mind_queue"),
        ({**REFLECTION, "messages": [1, 2, 3], "goal": GOAL}, "persistent_tasks"),
    ],
)
async def test_what_became_of_a_thought_goes_with_what_it_rests_on(
    human: Human, model: Script, thought: dict[str, Any], became: str, pruned: bool
) -> None:
    world = in_telegram(human.world)
    speak(world)
    model.lines = [thinks(thought)]
    await wander(only(world, "recent"))
    assert len(rows(world, f"SELECT id FROM {became}")) == 1, last(world)
    if pruned:  # a passing thought is kept for a month, what became of it longer
        with world.database.write() as db:
            db.execute("DELETE FROM gists")
    forget(world, " ".join(f"turn:{row['id']}" for row in rows(world, "SELECT id FROM turns")))
    for table in ("wanderings", "gists", became):
        assert rows(world, f"SELECT * FROM {table}") == []


async def test_forgetting_one_thing_leaves_thoughts_about_others(human: Human, model: Script) -> None:
    speak(human.world)
    model.lines = [thinks(QUESTION)]
    await wander(only(human.world, "recent"))
    with human.world.database.write() as db:
        other = turns.add(db, user_said("Walter plays chess", human.world.now))
    forget(human.world, f"turn:{other}")
    assert len(rows(human.world, "SELECT * FROM self_questions")) == len(rows(human.world, "SELECT * FROM gists")) == 1
