"""What the program met and put on record is said, and once the settings changed a model's old trouble is not."""

from __future__ import annotations

import os
from datetime import timedelta
from pathlib import Path

import pytest
from doctor_checks.errors import troubles

from furoshiki.core.catalogue import Sentence
from furoshiki.core.database import troubles as on_record
from furoshiki.core.database.connection import Database
from tests.doctor.conftest import NOON, MakeLook

BEFORE = NOON - timedelta(hours=1)


@pytest.mark.parametrize(
    "what, state",
    [("telegram.token", "wrong"), ("telegram.away", "wrong"), ("model openai:x", "wrong"), ("encoder", "note")],
)
def test_what_stands_on_record_is_said(make_look: MakeLook, data: Path, what: str, state: str) -> None:
    with Database(data / "memory" / "longmemory.sqlite").write() as db:
        on_record.record_failure(db, what, "it was refused", BEFORE)
    [one] = troubles.check(make_look())
    assert (one.state, one.words, one.alert) == (state, "it was refused", "never")
    with Database(data / "memory" / "longmemory.sqlite").write() as db:
        on_record.over(db, what, NOON)
    assert [one.state for one in troubles.check(make_look())] == ["well"]


def test_a_sentence_with_its_values_is_said_in_words(make_look: MakeLook, data: Path) -> None:
    """“✗ {'template': "the model {model} isn't answering: {why}. {fix}", 'values': …” stood there."""
    why = Sentence("no sign of an answer within {seconds:.0f} s", seconds=269.9999)
    words = Sentence("the model {model} isn't answering: {why}", model="haiku", why=why)
    with Database(data / "memory" / "longmemory.sqlite").write() as db:
        on_record.record_failure(db, "model openai:x", words, BEFORE)
    [one] = troubles.check(make_look())
    assert one.words == "the model haiku isn't answering: no sign of an answer within 270 s"


def test_a_model_is_judged_with_the_settings_of_now(make_look: MakeLook, data: Path) -> None:
    with Database(data / "memory" / "longmemory.sqlite").write() as db:
        on_record.record_failure(db, "model openai:x", "it was refused", BEFORE)
    (data / ".env").write_text("OPENAI_API_KEY=sk-new\n")
    at = (BEFORE + timedelta(minutes=1)).timestamp()
    os.utime(data / ".env", (at, at))
    assert [one.state for one in troubles.check(make_look())] == ["well"]


@pytest.mark.parametrize("kept", ["[]", "7", '{"telegram.token": 3}', "{broken"])
def test_a_record_that_says_nonsense_breaks_nothing(make_look: MakeLook, data: Path, kept: str) -> None:
    with Database(data / "memory" / "longmemory.sqlite").write() as db:
        db.execute("INSERT INTO kv (key, value, changed_at) VALUES ('troubles', ?, '')", (kept,))
    assert [one.state for one in troubles.check(make_look())] == ["well"]
