"""What may stand in a profile: nothing that no fact carries, nothing that is over, and no more than is read."""

from __future__ import annotations

import json
import re
from dataclasses import asdict

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from furoshiki.owner.user_model.rules import profile, profiling
from furoshiki.owner.user_model.rules.profile import MINI_WORDS, PAST, REFERENCE_WORDS, SECTIONS, Fact, Statement

KNOWN = {19: "They work at the harbour.", 31: "They like swimming in the sea."}


@pytest.mark.parametrize(
    ("text", "cited", "reason"),
    [
        ("They work at the harbour.", (999,), "no current fact 999"),
        ("They work at the harbour.", (19, 999), "no current fact 999"),
        ("They work at the harbour.", (), "cites no fact"),
        ("They are at the port all day.", (31,), profiling.UNREAD),
        ("They owe money.", (19,), "a reader finds it not supported"),
        ("They are at the port all day.", (19,), None),
        ("They work at the harbour", (19,), None),
    ],
)
def test_what_stands_is_a_fact_or_was_read(text: str, cited: tuple[int, ...], reason: str | None) -> None:
    readings = {
        ("They are at the port all day.", (19,)): "",
        ("They owe money.", (19,)): "a reader finds it not supported",
    }
    said = profiling.objection(Statement("other", text, cited), KNOWN, readings)
    assert said == reason or (said and reason and reason in said)


words = st.sampled_from(
    ["they", "their", "sister", "Anika", "Ruben", "work", "works", "at", "the", "harbour", "not", "never", "likes"]
    + ["rain", "and", "who", "lives", "in", "Lisbon", "2019", "used", "to"]
)
sentences = st.lists(words, min_size=1, max_size=14).map(" ".join)
facts_ = st.lists(
    st.builds(
        Fact,
        id=st.integers(1, 10_000),
        text=st.one_of(sentences, st.text(min_size=1, max_size=300).filter(str.strip)),
        category=st.sampled_from([*SECTIONS, "unheard of"]),
        confidence=st.floats(0, 1),
        past=st.booleans(),
    ),
    max_size=60,
    unique_by=lambda fact: fact.id,
)


@given(sentences)
def test_a_fact_in_its_own_words_always_stands(text: str) -> None:
    assert profiling.objection(Statement("other", text, (1,)), {1: text}, {}) is None
    assert profiling.objection(Statement("other", f"{text}.", (1,)), {1: text, 2: "They like rain."}, {}) is None


@settings(max_examples=25)
@given(facts_)
def test_without_a_model_every_statement_is_a_fact_and_nothing_is_refused(facts: list[Fact]) -> None:
    read = profiling.by_rule(facts)
    made, refused = profiling.build_profile(
        [Statement("other", one["text"], tuple(one["facts"])) for one in read["mini"]],
        [Statement(one["section"], one["text"], tuple(one["facts"])) for one in read["reference"]],
        read["unsure"],
        facts,
    )
    assert not [one for one in refused if len(one.statement.text.split()) < profiling.LONGEST_FACT_WORDS]
    known = {one.id: one for one in facts}
    for statement in (*made.mini, *made.reference):
        (cited,) = statement.facts
        assert profiling.plain(known[cited]).text == statement.text
        assert known[cited].past == (statement.section == PAST)
    assert not any(known[one].past for statement in made.mini for one in statement.facts)


@settings(max_examples=25)
@given(facts_, st.lists(st.tuples(sentences, st.lists(st.integers(0, 12), max_size=4)), max_size=80))
def test_the_texts_keep_to_their_limits_and_every_line_ends_in_its_facts(
    facts: list[Fact], said: list[tuple[str, list[int]]]
) -> None:
    claims = [Statement("other", text, tuple(cited)) for text, cited in said]
    made, _ = profiling.build_profile(claims, [*claims, *(profiling.plain(one) for one in facts)], (), facts)
    assert len(profile.mini_text(made.mini).split()) <= MINI_WORDS
    reference = profile.reference_text(made.reference)
    assert len(reference.split()) <= REFERENCE_WORDS
    current = {one.id for one in facts if not one.past}
    for one in made.reference:
        assert one.facts and (one.section == PAST or set(one.facts) <= current)
    for line in reference.split("\n"):
        assert not line.startswith("- They ") or re.search(r"\[memory:\d+(, memory:\d+)*\]$", line)


@settings(max_examples=25)
@given(facts_)
def test_a_profile_is_the_same_after_it_was_kept(facts: list[Fact]) -> None:
    plain = [profiling.plain(one) for one in facts]
    made, _ = profiling.build_profile(plain, plain, [one.id for one in facts[:2]], facts)
    assert profile.from_data(json.loads(json.dumps(asdict(made)))) == made


def test_a_refused_statement_leaves_its_facts_in_their_own_words() -> None:
    facts = [Fact(19, KNOWN[19], "employment"), Fact(31, KNOWN[31], "preference")]
    wild = Statement("employment", "They work at the harbour as a spy.", (19,))
    made, refused = profiling.build_profile([wild], [wild], (), facts)
    assert [(one.section, one.text, one.facts) for one in made.reference] == [("employment", KNOWN[19], (19,))]
    assert profile.mini_text(made.mini) == KNOWN[19]
    assert [one.statement for one in refused] == [wild]


def test_what_is_over_is_told_as_past_and_by_no_mind() -> None:
    facts = [Fact(1, "They live in Lyon.", "location"), Fact(2, "They used to live in Paris.", "location", past=True)]
    made, refused = profiling.build_profile(
        [Statement("location", "They live in Paris.", (2,))],
        [Statement("location", "They live in Lyon.", (1,)), Statement(PAST, "They hated Paris.", (2,))],
        (),
        facts,
    )
    assert made.mini == ()
    assert [(one.section, one.text) for one in made.reference] == [
        ("location", "They live in Lyon."),
        (PAST, "They used to live in Paris."),
    ]
    assert [one.reason for one in refused] == ["there is no current fact 2"] * 2


def test_what_is_missing_or_unsure_is_a_gap_and_what_is_private_is_not_asked_for() -> None:
    facts = [
        Fact(1, "They live in Lyon.", "location", 0.9),
        Fact(2, "They work at the zoo.", "employment", 0.75),
        Fact(3, "They like tea.", "preference", 0.9),
    ]
    found = profiling.gaps(facts, [3])
    by_field = {one.field: one for one in found}
    assert "location" not in by_field
    assert by_field["employment"].facts == (2,) and by_field["employment"].confidence == 0.75
    assert by_field["preference"].confidence == profiling.DOUBTED
    assert by_field["family"] == profile.Gap("family", profiling.ASKED_FOR["family"], 0.0)
    assert not {"health", "belief", "possession"} & set(by_field)
    assert [one.confidence for one in found] == sorted(one.confidence for one in found)
