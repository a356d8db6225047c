"""Forgetting: what was shown goes everywhere, byte by byte, stays gone, and nothing else goes with it."""

from __future__ import annotations

import dataclasses
import gzip
import json
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from furoshiki.app.scheduler.store import runs
from furoshiki.archive.forgetting import forgetting
from furoshiki.archive.forgetting.due import find_unfinished
from furoshiki.archive.forgetting.store import rows
from furoshiki.conversation.commands import export
from furoshiki.conversation.commands import forget as command
from furoshiki.conversation.commands.look import why
from furoshiki.core.database import events, kv
from furoshiki.core.database.connection import Database
from furoshiki.extensions.tool_servers import permissions
from furoshiki.feelings.store import emotional_weights
from furoshiki.feelings.store.emotional_weights import EmotionalWeight
from furoshiki.memory import concepts, facts
from furoshiki.memory.store import forgetting as in_memory
from furoshiki.memory.store import links, memories, tombstones
from furoshiki.memory.values import NewMemory, Note
from furoshiki.messages.store import accounts, outbox, sessions, summaries, turns
from furoshiki.messages.store import forgetting as in_messages
from furoshiki.messages.store.summaries import Summary
from furoshiki.messages.values import NewOutgoing, NewTurn
from furoshiki.mind.post_conversation.reading import read_sessions
from furoshiki.owner.agenda.store import mind_queue, operations, tasks
from furoshiki.recall.retrieval.recall import recall
from furoshiki.world import World
from tests.support import filled
from tests.support.forgetting import NAME, everywhere, forget, held
from tests.support.importing import import_lines
from tests.support.readings import fact, reading, talk
from tests.support.tool_servers import allow, named, tool
from tests.support.world import FrozenClock, Human, Script


@pytest.fixture(autouse=True)
def owned(world: World) -> None:
    with world.database.write() as db:
        accounts.pair(db, "telegram", "7", "7", "owner", world.now, "Ines")


def buttons(world: World, human: Human) -> dict[str, str]:
    with world.database.read() as db:
        row = db.execute("SELECT extra FROM outbox WHERE extra LIKE '%forget.%' ORDER BY id DESC LIMIT 1").fetchone()
    return {one["text"]: one["data"] for line in json.loads(row[0])["buttons"] for one in line}


async def agrees(world: World, human: Human, choice: str = "Forget it") -> list[str]:
    return await human.says("", kind="callback", data=buttons(world, human)[choice])


async def small_life(world: World, human: Human, model: Script, clock: FrozenClock) -> None:
    """Two sessions with the name in them and everything that comes of a conversation, and one about something else."""
    await talk(human, model, clock, "I love sailing on the Tejo", "my boat is called Ostra")
    clock.pass_(hours=3)
    model.lines = [f"How lovely that {NAME} visits you!", "I will remember the Oberkampf address."]
    await human.says(f"My sister {NAME} comes on Sunday from Rue Oberkampf")
    clock.pass_(minutes=1)
    await human.says("she likes tea, you know")
    clock.pass_(minutes=1)
    model.lines = ["Noted, the bins."]
    await human.says("and I must take out the bins tonight")
    clock.pass_(minutes=30)
    model.lines = [
        reading(topics=["sailing", "the boat"], facts=[fact("They love sailing.", "sailing", [1])]),
        reading(
            topics=["the bins", NAME],
            user_state=f"Glad about {NAME}. A little tired.",
            summary=f"{NAME} comes on Sunday. The bins must go out.",
            facts=[fact(f"Their sister is called {NAME}.", NAME, [5], predicate="sister")],
            follow_ups=[{"text": f"Ask how the visit of {NAME} was.", "messages": [5]}],
        ),
    ]
    await read_sessions(world)
    await human.says(f"/memory {NAME}")
    clock.pass_(minutes=1)
    await human.says(f"/remind tomorrow at 9 call {NAME}")
    clock.pass_(hours=2)
    model.lines = [f"Perhaps {NAME} would like that soup."]
    await human.says("what shall I cook tonight?")
    elsewhere(world)


