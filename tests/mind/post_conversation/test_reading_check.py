"""What an honest reading says is believed: that of the built-in mind, and the example its prompt gives."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from pydantic import ValidationError

from furoshiki.app.wiring import lexicon
from furoshiki.core.paths import ROOT
from furoshiki.language.reflex.reading import read_session
from furoshiki.language.testimony import Utterance
from furoshiki.mind.post_conversation import reading_check
from furoshiki.mind.post_conversation.reading_form import Moved, ReadFact, SessionReading
from furoshiki.mind.post_conversation.session import Session
from furoshiki.world import World
from tests.support.statements import STATED
from tests.support.stored_turns import make_turn
from tests.support.world import Script

AT = datetime(2026, 3, 24, 15, tzinfo=UTC)


def session(*said: tuple[int, str, str], values: tuple[str, ...] = ()) -> Session:
    turns = tuple(make_turn(n, text, AT, who) for n, who, text in said)
    return Session("s", turns, UTC, "Noor", "Furo", values=values)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Noor works at the Casa de Noor clinic.", "They works at the Casa de Noor clinic."),
        ("They moved to Noor Street, said Noor.", "They moved to Noor Street, said they."),
        (
            "Yesterday Noor's sister rang, and Kaan and Noor slept.",
            "Yesterday their sister rang, and Kaan and they slept.",
        ),
        ("Noor pracuje w klinice i mieszka z siostrą.", "Noor pracuje w klinice i mieszka z siostrą."),
        ("Noor trabalha na clínica e mora com a irmã.", "Noor trabalha na clínica e mora com a irmã."),
    ],
)
async def test_the_name_within_a_longer_one_is_not_theirs(world: World, model: Script, text: str, shown: str) -> None:
    """ "The Virgen del Rocío hospital" of a Rocío was read as "the Virgen del they hospital"."""
    said = "i work at the casa de noor clinic, moved to noor street yesterday, my sister rang, kaan slept"
    model.readings, model.reads_all = {shown: "contradicted"}, "supported"
    facts = [ReadFact(text=text, subject="user", predicate="other", object="noor", messages=[1])]
    reading = SessionReading(facts=facts, summary="It was.")
    found = await reading_check.check_claims(world, reading, session((1, "user", said)))
    assert [one.text for one in found.refused] == [text]


@pytest.mark.slow
async def test_nothing_that_rules_read_in_plain_statements_is_refused(world: World) -> None:
    words = lexicon()
    for message in STATED:
        reading = SessionReading.model_validate(
            {"summary": "It was.", **read_session([Utterance("user", message, AT, 1)], words)}
        )
        talk = session((1, "user", message))
        assert (await reading_check.check_claims(world, reading, talk, by_rule=True)).refused == (), message


async def test_the_example_in_the_prompt_would_be_believed(world: World, model: Script) -> None:
    prompt = (ROOT / "prompts" / "post_conversation" / "instructions.md.j2").read_text(encoding="utf-8")
    shown = " ".join(prompt.split())
    pretended = "You do not pretend to have done what you have not done."
    reading = {
        "connection_quality": 0.6,
        "warmth": 0.6,
        "topics": ["the new job", "Anika"],
        "user_state": "Tired.",
        "summary": "Noor starts at the harbour on Monday. Furo asked about Anika.",
        "facts": [
            {
                "text": "They start a new job at the harbour.",
                "subject": "user",
                "predicate": "works_at",
                "object": "the harbour",
                "messages": [41],
            },
            {
                "text": "Their sister is called Anika.",
                "subject": "user",
                "predicate": "sister",
                "object": "Anika",
                "messages": [41, 43],
            },
        ],
        "follow_ups": [{"text": "Ask how the first day at the harbour went", "messages": [41]}],
        "feelings": {"worry": 0.5},
        "moved_by": {"text": "They still haven't told Anika about the new job.", "messages": [41]},
        "user_needs": [{"need": "emotional_support", "level": 0.6, "confidence": 0.5, "messages": [41]}],
        "contradictions": [
            {
                "value": pretended,
                "message": 44,
                "question": "Why did I pretend that I talked to Anika, although I do not pretend to have done what I "
                "have not done?",
            }
        ],
    }
    talk = session(
        (41, "user", "long day. the new job at the harbour starts monday and i still haven't told Anika"),
        (42, "companion", "Anika your sister, or another Anika?"),
        (43, "user", "my sister yes"),
        (44, "companion", "I talked to Anika, she is glad"),
        values=(pretended,),
    )
    facts, moved, doubt = reading["facts"], reading["moved_by"], reading["contradictions"]
    assert isinstance(facts, list) and isinstance(moved, dict) and isinstance(doubt, list)
    for words in (*(one["text"] for one in facts), moved["text"], doubt[0]["question"], *(t.text for t in talk.said)):
        assert words.replace("Furo", "{{ companion }}") in shown
    model.reads_all = "supported"
    sound = await reading_check.check_claims(world, SessionReading.model_validate(reading), talk)
    assert sound.refused == () and [doubt for *_, doubt in sound.facts] == [None, None]


@pytest.mark.parametrize("cited", [41, "41", "[41]", "[41 · 18:02]", "turn:41"])
def test_an_id_may_be_cited_as_it_is_shown(cited: object) -> None:
    assert Moved.model_validate({"text": "The job.", "messages": [cited]}).messages == [41]


@pytest.mark.parametrize("cited", ["the first", "4.5", 2.5, "[41] and 42", None])
def test_what_is_no_id_is_refused(cited: object) -> None:
    with pytest.raises(ValidationError):
        Moved.model_validate({"text": "The job.", "messages": [cited]})


@pytest.mark.parametrize(
    ("said", "day"),
    [
        ("Im Mai ziehe ich nach Lyon um", "2026-05"),
        ("В мае я переезжаю в Лион", "2026-05"),
        ("Im Mai ziehe ich nach Lyon um", "2026-06"),
    ],
)
def test_a_month_alone_is_a_day_where_it_was_named(said: str, day: str) -> None:
    told = {"text": "They move to Lyon.", "subject": "user", "predicate": "plans", "object": "Lyon", "messages": [1]}
    fact = ReadFact.model_validate({**told, "event_time": day})
    kept, refused = reading_check.in_order(fact, [1], session((1, "user", said)))
    assert (kept.event_time, refused) == ((day, "") if day == "2026-05" else (None, "that day was never named"))


@pytest.mark.parametrize(
    ("object_", "name"),
    [
        ("Yannick, tout le monde dit Yaya", "Yannick"),
        ("Rosângela (Rô)", "Rosângela"),
        ("陈皓，家里叫皓子", "陈皓"),
        ("Ana Paula", "Ana Paula"),
        ("Jean-Luc", "Jean-Luc"),
    ],
)
def test_a_name_is_kept_without_what_stands_beside_it(object_: str, name: str) -> None:
    told = {"text": f"They are called {name}.", "subject": "user", "predicate": "name", "messages": [1]}
    fact = ReadFact.model_validate({**told, "object": object_})
    assert reading_check.in_order(fact, [1], session((1, "user", object_)))[0].object == name
