"""Forgetting reaches what the companion asked and promised itself, and leaves of it what does not say it."""

from __future__ import annotations

import json

import pytest

from furoshiki.archive.forgetting import forgetting
from furoshiki.memory.store import memories
from furoshiki.messages.store import turns
from furoshiki.messages.values import COMPANION, USER, NewTurn
from furoshiki.mind.inner_life.store import commitments, patterns, self_questions
from furoshiki.world import World
from tests.support.forgetting import NAME, everywhere, forget

ABOUT, PLAIN = f"Why did I advise {NAME} without asking?", "Should I have asked before advising?"
TEXT, SIGN = "Ask before giving advice", "Honoured when a question stands before advice."


@pytest.fixture
def said(world: World) -> tuple[int, int]:
    """A message with the name in it, and a plain reply to something else."""
    with world.database.write() as db:
        first = turns.add(db, NewTurn("s1", "console", "me", USER, f"My sister is {NAME}", world.now))
        other = turns.add(db, NewTurn("s1", "console", "me", COMPANION, "You should rest.", world.now))
    return first, other


def pattern(world: World, *questions: str) -> None:
    with world.database.write() as db:
        made = patterns.begin(db, questions[0], world.now)
        for text in questions:
            question = self_questions.add(db, text, "sessions:s1", world.now)
            assert question is not None
            patterns.place(db, question, made)


def promise(world: World, text: str = TEXT, sign: str = SIGN) -> None:
    with world.database.write() as db:
        assert commitments.add(db, 1, text, sign, world.now) == 1


def left(world: World) -> list[tuple[str, tuple[str, ...]]]:
    with world.database.read() as db:
        found = [patterns.get(db, row["id"]) for row in db.execute("SELECT id FROM behavioral_patterns ORDER BY id")]
    return [(one.gist, one.questions) for one in found if one is not None]


def test_a_pattern_is_called_after_what_is_left_of_it(world: World, said: tuple[int, int]) -> None:
    pattern(world, ABOUT, PLAIN)
    promise(world)
    forget(world, NAME)
    assert left(world) == [(PLAIN, (PLAIN,))]
    with world.database.read() as db:
        assert [one.text for one in commitments.active(db)] == [TEXT]
    assert everywhere(world.settings.data) == []


def test_a_pattern_of_which_nothing_is_left_but_its_promise_is_called_after_that(
    world: World, said: tuple[int, int]
) -> None:
    pattern(world, ABOUT)
    promise(world)
    forget(world, NAME)
    assert left(world) == [(TEXT, ())]
    assert everywhere(world.settings.data) == []


def test_a_pattern_of_which_nothing_is_left_goes(world: World, said: tuple[int, int]) -> None:
    pattern(world, ABOUT)
    pattern(world, "Was I too long?")
    forget(world, NAME)
    assert left(world) == [("Was I too long?", ("Was I too long?",))]


@pytest.mark.parametrize(
    ("text", "sign"), [(f"Ask {NAME} before advising", SIGN), (TEXT, f"Seen when {NAME} is asked.")]
)
def test_a_promise_with_the_words_in_it_goes_whole(world: World, said: tuple[int, int], text: str, sign: str) -> None:
    pattern(world, PLAIN)
    promise(world, text, sign)
    with world.database.write() as db:
        commitments.record(db, 1, "s1", "broken", said, world.now)
        memories.reject(db, "commitment", f"Ask {NAME} first", (), "a name", world.now)
    forget(world, NAME)
    with world.database.read() as db:
        assert commitments.every(db) == []
        assert db.execute("SELECT count(*) FROM commitment_judgements").fetchone()[0] == 0
    assert left(world) == [(PLAIN, (PLAIN,))]
    assert everywhere(world.settings.data) == []


def test_a_verdict_that_rested_on_forgotten_words_counts_on_without_them(world: World, said: tuple[int, int]) -> None:
    pattern(world, PLAIN)
    promise(world)
    with world.database.write() as db:
        commitments.record(db, 1, "s1", "broken", said, world.now)
    forget(world, NAME)
    with world.database.read() as db:
        [judged] = commitments.judgements(db, 1)
        assert (judged.verdict, judged.turn_ids) == ("broken", (said[1],))
        assert json.loads(db.execute("SELECT turn_ids FROM commitment_judgements").fetchone()[0]) == [said[1]]
    assert forgetting.look(world, NAME).nothing
