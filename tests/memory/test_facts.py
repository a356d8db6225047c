"""What was learned is kept once, strengthened when said again, and ended when it changes."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from furoshiki.feelings.store import history
from furoshiki.memory.facts import learn
from furoshiki.memory.perception import signals
from furoshiki.memory.store import links, memories, tombstones
from furoshiki.memory.values import Note
from furoshiki.messages.store import turns
from furoshiki.mind.consolidation.store import consolidation
from furoshiki.world import World
from tests.support.rows import once_true, user_said
from tests.support.world import START

DB = sqlite3.Connection


@pytest.fixture
def db(world: World) -> Iterator[DB]:
    with world.database.write() as connection:
        yield connection


def said(db: DB, text: str = "words", at: datetime = START) -> list[int]:
    return [turns.add(db, user_said(text, at))]


def home(where: str | None, text: str | None = None) -> Note:
    return Note(text or f"They live in {where}.", subject="user", predicate="lives_in", object=where)


def likes(what: str | None, text: str | None = None) -> Note:
    return Note(text or f"They like {what}.", subject="user", predicate="likes", object=what)


def test_something_new_is_kept_with_its_source(db: DB) -> None:
    source = said(db)
    assert learn(db, home("Lisbon"), source, START, confidence=0.9) == "new"
    [found] = memories.read_known(db)
    assert (found.content, found.turn_ids, found.valid_from) == ("They live in Lisbon.", tuple(source), START)


def test_said_again_it_has_two_sources_and_no_double(db: DB) -> None:
    learn(db, home("Lisbon"), said(db), START)
    assert learn(db, home("lisbon."), said(db), START) == "again"
    [found] = memories.read_known(db)
    assert (len(found.turn_ids), found.hit_count) == (2, 1)


@pytest.mark.parametrize(
    ("first", "then", "ends"),
    [
        (("Rosana lhe deve R$ 1.800.", "R$ 1.800"), ("Rosana lhe deve R$ 1.700.", "R$ 1.700"), True),
        (("They pay 900 euros of rent.", "900 euros"), ("They pay 950 euros of rent.", "950 euros"), True),
        (("Er nimmt 50 µg am Morgen.", "50 µg"), ("Er nimmt 75 µg am Morgen.", "75 µg"), True),
        (("They owe Meera 40 quid.", "40 quid"), ("They owe Tom 30 quid.", "30 quid"), False),
        (("They have a cat.", "a cat"), ("They have 2 dogs.", "2 dogs"), False),
        (("They met Anna in 2019.", "Anna"), ("They met Anna in 2020.", "Anna again"), False),
    ],
)
def test_the_same_sentence_with_another_figure_ends_the_first(
    db: DB, first: tuple[str, str], then: tuple[str, str], ends: bool
) -> None:
    """A debt put right twice stood three times, and the oldest sum came to mind."""
    for number, (text, object_) in enumerate((first, then)):
        at = START + timedelta(minutes=number)
        learn(db, Note(text, subject="Rosana", predicate="counts", object=object_), said(db, text, at), at)
    current = [one.content for one in memories.newest(db, 9) if one.is_current]
    assert current == ([then[0]] if ends else [then[0], first[0]])


def test_a_change_ends_what_was_true_before_with_its_date(db: DB) -> None:
    learn(db, home("Lisbon"), said(db), START)
    later = START + timedelta(days=30)
    assert learn(db, home("Lyon"), said(db, at=later), later) == "changed"
    new, old = memories.newest(db)
    assert (old.object, old.status, old.valid_to) == ("Lisbon", "superseded", later)
    assert (new.object, new.status, new.valid_to) == ("Lyon", "active", None)
    assert learn(db, home("Lisbon"), said(db, at=later), later) == "changed"
    assert [one.object for one in memories.read_known(db)] == ["Lisbon"]


def fact(subject: str, predicate: str, thing: str, category: str = "family") -> Note:
    return Note(
        f"{subject} {predicate} {thing}.", subject=subject, predicate=predicate, object=thing, category=category
    )


def held_now(db: DB) -> set[str]:
    return {f"{one.subject} {one.predicate} {one.object}" for one in memories.read_known(db)}


def test_what_takes_the_place_of_something_much_used_does_not_begin_cold(db: DB) -> None:
    learn(db, home("Lisbon"), said(db), START)
    [old] = memories.read_known(db)
    memories.touch(db, [old.id], START)
    memories.touch(db, [old.id], START)
    later = START + timedelta(days=30)
    learn(db, home("Lyon"), said(db, at=later), later)
    assert [one.hit_count for one in memories.read_known(db)] == [2]


def test_there_is_one_favourite_of_a_kind(db: DB) -> None:
    learn(db, fact("user", "favourite_drink", "mint tea"), said(db), START)
    learn(db, fact("user", "favourite_book", "Emma"), said(db), START)
    assert learn(db, fact("user", "favourite_drink", "iced coffee"), said(db), START) == "changed"
    assert held_now(db) == {"user favourite_book Emma", "user favourite_drink iced coffee"}


def test_what_was_known_under_a_misheard_name_is_known_under_the_right_one(db: DB) -> None:
    wrong = said(db, "My sister Anita lives in Toulouse")
    learn(db, fact("user", "sister", "Anita"), wrong, START)
    learn(db, fact("Anita", "lives_in", "Toulouse"), wrong, START)
    right = said(db, "No, my sister is called Anika, not Anita")
    assert learn(db, fact("user", "sister", "Anika"), right, START) == "corrected"
    assert held_now(db) == {"user sister Anika", "Anika lives_in Toulouse"}
    [lives] = memories.about(db, "Anika", "lives_in")
    assert lives.turn_ids == (*wrong, *right)


def test_a_death_ends_everything_that_was_so(db: DB) -> None:
    learn(db, fact("user", "cat", "Momo"), said(db, "I have a cat called Momo"), START)
    learn(db, fact("Momo", "likes", "milk"), said(db, "Momo likes milk"), START)
    later = START + timedelta(days=30)
    assert learn(db, fact("Momo", "is", "died"), said(db, "Momo died this morning", later), later) == "changed"
    assert held_now(db) == {"Momo is died"}
    [cat] = once_true(db, "user", "cat")
    assert cat.valid_to is not None
    assert later - cat.valid_to < timedelta(days=1)


def test_the_dead_keep_what_they_were_called(db: DB) -> None:
    learn(db, fact("user", "cat", "Momo"), said(db, "I have a cat called Momo"), START)
    learn(db, fact("Momo", "likes", "milk"), said(db, "Momo likes milk"), START)
    assert learn(db, fact("cat", "is", "died"), said(db, "My cat died"), START) == "changed"
    assert learn(db, fact("grandmother", "is", "died"), said(db, "My grandmother died"), START) == "new"
    assert held_now(db) == {"cat is died", "grandmother is died"}


def test_nobody_dies_of_whom_nothing_is_known(db: DB) -> None:
    assert learn(db, fact("Einstein", "is", "died"), said(db, "Einstein died in 1955"), START) == "stranger"
    assert memories.count(db) == 0


def test_who_is_single_has_no_partner_and_the_other_way_round(db: DB) -> None:
    learn(db, fact("user", "girlfriend", "Eva"), said(db), START)
    learn(db, fact("user", "marital_status", "single"), said(db), START)
    assert held_now(db) == {"user marital_status single"}
    learn(db, fact("user", "partner", "Henrik"), said(db), START)
    assert held_now(db) == {"user partner Henrik"}


def test_parting_ends_whatever_the_two_were_called(db: DB) -> None:
    learn(db, fact("user", "girlfriend", "Eva"), said(db, "My girlfriend Eva sings"), START)
    assert learn(db, fact("user", "partner", "Eva"), said(db, "Eva and I broke up"), START) == "changed"
    assert held_now(db) == set()


def test_a_plan_knows_its_day_and_is_over_after_it(db: DB) -> None:
    note = fact("user", "plans", "dentist appointment on Friday at ten", "plan")
    learn(db, note, said(db, "I have a dentist appointment on Friday at ten"), START)
    assert consolidation.plans_over(db, START + timedelta(days=2)) == 0
    assert consolidation.plans_over(db, START + timedelta(days=4)) == 1
    [plan] = once_true(db, "user", "plans")
    assert (plan.valid_to, held_now(db)) == (datetime(2026, 3, 27, 10, 0, tzinfo=UTC), set())


def test_one_may_like_many_things(db: DB) -> None:
    for what in ("tea", "C++", "C#"):
        assert learn(db, likes(what), said(db), START) == "new"
    assert len(memories.read_known(db)) == 3


def test_notes_without_an_object_are_told_apart_by_their_words(db: DB) -> None:
    assert learn(db, likes(None, "They like it when it rains."), said(db), START) == "new"
    assert learn(db, likes(None, "They like to be asked."), said(db), START) == "new"
    assert learn(db, likes(None, "They like to be asked."), said(db), START) == "again"
    assert memories.count(db) == 2


def test_plain_notes_are_the_same_when_their_words_are(db: DB) -> None:
    assert learn(db, Note("They sing."), said(db), START) == "new"
    assert learn(db, Note("They sing."), said(db), START) == "again"
    assert memories.count(db) == 1


def test_a_note_without_a_source_is_refused(db: DB) -> None:
    with pytest.raises(ValueError, match="the words it rests on"):
        learn(db, Note("They fly."), [], START)


def day(year: int, month: int = 1, number: int = 1) -> datetime:
    return datetime(year, month, number, tzinfo=UTC)


def lived(where: str) -> Note:
    return home(where, f"The user used to live in {where}.")


def test_a_new_memory_has_its_short_form_and_the_importance_of_its_kind(db: DB) -> None:
    note = Note("They are allergic to nuts.", subject="user", predicate="allergic_to", object="nuts", category="health")
    learn(db, note, said(db), START)
    [found] = memories.read_known(db)
    assert (found.compressed, found.importance, found.alpha, found.beta) == (
        "They are allergic to nuts.",
        0.7,
        1.0,
        4.0,
    )


def test_said_again_it_is_heavier_and_the_same_words_count_once(db: DB) -> None:
    first = said(db)
    learn(db, home("Lisbon"), first, START)
    assert learn(db, home("Lisbon"), first, START) == "again"
    assert memories.read_known(db)[0].alpha == 1.0
    learn(db, home("Lisbon"), said(db), START)
    assert 1.0 < memories.read_known(db)[0].alpha <= 1.5


@pytest.mark.parametrize(
    ("first", "then", "verdict", "left"),
    [
        (day(2026, 4, 15), day(2026, 5, 12), "changed", [day(2026, 5, 12)]),
        (day(2026, 4, 15), day(2026, 4, 15), "again", [day(2026, 4, 15)]),
        (day(2026, 1, 15), day(2026, 5, 12), "again", [day(2026, 1, 15)]),
    ],
)
def test_what_is_moved_is_not_said_again(
    db: DB, first: datetime, then: datetime, verdict: str, left: list[datetime]
) -> None:
    """“They've given me the 12th of January instead” made the 15th of December surer."""
    note = fact("user", "plans", "hip operation at Oswestry", "health")
    learn(db, note, said(db), START, event_time=first)
    later = START + timedelta(days=8)
    assert learn(db, note, said(db, at=later), later, event_time=then) == verdict
    assert [one.event_time for one in memories.read_known(db)] == left