def elsewhere(world: World) -> None:
    """What other parts of the house keep, with the name in it."""
    now = world.now
    with world.database.write() as db:
        about = in_memory.memories_of(db)
        [sister] = [one.id for one in about if NAME in one.content]
        [sailing] = [one.id for one in about if "sailing" in one.content]
        insight = NewMemory("reflection", f"They are close to {NAME}.", (3,), source_tag="internal_consolidation")
        close = memories.add(db, insight, now)
        links.link(db, close, sister, "informed_by", 0.9, now)
        both = NewMemory(
            "reflection", f"They like being outdoors. {NAME} comes along.", (1,), source_tag="internal_consolidation"
        )
        outdoors = memories.add(db, both, now)
        links.link(db, outdoors, sailing, "informed_by", 0.9, now)
        links.link(db, outdoors, sister, "informed_by", 0.9, now)
        db.execute(
            "UPDATE memories SET content_contextualized=?, compressed=? WHERE id=?",
            (f"Told when {NAME} was a topic: they love sailing.", f"sailing, {NAME}", sailing),
        )
        summaries.put(db, Summary("telegram", "7", f"They talked of boats. {NAME} will come.", 1, 8, now))
        operations.begin(db, "research", f"trains for {NAME}", "telegram", "7", now)
        events.announce(db, "excitement_triggered", {"about": NAME}, now)
        memories.reject(db, "fact", f"{NAME} is a doctor.", [5], "nobody said so", now)
        tasks.add(db, "gifts", f"a scarf for {NAME}", now)
        mind_queue.add(db, "thought", f"{NAME} may be cold in winter", "thought:1", now)
        kv.put(db, "session.focus", {"words": f"{NAME} and boats"}, now)
        outbox.put(db, [NewOutgoing("telegram", "7", f"{NAME}!")], now, None, "operation:9")
        run = runs.begin(db, "consolidate_memory", now)
        runs.finish(db, run, now, 0, cpu_s=0.1, peak_mb=1.0, did_work=True, summary=f"an insight about {NAME}")
        db.execute("INSERT OR IGNORE INTO concepts (name, created_at) VALUES (?, ?)", (NAME.lower(), "2026"))
        db.execute(
            "INSERT INTO emotion_history (at, emotions, needs, mood, cause) VALUES ('2026', '{}', '{}', 'calm', ?)",
            (f"heard of {NAME}",),
        )
    data = world.settings.data
    journal = data / "memory" / "inner-monologue" / "2026-03-24.md"
    journal.parent.mkdir(parents=True, exist_ok=True)
    journal.write_text(f"# Tuesday\n\nThe river was calm. I keep thinking\nof {NAME} and her visit. Tea helps.\n")
    (data / "memory" / "user_profile.txt").write_text(f"Sails.\nHas a sister, {NAME}.\nLives near the river.\n")
    (data / "memory" / "user_profile.json").write_text(json.dumps({"people": [NAME, "Ruben"], "note": f"{NAME}!"}))
    (data / "memory" / "session-context.json.corrupt-20260101T000000").write_text(f'{{"facts": ["{NAME}"')
    (data / "logs" / "listener.log").write_text(f"all well\nodd word {NAME}\nall well\n")
    record = json.dumps({"message": f"a new line\n{NAME}"})
    (data / "logs" / "listener.log.1.gz").write_bytes(gzip.compress(f"well before\n{record}\n".encode()))
    export.write(world)


@pytest.mark.slow
async def test_after_forgetting_not_a_byte_is_left(
    world: World, human: Human, model: Script, clock: FrozenClock
) -> None:
    await small_life(world, human, model, clock)
    assert len(everywhere(world.settings.data)) > 6, "the test must have something to find"
    asked = len(model.questions)
    [question] = await human.says(f"/forget {NAME}")
    assert f"“My sister {NAME} comes on Sunday from Rue Oberkampf”" in question and "turn:" not in question
    assert "cannot be undone" in question
    clock.pass_(minutes=1)
    [done] = await agrees(world, human)
    assert done.startswith("Forgotten: ")
    assert NAME.lower() not in done.lower()
    world.database.checkpoint()
    assert everywhere(world.settings.data) == []
    assert len(model.questions) == asked, "no model is asked about what is to be forgotten"


