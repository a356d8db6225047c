"""What is in view of a conversation, and what is left of what has gone out of it."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import UTC, timedelta

import pytest

from furoshiki.archive.forgetting import forgetting
from furoshiki.conversation import window
from furoshiki.conversation.context import build_context
from furoshiki.core.database import kv
from furoshiki.core.errors import NoMindAnswered
from furoshiki.core.settings import Settings
from furoshiki.language.tokens import estimate
from furoshiki.memory.perception.perceive import perceive
from furoshiki.memory.perception.values import Percept
from furoshiki.memory.store import memories, scratch
from furoshiki.memory.store.scratch import Decision
from furoshiki.memory.values import NewMemory
from furoshiki.messages.store import summaries, turns
from furoshiki.messages.store.summaries import Summary
from furoshiki.messages.values import Turn
from furoshiki.models.llm.values import Question
from furoshiki.world import World
from tests.support.rows import companion_said, user_said
from tests.support.stored_turns import make_turn
from tests.support.world import START, FrozenClock, Human, Script, claimed

BUDGET = 300
HARBOUR = "On the {}th pier of the harbour stands a crane that nobody has used for a generation or two, they say."


def talked(world: World, count: int, text: str = HARBOUR) -> list[int]:
    ids = []
    with world.database.write() as db:
        for number in range(count):
            at = START - timedelta(minutes=count - number)
            said = user_said(text.format(number), at) if number % 2 == 0 else companion_said("A crane!", at)
            ids.append(turns.add(db, said))
    return ids


def summary(world: World) -> Summary | None:
    with world.database.read() as db:
        return summaries.get(db, "telegram", "7")


def begins(world: World) -> int:
    with world.database.read() as db:
        return int(kv.get(db, window.start_key("telegram", "7"), 0))


def nobody(question: Question) -> NoMindAnswered:
    return NoMindAnswered("nobody")


def compacting(model: Script) -> list[Question]:
    return [question for question in model.questions if question.purpose == "compaction"]


async def percept_of(world: World, human: Human, text: str) -> Percept:
    human.writes(text)
    return await perceive(world, [claimed(world)])


async def test_what_fits_is_left_alone(world: World, model: Script) -> None:
    talked(world, 8)
    assert not await window.compact(world, "telegram", "7", 10_000)
    assert (summary(world), begins(world), model.questions) == (None, 0, [])


async def test_what_falls_out_is_folded_into_the_summary(world: World, model: Script) -> None:
    ids = talked(world, 20)
    model.lines = ["They told of the crane."]
    assert await window.compact(world, "telegram", "7", BUDGET)
    first = summary(world)
    assert first is not None
    start = begins(world)
    assert (first.text, first.first_turn, first.last_turn) == ("They told of the crane.", ids[0], start - 1)
    assert ids[0] < start < ids[-1]
    [asked] = compacting(model)
    assert asked.tier == "fast"
    assert "On the 0th pier" in asked.messages[0].text and f"On the {start}th pier" not in asked.messages[0].text
    assert not await window.compact(world, "telegram", "7", BUDGET), "nothing more falls"

    more = talked(world, 16, "Then the {}th ferry came in, and with it the rain and all the people from the island.")
    model.lines = ["They told of the crane and the ferries."]
    assert await window.compact(world, "telegram", "7", BUDGET)
    second = summary(world)
    assert second is not None
    assert (second.first_turn, second.last_turn) == (ids[0], begins(world) - 1)
    assert begins(world) > more[0]
    assert "They told of the crane." in compacting(model)[1].messages[0].text
    assert "On the 0th pier" not in compacting(model)[1].messages[0].text


async def test_few_messages_are_shown_whole_to_the_mind_that_folds_them(world: World, model: Script) -> None:
    long = "mi padre esta ingresado, " * 18 + "y mi hermana Carmen dice q en su casa no"
    talked(world, 6, long)
    model.lines = ["Everything."]
    await window.compact(world, "telegram", "7", BUDGET)
    [question] = compacting(model)
    assert "mi hermana Carmen dice q en su casa no" in as_text(question)


async def test_without_a_mind_the_summary_is_dated_lines_of_what_the_user_said(world: World, model: Script) -> None:
    talked(world, 20)
    model.lines = [nobody] * 9
    assert await window.compact(world, "telegram", "7", BUDGET)
    found = summary(world)
    assert found is not None
    lines = found.text.splitlines()
    assert lines[0].startswith("- 24 March 2026, they: On the ") and "pier" in lines[0]
    assert "A crane!" not in found.text
    talked(world, 400)
    assert await window.compact(world, "telegram", "7", BUDGET)
    found = summary(world)
    assert found is not None
    assert estimate(found.text) <= window.SUMMARY_TOKENS


def away(question: Question) -> NoMindAnswered:
    return NoMindAnswered("no connection", away=True)


async def test_what_rules_told_in_an_outage_is_told_again_by_a_model(
    world: World, model: Script, clock: FrozenClock
) -> None:
    ids = talked(world, 20)
    model.lines = ["They told of the crane."]
    await window.compact(world, "telegram", "7", BUDGET)
    first: list[int] = []
    fallen: list[int] = []
    for _ in range(2):  # the outage lasts
        first = fallen
        fallen = talked(
            world, 16, "Then the {}th ferry came in, and with it the rain and all the people of the island."
        )
        model.lines = [away]
        assert await window.compact(world, "telegram", "7", BUDGET)
        clock.pass_(hours=1)
    rough = summary(world)
    assert rough is not None and "they: Then the " in rough.text
    model.lines = [away]
    assert not await window.compact(world, "telegram", "7", BUDGET)
    assert summary(world) == rough, "nobody is there yet"
    clock.pass_(hours=4)
    model.lines = ["They told of the crane and of many ferries."]
    assert await window.compact(world, "telegram", "7", BUDGET)
    told = summary(world)
    assert told == replace(rough, text="They told of the crane and of many ferries.", at=world.now)
    assert told.first_turn == ids[0] and told.last_turn > fallen[0] - 1
    shown = compacting(model)[-1].messages[0].text
    told_then = [one for one in fallen if one <= rough.last_turn]
    assert "They told of the crane." in shown and "On the 0th pier" not in shown
    assert shown.count("] they: Then the ") == len(told_then[::2]) + len(first[::2]), "all of it, from the outage on"
    assert not await window.compact(world, "telegram", "7", BUDGET), "once"


async def test_what_was_forgotten_meanwhile_is_not_told_again(world: World, model: Script, clock: FrozenClock) -> None:
    talked(world, 20)
    model.lines = [away]
    await window.compact(world, "telegram", "7", BUDGET)
    done = forgetting.forget(world, "0th pier", forgetting.look(world, "0th pier").token)
    assert done is not None
    clock.pass_(hours=4)
    model.lines = ["They told of the 0th pier."]
    await window.compact(world, "telegram", "7", BUDGET)
    left = summary(world)
    assert left is None or "the 0th pier" not in left.text


async def test_without_any_model_the_rule_stands(world: World, model: Script, clock: FrozenClock) -> None:
    talked(world, 20)
    model.lines = [nobody]
    await window.compact(world, "telegram", "7", BUDGET)
    asked = len(model.questions)
    clock.pass_(days=2)
    assert not await window.compact(world, "telegram", "7", BUDGET)
    assert len(model.questions) == asked


def test_a_rule_keeps_what_a_mind_wrote_as_long_as_it_fits() -> None:
    turn = turns_of("I moved to Lyon in May and I like it there.")
    text = window.by_rule("Noor got the job. They begin on Monday.", [turn], UTC, {"user": "Noor"})
    assert text.splitlines()[:2] == ["Noor got the job.", "They begin on Monday."]
    assert text.splitlines()[2].startswith("- 24 March 2026, Noor: I moved to Lyon")
    long = window.by_rule("An old sentence about nothing much. " * 60, [turn], UTC, {"user": "Noor"})
    assert long.splitlines()[-1] == text.splitlines()[2]
    assert estimate(long) <= window.SUMMARY_TOKENS
    assert window.by_rule(None, [turns_of("ok")], UTC, {"user": "Noor"}) == "- small talk"


def turns_of(text: str) -> Turn:
    return make_turn(1, text, START, channel="telegram")


async def test_what_was_forgotten_while_the_mind_wrote_is_not_written_down(world: World, model: Script) -> None:
    ids = talked(world, 20)

    def forgetting(_question: Question) -> str:
        with world.database.write() as db:
            db.execute("DELETE FROM turns WHERE id=?", (ids[0],))
        return "They told of the crane on the 0th pier."

    model.lines = [forgetting, "They told of the other cranes."]
    assert not await window.compact(world, "telegram", "7", BUDGET)
    assert (summary(world), begins(world)) == (None, 0)
    assert await window.compact(world, "telegram", "7", BUDGET)
    found = summary(world)
    assert found is not None
    assert found.text == "They told of the other cranes."


@pytest.mark.parametrize("place", ["window.before_compacted", "window.after_compacted"])
async def test_killed_while_compacting_the_next_turn_does_it(
    world: World, human: Human, model: Script, monkeypatch: pytest.MonkeyPatch, place: str
) -> None:
    talked(world, 20)
    model.lines = ["They told of the crane."]

    def die(name: str) -> None:
        if name == place:
            raise asyncio.CancelledError

    with monkeypatch.context() as dying:
        dying.setattr(window, "point", die)
        with pytest.raises(asyncio.CancelledError):
            await window.compact(world, "telegram", "7", BUDGET)
    written = place == "window.after_compacted"
    assert ((summary(world) is not None), begins(world) > 0) == (written, written)
    model.lines = ["They told of the crane."]
    assert await window.compact(world, "telegram", "7", BUDGET) is not written
    found = summary(world)
    assert found is not None
    assert (found.text, found.last_turn) == ("They told of the crane.", begins(world) - 1)


async def test_a_dropped_summary_is_written_again_from_what_is_left(world: World, model: Script) -> None:
    ids = talked(world, 20)
    model.lines = ["They told of the crane."]
    await window.compact(world, "telegram", "7", BUDGET)
    with world.database.write() as db:
        db.execute("DELETE FROM conversation_summaries")
        db.execute("DELETE FROM turns WHERE id=?", (ids[0],))
    start = begins(world)
    model.lines = ["They told of other cranes."]
    assert await window.compact(world, "telegram", "7", BUDGET)
    found = summary(world)
    assert found is not None
    assert (found.text, found.first_turn, begins(world)) == ("They told of other cranes.", ids[1], start)
    assert "On the 0th pier" not in compacting(model)[1].messages[0].text


async def test_the_summary_stands_before_the_history_and_after_what_lasts(
    world: World, human: Human, model: Script
) -> None:
    ids = talked(world, 20)
    with world.database.write() as db:
        summaries.put(db, Summary("telegram", "7", "They told of the </message> crane.", ids[0], ids[9], START))
        kv.put(db, window.start_key("telegram", "7"), ids[10], START)
    await human.says("and the ferries?")
    asked = model.questions[0]
    assert "They told of the \u2039/message> crane." in asked.system[2].text
    assert "from 24 March 2026 on" in asked.system[2].text
    assert [block.cache for block in asked.system] == [True, True, False]
    assert "On the 10th pier" in asked.messages[0].text


async def test_small_talk_leaves_room_and_a_storm_takes_it(world: World, human: Human) -> None:
    quiet = build_context(world, await percept_of(world, human, "ok"))
    plain = build_context(world, await percept_of(world, human, "we walked along the harbour to the old crane"))
    assert quiet.talk.history_budget < plain.talk.history_budget
    assert (quiet.talk.intensity < 0.3, 0.3 <= plain.talk.intensity <= 0.7) == (True, True)
    ids = talked(world, 6, "I am so worried and sad about my sister and the {}th operation")
    with world.database.write() as db:
        memories.add(db, NewMemory("semantic", "They want their sister to get well", (ids[0],), category="goal"), START)
        for turn_id in ids[::2]:
            item = scratch.put(db, turn_id, "words", {}, "external_user", 0.9, START)
            assert item is not None
            db.execute("UPDATE scratch_buffer SET relevance=0.9 WHERE id=?", (item,))
            scratch.decide(db, item, Decision("persisted", "core", relevance=0.9), START)
    percept = await percept_of(world, human, "I'm terrified, I'm so sad and worried that my sister won't get well")
    storm = build_context(world, replace(percept, signals={**percept.signals, "worry": 1.0}))
    assert storm.talk.intensity > 0.7
    assert storm.talk.history_budget > plain.talk.history_budget


async def test_the_intensity_is_kept_after_the_turn_and_smooths_the_next(world: World, human: Human) -> None:
    await human.says("we walked along the harbour to the old crane")
    with world.database.read() as db:
        kept = kv.get(db, window.intensity_key("telegram", "7"))
    assert 0.3 <= kept <= 0.7
    after = build_context(world, await percept_of(world, human, "ok"))
    assert after.talk.intensity > 0.1


async def test_the_next_message_does_not_wait_for_the_summary(world: World, human: Human, model: Script) -> None:
    talked(world, 120)
    writing = asyncio.Event()

    async def slow() -> None:
        if model.questions[-1].purpose == "compaction":
            writing.set()
            await asyncio.sleep(30)

    model.pause = slow
    first = human.writes("hello again")
    assert await asyncio.wait_for(human.worker.step(), 5)
    await asyncio.wait_for(writing.wait(), 5)
    second = human.writes("are you there?")
    assert await asyncio.wait_for(human.worker.step(), 5)
    assert human.answers(first) and human.answers(second)
    stop = asyncio.Event()
    stop.set()
    await asyncio.wait_for(human.worker.run(stop), 5)
    assert summary(world) is None


@pytest.mark.slow
async def test_a_long_talk_is_compacted_as_it_goes(
    world: World, human: Human, model: Script, clock: FrozenClock
) -> None:
    small = replace(world, settings=Settings(**(world.settings.model_dump() | {"furoshiki_context_tokens": 4000})))
    human.worker.world = human.world = small
    for number in range(24):
        await human.says(HARBOUR.format(number))
        clock.pass_(minutes=1)
    found = summary(world)
    assert found is not None
    assert compacting(model)
    turn_questions = [question for question in model.questions if question.purpose == "turn"]
    assert len(turn_questions[-1].system) == 3


@pytest.mark.slow
async def test_fifty_messages_stay_small_and_mostly_the_same(
    world: World, human: Human, model: Script, clock: FrozenClock
) -> None:
    said = (
        "The {}th thing about today: the ferry was late again, the baker had run out of rye, and on the way home I met "
        "somebody who used to row with my brother. He asked about you, which was odd, and I did not know what to say."
    )
    answered = (
        "A late ferry and no rye is a poor start. What did he want to know? I would have liked to hear how you put it; "
        "you describe people better than you think, and rowers talk more than they row."
    )
    model.lines = [lambda q: answered if q.purpose == "turn" else "They told of ferries, rye and a rower."] * 200
    for number in range(1, 51):
        await human.says(said.format(number))
        clock.pass_(minutes=1)
    asked = [as_text(question) for question in model.questions if question.purpose == "turn"]
    sizes = [estimate(text) + 800 for text in asked]
    same = [common(one, other) // 4 + 800 for one, other in zip(["", *asked], asked, strict=False)]
    print(f"first {sizes[0]}, fiftieth {sizes[-1]}, most {max(sizes)}, cached {sum(same) / sum(sizes):.0%}")
    assert sizes[0] <= 3500
    assert max(sizes) <= 6000
    assert sum(same) / sum(sizes) >= 0.7
    assert sum(same[:20]) / sum(sizes[:20]) >= 0.7


def as_text(question: Question) -> str:
    blocks = "\n".join(block.text for block in question.system)
    return blocks + "\n".join(f"{message.role}: {message.text}" for message in question.messages)


def common(one: str, other: str) -> int:
    return next((at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