def test_an_operation_is_over_after_its_day_and_an_illness_is_not(db: DB) -> None:
    learn(db, fact("user", "plans", "hip operation", "health"), said(db), START, event_time=day(2026, 4, 15))
    learn(db, fact("user", "has", "asthma", "health"), said(db), START, event_time=day(2019))
    assert consolidation.plans_over(db, day(2026, 4, 20)) == 1
    assert held_now(db) == {"user has asthma"}


def test_a_move_ends_the_old_home_on_the_day_that_was_told(db: DB) -> None:
    learn(db, home("Paris"), said(db, "I live in Paris", day(2025)), day(2025))
    learn(db, home("Lyon"), said(db, "I moved to Lyon in March"), START)
    new, old = memories.newest(db)
    assert (old.object, old.valid_from, old.valid_to) == ("Paris", day(2025), day(2026, 3))
    assert (new.object, new.valid_from, new.event_time) == ("Lyon", day(2026, 3), day(2026, 3))
    assert [(one.from_id, one.relation) for one in links.links_of(db, old.id)] == [
        (new.id, "supersedes"),
        (old.id, "updated_by"),
    ]
    assert [one.object for one in memories.read_known(db)] == ["Lyon"]


def test_a_move_longer_ago_than_the_old_home_was_told_leaves_no_wrong_beginning(db: DB) -> None:
    learn(db, home("Paris"), said(db, "I live in Paris"), START)
    later = START + timedelta(days=3)
    learn(db, home("Lyon"), said(db, "I moved to Lyon two years ago", later), later)
    _, old = memories.newest(db)
    assert (old.valid_from, old.valid_to) == (None, day(2024, 3, 27))


