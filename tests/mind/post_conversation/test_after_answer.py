"""What somebody says of themselves is known at the next message, whichever language they say it in, and kept once."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from furoshiki.conversation.acting.store import attention
from furoshiki.core.errors import AnswerUnusable
from furoshiki.memory.store import memories
from furoshiki.memory.values import Memory, NewMemory
from furoshiki.messages.store import turns
from furoshiki.messages.values import NewTurn, Turn
from furoshiki.mind.inner_life.store import self_questions
from furoshiki.mind.post_conversation import after_answer, due, imported
from furoshiki.mind.post_conversation.fact_reading import ReadTold
from furoshiki.mind.post_conversation.reading import read_sessions
from furoshiki.mind.post_conversation.reading_form import SessionReading
from furoshiki.models.llm.values import Answer, Question
from furoshiki.owner.agenda.store import mind_queue as queue
from furoshiki.owner.agenda.store import operations
from furoshiki.owner.user_model.store import ways
from furoshiki.world import World
from tests.support.forgetting import forget
from tests.support.readings import READING
from tests.support.reflexes import reflexive
from tests.support.world import FrozenClock, Human, Script

Facts = Sequence[Mapping[str, Any]]


def fact(text: str, predicate: str, object_: str, category: str, subject: str = "user", **more: Any) -> dict[str, Any]:
    return {"text": text, "predicate": predicate, "object": object_, "category": category, "subject": subject, **more}


SAID: list[tuple[str, Facts]] = [
    (
        "ugh, my sister Ruth says i should just quit. 9 years at the library and for what",
        [
            fact("Their sister is called Ruth.", "sister", "Ruth", "family"),
            fact("They have worked at the library for 9 years.", "works_at", "the library", "employment"),
        ],
    ),
    (
        "we finally got the keys to the flat in Leith yesterday, i can't believe it's ours",
        [fact("They have a flat in Leith.", "lives_in", "Leith", "location")],
    ),
    (
        "dana reyes, she's our lawyer, called this morning about the adoption",
        [fact("Their lawyer is called Dana Reyes.", "lawyer", "Dana Reyes", "relationship")],
    ),
    (
        "can't do thursday evenings, that's when i have choir",
        [fact("They sing in a choir on Thursday evenings.", "does", "choir", "plan")],
    ),
    (
        "no shellfish for me btw, last time i ended up in the ER",
        [fact("They are allergic to shellfish.", "allergic_to", "shellfish", "health")],
    ),
    (
        "ich bin übrigens die Jule, und seit märz hebamme in Potsdam",
        [
            fact("They are called Jule.", "name", "Jule", "addressing"),
            fact("They have been a midwife in Potsdam since March.", "works_as", "hebamme", "employment"),
        ],
    ),
    (
        "mein Bruder Tim heiratet am 12. dezember und ich soll die rede halten",
        [
            fact("Their brother is called Tim.", "brother", "Tim", "family"),
            fact("Their brother Tim marries on 12 December.", "marries", "am 12. dezember", "plan", "Tim"),
        ],
    ),
    (
        "ich trinke keinen kaffee mehr, nur noch grünen tee",
        [fact("They drink green tea instead of coffee.", "likes", "grünen tee", "preference")],
    ),
    (
        "unser hund heißt Pelle und der frisst wirklich alles",
        [fact("Their dog is called Pelle.", "dog", "Pelle", "family")],
    ),
    (
        "me llamo Inés, pero todos me dicen Nené, así que Nené",
        [fact("They want to be called Nené.", "name", "Nené", "addressing")],
    ),
    (
        "mi madre vive en Cádiz y la operan el 3 de diciembre",
        [
            fact("Their mother lives in Cádiz.", "lives_in", "Cádiz", "location", "mother"),
            fact("Their mother has an operation on 3 December.", "has", "la operan", "health", "mother"),
        ],
    ),
    (
        "soy enfermera en urgencias, turno de noche toda la semana",
        [fact("They are a nurse in the emergency room.", "works_as", "enfermera", "employment")],
    ),
    (
        "odio los lunes pero me encanta cocinar los domingos con Marta",
        [fact("They love cooking on Sundays with Marta.", "likes", "cocinar los domingos", "preference")],
    ),
    (
        "My name is Gisela Brandt. Gisela is enough, I'm no title page.",
        [fact("They want to be called Gisela.", "name", "Gisela", "addressing")],
    ),
]
"""Messages as people write them, and what a capable mind notes of each."""


def capable(answers: Mapping[str, Facts], answered: Callable[[Question], list[int]] = lambda _: []) -> Any:
    """A mind that notes what is written here, by the words of the message."""

    def answer(question: Question) -> Answer:
        said = question.messages[-1].text
        parsed: Any = None
        if question.purpose == "told":
            new = [line for line in said.splitlines() if "NEW " in line]
            facts = []
            for line in new:
                number = int(line[1:].partition(" ")[0])
                facts += [
                    {**one, "messages": [number]} for text, found in answers.items() if text in line for one in found
                ]
            parsed = ReadTold.model_validate({"facts": facts, "answered": answered(question)})
        return Answer("Mhm.", "stop", "scripted", "script", question.tier, parsed=parsed)

    return answer


def listens(model: Script, answers: Mapping[str, Facts], **more: Any) -> None:
    model.reads_told = True
    model.readings = {one["text"]: "supported" for found in answers.values() for one in found}
    model.lines = [capable(answers, **more)] * 60


def known(world: World) -> list[Memory]:
    with world.database.read() as db:
        return memories.read_known(db)


def asked(model: Script, purpose: str) -> list[Question]:
    return [one for one in model.questions if one.purpose == purpose]


@pytest.mark.parametrize(("said", "facts"), SAID, ids=[text[:24] for text, _ in SAID])
async def test_what_is_told_is_known_at_the_next_message(
    world: World, human: Human, model: Script, clock: FrozenClock, said: str, facts: Facts
) -> None:
    listens(model, dict(SAID))
    await human.says("hello there")
    clock.pass_(minutes=1)
    await human.says(said)
    clock.pass_(minutes=1)
    await human.says("what do you think?")
    question = asked(model, "turn")[-1]
    shown = "\n".join(part.text for part in (*question.system, *question.messages))
    for one in facts:
        if one["predicate"] == "name":
            assert f"called {one['object']}." in shown
            assert "do not know their name" not in shown
        else:
            assert one["text"] in {fact.content for fact in known(world)}
            assert one["text"] in shown or said in shown, "what stands in view in their words is not shown twice"
    assert len(asked(model, "told")) == 1, "nothing was told by a greeting and a question"


async def test_killed_between_the_answer_and_the_reading_it_is_read_once(
    world: World, human: Human, model: Script, monkeypatch: pytest.MonkeyPatch
) -> None:
    listens(model, dict(SAID))
    read = after_answer.read

    async def killed(_world: World) -> int:
        raise asyncio.CancelledError

    monkeypatch.setattr(after_answer, "read", killed)
    await human.says(SAID[0][0])
    monkeypatch.setattr(after_answer, "read", read)
    assert known(world) == []
    assert await after_answer.read(world) == 2, "the next start reads what was left"
    assert await after_answer.read(world) == 0
    assert len(asked(model, "told")) == 1
    assert sorted(one.content for one in known(world)) == sorted(one["text"] for one in SAID[0][1])


async def test_killed_before_it_is_kept_it_is_kept_once(
    world: World, human: Human, model: Script, monkeypatch: pytest.MonkeyPatch
) -> None:
    listens(model, dict(SAID))
    kept = after_answer.fact_reading.keep

    def killed(*_: Any) -> int:
        raise RuntimeError("the process is gone")

    monkeypatch.setattr(after_answer.fact_reading, "keep", killed)
    await human.says(SAID[0][0])
    assert known(world) == []
    monkeypatch.setattr(after_answer.fact_reading, "keep", kept)
    assert await after_answer.read(world) == 2
    assert len({one.hit_count for one in known(world)}) == 1 and len(known(world)) == 2


async def test_the_reading_of_the_conversation_keeps_no_fact_a_second_time_in_other_words(
    world: World, human: Human, model: Script, clock: FrozenClock
) -> None:
    listens(model, dict(SAID))
    await human.says(SAID[0][0])
    before = {one.id: one.content for one in known(world)}
    [number] = [one.id for one in _said(world) if one.text == SAID[0][0]]
    again = [
        fact("They have a sister named Ruth.", "sister", "ruth", "family", messages=[number]),
        fact("They work at the library.", "employer", "library", "employment", messages=[number]),
    ]

    def reads(question: Question) -> Answer:
        if question.purpose != "post_conversation":
            return capable({})(question)
        assert all(text in question.messages[-1].text for text in before.values()), "it is told what is known"
        return replace(capable({})(question), parsed=SessionReading.model_validate({**READING, "facts": again}))

    model.lines = [reads] * 20
    clock.pass_(hours=1)
    await read_sessions(world)
    assert {one.id: one.content for one in known(world)} == before


CHANGES: list[tuple[str, str, dict[str, Any], str, dict[str, Any], str]] = [
    (
        "Priya is my best friend, we've known each other since uni",
        "They have known Priya since university.",
        {"subject": "Priya", "predicate": "friend", "object": "since uni", "category": "relationship"},
        "no, i said it wrong. we met at school",
        {"text": "They met Priya at school.", "predicate": "met_at", "object": "school", "was_wrong": True},
        "archived",
    ),
    (
        "flights to Lisbon are booked, me and Priya",
        "They and Priya have flights to Lisbon booked.",
        {"subject": "user", "predicate": "plans", "object": "flights to Lisbon", "category": "plan"},
        "so we cancelled lisbon",
        {"text": "They cancelled the flights to Lisbon.", "predicate": "cancelled", "object": "lisbon"},
        "superseded",
    ),
    (
        "abimin düğünü ayın 24'ünde Ankara'da",
        "Their brother's wedding is in Ankara.",
        {"subject": "brother", "predicate": "wedding", "object": "Ankara'da", "category": "plan"},
        "abim düğünü ertelemiş, nisana kaldı",
        {"text": "Their brother's wedding was put off to April.", "predicate": "wedding", "object": "nisana kaldı"},
        "superseded",
    ),
    (
        "我养了只猫叫豆包，橘猫",
        "They have an orange cat named 豆包.",
        {"subject": "user", "predicate": "pet", "object": "豆包", "category": "possession"},
        "其实豆包不是橘猫，是橘白的",
        {
            "text": "They have an orange-and-white cat named 豆包.",
            "predicate": "pet",
            "object": "豆包",
            "was_wrong": True,
        },
        "archived",
    ),
    (
        "my choir sings at the old brewery on 3 May",
        "Their choir sings at the old brewery on 3 May.",
        {"subject": "user", "predicate": "plans", "object": "choir at the old brewery", "category": "plan"},
        "the choir at the brewery is put off, no day yet",
        {
            "text": "Their choir at the old brewery is put off, without a day.",
            "predicate": "plans",
            "object": "choir at the old brewery",
        },
        "superseded",
    ),
    (
        "I drink four coffees a day",
        "They drink four coffees a day.",
        {"subject": "user", "predicate": "drinks", "object": "four coffees a day", "category": "preference"},
        "my sister Anika moved to Porto",
        {"text": "Their sister Anika moved to Porto.", "predicate": "lives_in", "object": "Porto"},
        "active",
    ),
]
"""What was said and noted, what is said later and noted instead of it, and what becomes of the first: what has nothing
in common with the later stays as it was."""


@pytest.mark.parametrize(("said", "text", "first", "later", "then", "becomes"), CHANGES, ids=[c[1] for c in CHANGES])
async def test_what_a_mind_says_is_over_ends_and_what_was_wrong_is_withdrawn(
    world: World, human: Human, model: Script, clock: FrozenClock,
    said: str, text: str, first: dict[str, Any], later: str, then: dict[str, Any], becomes: str,
) -> None:  # fmt: skip
    new = {"subject": first["subject"], "category": first["category"], **then}
    answers = {said: [{"text": text, **first}], later: [new]}
    listens(model, answers)
    await human.says(said)
    [old] = [one for one in known(world) if one.content == text]

    def replaced(question: Question) -> Answer:
        if question.purpose == "told":
            assert f"- [memory:{old.id}] {text}" in question.messages[-1].text
        return capable({later: [{**new, "instead_of": [f"memory:{old.id}"]}]})(question)

    model.lines = [replaced] * 20
    clock.pass_(hours=20)
    await human.says(later)
    with world.database.read() as db:
        [held] = memories.of_ids(db, [old.id])
    assert held.status == becomes
    assert then["text"] in {one.content for one in known(world)}
    assert (text in {one.content for one in known(world)}) == (becomes == "active")


async def test_a_question_that_was_answered_is_not_asked(world: World, human: Human, model: Script) -> None:
    with world.database.write() as db:
        made = self_questions.add(db, "Where do they live?", "profile_gaps:location", world.now)
        assert made is not None
        self_questions.to_user(db, made, world.now, summary="Something I do not know of them yet: where do they live?")

    def answered(question: Question) -> list[int]:
        line = next(one for one in question.messages[-1].text.splitlines() if "where do they live" in one)
        return [int(line.partition("[")[2].partition("]")[0])]

    listens(model, dict(SAID), answered=answered)
    await human.says(SAID[1][0])
    await human.says("so what now?")
    assert "where do they live" not in model.turn_words
    with world.database.read() as db:
        assert self_questions.list_pending(db) == []


async def test_a_note_that_their_words_leave_no_room_for_is_gone_at_the_next_message(
    world: World, human: Human, model: Script
) -> None:
    with world.database.write() as db:
        for note in ("Ask whether they heard from Ellie", "Ask how the flat in Leith is"):
            queue.add(db, "follow_up", note, note, world.now, source="sessions:s1")

    def answered(question: Question) -> list[int]:
        line = next(one for one in question.messages[-1].text.splitlines() if "heard from Ellie" in one)
        return [int(line.partition("[")[2].partition("]")[0])]

    text = "Ellie is my ex now, she left on sunday"
    listens(model, {text: [fact("They and Ellie have parted.", "ex", "Ellie", "relationship")]}, answered=answered)
    await human.says(text)
    await human.says("so what now?")
    assert "heard from Ellie" not in model.turn_words
    assert "Ask how the flat in Leith is" in model.turn_words


async def test_all_that_one_message_says_of_how_they_want_things_is_kept(
    world: World, human: Human, model: Script
) -> None:
    text = "parlami senza troppi giri di parole, e niente emoji per favore"
    plain = fact("They want plain words.", "wants_it_so", "senza troppi giri di parole", "manner")
    bare = fact("They want no emoji.", "wants_it_so", "niente emoji", "manner")
    listens(model, {text: [plain, bare]})
    await human.says(text)
    await human.says("so what now?")
    with world.database.read() as db:
        assert {one.content for one in ways.list_current(db)} == {plain["text"], bare["text"]}
        later = world.now + timedelta(minutes=20)
        assert ways.were_read(db, [1], later), "what reads the whole talk says it once more, in other words"


async def test_a_mind_that_answers_in_a_wrong_form_leaves_the_rules_reading(
    world: World, human: Human, model: Script
) -> None:
    def wrong(question: Question) -> Answer:
        if question.purpose == "told":
            raise AnswerUnusable("no JSON")
        return capable({})(question)

    model.reads_told = True
    model.lines = [wrong] * 10
    await human.says("My sister is called Ruth and I live in Oslo")
    assert {(one.predicate, one.object) for one in known(world)} == {("sister", "Ruth"), ("lives_in", "Oslo")}


async def test_what_is_pasted_or_asked_costs_nothing(human: Human, model: Script) -> None:
    listens(model, dict(SAID))
    for said in ("ok", "haha yes", "good morning", "what's the weather like?", "kannst du das bitte?", "\U0001f602"):
        await human.says(said)
    assert asked(model, "told") == []


async def test_who_they_are_comes_before_what_is_only_often_said(world: World, human: Human, model: Script) -> None:
    with world.database.write() as db:
        turn = turns.add(db, NewTurn("s", "telegram", "7", "user", "so much to say", world.now))
        for number in range(60):
            one = NewMemory(
                "semantic", f"They like tea number {number}.", (turn,), "external_user", "user", "likes", f"{number}"
            )
            memories.reinforce(db, memories.add(db, one, world.now), [turn], world.now)
    listens(model, dict(SAID))
    await human.says(SAID[0][0])
    first = [one.content for one in known(world)[:2]]
    assert sorted(first) == sorted(one["text"] for one in SAID[0][1])


def _said(world: World) -> list[Turn]:
    with world.database.read() as db:
        return turns.lately(db, 50)


@pytest.mark.parametrize("midway", [False, True])
async def test_an_import_taken_back_is_not_told_as_read_to_its_end(world: World, model: Script, midway: bool) -> None:
    with world.database.write() as db:
        for number in (0, 10):
            said = NewTurn(f"import:x/{number}", "import", "x", "user", SAID[number][0], world.now, source="import:x")
            turns.add(db, said)
        imported.agree(db, "import:x", world.now)
    listens(model, dict(SAID))

    async def take_back() -> None:
        model.pause = None
        forget(world, "session:import:x/10")

    if midway:
        model.pause = take_back
    else:
        await take_back()
    await imported.read_imports(world)
    with world.database.read() as db:
        assert {one.content for one in memories.read_known(db)} == {one["text"] for one in SAID[0][1]}
        (done,) = operations.active(db)
        assert due.read_imports(db, world.now) is None
    assert done.result == "read as far as it was not taken back; 2 things about you were new"


async def test_an_import_that_a_mind_may_read_tells_facts_and_people(
    world: World, human: Human, model: Script, clock: FrozenClock
) -> None:
    with world.database.write() as db:
        for number, (who, text) in enumerate((("user", SAID[0][0]), ("Bram", SAID[2][0]), ("user", SAID[10][0]))):
            at = world.now - timedelta(days=700 - number)
            turns.add(db, NewTurn("import:x/1", "import", "x", who, text, at, source="import:x", import_id=str(number)))
        assert imported.keep_name(db, "import:x", "Ana", world.now)
        size = imported.size(db, "import:x")
        assert size.turns == 3 and size.stretches == 1 and size.sent > 1000
        assert due.read_imports(db, world.now) is None, "nothing is paid for before it was agreed to"
        imported.agree(db, "import:x", world.now)
        assert due.read_imports(db, world.now)
    listens(model, dict(SAID))
    human.worker.recover()  # a restart of the listener ends no work of a job
    with world.database.read() as db:
        assert [(one.title, one.state) for one in operations.active(db)] == [("reading your import (x)", "pending")]
    report = await imported.read_imports(world)
    assert report.did and report.data["left"] == 0
    assert (await imported.read_imports(world)).did is False, "read once"
    assert len(asked(model, "told")) == 1
    held = {one.content for one in known(world)}
    assert {one["text"] for one in (*SAID[0][1], *SAID[10][1])} <= held
    assert not {one["text"] for one in SAID[2][1]} & held, "what somebody else said is theirs"
    clock.pass_(minutes=1)
    await human.says("hello there, do you know me?")
    asks = asked(model, "turn")[-1]
    told_of = asks.messages[-1].text
    new = len(SAID[0][1]) + len(SAID[10][1])
    assert f"completed — read to its end; {new} things about you were new" in told_of
    shown = "\n".join(block.text for block in asks.system)
    assert "They want to be called Ana." in shown and "Their sister is called Ruth." in shown


async def test_a_goal_is_striven_for_until_it_is_reached(
    world: World, human: Human, model: Script, clock: FrozenClock
) -> None:
    run = fact("They want to run a marathon.", "goal", "run a marathon", "goal")
    ran = fact("They have run their first marathon.", "reached", "run the marathon", "other")
    listens(model, {"ich will nächstes jahr einen marathon laufen": [run], "ich hab ihn geschafft": [ran]})
    await human.says("ich will nächstes jahr einen marathon laufen, das ist mein ziel")
    with world.database.read() as db:
        assert [one.content for one in memories.goals(db)] == ["They want to run a marathon."]
        assert attention.striven_for(db, 5) == ["They want to run a marathon."]
    clock.pass_(days=200)
    await human.says("ich hab ihn geschafft!! 4:31, den ganzen marathon")
    with world.database.read() as db:
        assert memories.goals(db) == [] and attention.striven_for(db, 5) == []
        (over,) = [one for one in memories.once_known(db) if one.predicate == "goal"]
    assert over.valid_to == clock.at, "it stays readable, with its end"


async def test_without_a_model_a_goal_is_read_by_rule(world: World, human: Human, model: Script) -> None:
    reflexive(model)
    await human.says("My dream is to run a marathon.")
    with world.database.read() as db:
        assert [one.content for one in memories.goals(db)] == ["The user wants to run a marathon."]
