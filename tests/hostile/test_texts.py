"""Texts as nobody writes them: kept as they were sent, cut without tearing a sign, and bounded before a model.

`TEXTS=10000` tries as many, and a tenth of them at once.
"""

from __future__ import annotations

import os
import random
import re

import pytest

from furoshiki.channels.telegram.formatting.spans import LIMIT, split, tears, units
from furoshiki.conversation.turn import MOST_JOINED_CHARACTERS
from furoshiki.core.database.connection import Database
from furoshiki.language.tokens import estimate
from furoshiki.messages.events import Message
from furoshiki.messages.store import inbox, turns
from furoshiki.messages.values import NewEnvelope, NewTurn
from furoshiki.world import World
from tests.support.laws import NOON
from tests.support.world import Human, Script

TEXTS = int(os.environ.get("TEXTS", "200"))
AT_ONCE = max(40, TEXTS // 10)

SIGNS = (
    "a", "Z", " ", " ", "\n", "\n\n", ". ", "é", "e\u0301", "ß", "日本", "שלום", "مرحبا", "\u202eevil", "\u200f",
    "👨‍👩‍👧‍👦", "🇩🇪", "👍🏽", "🏴\U000e0067\U000e0062\U000e007f", "\u200d", "\u200b", "각", "ᄀ", "ᅡ", "\u0903",
    "\ufe0f", "\t", "\r\n", "𝔘", "```", "**", "<b>", "&", "|",
)  # fmt: skip
BLANKS = {" ", "\n", "\r", "\t"}
"""Beside a blank nothing is torn: it joins with no sign."""

UNKEPT = ("\x00", "\ud800", "\udfff")
"""What no database holds."""


def text_of(number: int) -> str:
    """One text; every third of them has so many units as a message of Telegram may just have, or one more or less."""
    dice = random.Random(number)
    if number % 3 == 0:
        return _of_length(dice, LIMIT + dice.choice((-1, 0, 1)))
    found = "".join(dice.choice(SIGNS) for _ in range(dice.choice((1, 20, 400, 3000))))
    if number % 5 == 0:
        at = dice.randrange(len(found))
        found = f"{found[:at]}{dice.choice(UNKEPT)}{found[at:]}"
    return found


def _of_length(dice: random.Random, length: int) -> str:
    found, left = [], length
    while left > 30:
        sign = dice.choice(SIGNS)
        found.append(sign)
        left -= units(sign)
    return "".join(found) + "x" * left


def test_what_was_sent_is_kept_and_what_is_sent_is_cut_between_signs(database: Database) -> None:
    for number in range(TEXTS):
        text = text_of(number)
        kept = text.replace("\x00", "").encode("utf-8", "replace").decode("utf-8")
        new = NewEnvelope("telegram", f"u{number}", "7", Message(chat_id="7", text=text))
        with database.write() as db:
            inbox.store(db, [new], NOON)
            envelope = inbox.claim(db, NOON)
            assert envelope is not None
            inbox.finish(db, [envelope.id], NOON)
            row = turns.add(db, NewTurn("s", "telegram", "7", "user", envelope.text, NOON))
            [turn] = turns.many(db, [row])
        assert (envelope.text.replace("\x00", ""), turn.text) == (kept, kept), number
        _cut_well(kept, number)


def _cut_well(text: str, number: int) -> None:
    pieces = split(text)
    at = 0
    for piece in pieces:
        start = text.index(piece.text, at)
        at = start + len(piece.text)
        assert 0 < units(piece.text) <= LIMIT, number
        assert not any(tears(text, cut) and not set(text[cut - 1 : cut + 1]) & BLANKS for cut in (start, at)), number
    assert re.sub(r"\s", "", "".join(piece.text for piece in pieces)) == re.sub(r"\s", "", text), number


@pytest.mark.slow
async def test_of_a_hundred_kilobytes_a_model_sees_what_fits(world: World, human: Human, model: Script) -> None:
    text = "".join(text_of(number) for number in range(1, 400) if number % 3)[:100_000]
    await human.says(text)
    await human.says("and now?")
    most = world.settings.furoshiki_context_tokens + MOST_JOINED_CHARACTERS  # each at most four bytes: a token
    for question in model.questions:
        assert sum(estimate(part.text) for part in (*question.system, *question.messages)) <= most
    with world.database.read() as db:
        [kept] = turns.many(db, [1])
    assert kept.text == text.replace("\x00", "").encode("utf-8", "replace").decode("utf-8").strip()


@pytest.mark.slow
async def test_many_messages_at_once_are_all_kept_and_answered(world: World, human: Human, model: Script) -> None:
    rows = [human.writes(f"message {number}") for number in range(AT_ONCE)]
    await human.waits()
    with world.database.read() as db:
        said = db.execute("SELECT text FROM turns WHERE speaker='user' ORDER BY id").fetchall()
        states = {row[0] for row in db.execute("SELECT DISTINCT state FROM inbox")}
        answers = db.execute("SELECT count(*) FROM outbox").fetchone()[0]
    together = "\n".join(row["text"] for row in said)
    assert re.findall(r"message \d+", together) == [f"message {number}" for number in range(AT_ONCE)]
    assert states == {"done"} and len(rows) == AT_ONCE
    assert 1 <= answers == sum(question.purpose == "turn" for question in model.questions)
