"""Letters that a pattern without regard to case takes for others: "ı", "İ" for i, "ſ" for s, "K" for k.

A Turkish keyboard writes the first two into any language. What a pattern finds by them must be found in its table, too.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from furoshiki.app.reflex_provider import ReflexMind
from furoshiki.language.chat_spelling import write_out
from tests.support.extent import at_night
from tests.support.said import rows_of
from tests.support.world import Human, Script

CONVERSATION = Path(__file__).parents[1] / "conversation"
HELD_OUT = Path(__file__).parents[2] / "bench" / "meant_lines" / "held_out.tsv"
ABROAD = ("de", "es", "fr", "it", "pt", "ru", "tr", "zh")
TOGETHER = 50

LETTERS: dict[str, Callable[[str], str]] = {
    "dotless": lambda text: re.sub("[iı]", lambda one: "ı" if one[0] == "i" else "i", text),
    "dotted": lambda text: re.sub("[iI]", "İ", text),
    "long": lambda text: text.replace("s", "ſ").replace("k", "\u212a"),
}


def said(code: str) -> list[str]:
    """What people say in a language, from the tables of other tests, in an order of chance."""
    if code == "en":
        rows = rows_of(CONVERSATION / "said_requests.tsv")
        lines = [one for row in rows for one in row["said"].split(" / ") if not one.startswith("+")]
    else:
        evening = (CONVERSATION / "evenings_abroad" / f"{code}.tsv").read_text("utf-8")
        lines = [line.partition("\t")[0] for line in evening.splitlines()]
    held_out = (line.split("\t") for line in HELD_OUT.read_text("utf-8").splitlines()[1:])
    lines += [text for _, language, text in held_out if language == code]
    random.Random(3).shuffle(lines)
    return [line for line in lines if line and not line.startswith("#")]


@pytest.mark.slow
@pytest.mark.parametrize("letters", LETTERS)
@pytest.mark.parametrize("code", ["en", "tr", *at_night(*(one for one in ABROAD if one != "tr"))])
async def test_every_message_is_answered_whatever_letters_it_is_written_with(
    code: str, letters: str, human: Human, model: Script
) -> None:
    lines = [LETTERS[letters](line) for line in said(code)[:TOGETHER]]
    mind = ReflexMind(random.Random(7))
    model.lines = [lambda question: mind(question, why="no-model")] * 20 * len(lines)
    assert [line for line in lines if not await human.says(line)] == []


async def test_a_question_for_reminders_is_answered_in_turkish(human: Human, model: Script) -> None:
    mind = ReflexMind(random.Random(7))
    model.lines = [lambda question: mind(question, why="no-model")] * 20
    await human.says("merhaba")
    assert await human.says("hatırlatıcı var mı") != []


@pytest.mark.parametrize("text", ["arkada biri var mı?", "ARKADA BİRİ VAR MI?", "arkada biri var mi?"])
def test_short_forms_are_written_out_with_and_without_dots(text: str) -> None:
    assert write_out(text, "tr").endswith("var mı?")
