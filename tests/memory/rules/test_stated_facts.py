"""What the words of a turn say of a fact: each row is what was said, and what follows for when it was so."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from furoshiki.memory.rules import stated_facts
from furoshiki.memory.values import Note
from furoshiki.messages.values import Turn
from tests.support.stored_turns import make_turn

NOW = datetime(2026, 3, 24, 15, tzinfo=UTC)


def said(text: str, at: datetime = NOW, number: int = 1) -> Turn:
    return make_turn(number, text, at)


def lives_in(where: str) -> Note:
    return Note(f"They live in {where}.", subject="user", predicate="lives_in", object=where)


def day(year: int, month: int = 1) -> datetime:
    return datetime(year, month, 1, tzinfo=UTC)


@pytest.mark.parametrize(
    ("words", "since", "until", "past"),
    [
        ("I live in Lyon", NOW, None, False),
        ("I moved to Lyon in January", day(2026), None, False),
        ("I've lived in Lyon since 2019", day(2019), None, False),
        ("I used to live in Lyon", NOW, None, True),
        ("what a day", NOW, None, False),
    ],
)
def test_the_words_say_when_it_was_so(words: str, since: datetime, until: datetime | None, past: bool) -> None:
    found = stated_facts.read(lives_in("Lyon"), [1], [said(words)], NOW, UTC)
    assert (found.since, found.until, found.past) == (since, until, past)


def test_what_a_note_says_is_over_was_so_in_the_stretch_that_is_named() -> None:
    note = Note("They used to live in Lyon.", subject="user", predicate="lives_in", object="Lyon")
    found = stated_facts.read(note, [1], [said("Lyon was home from 2015 to 2019")], NOW, UTC)
    assert (found.since, found.until, found.past) == (day(2015), day(2019), True)


@pytest.mark.parametrize(
    ("text", "object_", "past"),
    [
        ("They no longer live in Lyon.", "Lyon", True),
        ("They live in Nice and no longer in Lyon.", "Lyon", True),
        ("They live in Lyon and no longer in Nice.", "Lyon", False),
        ("They do not live in Lyon any more.", "Lyon", True),
        ("They are used to the noise of Lyon.", "Lyon", False),
        ("Lyon is dear to them, though they no longer go out.", "Lyon", False),
    ],
)
def test_over_is_what_the_clause_about_it_says_is_over(text: str, object_: str, past: bool) -> None:
    note = Note(text, subject="user", predicate="feels", object=object_)
    assert stated_facts.read(note, [1], [said("lyon, what else")], NOW, UTC).past == past


@pytest.mark.parametrize("words", ["my birthday is on 14 March", "mi cumple es el 14 de marzo, cumplo 41"])
def test_a_birthday_is_no_event_of_the_past(words: str) -> None:
    """Else "they turn 41" is shown as of last March."""
    note = Note("Their birthday is 14 March; they turn 41.", subject="user", predicate="birthday", object="14")
    assert stated_facts.read(note, [1], [said(words)], NOW, UTC).event_time is None
    work = Note("They began at the harbour on 14 March.", subject="user", predicate="began_work", object="harbour")
    assert stated_facts.read(work, [1], [said("I began at the harbour on 14 March")], NOW, UTC).event_time is not None


def test_a_husband_does_not_happen_in_the_month_of_a_trip() -> None:
    husband = Note("Their husband is called Heinz.", subject="user", predicate="husband", object="Heinz")
    words = "Im März wollen mein Mann Heinz und ich nach Rügen, in March my husband Heinz and I go there"
    assert stated_facts.read(husband, [1], [said(words)], NOW, UTC).event_time is None


BREATHLESS = """
so i'm tess i'm 29 from bath and i have lived in lisbon for four years up in graça and i have a boy with asthma
also ich bin tess bin 29 komme aus bath und ich wohne seit vier jahren in lisbon oben in graça und hab einen sohn
então eu sou a tess tenho 29 sou de bath e moro em lisbon faz quatro anos ali na graça e tenho o caê que tem asma
pues soy tess tengo 29 soy de bath y vivo en lisbon desde hace cuatro años en graça y tengo un niño con asma
alors moi c'est tess j'ai 29 ans je viens de bath et j'habite à lisbon depuis quatre ans à graça et j'ai un fils
"""


@pytest.mark.parametrize("words", BREATHLESS.strip().splitlines())
def test_so_long_is_said_of_what_stands_beside_it_in_a_breathless_message(words: str) -> None:
    """“29 and has lived in Lisbon for four years”: nobody has been 29 for four."""
    age = Note("They are 29.", subject="user", predicate="age", object="29")
    home = Note("They come from Bath.", subject="user", predicate="comes_from", object="bath")
    for note in (age, home):
        found = stated_facts.read(note, [1], [said(words)], NOW, UTC)
        assert (found.since, found.event_time) == (NOW, None), note.text
    there = stated_facts.read(lives_in("lisbon"), [1], [said(words)], NOW, UTC)
    assert min(there.since, there.event_time or NOW).year == 2022


@pytest.mark.parametrize(
    ("words", "note", "happened"),
    [
        (
            "she's in Bristol, expecting in February",
            Note("Bess is in Bristol.", subject="Bess", predicate="other", object="Bristol"),
            None,
        ),
        (
            "I met Maureen in 2019, Tom's sister",
            Note("Maureen is Tom's sister.", subject="Tom", predicate="sister", object="Maureen"),
            None,
        ),
        (
            "we got married in Leeds, in May 2019",
            Note("They married in Leeds in 2019.", subject="user", predicate="married", object="Leeds"),
            2019,
        ),
        (
            "my husband Tom died in March",
            Note("Tom died in March.", subject="Tom", predicate="died", object="March"),
            2026,
        ),
        (
            "ich war 2019 in Leeds, im Mai war das",
            Note("They were in Leeds.", subject="user", predicate="was_in", object="Leeds"),
            2019,
        ),
    ],
)
def test_a_time_is_of_what_stands_beside_it(words: str, note: Note, happened: int | None) -> None:
    """“Their daughter is in Bristol” had happened last February."""
    found = stated_facts.read(note, [1], [said(words)], NOW, UTC).event_time
    assert (found and found.year) == happened


def test_the_newest_turn_that_speaks_of_it_is_believed() -> None:
    turns = [
        said("I moved to Lyon in January", NOW - timedelta(days=2)),
        said("I've lived in Lyon since 2019", NOW - timedelta(days=1), 2),
        said("what a day", NOW, 3),
    ]
    found = stated_facts.read(lives_in("Lyon"), [1, 2, 3], turns, NOW, UTC)
    assert (found.since, found.said_at, found.turn_ids) == (day(2019), NOW - timedelta(days=1), (1, 2, 3))


def test_words_from_a_clock_that_was_ahead_were_said_now() -> None:
    assert stated_facts.read(lives_in("Lyon"), [1], [said("hm", NOW + timedelta(days=9))], NOW, UTC).said_at == NOW


def test_a_correction_names_what_it_puts_right() -> None:
    sister = Note("Their sister is called Anika.", subject="user", predicate="sister", object="Anika")
    found = stated_facts.read(sister, [1], [said("no, my sister is called Anika, not Anita")], NOW, UTC)
    assert (found.corrects, found.instead) == (True, "Anita")


def test_what_a_note_puts_right_goes_before_what_the_words_say() -> None:
    note = Note("They live in Lyon.", subject="user", predicate="lives_in", object="Lyon", instead="Rome")
    found = stated_facts.read(note, [1], [said("I used to live in Lyon")], NOW, UTC)
    assert (found.instead, found.past) == ("Rome", False)


def test_a_plan_is_for_the_day_it_names_and_begins_when_it_is_told() -> None:
    note = Note("x", subject="user", predicate="plans", object="dentist on Friday at ten", category="plan")
    found = stated_facts.read(note, [1], [said("I have a dentist on Friday at ten")], NOW, UTC)
    assert (found.event_time, found.since) == (datetime(2026, 3, 27, 10, tzinfo=UTC), NOW)


def test_a_month_of_the_next_sentence_is_none_of_this_one() -> None:
    """The part between two “and”s went on past the end of its sentence: the wardrobe was of October."""
    words = (
        "Look, I'll tell you something and I want you to keep it to yourself, not a word to Ellie if she ever looks: I "
        "have not opened Margaret's wardrobe. Ellie thinks I gave the clothes to the hospice shop in October."
    )
    note = Note("They have not opened the wardrobe.", subject="user", predicate="secret", object="Margaret's wardrobe")
    assert stated_facts.read(note, [1], [said(words)], NOW, UTC).since == NOW
