"""Who the user is: written once for what is known, judged by the statement, forgotten and ended like its facts."""

from __future__ import annotations

import json
import random
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from furoshiki.app.reflex_provider import ReflexMind
from furoshiki.archive.forgetting import forgetting
from furoshiki.core.errors import NoMindAnswered
from furoshiki.memory.store import memories
from furoshiki.memory.values import NewMemory
from furoshiki.messages.store.sessions import SessionDocument
from furoshiki.messages.store.sessions import add as add_session
from furoshiki.messages.values import COMPANION
from furoshiki.mind.inner_life import session_context
from furoshiki.mind.post_conversation.reading import read_sessions
from furoshiki.models.llm.values import Answer, Question
from furoshiki.owner.user_model import profile_files
from furoshiki.owner.user_model.due import refine_user_profile
from furoshiki.owner.user_model.profile import ReadProfile, refine
from furoshiki.owner.user_model.store import profiles
from furoshiki.world import World
from tests.support.thinking import Night, night
from tests.support.world import Human, Script

__all__ = ["night"]

FACTS = (
    ("They live in Lisbon.", "location"),
    ("They work at the harbour.", "employment"),
    ("Their sister is called Anika.", "family"),
    ("Anika plays chess.", "family"),
    ("They do not drink coffee.", "preference"),
)


def learns(night: Night, *facts: tuple[str, str], **more: Any) -> list[int]:
    return [night.learns(text, category=category, **more)[0] for text, category in facts]


def said(*statements: tuple[str, list[int]], mini: Any = None, unsure: tuple[int, ...] = ()) -> dict[str, Any]:
    told = [{"section": "other", "text": text, "facts": cited} for text, cited in statements]
    short = [{"text": text, "facts": cited} for text, cited in (statements if mini is None else mini)]
    return {"mini": short, "reference": told, "unsure": list(unsure)}


def files(world: World) -> dict[str, str]:
    folder = world.settings.data / "memory"
    return {path.name: path.read_text() for path in sorted(folder.glob("user_profile*"))}


def reason(world: World) -> str | None:
    with world.database.read() as db:
        return refine_user_profile(db, world.now)


@pytest.fixture(autouse=True)
def _reader(model: Script) -> None:
    """A reader finds everything carried but what a test has it say otherwise of."""
    model.reads_all = "supported"


async def test_facts_become_a_profile_in_three_files(night: Night) -> None:
    home, work, sister, chess, coffee = learns(night, *FACTS)
    night.says(
        said(
            ("They live in Lisbon and work at the harbour.", [home, work]),
            ("Their sister Anika plays chess.", [sister, chess]),
            mini=[("They live in Lisbon.", [home])],
            unsure=(coffee,),
        )
    )
    report = await refine(night.world)
    assert (report.did, report.data["refused"]) == (True, 0)
    found = files(night.world)
    assert found[profile_files.MINI] == "They live in Lisbon.\n"
    assert found[profile_files.REFERENCE] == (
        "## Besides\n\n"
        f"- They live in Lisbon and work at the harbour. [memory:{home}, memory:{work}]\n"
        f"- Their sister Anika plays chess. [memory:{sister}, memory:{chess}]\n"
    )
    missing = json.loads(found[profile_files.GAPS])["gaps"]
    assert {"field": "plan", "question": "Is there something coming up?", "confidence": 0.0, "facts": []} in missing
    assert [one["facts"] for one in missing if one["field"] == "preference"] == [[f"memory:{coffee}"]]
    (question,) = night.model.questions
    assert (question.tier, question.purpose) == ("reflect", "profile")


async def test_nothing_is_asked_when_nothing_has_changed(night: Night) -> None:
    assert reason(night.world) is None
    assert not (await refine(night.world)).did
    (home,) = learns(night, FACTS[0])
    assert reason(night.world)
    night.says(said(("They live in Lisbon.", [home])))
    await refine(night.world)
    before = files(night.world)
    night.clock.pass_(days=3)
    assert reason(night.world) is None
    assert not (await refine(night.world)).did
    assert (len(night.model.questions), files(night.world)) == (1, before)
    learns(night, FACTS[1])
    assert reason(night.world)