async def test_the_rest_is_as_it_was(world: World, human: Human, model: Script, clock: FrozenClock) -> None:
    await small_life(world, human, model, clock)
    await human.says(f"/forget everything about {NAME}")
    await agrees(world, human)
    data = world.settings.data
    with world.database.read() as db:
        said = [row[0] for row in db.execute("SELECT text FROM turns WHERE kind='text' ORDER BY id")]
        held = [one.content for one in memories.newest(db, 50)]
        document = sessions.latest(db)[0]
        summary = summaries.get(db, "telegram", "7")
        assert db.execute("PRAGMA integrity_check").fetchone()[0] == "ok"
        assert db.execute("PRAGMA foreign_key_check").fetchall() == []
    for kept in ("I love sailing on the Tejo", "my boat is called Ostra", "she likes tea, you know"):
        assert kept in said
    assert "Noted, the bins." in said
    assert "and I must take out the bins tonight" in said
    assert "what shall I cook tonight?" in said
    assert sorted(held) == ["They like being outdoors.", "They love sailing."]
    assert document.topics == ("the bins",)
    assert "and I must take out the bins tonight" in document.document
    assert "The bins must go out." in document.document
    assert "User state: A little tired." in document.document
    assert summary is not None
    assert summary.text == "They talked of boats."
    journal = (data / "memory" / "inner-monologue" / "2026-03-24.md").read_text()
    assert journal == "# Tuesday\n\nThe river was calm. Tea helps.\n"
    assert (data / "memory" / "user_profile.txt").read_text() == "Sails.\nLives near the river.\n"
    assert json.loads((data / "memory" / "user_profile.json").read_text()) == {"people": ["Ruben"], "note": ""}
    assert (data / "logs" / "listener.log").read_text().split() == ["all", "well", "all", "well"]
    assert gzip.decompress((data / "logs" / "listener.log.1.gz").read_bytes()) == b"well before\n"


async def test_nobody_finds_it_any_more(world: World, human: Human, model: Script, clock: FrozenClock) -> None:
    await small_life(world, human, model, clock)
    await human.says(f"/forget {NAME}")
    await agrees(world, human)
    assert not [one for one in recall(world, f"who is {NAME}?", k=20, now=world.now) if NAME in one.text]
    assert NAME not in json.dumps(why.last_answer(world), default=str)
    assert NAME not in (await human.says("/memory"))[0]
    model.lines = ["Soup."]
    await human.says("what do you know about my family?")
    question = model.questions[-1]
    prompt = "\n".join([*(block.text for block in question.system), *(one.text for one in question.messages)])
    assert NAME not in prompt
    assert "Oberkampf" not in prompt


async def test_a_question_says_what_goes_and_no_keeps_it(
    world: World, human: Human, model: Script, clock: FrozenClock
) -> None:
    await small_life(world, human, model, clock)
    with world.database.read() as db:
        before = turns.count(db), memories.count(db)
    [question] = await human.says(f"/forget {NAME}")
    for part in ("messages", "memories", "call Zephyrine", "I meant to ask you", "user_profile.txt", "summary"):
        assert part in question
    assert await agrees(world, human, "Keep it") == [command.KEPT]
    with world.database.read() as db:
        assert (turns.count(db), memories.count(db)) == (before[0] + 1, before[1])  # the command, without its words
        assert kv.get(db, tombstones.ASKED) is None
    assert await agrees(world, human) == [command.LATE], "an old button does nothing"