@pytest.mark.parametrize(
    ("words", "since", "until"),
    [
        ("I used to live in Rome", None, START),
        ("last year I lived in Rome", day(2025), day(2026)),
        ("I lived in Rome from 2015 to 2019", day(2015), day(2019)),
        ("until February I lived in Rome", None, day(2026, 2)),
    ],
)
def test_what_is_over_is_kept_as_over(db: DB, words: str, since: datetime | None, until: datetime) -> None:
    assert learn(db, lived("Rome"), said(db, words), START) == "past"
    [found] = memories.newest(db)
    assert (found.status, found.valid_from, found.valid_to) == ("superseded", since, until)
    assert memories.read_known(db) == []


def test_what_is_over_ends_no_other_home_and_is_not_kept_twice(db: DB) -> None:
    learn(db, home("Lyon"), said(db, "I live in Lyon"), START)
    assert learn(db, lived("Rome"), said(db, "I used to live in Rome"), START) == "past"
    assert learn(db, lived("Rome"), said(db, "well, I used to live in Rome"), START) == "again"
    assert [one.object for one in memories.read_known(db)] == ["Lyon"]
    assert memories.count(db) == 2


def test_no_longer_ends_what_was_held(db: DB) -> None:
    learn(db, home("Rome"), said(db, "I live in Rome"), START)
    later = START + timedelta(days=9)
    assert learn(db, lived("Rome"), said(db, "I don't live in Rome anymore", later), later) == "changed"
    [found] = memories.newest(db)
    assert (found.status, found.valid_to) == ("superseded", later)