async def test_a_new_conversation_is_something_new(night: Night) -> None:
    (home,) = learns(night, FACTS[0])
    night.says(said(("They live in Lisbon.", [home])), said(("They live in Lisbon.", [home])))
    await refine(night.world)
    now = night.world.now
    with night.world.database.write() as db:
        add_session(db, SessionDocument("s1", now, now, ("the late ship",), "Furo: I am tired.", 0.5, 0.5))
    await refine(night.world)
    shown = night.model.last_words
    assert "the late ship" in shown
    assert "I am tired" not in shown, "the companion's own words are no evidence"


async def test_a_reminder_that_went_out_alone_is_no_conversation(night: Night) -> None:
    """A pill each day asked for a new profile each day, and put the talks of the week out of sight."""
    (home,) = learns(night, FACTS[0])
    with night.world.database.write() as db:
        add_session(db, SessionDocument("s1", night.world.now, night.world.now, ("the late ship",), "x", 0.5, 0.5))
    night.says(said(("They live in Lisbon.", [home])))
    await refine(night.world)
    for day in range(7):
        night.clock.pass_(days=1)
        now = night.world.now
        with night.world.database.write() as db:
            add_session(db, SessionDocument(f"r{day}", now, now, (), "⏰ the pill", None, None))
    assert reason(night.world) is None
    session_context.refresh(night.world)
    assert any("the late ship" in line for line in night.world.state.context()["sessions"])


def test_a_mind_may_name_a_section_by_its_fact(night: Night) -> None:
    """“[8 · goal]” stood in the prompt, and every profile with such a fact was refused whole."""
    told = [
        {"section": name, "text": "They want to run.", "facts": [1]} for name in ("goal", "manner", "hobby", "plan")
    ]
    read = ReadProfile.model_validate({"mini": [], "reference": told, "unsure": []})
    assert [one.section for one in read.reference] == ["plan", "preference", "other", "plan"]


@pytest.mark.parametrize(
    ("text", "cites", "why"),
    [
        ("They have three children.", [1], "a reader"),
        ("They live in Lisbon.", [777], "no current fact 777"),
        ("They live in Lisbon.", [2], "a reader"),
        ("They live in Lisbon and are deeply lonely.", [1], "a reader"),
        ("They drink coffee.", [5], "a reader"),
        ("They owe 4000 to Bruno.", [1], "4000 was never said"),
        ("They live in Lisbon.", [], "cites no fact"),
        ("They love the rain.", [6], "no current fact 6"),
    ],
)
async def test_what_does_not_stand_reaches_no_file_and_is_listed_once(
    night: Night, text: str, cites: list[int], why: str
) -> None:
    learns(night, *FACTS)
    learns(night, ("They love the rain.", "preference"), speaker=COMPANION)  # the companion's own words
    night.model.readings = {text: "not supported"}
    night.says(said((text, cites), ("They work at the harbour.", [2])))
    report = await refine(night.world)
    assert report.data["refused"] == 1
    ((content, refused),) = night.refused
    assert content == text and why in refused
    if text != "They live in Lisbon.":
        assert not [name for name, words in files(night.world).items() if text in words]
    assert "They work at the harbour." in files(night.world)[profile_files.MINI]
    for line in files(night.world)[profile_files.REFERENCE].splitlines():
        assert not line.startswith("- ") or line.endswith("]")


@pytest.mark.parametrize(
    ("known", "told"),
    [
        ("Marta mieszka w Lipsku od trzech lat.", "They live in Leipzig."),
        ("Eles moram na Cracóvia faz três anos.", "They live in Krakow."),
        ("Sie wohnen seit drei Jahren in Warschau.", "They live in Warsaw."),
    ],
)
async def test_a_place_is_told_by_its_other_name_of_a_fact_in_another_language(
    night: Night, known: str, told: str
) -> None:
    """Beside English facts the name of a city in the language of the talk "was never said"."""
    home, *_ = learns(night, (known, "location"), *FACTS[1:])
    night.says(said((told, [home])))
    await refine(night.world)
    assert any(told in text for text in files(night.world).values())


async def test_in_place_of_what_nobody_has_read_stand_the_facts_it_cites(night: Night) -> None:
    night.model.reads_all = None
    home, work = learns(night, *FACTS[:2])
    night.says(said(("They are in Lisbon, at the port.", [home, work])))
    assert (await refine(night.world)).data["refused"] == 1
    assert files(night.world)[profile_files.MINI] == "They live in Lisbon. They work at the harbour.\n"


