"""What the built-in mind says unasked: a table of thoughts with the words that come of each, "-" for silence."""

from __future__ import annotations

import random
import re
from datetime import UTC, date, datetime
from pathlib import Path

import pytest

from furoshiki.app.wiring import load_care_words
from furoshiki.core.catalogue import speaking
from furoshiki.feelings.rules.needs import NEEDS
from furoshiki.mind.birthdays import rules as birthdays
from furoshiki.mind.birthdays.rules import Birthday
from furoshiki.mind.outreach.rules import prepared_words, thoughts, wording
from furoshiki.mind.outreach.rules.notes import GENTLE
from furoshiki.mind.outreach.rules.prepared_words import Matter, every_way
from furoshiki.owner.agenda.rules import mind_queue
from furoshiki.owner.agenda.rules.mind_queue import OF_FIELDS, NeedTargets, Thought
from tests.support.laws import shipped
from tests.support.said_texts import OTHERS

NOW = datetime(2026, 11, 22, 12, tzinfo=UTC)
CARE = load_care_words()[0]
TABLE = [
    tuple(line.split("\t"))
    for line in Path(__file__).with_name("prepared_words.tsv").read_text(encoding="utf-8").splitlines()
]


def matter(kind: str, summary: str, key: str = "", **more: object) -> Matter:
    """A thought about Noor, whose mother is dead, on a Sunday."""
    given: dict[str, object] = {"name": "Noor", "dead": frozenset({"mother"}), "care": CARE, "key": key}
    return Matter(kind, summary, NOW, **{**given, **more})  # type: ignore[arg-type]


@pytest.mark.parametrize(("kind", "summary", "words", "key"), TABLE)
def test_a_thought_becomes_words_to_them(kind: str, summary: str, words: str, key: str) -> None:
    ways = every_way(matter(kind, summary, key))
    assert (ways[0] if ways else "-") == words


def test_the_table_holds_every_kind_with_words_and_silence() -> None:
    assert {kind for kind, *_ in TABLE} == set(shipped().queue.priority)
    assert len(TABLE) > 120 and sum(words == "-" for _, _, words, _ in TABLE) > 20


@pytest.mark.parametrize(("kind", "summary", "key"), [(kind, summary, key) for kind, summary, _, key in TABLE])
def test_every_way_may_be_sent_and_is_said_to_them(kind: str, summary: str, key: str) -> None:
    for words in every_way(matter(kind, summary, key)):
        assert wording.fault(words, kind, summary) is None
        assert len(words) <= wording.SHORT and re.search(r"[.!?]\u201d?$", words) and not words[0].islower()
        outside = re.sub("\u201c[^\u201d]*\u201d", "", words)
        assert not re.search(r"\b(?:they|them|their|the user|Noor's)\b", outside, re.IGNORECASE)
        assert not re.search(r"\byou (?:is|has|was|does|likes|lives)\b|\b(\w+) \1\b|\.\.|\?\.|None", outside)


@pytest.mark.parametrize("language", OTHERS)
def test_no_word_of_english_is_said_in_another_language(language: str) -> None:
    spoken = 0
    for kind, summary, _, key in TABLE:
        english = {re.sub(_QUOTED, "", words) for words in every_way(matter(kind, summary, key))}
        with speaking(language):
            ways = every_way(matter(kind, summary, key))
        spoken += bool(ways)
        for words in ways:
            assert wording.fault(words, kind, summary) is None
            assert re.sub(_QUOTED, "", words) not in english
            assert not re.search(r"\b(?:you|the|is|they|their|today|tomorrow)\b", re.sub(_QUOTED, "", words))
    assert spoken > 30


_QUOTED = "[“„«][^”“»]*[”“»]"


# -- everything that is put into the queue by rule has words, or a reason to have none --

REACH = NeedTargets(topic="the new job", task=(1, "call the bank"), fact=(2, "They play chess."))


@pytest.mark.parametrize("reach", [NeedTargets(), REACH, NeedTargets(plan=(3, "They move to Berlin in spring."))])
def test_every_need_has_words(reach: NeedTargets) -> None:
    for need in NEEDS:
        thought = mind_queue.of_need(need, "now", reach)
        assert (thought is None) == (need == "self_knowledge")
        assert thought is None or len(every_way(matter(thought.kind, thought.summary))) >= 2


@pytest.mark.parametrize("field", OF_FIELDS)
def test_every_field_that_is_not_known_is_asked_for(field: str) -> None:
    _, summary = mind_queue.of_gap(field, "", True)
    ways = every_way(matter("question", summary))
    assert len(ways) >= 2 and all(one.count("?") == 1 for one in ways)


@pytest.mark.parametrize(
    "thought",
    [
        thoughts.of_description(1, 0.4, "I have grown calmer."),
        thoughts.of_proposal("ab12"),
        thoughts.of_failing_promise(1, 0),
        thoughts.of_operation(1, "your export"),
        thoughts.of_list("user_home", 1),
        thoughts.of_open_question(1, "May I count on this for good?", 0, "promotion:1"),
        birthdays.thought(Birthday(1, "user", 11, 22, 1996), date(2026, 11, 22)),
        birthdays.thought(Birthday(1, "sister", 11, 23), date(2026, 11, 23)),
    ],
    ids=lambda one: one.summary,
)
def test_every_thought_of_a_rule_has_words(thought: Thought) -> None:
    assert len(every_way(matter(thought.kind, thought.summary, thought.key))) >= 2