def sister(name: str) -> Note:
    return Note(f"Their sister is called {name}.", subject="user", predicate="sister", object=name, category="family")


@pytest.mark.parametrize("words", ["no, my sister is called Anika, not Anita", "no, my sister is called Anika"])
def test_a_name_that_was_misheard_is_put_right(db: DB, words: str) -> None:
    learn(db, sister("Anita"), said(db, "my sister Anita is here"), START)
    assert learn(db, sister("Anika"), said(db, words), START) == "corrected"
    new, old = memories.newest(db)
    assert (old.status, old.valid_to) == ("archived", old.valid_from)
    assert links.list_targets(db, new.id, "supersedes") == [old.id]
    assert [one.object for one in memories.read_known(db)] == ["Anika"]


def test_words_that_were_put_right_bring_nothing_back_when_they_are_read_late(db: DB) -> None:
    wrong = said(db, "my sister Anita is here")
    learn(db, sister("Anita"), wrong, START)
    also = said(db, "give Anita, my sister, a call", START + timedelta(hours=1))
    later = START + timedelta(days=3)
    learn(db, sister("Anika"), said(db, "no, my sister is called Anika, not Anita", later), later)
    for words in (wrong, also):
        assert learn(db, sister("Anita"), words, later + timedelta(days=1)) == "again"
    assert [one.object for one in memories.read_known(db)] == ["Anika"]
    at = later + timedelta(days=9)
    assert learn(db, sister("Anita"), said(db, "I have another sister, Anita", at), at) == "new"


