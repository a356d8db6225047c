"""Names and numbers that are told in passing are facts; what only looks like them is none."""

from __future__ import annotations

import pytest

from furoshiki.language.facts.extraction import facts_in
from furoshiki.language.facts.names import find_name
from furoshiki.language.testimony import as_told

BOTH = {("Bram", "age", "7"), ("Saar", "age", "4")}
CHILDREN = {("user", "child", "Bram"), ("user", "child", "Saar")}


@pytest.mark.parametrize(
    ("said", "facts"),
    [
        ("Bram (7) and Saar (4)", BOTH),
        ("My kids are Bram (7) and Saar (4)", BOTH | CHILDREN),
        ("I picked up Bram (7) and Saar (4) from school", BOTH),
        ("my kids Bram (7) and Saar (4) love snow", BOTH | CHILDREN),
        ("Our children are called Bram and Saar", CHILDREN),
        ("My daughters are Ida, Ada and Eva", {("user", "daughter", name) for name in ("Ida", "Ada", "Eva")}),
        ("my best friend is Lena, she lives in Oslo", {("user", "friend", "Lena"), ("Lena", "lives_in", "Oslo")}),
        ("My boss is Petra.", {("user", "boss", "Petra")}),
        ("Our landlord is Silva and he is nice", {("user", "landlord", "Silva")}),
    ],
)
def test_who_is_mentioned_is_known(said: str, facts: set[tuple[str, str, str]]) -> None:
    assert facts <= {(one.subject, one.predicate, one.object) for one in facts_in(as_told(said))}


@pytest.mark.parametrize(
    "said",
    [
        "Smith (2) says so",
        "my kids are tired",
        "my best friend is German",
        "My friends are Monday people",
        "are my kids Bram (7) and Saar (4)?",
        "I live in Room 7 and House 4",
        "my boss is away",
        "my sister is Catholic",
        "See Figure (3)",
        "my friend is Tired of it",
    ],
)
def test_what_only_looks_like_it_is_none(said: str) -> None:
    assert [
        one for one in facts_in(as_told(said)) if one.predicate in ("age", "child", "friend", "boss", "sister")
    ] == []


@pytest.mark.parametrize(
    "said", ["everybody calls me Tom", "Everyone calls me Tom.", "people call me Tom", "my family calls me Tom"]
)
def test_what_everybody_calls_somebody_is_their_name(said: str) -> None:
    given = find_name(as_told(said))
    assert given is not None
    assert given.name == "Tom"


@pytest.mark.parametrize("said", ["my boss calls me lazy", "everybody calls me names", "everyone calls me crazy"])
def test_what_somebody_is_called_in_anger_is_no_name(said: str) -> None:
    assert find_name(as_told(said)) is None


@pytest.mark.parametrize(
    ("said", "age"),
    [
        ("my dads 50 on friday", None),
        ("my sister is 40 next week", None),
        ("I'm 30 on sunday", None),
        ("my son is 5 in june", None),
        ("my brother is 20 today", "20"),
        ("I turned 30 on friday", "30"),
        ("my dad is 50 and lives in York", "50"),
        ("I'm 72, retired", "72"),
    ],
)
def test_an_age_to_come_is_none_yet(said: str, age: str | None) -> None:
    ages = [fact.object for fact in facts_in(as_told(said)) if fact.predicate == "age"]
    assert ages == ([age] if age else [])