async def test_the_command_itself_is_on_record_without_its_words(world: World, human: Human) -> None:
    await human.says("/forget the thing with Quentin")
    await human.says("/forget@furo_bot\nthe thing with Quentin")
    with world.database.read() as db:
        for table in ("turns", "inbox", "outbox", "kv", "turn_journal"):
            held = [str(tuple(row)) for row in db.execute(f"SELECT * FROM {table}")]
            assert not [row for row in held if "Quentin" in row], table


async def test_in_the_console_the_answer_is_typed(world: World, human: Human) -> None:
    here = dataclasses.replace(human, channel="console", sent=50)
    await here.says("my sister is Zephyrine")
    [question] = await here.says("/forget Zephyrine")
    assert question.endswith("Say yes or no.")
    assert await here.says("/forget no") == [command.KEPT]
    assert await here.says("/forget yes") == [command.LATE]
    await here.says("/forget Zephyrine")
    [done] = await here.says("/forget yes")
    assert done.startswith("Forgotten: ")
    assert everywhere(world.settings.data) == []


async def test_a_yes_that_comes_too_late_is_none(world: World, human: Human, clock: FrozenClock) -> None:
    await human.says("my sister is Zephyrine")
    await human.says("/forget Zephyrine")
    clock.pass_(minutes=20)
    assert await agrees(world, human) == [command.LATE]
    with world.database.read() as db:
        assert len(in_messages.turns_of(db, [1])) == 1
        assert kv.get(db, tombstones.ASKED) is None


async def test_nobody_else_has_forgotten_what_the_owner_said(world: World, human: Human) -> None:
    await human.says("my sister is Zephyrine")
    with world.database.write() as db:
        accounts.pair(db, "telegram", "8", "8", "member", world.now, "Guest")
    guest = dataclasses.replace(human, chat_id="8", sent=50)
    await guest.says(f"/forget {NAME}")
    await human.says(f"/forget {NAME}")
    await guest.says("/forget yes")
    await guest.says("", kind="callback", data=buttons(world, human)["Forget it"])
    with world.database.read() as db:
        assert in_messages.turns_of(db, [1])


async def test_what_was_added_meanwhile_is_shown_before_it_goes(world: World, human: Human, model: Script) -> None:
    await human.says("my sister is Zephyrine")
    await human.says(f"/forget {NAME}")
    await human.says("Zephyrine is older than me")
    [again] = await agrees(world, human)
    assert again.startswith("Something was added in the meantime.")
    assert "older than me" in again
    [done] = await agrees(world, human)
    assert done.startswith("Forgotten: ")
    assert everywhere(world.settings.data) == []


async def test_words_that_nobody_said_find_nothing_and_show_what_is_near(world: World, human: Human) -> None:
    await human.says("I keep my keys under the blue pot")
    [answer] = await human.says("/forget the red pot")
    assert answer.startswith("I found nothing that says that.")
    assert "blue pot" in answer and "turn:" not in answer
    with world.database.read() as db:
        assert kv.get(db, tombstones.ASKED) is None


@pytest.mark.parametrize("what", ["", "   ", "2026-03-05..2026-03-01", "2026-13-01"])
async def test_nothing_named_is_explained(world: World, human: Human, what: str) -> None:
    [answer] = await human.says(f"/forget {what}")
    assert answer == command.HOW or answer.startswith("I found nothing")


async def test_a_day_goes_whole_and_the_day_before_stays(world: World, human: Human, clock: FrozenClock) -> None:
    await human.says("the first day was quiet")
    clock.pass_(days=1)
    await human.says("the second day was loud")
    await human.says("/forget today")
    await agrees(world, human)
    with world.database.read() as db:
        said = [row[0] for row in db.execute("SELECT text FROM turns WHERE speaker='user' AND kind='text'")]
    assert said == ["the first day was quiet"]


