"""A model that lies, cites what it should not, or answers in no form: nothing is believed, and all of it is listed."""

from __future__ import annotations

import asyncio
import json
import random
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, cast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from furoshiki.core.errors import NoMindAnswered
from furoshiki.core.paths import ROOT
from furoshiki.core.settings import Settings
from furoshiki.language.grounding.words import content_of, stems_of
from furoshiki.language.testimony import whole
from furoshiki.language.words import bare
from furoshiki.memory.store import memories, overview
from furoshiki.mind.inner_life import soul_engine
from furoshiki.mind.post_conversation import reading_check
from furoshiki.mind.post_conversation.parts import once_each
from furoshiki.mind.post_conversation.reading import read_sessions
from furoshiki.mind.post_conversation.reading_form import SessionReading
from furoshiki.mind.post_conversation.session import Session
from furoshiki.models.llm import structured
from furoshiki.models.llm.values import Answer
from furoshiki.world import World
from tests.support import hostile_readings as hostile
from tests.support.hostile_readings import (
    GOOD,
    HONEST,
    JOB,
    LIES,
    MALFORMED,
    MOVE,
    OWN,
    PARTLY,
    PASSED,
    POISON,
    SAID,
    Lie,
)
from tests.support.stored_turns import make_turn
from tests.support.world import PROMPTS, FrozenClock, NoVectors, Script

_AT = datetime(2026, 3, 24, 15, tzinfo=UTC)
_TURNS = tuple(
    make_turn(number, text, _AT, speaker, whole(text, "forward", "Bartholomew") if number == PASSED else ())
    for number, (speaker, text) in SAID.items()
)
_VALUES = ("You do not pretend to have done what you have not done.", "Honest. You have views and say them.")
_SESSION = Session("s1", _TURNS, UTC, "Noor", "Furo", values=_VALUES)

KEPT = {
    "memories": "SELECT content || ' ' || coalesce(object, '') FROM memories WHERE unconfirmed IS NULL",
    "weights": "SELECT note FROM emotional_weights",
    "queue": "SELECT summary || coalesce(detail, '') FROM mind_queue",
    "questions": "SELECT question FROM self_questions WHERE source NOT LIKE 'inner%'",
    "topics": "SELECT topics FROM sessions WHERE session_id='s1'",
    "profile": "SELECT value FROM kv WHERE key LIKE 'profile%'",
    "themes": "SELECT name FROM concepts",
}


def kept(world: World) -> dict[str, str]:
    """All that a reading can leave behind, in small letters, by where; of its document what stands over the words."""
    with world.database.read() as db:
        found = {name: " ".join(str(row[0]) for row in db.execute(question)) for name, question in KEPT.items()}
        row = db.execute("SELECT document FROM sessions WHERE session_id='s1'").fetchone()
    found["document"] = "" if row is None else str(row[0]).split("User: ")[0]
    for path in Path(world.settings.data / "memory").glob("user_profile*"):
        found[path.name] = path.read_text(encoding="utf-8")
    found["context"] = json.dumps(world.state.context(), default=str)
    return {name: text.casefold() for name, text in found.items()}


def only_true(world: World) -> None:
    """Nothing that was made up is anywhere, and nothing was moved by it."""
    for where, text in kept(world).items():
        assert not [word for word in POISON if word in text], where
    with world.database.read() as db:
        for one in memories.newest(db, 50):
            assert set(one.turn_ids) <= OWN and (one.unconfirmed or one.content == GOOD["text"])
        assert db.execute("SELECT count(*) FROM user_needs_history").fetchone()[0] == 0
        assert db.execute("SELECT count(*) FROM commitment_judgements").fetchone()[0] == 0
        assert [row[0] for row in db.execute("SELECT state FROM anticipations")] == ["open"]


@pytest.mark.parametrize("lie", LIES, ids=[lie.name for lie in LIES])
async def test_a_lie_is_not_believed(world: World, lie: Lie) -> None:
    reading = SessionReading.model_validate({**HONEST, "facts": [GOOD], **lie.reading})
    sound = await reading_check.check_claims(world, reading, _SESSION)
    if lie.doubted:
        assert [doubt for _, _, doubt in sound.facts if doubt and lie.reason in doubt], sound.facts
    elif lie.kind not in _JUDGED_LATER:
        assert [one for one in sound.refused if one.kind == lie.kind and lie.reason in one.reason], sound.refused
    known = [fact.text for fact, _, doubt in sound.facts if doubt is None]
    words = (*sound.topics, sound.user_state, sound.summary, sound.moved_by, *sound.questions)
    told = " ".join((*words, *known, *(one.text for one in sound.follow_ups))).casefold()
    assert not [word for word in POISON if word in told]
    assert known == [GOOD["text"]] and not sound.needs
    assert len(sound.facts) == 1 + lie.doubted


