"""What only says again what stands there already."""

from __future__ import annotations

import pytest

from furoshiki.recall.retrieval.rules.repeated_statements import Statement, find_repeats, is_repeat
from furoshiki.recall.retrieval.values import Kind, Recalled
from tests.support.recall import NOW


@pytest.mark.parametrize(
    ("text", "beside", "again"),
    [
        ("I live in Lisbon", "They live in Lisbon near the harbour.", True),
        ("They live in Lisbon near the harbour.", "I live in Lisbon", False),
        ("They do not live in Lisbon.", "I live in Lisbon, near the harbour", False),
        ("Their sister Ruth moved to Oslo.", "my sister Anika moved to Oslo", False),
        ("They move on 12 December.", "we move on 3 December", False),
        ("They move on 12 December.", "on 12 December we finally move, all of us", True),
        ("Ich esse im Garten mit Lena oft Fleisch", "ich esse im garten mit lena oft kein fleisch", False),
        ("haha yes", "haha no", False),
        ("They like tea.", "They like tea.", True),
    ],
)
def test_a_statement_is_said_again_where_all_it_turns_on_stands_there(text: str, beside: str, again: bool) -> None:
    assert is_repeat(text, [Statement.of(beside)]) is again


def test_of_what_was_found_the_words_stay_and_what_is_over_too() -> None:
    def one(kind: Kind, number: int, text: str, status: str = "active") -> Recalled:
        return Recalled(f"{kind}:{number}", kind, (number,), None, NOW, None, text, 1.0, status=status)

    fact = one("memory", 1, "They live in Lisbon near the harbour.")
    over = one("memory", 2, "They live in Lisbon near the harbour.", "superseded")
    words = one("turn", 3, "I live in Lisbon, near the harbour, on the fourth floor")
    other = one("turn", 4, "my parrot is called Kapitan")
    assert find_repeats([fact, over, words, other], set(), []) == {fact.id}
    assert find_repeats([fact, words], {fact.id}, [Statement.of(fact.text)]) == frozenset(), (
        "they say more than the fact"
    )
    assert find_repeats([other], set(), [Statement.of("Their parrot is called Kapitan.")]) == {other.id}