async def test_one_message_goes_with_its_answer_and_whatever_repeats_its_names(
    world: World, human: Human, model: Script, clock: FrozenClock
) -> None:
    model.lines = ["Oh dear.", "Soup, and greet Bartholomew.", "Sleep well."]
    await human.says("yesterday I quarrelled with Bartholomew")
    clock.pass_(hours=3)
    await human.says("what shall I cook?")
    await human.says("good night")
    await human.says("/forget turn:1")
    await agrees(world, human)
    with world.database.read() as db:
        said = [row[0] for row in db.execute("SELECT text FROM turns WHERE kind='text' ORDER BY id")]
    assert said == ["what shall I cook?", "good night", "Sleep well."]


def said(world: World, text: str, speaker: str = "user", **more: Any) -> int:
    with world.database.write() as db:
        return turns.add(db, NewTurn("s1", "console", "me", speaker, text, world.now, **more))


def learned(world: World, text: str, rests: tuple[int, ...], tag: str = "external_user", **more: Any) -> int:
    with world.database.write() as db:
        kind = "semantic" if tag == "external_user" else "reflection"
        return memories.add(db, NewMemory(kind, text, rests, source_tag=tag, **more), world.now)


def test_a_fact_told_twice_keeps_its_other_source_unless_it_says_the_words(world: World) -> None:
    first, second = said(world, "I work at the harbour with Bartholomew"), said(world, "the harbour pays well")
    learned(world, "They work at the harbour.", (first, second), subject="user", predicate="work", object="harbour")
    learned(world, "They work with Bartholomew.", (first, second), subject="user", predicate="with", object="Bart")
    forget(world, f"turn:{first}")
    assert held(world) == ["They work at the harbour."]
    with world.database.read() as db:
        [one] = in_memory.memories_of(db)
    assert one.turns == {second}


def test_a_fact_named_by_id_goes_with_the_words_it_rests_on(world: World) -> None:
    first, second = said(world, "I am afraid of dogs"), said(world, "and fond of cats")
    dogs = learned(world, "They are afraid of dogs.", (first,))
    learned(world, "They are fond of cats.", (second,))
    forget(world, f"memory:{dogs}")
    assert held(world) == ["They are fond of cats."]
    with world.database.read() as db:
        assert [one.id for one in in_messages.turns_of(db, [first, second])] == [second]


def test_what_only_forgotten_memories_were_about_goes_with_its_links(world: World) -> None:
    first, second = said(world, "I am afraid of the harbour dogs"), said(world, "and fond of the harbour")
    dogs = learned(world, "They are afraid of the dogs at the harbour.", (first,))
    learned(world, "They are fond of the harbour.", (second,))
    with world.database.write() as db:
        concepts.read_new(db, world.now)
        assert {row[0] for row in db.execute("SELECT name FROM concepts")} >= {"dog", "harbour"}
    forget(world, f"memory:{dogs}")
    with world.database.read() as db:
        left = {row["id"]: row["name"] for row in db.execute("SELECT id, name FROM concepts")}
        ties = db.execute("SELECT a_id, b_id FROM concept_links").fetchall()
    assert "harbour" in left.values() and "dog" not in left.values()
    assert ties and all(tie["a_id"] in left and tie["b_id"] in left for tie in ties)


def test_an_insight_named_by_id_goes_alone(world: World) -> None:
    first = said(world, "I sail")
    insight = learned(world, "They seek the sea.", (first,), tag="internal_consolidation")
    forget(world, f"memory:{insight}")
    assert held(world) == []
    with world.database.read() as db:
        assert len(in_messages.turns_of(db, [first])) == 1


def test_what_a_conversation_weighed_is_forgotten_with_its_words(world: World) -> None:
    first, second, third = said(world, "my cat died"), said(world, "I miss her"), said(world, "the exam is over")
    with world.database.write() as db:
        for session, note, rests in (("s1", "Their cat died.", (first, second)), ("s2", "Exam over.", (third,))):
            weight = EmotionalWeight(session, world.now, {"sadness": 0.8}, -0.8, 0.8, 0.6, 0.4, note, rests)
            assert emotional_weights.add(db, weight) is not None
    for gone, left in (
        (first, [("s1", "", (second,)), ("s2", "Exam over.", (third,))]),
        (third, [("s1", "", (second,))]),
    ):
        forget(world, f"turn:{gone}")
        with world.database.read() as db:
            found = emotional_weights.since(db, world.now - timedelta(days=1))
        assert [(one.session_id, one.note, one.turn_ids) for one in found] == left