async def test_what_a_reader_finds_contradicted_is_not_even_kept_as_perhaps(world: World, model: Script) -> None:
    claims = [one for lie in LIES if lie.doubted for one in lie.reading["facts"] if one["text"] != GOOD["text"]]
    reading = SessionReading.model_validate({**HONEST, "facts": claims})
    model.readings = {one["text"]: "contradicted" for one in claims}
    sound = await reading_check.check_claims(world, reading, _SESSION)
    assert sound.facts == () and len(claims) > 10


_JUDGED_LATER = {"commitment_verdict", "anticipation"}
"""By the code that keeps promises and expectations, in the same transaction."""


@pytest.mark.slow
@pytest.mark.parametrize("lie", LIES, ids=[lie.name for lie in LIES])
async def test_a_lie_reaches_nothing_and_is_listed_with_its_reason(world: World, lie: Lie) -> None:
    hostile.prepare(world)
    world = hostile.reads(world, json.dumps({**HONEST, "facts": [GOOD], **lie.reading}))
    report = await read_sessions(world)
    soul_engine.tick(world)
    only_true(world)
    assert report.data["facts"] == 1, "the truth beside it stays"
    with world.database.read() as db:
        listed = [(one.kind, one.reason) for one in overview.newest(db, 10)]
        perhaps = [("fact", one.unconfirmed) for one in memories.newest(db, 10) if one.unconfirmed]
    found = perhaps if lie.doubted else listed
    assert [kind for kind, reason in found if kind == lie.kind and lie.reason in reason], found


async def test_many_lies_at_once_reach_nothing(world: World) -> None:
    hostile.prepare(world)
    reading: dict[str, Any] = {**HONEST, "facts": [GOOD]}
    for lie in LIES:
        for name, value in lie.reading.items():
            more = [one for one in value if one != GOOD] if isinstance(value, list) else value
            reading[name] = [*reading.get(name, []), *more][: _MOST.get(name, 8)] if isinstance(more, list) else more
    await read_sessions(hostile.reads(world, json.dumps(reading)))
    soul_engine.tick(world)
    only_true(world)
    with world.database.read() as db:
        assert {one.kind for one in overview.newest(db, 100)} >= {lie.kind for lie in LIES} - {"event_time"}


_MOST = {"facts": 30, "follow_ups": 5, "contradictions": 3, "user_needs": 7}


@pytest.mark.parametrize("name", MALFORMED)
def test_an_answer_in_no_form_is_none(name: str) -> None:
    with pytest.raises(Exception, match=r".") as caught:
        structured.parse(SessionReading, MALFORMED[name]())
    assert type(caught.value).__name__ == "_Unfit"


@pytest.mark.slow
@pytest.mark.parametrize("name", MALFORMED)
async def test_an_answer_in_no_form_leaves_nothing_and_is_asked_for_again(
    world: World, clock: FrozenClock, name: str
) -> None:
    hostile.prepare(world)
    report = await read_sessions(hostile.reads(world, MALFORMED[name]()))
    assert report.data["failed"] == ["s1"]
    only_true(world)
    with world.database.read() as db:
        assert memories.count(db) == 0
        events = [row["kind"] for row in db.execute("SELECT kind FROM system_events")]
    assert events.count("reading_failed") == 1
    clock.pass_(minutes=20)
    after = await read_sessions(hostile.reads(world, json.dumps({**HONEST, "facts": [GOOD]})))
    assert after.data["facts"] == 1


@pytest.mark.parametrize("name", PARTLY)
async def test_what_does_not_fit_costs_itself_alone(world: World, name: str) -> None:
    hostile.prepare(world)
    world = hostile.reads(world, json.dumps({**HONEST, "facts": [GOOD], **PARTLY[name]}))
    report = await read_sessions(world)
    assert report.data["failed"] == []
    only_true(world)
    with world.database.read() as db:
        [topics] = [row[0] for row in db.execute("SELECT topics FROM sessions WHERE session_id='s1'")]
    assert "the harbour" in topics and HONEST["summary"].casefold() in kept(world)["document"]
    assert report.data["facts"] == (name != "an object for a list")