def test_another_sister_is_no_correction(db: DB) -> None:
    learn(db, sister("Anita"), said(db, "my sister Anita is here"), START)
    assert learn(db, sister("Beatriz"), said(db, "my sister Beatriz is here, too"), START) == "new"
    assert len(memories.read_known(db)) == 2


def test_what_was_liked_and_is_disliked_ends(db: DB) -> None:
    learn(db, likes("coffee"), said(db, "I like coffee"), START)
    later = START + timedelta(days=5)
    note = Note("They dislike coffee.", subject="user", predicate="dislikes", object="coffee")
    assert learn(db, note, said(db, "I hate coffee", later), later) == "changed"
    assert [one.predicate for one in memories.read_known(db)] == ["dislikes"]


def test_old_words_that_are_read_late_do_not_undo_what_is_known(db: DB) -> None:
    learn(db, home("Lyon"), said(db, "I live in Lyon"), START)
    assert learn(db, home("Paris"), said(db, "I live in Paris", day(2020)), START) == "past"
    assert [one.object for one in memories.read_known(db)] == ["Lyon"]
    old = next(one for one in memories.newest(db) if one.object == "Paris")
    assert (old.valid_from, old.valid_to) == (day(2020), START)


def test_words_from_before_a_change_that_are_read_after_it_change_nothing(db: DB) -> None:
    first = said(db, "I live in Paris", day(2025))
    learn(db, home("Paris"), first, day(2025))
    learn(db, home("Lyon"), said(db, "I moved to Lyon in March"), START)
    assert learn(db, home("Paris"), first, START) == "again"
    assert learn(db, home("Paris"), said(db, "I live in Paris", day(2025, 6)), START) == "again"
    assert memories.count(db) == 2
    assert [one.object for one in memories.read_known(db)] == ["Lyon"]


def test_since_is_when_it_began(db: DB) -> None:
    note = Note("They work at the harbour.", subject="user", predicate="works_at", object="the harbour")
    learn(db, note, said(db, "I've worked at the harbour since 2023"), START)
    assert memories.read_known(db)[0].valid_from == day(2023)


def test_a_plan_begins_when_it_is_told(db: DB) -> None:
    note = Note("They fly in May.", subject="user", predicate="plans", object="flying in May", category="plan")
    learn(db, note, said(db, "I'm flying in May"), START)
    assert memories.read_known(db)[0].valid_from == START


def test_a_forgotten_fact_comes_back_only_when_it_is_said_again(db: DB) -> None:
    tombstones.bury(db, "memory", tombstones.fact("user", "lives_in", "Rome", "They live in Rome."), START)
    before = START - timedelta(days=2)
    assert learn(db, home("Rome"), said(db, "I live in Rome", before), START) == "forgotten"
    assert memories.count(db) == 0
    later = START + timedelta(days=2)
    assert learn(db, home("Rome"), said(db, "I live in Rome", later), later) == "new"