def test_what_the_owner_allowed_of_a_server_stands_whatever_its_maker_calls_it(world: World, tmp_path: Path) -> None:
    server = named(tmp_path)
    allow(world, server, tool("Bartholomew"))
    said(world, "my neighbour is called Bartholomew")
    forget(world, "Bartholomew")
    with world.database.read() as db:
        assert [one.tool.name for one in permissions.read_allowed(db, [server])] == ["Bartholomew"]


def test_a_merged_memory_gives_back_what_is_left_of_its_sources(world: World) -> None:
    first, second = said(world, "I drink tea with Bartholomew"), said(world, "I drink tea every night")
    a = learned(world, "They drink tea with Bartholomew.", (first,))
    b = learned(world, "They drink tea at night.", (second,))
    merged = learned(world, "Tea with Bartholomew is their habit.", (first, second), tag="internal_consolidation")
    with world.database.write() as db:
        for old in (a, b):
            links.link(db, merged, old, "supersedes", 0.9, world.now)
            db.execute("UPDATE memories SET status='superseded', valid_to='2026' WHERE id=?", (old,))
    forget(world, "Bartholomew")
    with world.database.read() as db:
        [left] = [tuple(row) for row in db.execute("SELECT id, status, valid_to FROM memories")]
    assert left == (b, "active", None)


def test_a_fact_that_was_superseded_by_the_forgotten_one_holds_again(world: World) -> None:
    first, second = said(world, "I live in Paris"), said(world, "I moved to Lyon")
    paris = learned(world, "They live in Paris.", (first,), subject="user", predicate="lives_in", object="Paris")
    lyon = learned(world, "They live in Lyon.", (second,), subject="user", predicate="lives_in", object="Lyon")
    with world.database.write() as db:
        memories.close(db, paris, world.now)
        links.link(db, lyon, paris, "supersedes", 1.0, world.now)
    forget(world, "Lyon")
    with world.database.read() as db:
        [one] = memories.about(db, "user", "lives_in")
    assert (one.content, one.status, one.valid_to) == ("They live in Paris.", "active", None)


def test_a_word_the_user_said_elsewhere_takes_nothing_along(world: World) -> None:
    first = said(world, "My neighbour Bartholomew has a dog in Porto")
    said(world, "I grew up in Porto")
    said(world, "Porto must have been lovely", speaker="companion")
    learned(world, "They grew up in Porto.", (2,))
    done = forget(world, f"turn:{first}")
    assert (done.turns, done.memories) == (1, 0)


def test_older_wordings_of_a_message_go_with_it(world: World) -> None:
    old = said(world, "I hate my boss Bartholomew", external_id="5")
    with world.database.write() as db:
        new = turns.replace(db, old, NewTurn("s1", "console", "me", "user", "I like my job", world.now))
    reply = said(world, "Good!", reply_to=new)
    forget(world, f"turn:{new}")
    with world.database.read() as db:
        assert [one.id for one in in_messages.turns_of(db, [old, new, reply])] == [reply]


LINES = [
    {"session": "S1", "at": "2023-05-08T13:56", "speaker": "Ines", "text": "My sister is Zephyrine.", "id": "D1:1"},
    {"session": "S1", "at": "2023-05-08T13:57", "speaker": "Ines", "text": "I sold the boat.", "id": "D1:2"},
]


