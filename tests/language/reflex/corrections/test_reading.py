"""What words put right, and what they leave alone: the table beside this file has a line for each phrasing."""

from __future__ import annotations

import csv
from datetime import UTC, datetime
from pathlib import Path

import pytest

from furoshiki.language.reflex.corrections.reading import ReadCorrection, find_correction
from furoshiki.language.reflex.values import KnownFact
from furoshiki.language.requests.correction_words import read
from furoshiki.language.testimony import Utterance, as_told

NOW = datetime(2026, 3, 4, 12, tzinfo=UTC)
LINES = tuple(
    csv.DictReader(
        (Path(__file__).parent / "corrections.tsv").read_text("utf-8").splitlines(), delimiter="\t", restval=""
    )
)


def fact(held: str, number: int = 1, said: str = "", fixed: bool = False) -> KnownFact:
    predicate, _, object_ = held.partition("=")
    return KnownFact(number, "user", predicate, object_, held, NOW, said, fixed)


def shown(found: ReadCorrection | None) -> str:
    if found is None:
        return ""
    if found.predicate is not None:
        return f"{found.predicate} {found.object}"
    if found.fact is not None:
        return f"{found.fact.predicate} {found.fact.object} -> {found.object or '?'}"
    return f"{found.message.own if found.message else '?'} -> {found.right}"


@pytest.mark.parametrize("line", LINES, ids=lambda line: f"{line['said']} / {line['message']}")
def test_what_a_message_puts_right(line: dict[str, str]) -> None:
    facts = [fact(line["held"], said=line["said"])] if line["held"] else []
    recent = [Utterance("user", line["said"], NOW, 1)] if line["said"] else []
    assert shown(find_correction(as_told(line["message"]), facts, recent)) == line["rights"]


def test_a_third_of_the_table_is_innocent() -> None:
    innocent = sum(not line["rights"] for line in LINES)
    assert len(LINES) >= 60
    assert 3 * innocent >= len(LINES)


def test_no_time_is_taken_from_reminders() -> None:
    facts = [fact("plans=dentist on Tuesday")]
    recent = [
        Utterance("user", "remind me on Tuesday", NOW, 1),
        Utterance("companion", "I'll remind you on Tuesday.", NOW, 2),
    ]
    assert find_correction(as_told("not Tuesday, Wednesday"), facts, recent) is None


def test_of_several_the_one_that_was_just_spoken_of_is_meant() -> None:
    facts = [fact("sister=Anna", 1, "My sister Anna"), fact("cat=Anna", 2)]
    recent = [Utterance("user", "My sister Anna", NOW, 1), Utterance("companion", "Good to know.", NOW, 2)]
    assert shown(find_correction(as_told("it's not Anna, it's Hannah"), facts, recent)) == "sister Anna -> Hannah"


def test_what_was_just_said_comes_before_a_fact_of_long_ago() -> None:
    recent = [Utterance("user", "We were 5 at the table", NOW, 1)]
    assert shown(find_correction(as_told("sorry, 6 not 5"), [fact("age=5")], recent)) == "We were 5 at the table -> 6"


@pytest.mark.parametrize(
    ("reply", "rights"),
    [
        ("Your sister is Anna.", "sister Anna -> Hannah"),
        ("Your sister is Anna. What is she like?", "sister Anna -> Hannah"),
        ("Anna?", ""),
    ],
)
def test_a_no_to_a_question_puts_nothing_right(reply: str, rights: str) -> None:
    recent = [Utterance("user", "hello", NOW, 1), Utterance("companion", reply, NOW, 2)]
    assert shown(find_correction(as_told("no, Hannah"), [fact("sister=Anna")], recent)) == rights


def test_which_of_several_is_wrong_is_not_guessed() -> None:
    said = "My sister is Anna and my cat is Momo"
    facts = [fact("sister=Anna", 1, said), fact("cat=Momo", 2, said)]
    found = find_correction(as_told("that's wrong"), facts, [Utterance("user", said, NOW, 1)])
    assert found is not None
    assert [one.object for one in found.unsure] == ["Anna", "Momo"]


def test_what_is_right_may_come_after_it_was_asked_for() -> None:
    denied, recent = fact("sister=Anna"), [Utterance("user", "that's wrong", NOW, 1)]
    for words in ("Hannah", "it's Hannah", "she's called Hannah", "her name is Hannah", "I meant Hannah"):
        assert shown(find_correction(as_told(words), [], recent, denied)) == "sister Anna -> Hannah", words
    for words in ("I don't know", "nothing", "leave it", "8", "is it Hannah?"):
        assert find_correction(as_told(words), [], recent, denied) is None, words


def test_what_the_owner_pinned_stays() -> None:
    assert find_correction(as_told("it's not Anna, it's Hannah"), [fact("sister=Anna", fixed=True)], []) is None


def test_long_messages_put_nothing_right() -> None:
    assert read(as_told("not Anna, Hannah " * 20)) is None