@pytest.mark.parametrize(
    ("note", "words", "questions"),
    [
        (home("Lyon"), "I live in Lyon", 3),
        (likes("tea"), "I like tea", 3),
        (fact("user", "partner", "Eva"), "my partner Eva", 3),
        (Note("They sing."), "la la", 3),
        (fact("cat", "is", "died"), "My cat died", 5),
    ],
)
def test_what_is_held_is_asked_for_once(db: DB, note: Note, words: str, questions: int) -> None:
    source = said(db, words)
    asked: list[str] = []
    db.set_trace_callback(asked.append)
    assert learn(db, note, source, START) == "new"
    assert len([one for one in asked if one.startswith("SELECT") and "_fts" not in one]) <= questions


def test_only_needs_that_changed_become_history(world: World) -> None:
    assert signals.find_need_changes(world, 1, {}) == {}
    changed = signals.find_need_changes(world, 1, {"frustration": 0.9})
    assert changed
    signals.understand(world, 2, {"frustration": 0.9})
    with world.database.read() as db:
        found = history.last_user_needs(db)
    assert set(found) == set(changed)
    assert all(2 in one["evidence"] for one in found.values())


NOT_TOLD = Note(
    "They have not told Amparo yet that they failed.", "semantic", "user", "has_not_told", "Amparo", "family"
)
TOLD = Note(
    "They told Amparo, who answered that a car is only metal.", "semantic", "Amparo", "said", "a car is metal", "family"
)


def test_what_is_done_ends_that_it_was_not(db: DB) -> None:
    learn(db, NOT_TOLD, said(db), START)
    later = START + timedelta(hours=2)
    learn(db, TOLD, said(db, at=later), later, read=True)
    assert [one.content for one in memories.read_known(db)] == [TOLD.text]


ALLERGIC = Note("They are allergic to cats.", "semantic", "user", "allergic_to", "katten", "health")
NOT_ALLERGIC = Note(
    "They are not allergic to cats; only their boyfriend is.", "semantic", "user", "not_allergic_to", "katten", "health"
)
NO_LONGER = replace(NOT_ALLERGIC, text="They are no longer allergic to cats.")


@pytest.mark.parametrize(
    ("denial", "hours", "status"),
    [
        (NOT_ALLERGIC, 1, "archived"),
        (NOT_ALLERGIC, 48, "superseded"),
        (NO_LONGER, 1, "superseded"),
        (replace(NOT_ALLERGIC, category="plan"), 1, "superseded"),
    ],
)
def test_what_is_denied_soon_after_it_was_learned_was_never_true(db: DB, denial: Note, hours: int, status: str) -> None:
    learn(db, ALLERGIC, said(db), START)
    later = START + timedelta(hours=hours)
    learn(db, denial, said(db, at=later), later, read=True)
    [held] = memories.of_facts(db, "user", ["allergic_to"])["allergic_to"]
    assert held.status == status


def test_how_soon_it_was_denied_is_told_by_when_it_was_said_and_not_by_when_it_was_imported(db: DB) -> None:
    imported, later = START + timedelta(days=900), START + timedelta(days=400)
    learn(db, ALLERGIC, said(db), imported)
    learn(db, NOT_ALLERGIC, said(db, at=later), imported, read=True)
    [held] = memories.of_facts(db, "user", ["allergic_to"])["allergic_to"]
    assert held.status == "superseded"


def test_what_is_done_soon_after_it_was_not_was_true_until_then(db: DB) -> None:
    learn(db, NOT_TOLD, said(db), START)
    later = START + timedelta(hours=2)
    learn(db, TOLD, said(db, at=later), later, read=True)
    [held] = memories.of_facts(db, "user", ["has_not_told"])["has_not_told"]
    assert held.status == "superseded"


def test_the_opposite_ends_nothing_that_was_said_after_it_or_while_it_is_in_doubt(db: DB) -> None:
    first = said(db)
    learn(db, NOT_TOLD, said(db), START)
    learn(db, TOLD, first, START, read=True)
    learn(db, TOLD, said(db), START, unconfirmed="nobody read it", read=True)
    assert NOT_TOLD.text in [one.content for one in memories.read_known(db)]