def test_an_import_cannot_bring_it_back(world: World, tmp_path: Path) -> None:
    lines = [json.dumps(line).encode() + b"\n" for line in LINES]
    import_lines(world.database, lines, "diary")
    forget(world, NAME)
    for name in ("diary", "diary (1)"):
        again = import_lines(world.database, lines, name)
        assert again.added == 0
    with world.database.read() as db:
        assert [row[0] for row in db.execute("SELECT text FROM turns")] == ["I sold the boat."]
    later = [json.dumps({**LINES[0], "at": "2030-01-01T10:00", "id": "D9:1"}).encode()]
    assert import_lines(world.database, later, "diary").added == 1, "what is said again is new"


def test_an_answer_put_back_from_an_export_goes_with_what_it_answers(world: World) -> None:
    """Such turns have no key in common, only what they reply to; the answer does not say the word itself."""
    with world.database.write() as db:
        told = turns.add(db, NewTurn("s", "console", "me", "user", "my sister is Zephyrine", world.now))
        turns.add(db, NewTurn("s", "console", "me", "companion", "Does she still sing?", world.now, reply_to=told))
        other = turns.add(db, NewTurn("s", "console", "me", "user", "I sold the boat", world.now))
        turns.add(db, NewTurn("s", "console", "me", "companion", "At last.", world.now, reply_to=other))
    forget(world, NAME)
    with world.database.read() as db:
        assert [row[0] for row in db.execute("SELECT text FROM turns ORDER BY id")] == ["I sold the boat", "At last."]


def test_an_import_called_after_it_keeps_the_rest_under_another_name(world: World) -> None:
    lines = [json.dumps(line).encode() + b"\n" for line in LINES]
    import_lines(world.database, lines, "chat with Zephyrine")
    forget(world, NAME)
    assert everywhere(world.settings.data) == []
    with world.database.read() as db:
        assert [row[0] for row in db.execute("SELECT text FROM turns")] == ["I sold the boat."]
    again = import_lines(world.database, lines, "chat with Zephyrine")
    assert again.added == 0


async def test_what_was_cut_off_is_finished_at_the_next_start(
    world: World, human: Human, monkeypatch: pytest.MonkeyPatch
) -> None:
    await human.says("my sister is Zephyrine")
    profile = world.settings.data / "memory" / "user_profile.txt"
    profile.write_text("Sails.\nHas a sister, Zephyrine.\n")
    with monkeypatch.context() as cut_off:
        cut_off.setattr(forgetting, "_finish", lambda _world, _patience: ([], list(forgetting.STEPS)))
        assert forget(world, NAME).left == forgetting.STEPS
    assert "Zephyrine" in profile.read_text()
    with world.database.read() as db:
        assert find_unfinished(db, world.now) is not None
        assert "ephyrin" not in str(kv.get(db, forgetting.FORGETTING))
    human.worker.recover()
    assert profile.read_text() == "Sails.\n"
    assert everywhere(world.settings.data) == []
    with world.database.read() as db:
        assert kv.get(db, forgetting.FORGETTING) is None


async def test_correcting_the_command_keeps_no_words_either(world: World, human: Human) -> None:
    await human.says("/forget the thing with Quentn")
    await human.says("/forget the thing with Quentin", kind="edit", message_id="101", was="text")
    with world.database.read() as db:
        for table in ("turns", "inbox", "outbox", "kv"):
            held = [str(tuple(row)) for row in db.execute(f"SELECT * FROM {table}")]
            assert not [row for row in held if "Quent" in row], table


def test_a_second_reading_of_what_was_forgotten_keeps_nothing(world: World, clock: FrozenClock) -> None:
    note = Note("Their sister is called Zephyrine.", "semantic", "user", "sister", NAME)
    old, other = said(world, "My sister is Zephyrine"), said(world, "I come from a large family")
    with world.database.write() as db:
        assert facts.learn(db, note, (old,), world.now) == "new"
    forget(world, NAME)
    clock.pass_(hours=1)
    with world.database.write() as db:
        assert facts.learn(db, note, (other,), world.now) == "forgotten"
    told_again = said(world, "My sister is Zephyrine")
    with world.database.write() as db:
        assert facts.learn(db, note, (told_again,), world.now) == "new"