@pytest.mark.parametrize("broken", ['{"mini": [', '{"mini": 7}', "I would rather not.", "[]"])
async def test_an_answer_that_does_not_fit_twice_is_asked_for_again_at_the_next_run(night: Night, broken: str) -> None:
    learns(night, *FACTS)
    night.says(broken, broken)
    assert (await refine(night.world)).data["failed"]
    assert night.events == ["profile_failed"]
    assert "They live in Lisbon. [memory:1]" in files(night.world)[profile_files.REFERENCE], "the facts themselves"
    assert reason(night.world)
    night.says(broken, said(("They live in Lisbon and work at the harbour.", [1, 2])))
    assert (await refine(night.world)).did
    assert "Lisbon and work" in files(night.world)[profile_files.MINI]
    assert reason(night.world) is None


async def test_without_a_model_the_facts_speak_for_themselves(night: Night) -> None:
    learns(night, *FACTS)
    reflex = ReflexMind(random.Random(1))

    def by_rule(question: Question) -> Answer | str:
        assert reflex(question, why="unreachable") is None and reflex(question, why="budget") is None
        answer = reflex(question, why="no-model")
        assert answer is not None
        return answer

    night.model.lines = [by_rule]
    report = await refine(night.world)
    assert (report.data["by"], report.data["refused"]) == ("local", 0)
    found = files(night.world)
    for number, (text, _) in enumerate(FACTS, 1):
        assert f"- {text} [memory:{number}]" in found[profile_files.REFERENCE]
    assert "## Family\n\n- Anika plays chess. [memory:4]\n- Their sister" in found[profile_files.REFERENCE]


async def test_what_has_ended_is_past_at_once_and_stays_past(night: Night) -> None:
    (home, work) = learns(night, ("They live in Paris.", "location"), FACTS[1])
    night.says(said(("They live in Paris and work at the harbour.", [home, work]), ("They live in Paris.", [home])))
    await refine(night.world)
    with night.world.database.write() as db:
        memories.close(db, home, night.world.now)
    with night.world.database.read() as db:
        assert "Paris" not in json.dumps(str(profiles.current(db, night.world.now))), "also before the next synthesis"
    night.says(NoMindAnswered("away"))
    await refine(night.world)
    assert "Paris" not in "".join(files(night.world).values()), "and in the files, though no model could rewrite them"
    night.says(said(("They live in Paris.", [home]), ("They work at the harbour.", [work])))
    await refine(night.world)
    found = files(night.world)
    assert found[profile_files.MINI] == "They work at the harbour.\n"
    day = night.world.now.strftime("%-d %B %Y")
    assert f"## What is over\n\n- They live in Paris (until {day}). [memory:{home}]" in found[profile_files.REFERENCE]
    assert "no current fact" in night.refused[0][1]


async def test_what_says_itself_that_it_is_over_has_no_until(night: Night) -> None:
    """ "They no longer eat fish (until today)" would mean that they eat it again."""
    [fish] = learns(night, ("They no longer eat fish.", "preference"))
    with night.world.database.write() as db:
        memories.close(db, fish, night.world.now)
    night.says(said())
    await refine(night.world)
    assert (
        f"## What is over\n\n- They no longer eat fish. [memory:{fish}]" in files(night.world)[profile_files.REFERENCE]
    )


async def test_a_fact_of_the_user_is_told_of_a_person(night: Night) -> None:
    where = {"subject": "user", "predicate": "lives_in"}
    learns(night, ("The user lives in Porto.", "location"), object="Porto", **where)
    learns(night, ("The user lives in Paris.", "location"), object="Paris", **where)
    learns(night, ("The user lives in Rome with two cats.", "location"), object="Rome", **where)
    learns(night, ("Anika lives in Rome.", "location"), subject="Anika", predicate="lives_in", object="Rome")
    move = {"subject": "user", "predicate": "moves", "object": "переезд"}
    learns(night, ("They move on Sunday.", "plan"), **move)
    with night.world.database.write() as db:
        for one in (2, 4, 5):
            memories.close(db, one, night.world.now)
    night.says(NoMindAnswered("away"))
    await refine(night.world)
    told = files(night.world)[profile_files.REFERENCE]
    assert "- They live in Porto. [memory:1]" in told
    assert "- They used to live in Paris (until 24 March 2026). [memory:2]" in told
    assert "- The user lives in Rome with two cats. [memory:3]" in told, "no word is lost"
    assert "- Anika used to live in Rome (until 24 March 2026). [memory:4]" in told
    assert "- They move on Sunday (until 24 March 2026). [memory:5]" in told, "a mind's own words are not put together"


