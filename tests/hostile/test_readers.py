"""Awkward texts through every reader of a message, and through the whole of a turn."""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import UTC, datetime

import pytest

from furoshiki.app.wiring import lexicon
from furoshiki.channels.telegram.formatting.entities import format_markdown
from furoshiki.channels.telegram.formatting.spans import split
from furoshiki.conversation.rules import reciting, speech
from furoshiki.language import nlp, redaction, signals, tokens
from furoshiki.language.dates.past import fact_times
from furoshiki.language.facts import extraction, names
from furoshiki.language.grounding import words
from furoshiki.language.reflex.reminders import requests
from furoshiki.language.words import MOST_READ, readable
from furoshiki.memory.rules import concepts, entry_gate, one_line
from furoshiki.mind.inner_life.rules import documents
from furoshiki.owner.user_model.rules import style_measuring, style_wishes

LONG = 100_000
NOW = datetime(2026, 5, 1, 12, tzinfo=UTC)

AWKWARD = {
    "blanks": "a" + " " * LONG + "a",
    "empty lines": "\n" * LONG,
    "quotation marks": '"' * LONG,
    "opened quotations": "\u201ca " * (LONG // 3),
    "apostrophes": "'a " * (LONG // 3),
    "combining marks": "e\u0301" * (LONG // 2),
    "right to left": "\u0627\u0644 " * (LONG // 3),
    "one word": "a" * LONG,
    "brackets": "[(" * (LONG // 4) + ")]" * (LONG // 4),
    "short lines": "ab\n" * 20_000,
    "entries": "- item one\n" * (LONG // 11),
    "just": "I am " + "just " * (LONG // 5) + "happy",
    "symbols": "!?#*-_" * (LONG // 6),
    "emphasis": "**a " * (LONG // 4),
    "abbreviations": "Dr. " * (LONG // 4),
    "numbers": "1 " * (LONG // 2),
    "asides": "I live, i " * (LONG // 10),
    "tags": "<now>" * (LONG // 5),
    "questions": "what? " * (LONG // 6),
}

READ: dict[str, Callable[[str], object]] = {
    "feelings": lambda text: signals.read(text, lexicon()),
    "sentences": lambda text: nlp.read(text, lexicon()),
    "names": lambda text: names.find_name(text, True),
    "facts": extraction.facts_in,
    "past facts": extraction.past_facts_in,
    "times": lambda text: fact_times.read(text, NOW),
    "words": words.content_of,
    "manner": lambda text: style_measuring.read(text, lexicon()),
    "wishes": lambda text: style_wishes.find_wishes(text, lexicon()),
    "entry": entry_gate.mechanical,
    "concepts": concepts.key_nouns,
    "requests": lambda text: requests.request(text, NOW),
}
UNREAD: dict[str, Callable[[str], object]] = {
    "tokens": tokens.estimate,
    "one line": one_line.compress,
    "document": documents.chunks,
    "telling words": lambda text: redaction.find_revealing([text]),
    "forgetting": lambda text: redaction.without(text + " Zanzibar", lambda part: "Zanzibar" in part),
    "directives": lambda text: speech.parse(text, ()),
    "growing": speech.cut_to_visible,
    "recitals": reciting.strip_recitals,
    "entities": lambda text: format_markdown(text[:16_000]),
    "messages": lambda text: split(text, ()),
}
SECONDS = 1.5
"""CPU time for 12,000 characters of what is read, 100,000 of what is not, on a slow machine: what grows with the square
takes minutes."""


@pytest.mark.parametrize("text", AWKWARD.values(), ids=AWKWARD)
def test_what_is_read_is_bounded_and_has_no_runs_of_blanks(text: str) -> None:
    found = readable(text)
    assert len(found) <= MOST_READ
    assert "  " not in found and "\n\n\n" not in found


def test_what_people_write_is_read_as_it_stands() -> None:
    assert readable("Hi!\n\nI moved to Lyon.\n- bread\n- milk") == "Hi!\n\nI moved to Lyon.\n- bread\n- milk"
    assert readable("I\tlive  in\u00a0 Lyon\r\n\n\n\nBye") == "I live in Lyon\n\nBye"


@pytest.mark.slow
@pytest.mark.timeout(900)
@pytest.mark.parametrize("name", [*READ, *UNREAD])
def test_no_reader_can_be_held_up(name: str) -> None:
    lexicon()
    slow = []
    for what, text in AWKWARD.items():
        work, met = (READ[name], readable(text)) if name in READ else (UNREAD[name], text)
        took = _seconds(work, met)
        if took > SECONDS and (took := _seconds(work, met[:-1])) > SECONDS:  # another text: some keep what they read
            slow.append(f"{what}: {took:.2f} s")
    assert slow == []


def _seconds(work: Callable[[str], object], text: str) -> float:
    began = time.thread_time()
    work(text)
    return time.thread_time() - began