@pytest.mark.parametrize(
    "thought",
    [
        thoughts.of_description(3, 0.41, "I have learned to wait."),
        thoughts.of_proposal("x"),
        thoughts.of_operation(3, "look for a cradle"),
        thoughts.of_list("user_shopping", 3),
        thoughts.of_open_question(3, "Which of the two flats did you take?", 0, "k"),
    ],
    ids=lambda one: one.summary,
)
def test_what_waits_for_the_owner_has_words_that_blame_no_silence(thought: Thought) -> None:
    ways = every_way(matter(thought.kind, thought.summary, thought.key))
    assert ways and [wording.fault(one, thought.kind, thought.summary) for one in ways] == [None] * len(ways)
    assert not any("answered" in one or "heard" in one for one in ways)


def test_a_list_that_is_done_is_named() -> None:
    thought = thoughts.of_list("user_shopping", 3)
    assert every_way(matter(thought.kind, thought.summary))[0] == "Everything on your shopping list is done."


# -- birthdays have their day --


@pytest.mark.parametrize(("day", "said"), [(21, False), (22, True), (23, False)])
def test_ones_own_birthday_is_wished_on_the_day_alone(day: int, said: bool) -> None:
    thought = birthdays.thought(Birthday(1, "user", 11, day), date(2026, 11, day))
    assert bool(every_way(matter(thought.kind, thought.summary, thought.key))) is said


@pytest.mark.parametrize(("day", "word"), [(21, None), (22, "today"), (23, "tomorrow"), (24, None)])
def test_another_ones_birthday_is_told_in_time(day: int, word: str | None) -> None:
    thought = birthdays.thought(Birthday(1, "Anika", 11, day), date(2026, 11, day))
    ways = every_way(matter(thought.kind, thought.summary, thought.key))
    assert bool(ways) is (word is not None) and all(str(word) in one.lower() for one in ways)


# -- grief --


@pytest.mark.parametrize(
    "summary",
    [
        "Ask how the visit to their mother went",
        "I would like to hear more about this: Their mother lives in Porto.",
        "Their mother's birthday is on Monday, 23 November; a word in time may help",
        "How is their mum?",
        "exam on Thursday: ask how it for mother went",
    ],
)
@pytest.mark.parametrize("kind", ["follow_up", "question", "need", "anticipation", "thought", "curiosity"])
def test_nobody_who_died_is_asked_after(kind: str, summary: str) -> None:
    assert every_way(matter(kind, summary, "birthday:1:2026-11-23")) == ()
    assert kind not in ("follow_up", "thought") or not GENTLE[0].endswith("?")


@pytest.mark.parametrize(
    "summary",
    [
        "Ask how the funeral went",
        "biopsy on Monday: ask how it went",
        "Ask how they are since their father died",
        "They sounded sad: ask how they are",
        "Wish them luck for the surgery",
    ],
)
def test_after_something_heavy_nothing_is_asked(summary: str) -> None:
    ways = every_way(matter("follow_up", summary))
    assert ways == GENTLE and not any("?" in one for one in ways)


@pytest.mark.parametrize("kind", sorted(mind_queue.OWN))
def test_while_something_weighs_nothing_light_is_said(kind: str) -> None:
    for other, summary, _, key in TABLE:
        if other == kind:
            assert every_way(matter(kind, summary, key, weighs=True)) in ((), GENTLE)


def test_what_must_be_told_is_told_whatever_weighs() -> None:
    for kind, summary, _, key in TABLE:
        if kind in prepared_words.OWED:
            assert every_way(matter(kind, summary, key, weighs=True)) == every_way(matter(kind, summary, key)) != ()


# -- chance --


def test_a_way_that_was_used_lately_is_the_last_to_be_used_again() -> None:
    ways = every_way(matter("follow_up", "Ask how they are"))
    for left in ways:
        used = tuple(one for one in ways if one != left)
        assert prepared_words.find(matter("follow_up", "Ask how they are", said=used), random.Random(3)) == left
    assert prepared_words.find(matter("follow_up", "Ask how they are", said=ways), random.Random(3)) in ways


def test_nothing_is_said_of_a_kind_that_has_no_words() -> None:
    assert prepared_words.find(matter("riddle", "Ask how they are"), random.Random(3)) is None


@pytest.mark.parametrize("size", [160, 1_000, 100_000])
def test_a_long_thought_is_not_said_in_full(size: int) -> None:
    assert every_way(matter("follow_up", "Ask how " + "the crane " * (size // 10) + "went")) == ()
    for kind in prepared_words.OWED:
        assert all(len(one) <= wording.SHORT for one in every_way(matter(kind, "Something went wrong " * (size // 10))))
