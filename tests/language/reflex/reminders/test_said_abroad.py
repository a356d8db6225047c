"""Reminders shown and cancelled, the hour and the day, asked for by words in eight other languages: what is refused
wrongly beside what is accepted wrongly.

The rules were made with the first table. Nothing was made with the second, which was written afterwards; what is asked
there is heard by its meaning besides (`python -m bench.meaning`).
"""

from __future__ import annotations

from collections import Counter
from datetime import UTC, datetime
from pathlib import Path

import pytest

from furoshiki.language.reflex.reminders import requests, selection
from furoshiki.language.reflex.values import OpenItem
from furoshiki.language.requests import small_talk
from furoshiki.language.requests.values import CancelReminder, Remind, ShowReminders
from furoshiki.recall.retrieval.other_languages import load_languages

NOW = datetime(2026, 3, 24, 15, tzinfo=UTC)
NOTHING = "-"
LANGUAGES = {one.code: one for one in load_languages().each}


def heard(code: str, text: str) -> str:
    """What a line is taken for, in the words of the tables."""
    asked = requests.request(text, NOW)
    if asked is not None:
        return {ShowReminders: "shows", CancelReminder: "cancels"}.get(type(asked), type(asked).__name__)
    meant = small_talk.by_phrases(LANGUAGES[code], text)
    return {"asks_time": "time", "asks_day": "day"}.get(meant or "", NOTHING)


@pytest.mark.parametrize(("table", "least"), [("said_abroad.tsv", 0.97), ("said_abroad_unseen.tsv", 0.37)])
def test_what_is_asked_is_heard_and_what_is_told_is_left_alone(table: str, least: float) -> None:
    right: Counter[bool] = Counter()
    lines = [line.split("\t") for line in Path(__file__).with_name(table).read_text("utf-8").splitlines()]
    for code, wanted, text in lines:
        found = heard(code, text)
        assert wanted != NOTHING or found == NOTHING, text
        right[wanted != NOTHING] += found == wanted
    assert right[True] >= least * sum(wanted != NOTHING for _, wanted, _ in lines)


@pytest.mark.parametrize(
    ("words", "title", "meant"),
    [
        ("Олю", "позвонить Оле", True),
        ("машины", "забрать машину", True),
        ("стоматолога", "сходить к стоматологу", True),
        ("Ali", "Ali'yi aramayı", True),
        ("小王", "给小王打电话", True),
        ("Олега", "позвонить Оле", False),
        ("Олю", "позвонить Олегу", False),
        ("Al", "Ali'yi aramayı", False),
        ("mug", "call mum", False),
        ("小李", "给小王打电话", False),
    ],
)
def test_a_name_in_another_form_is_the_same_and_another_name_is_not(words: str, title: str, meant: bool) -> None:
    waiting = [OpenItem(1, "reminders", title, NOW)]
    assert bool(selection.find_meant(words, waiting, NOW)) is meant


@pytest.mark.parametrize(
    ("said", "what"),
    [
        ("nein warte, erinner mich morgen früh um 9 daran", ""),
        ("no anzi, ricordamelo domani mattina alle 9", ""),
        ("non attends, rappelle-le-moi demain à 9h", ""),
        ("não, melhor, me lembra disso amanhã às 9", ""),
        ("no espera, recuérdamelo mañana a las 9", ""),
        ("die bank anrufen, erinner mich morgen um 9 daran", "die bank anrufen"),
        ("call the bank, remind me of it tomorrow at 9", "call the bank"),
        ("no anzi, ricordami domani alle 9 di chiamare la banca", "chiamare la banca"),
    ],
)
def test_what_a_correction_opens_with_is_no_reminder(said: str, what: str) -> None:
    """At nine it rang for “no anzi”; now it asks what for."""
    found = requests.request(said, NOW)
    assert isinstance(found, Remind)
    assert (found.what, found.when is not None) == (what, True)