async def test_a_plan_is_over_when_its_day_has_passed(night: Night) -> None:
    soon = night.world.now + timedelta(days=2)
    learns(night, ("They travel to Porto.", "plan"), event_time=soon)
    night.says(said(("They travel to Porto.", [1])))
    await refine(night.world)
    assert "Porto" in files(night.world)[profile_files.MINI]
    night.clock.pass_(days=3)
    assert reason(night.world)
    await refine(night.world)
    assert profile_files.MINI not in files(night.world)
    assert "(that was planned for" in files(night.world)[profile_files.REFERENCE]
    assert len(night.model.questions) == 1, "that its day has passed needs no mind"
    with night.world.database.write() as db:
        memories.close(db, 1, soon)
    assert reason(night.world) is None
    learns(night, ("They live in Oslo.", "location"))
    night.says(said(("They live in Oslo.", [2])))
    await refine(night.world)
    assert len(night.model.questions) == 2
    assert files(night.world)[profile_files.REFERENCE].count("They travel to Porto (that was planned for") == 1


async def test_a_plan_that_is_off_before_its_day_is_a_change_for_a_mind(night: Night) -> None:
    soon = night.world.now + timedelta(days=2)
    learns(night, ("They travel to Porto on 26 March.", "plan"), event_time=soon)
    night.says(said(("They travel to Porto on 26 March.", [1])))
    await refine(night.world)
    with night.world.database.write() as db:
        memories.close(db, 1, night.world.now + timedelta(hours=1))
    night.says(said())
    await refine(night.world)
    assert profile_files.MINI not in files(night.world)
    assert "(until 24 March 2026)" in files(night.world)[profile_files.REFERENCE]
    night.clock.pass_(days=3)
    assert reason(night.world) is None


async def test_the_day_of_a_plan_that_is_over_stands_there_once(night: Night) -> None:
    learns(night, ("They talk with Davide on 26 March.", "plan"), event_time=night.world.now + timedelta(days=2))
    night.says(said(("They talk with Davide on 26 March.", [1])))
    await refine(night.world)
    night.clock.pass_(days=4)
    await refine(night.world)
    assert "- They talk with Davide on 26 March (that was planned). [" in files(night.world)[profile_files.REFERENCE]


@pytest.mark.parametrize("written", ["%-d %B %Y", "Friday %-d %B"])
async def test_a_plan_of_a_day_stands_all_that_day_with_its_date_once(night: Night, written: str) -> None:
    """The hearing at ten was “planned” in the past from midnight on, and its date stood there twice."""
    day = (night.world.now + timedelta(days=2)).replace(hour=0, minute=0, second=0, microsecond=0)
    text = f"The hearing is on {day.strftime(written)} at ten."
    learns(night, (text, "plan"), event_time=day)
    night.clock.at = day + timedelta(hours=9)
    night.says(said((text, [1])))
    await refine(night.world)
    assert f"{text}\n" in night.model.questions[-1].messages[-1].text
    assert text in files(night.world)[profile_files.MINI]


async def test_facts_that_change_while_a_mind_thinks_make_its_answer_void(night: Night) -> None:
    home, work = learns(night, *FACTS[:2])

    def meanwhile(_question: Question) -> str:
        with night.world.database.write() as db:
            db.execute("DELETE FROM memories WHERE id=?", (home,))
        return json.dumps(said(("They live in Lisbon.", [home]), ("They work at the harbour.", [work])))

    night.model.lines = [meanwhile, json.dumps(said(("They work at the harbour.", [work])))]
    assert (await refine(night.world)).did
    assert len(night.model.questions) == 2
    assert files(night.world)[profile_files.MINI] == "They work at the harbour.\n"
    assert "Lisbon" not in night.model.last_words