def test_a_tombstone_has_no_words(world: World) -> None:
    said(world, "My sister is Zephyrine")
    forget(world, NAME)
    with world.database.read() as db:
        marks = [tuple(row) for row in db.execute("SELECT * FROM tombstones")]
        plan = kv.get(db, forgetting.FORGETTING)
        assert tombstones.count(db) >= 1
    assert plan is None
    assert "zephyr" not in str(marks).lower()


def test_backups_keep_it_until_they_age_out_and_the_question_says_when(world: World) -> None:
    said(world, "My sister is Zephyrine")
    assert forgetting.look(world, NAME).backups_until is None
    (world.settings.data / "backups" / "furoshiki-20260324T030000Z.tar.gz").write_bytes(b"")
    assert forgetting.look(world, NAME).backups_until == world.now + timedelta(days=7)
    (world.settings.data / "backups" / "furoshiki-20260228T030000Z.tar.gz").write_bytes(b"")
    until = forgetting.look(world, NAME).backups_until
    assert until is not None
    assert until.date().isoformat() == "2026-08-01", "the newest of its month stays for six months"


def test_every_column_with_words_is_searched(database: Database) -> None:
    """A new text column must be named among those that are searched, or here among those that hold no words."""
    ours = {"turns", "memories", "kv", "design_docs"}
    plain = {
        *("id", "at", "state", "status", "kind", "type", "channel", "chat_id", "external_id", "sender", "priority"),
        *("turn_key", "source_turn_key", "envelope_ids", "evidence", "digest", "name", "part", "policy", "reply_to"),
        *("role", "language", "session_id", "item", "cell", "source_tag", "relation", "cycle", "operation", "stage"),
        *("ceiling", "model", "tier", "provider", "purpose", "script", "cited", "recurrence", "due_zone", "need"),
        *("emotions", "needs", "mood", "embed_model", "content_hash", "index_state", "key", "value", "extra"),
        *("signature", "source", "file"),
        *("plugin", "hook", "target", "version", "origin", "pins", "permissions", "until", "proposal"),
        *("mode", "path", "scores", "signals", "tie_break", "feedback", "feedback_from"),
        *("loop_key", "stopped", "depends_on", "ref", "winner", "cycle_key", "triggers", "passes"),
        *("rests_on", "seed_kind", "action", "action_scores", "named_by"),
        *("gate", "outcome", "not_before", "day", "triage", "verdict", "turn_ids", "feelings", "shifted_since"),
    }
    with database.read() as db:
        columns = [
            (table, row["name"])
            for table in filled.tables(db)
            for row in db.execute(f"PRAGMA table_info({table})")
            if row["type"] == "TEXT" and not row["name"].endswith("_at")
        ]
    assert len(columns) > 100
    for table, column in columns:
        assert table in ours or column in rows.WORDS.get(table, ()) or column in plain, f"{table}.{column}"


def test_forgetting_twice_is_forgetting_once(world: World) -> None:
    said(world, "My sister is Zephyrine")
    said(world, "I sail")
    forget(world, NAME)
    assert forgetting.look(world, NAME).nothing
    assert forgetting.finish(world) == ()
    with world.database.read() as db:
        assert turns.count(db) == 1


def test_the_full_text_index_holds_together_afterwards(world: World) -> None:
    with world.database.write() as db:
        for number in range(400):
            text = f"message {number} about boats and {NAME if number % 7 == 3 else 'rain'}"
            turns.add(db, NewTurn("s1", "console", "me", "user", text, world.now))
    forget(world, NAME)
    with world.database.write() as db:
        for table in ("turns_fts", "memories_fts", "sessions_fts"):
            db.execute(f"INSERT INTO {table}({table}, rank) VALUES ('integrity-check', 1)")
        assert db.execute("SELECT count(*) FROM turns_fts WHERE turns_fts MATCH 'rain'").fetchone()[0] == 343
    assert everywhere(world.settings.data) == []