@pytest.mark.slow
async def test_ten_megabytes_are_no_reading(world: World) -> None:
    hostile.prepare(world)
    text = json.dumps({**HONEST, "summary": "They are a billionaire. " * 450_000})
    assert (await read_sessions(hostile.reads(world, text))).data["failed"] == ["s1"]
    only_true(world)


async def test_an_honest_reading_of_the_same_conversation_is_believed(world: World) -> None:
    hostile.prepare(world)
    reading = {
        **HONEST,
        "facts": [GOOD],
        "feelings": {"excitement": 0.6},
        "moved_by": {"text": "They start a new job at the harbour on Monday.", "messages": [JOB]},
        "user_needs": [{"need": "challenge", "level": 0.8, "confidence": 0.7, "messages": [MOVE]}],
        "follow_ups": [{"text": "Ask how Monday at the harbour went.", "messages": [JOB]}],
    }
    report = await read_sessions(hostile.reads(world, json.dumps(reading)))
    soul_engine.tick(world)
    with world.database.read() as db:
        assert [one for one in overview.newest(db, 10) if one.kind != "profile"] == []
        assert [one.content for one in memories.newest(db)] == [GOOD["text"]]
    assert (report.data["facts"], report.data["rejected"]) == (1, 0)
    assert world.state.heartbeat().user_needs["challenge"].evidence == (MOVE,)


# -- the law --

_WORDS = sorted({word.strip(".,?") for _, text in SAID.values() for word in text.split()} | {"billionaire", "Oslo"})
_phrases = st.lists(st.sampled_from(_WORDS), min_size=1, max_size=6).map(" ".join)
_facts = st.fixed_dictionaries(
    {
        "text": _phrases.map("They {}.".format),
        "subject": st.sampled_from(["user", "sister", "Anika", "boss", "Noor", "Furo"]),
        "predicate": st.sampled_from(["is", "lives_in", "has", "works_at"]),
        "object": _phrases | st.text(min_size=1, max_size=20),
        "category": st.sampled_from(["plan", "family", "possession", "other"]),
        "messages": st.lists(st.integers(-2, 9), min_size=1, max_size=4),
    }
)
_anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20) | _facts,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from([*GOOD, "need", "level"]), inner),
    max_leaves=8,
)


class _Nobody:
    """A world in which no mind reads and nobody embeds."""

    vectors, prompts, rng = NoVectors(), PROMPTS, random.Random(1)
    settings = Settings(furoshiki_companion_name="Furo")
    care, now, config = (), _AT, ROOT / "config"

    @staticmethod
    async def ask(*_: Any) -> Answer:
        raise NoMindAnswered("nobody")


_NOBODY = cast(World, _Nobody())


async def lawful(world: World, read: dict[str, Any]) -> None:
    """Every fact that is believed has a source of the user, and they said its object; nothing goes unlisted."""
    try:
        reading = SessionReading.model_validate({**HONEST, **read})
    except ValidationError:
        return
    sound = await reading_check.check_claims(world, reading, _SESSION)
    for one, ids, doubt in sound.facts:
        assert ids and set(ids) <= OWN
        if doubt is not None or one.predicate == "other":  # kept as perhaps, or under nothing but its words
            continue
        said = {bare(word) for word in stems_of(" ".join(SAID[number][1] for number in OWN))}
        wanted = content_of(one.object)
        assert sum(bare(word) in said for word in wanted) * 2 >= len(wanted)  # marks on letters are no other word
    for need in sound.needs:
        assert set(need.messages) & OWN
    assert set(sound.moved_turns) <= OWN and bool(sound.moved_by) == bool(sound.moved_turns)
    assert len(sound.facts) + sum(one.kind == "fact" for one in sound.refused) == len(once_each(reading.facts))


@settings(max_examples=60)
@given(st.lists(_facts, max_size=3))
def test_whatever_the_model_claims_every_fact_has_a_source_of_the_user_that_carries_it(facts: list[Any]) -> None:
    asyncio.run(lawful(_NOBODY, {"facts": facts}))


@pytest.mark.slow
@given(st.dictionaries(st.sampled_from(list(SessionReading.model_fields)), _anything, max_size=4))
def test_whatever_the_model_answers_nothing_is_believed_without_a_source(read: dict[str, Any]) -> None:
    asyncio.run(lawful(_NOBODY, read))