async def test_what_is_forgotten_takes_every_statement_on_it_along_and_does_not_come_back(night: Night) -> None:
    home, work, sister, chess, _ = learns(night, *FACTS)
    night.says(
        said(
            ("They work at the harbour.", [work]),
            ("Their sister plays chess.", [sister, chess]),  # says the name nowhere, and rests on it
            ("They live in Lisbon.", [home]),
        )
    )
    await refine(night.world)
    outlook = forgetting.look(night.world, "Anika")
    assert forgetting.forget(night.world, "Anika", outlook.token) is not None
    found = files(night.world)
    assert found[profile_files.MINI] == "They work at the harbour. They live in Lisbon.\n"
    assert "chess" not in json.dumps(found) and "sister" not in json.dumps(found)
    (kept,) = night.rows("SELECT value FROM kv WHERE key='profile'")
    assert "chess" not in kept["value"] and json.loads(kept["value"])["input"] == ""
    assert reason(night.world), "it is rebuilt from what is left"
    night.says(said(("Their sister plays chess.", [sister, chess]), ("They work at the harbour.", [work])))
    await refine(night.world)
    assert "chess" not in json.dumps(files(night.world))
    assert "Anika" not in night.model.last_words


async def test_refused_words_about_what_is_forgotten_go_too(night: Night) -> None:
    learns(night, *FACTS)
    night.model.readings = {"They envy somebody for a board game.": "not supported"}
    night.says(said(("They envy somebody for a board game.", [3])))
    await refine(night.world)
    assert len(night.refused) == 1
    forgetting.forget(night.world, "Anika", forgetting.look(night.world, "Anika").token)
    assert night.refused == []


async def test_missing_files_are_written_by_the_next_process(night: Night, monkeypatch: pytest.MonkeyPatch) -> None:
    learns(night, *FACTS)
    night.says(said(("They live in Lisbon.", [1])))
    with monkeypatch.context() as full:
        full.setattr(profile_files.atomic_files, "write_text", _no_room)
        with pytest.raises(OSError, match="No space"):
            await refine(night.world)
    assert files(night.world) == {}
    assert reason(night.world) == "the profile's files are not written yet"
    session_context.refresh(night.world)
    assert files(night.world)[profile_files.MINI] == "They live in Lisbon.\n"
    assert reason(night.world) is None and len(night.model.questions) == 1


def _no_room(path: Path, text: str, mode: int = 0o600) -> None:
    raise OSError(28, "No space left on device", str(path))


async def test_what_was_just_told_is_in_the_profile_as_soon_as_the_conversation_was_read(
    world: World, human: Human, model: Script
) -> None:
    model.readings = {"They play chess with Anika.": "contradicted"}
    await human.says("my sister Anika plays chess")
    world.clock.pass_(minutes=30)  # type: ignore[attr-defined]
    fact = {"text": "Their sister Anika plays chess.", "subject": "Anika", "predicate": "plays", "object": "chess"}
    read = {"connection_quality": 0.5, "warmth": 0.5, "topics": ["chess"], "user_state": "calm", "summary": "Chess."}
    model.lines = [
        _parsed({**read, "facts": [{**fact, "category": "family", "messages": [1]}]}),
        _parsed(said((fact["text"], [1]), ("They play chess with Anika.", [1]))),
    ]
    await read_sessions(world)
    assert files(world)[profile_files.MINI] == "Their sister Anika plays chess.\n"
    assert reason(world) is None, "the night has nothing left to do"
    assert [question.purpose for question in model.questions[-2:]] == ["post_conversation", "profile"]


async def test_a_conversation_begins_with_who_they_are_and_keeps_it(world: World, human: Human, model: Script) -> None:
    await human.says("I live in Lisbon")
    with world.database.write() as db:
        fact = memories.add(db, NewMemory("semantic", "They live in Lisbon.", (1,)), world.now)
    model.lines = [_parsed(said(("They live in Lisbon.", [fact])))]
    await refine(world)
    world.clock.pass_(hours=5)  # type: ignore[attr-defined]
    model.lines = ["Hello."]
    await human.says("hello again")
    first = model.questions[-1].system
    shown = "\n".join(block.text for block in first)
    assert "Who they are, as you have come to know them:\n\nThey live in Lisbon." in shown
    with world.database.write() as db:
        profiles.put(db, profiles.Profile(), "x", "rule", world.now)
    model.lines = ["Yes."]
    await human.says("are you there?")
    assert model.questions[-1].system == first, "the same prefix all through a session"


def _parsed(read: dict[str, Any]) -> Any:
    def answer(question: Question) -> Answer:
        assert question.answer is not None
        return Answer("", "stop", "scripted", "script", question.tier, parsed=question.answer.model_validate(read))

    return answer
