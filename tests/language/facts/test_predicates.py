"""A fact is kept under a predicate that its sentence shows, or under one that ends nothing."""

from __future__ import annotations

import pytest

from furoshiki.language.facts.extraction import facts_in
from furoshiki.language.facts.predicates import OTHER, choose_predicate
from tests.support.statements import STATED


@pytest.mark.parametrize(
    ("given", "claim", "kept"),
    [
        ("works_at", "They start a new job at the harbour.", "works_at"),
        ("Works at", "They work at the harbour.", "works_at"),
        ("name", "They work at the harbour.", OTHER),
        ("lives_in", "They work at the harbour.", OTHER),
        ("lives_in", "They moved to Lyon.", "lives_in"),
        ("lives_in", "They live in the Hague.", "lives_in"),
        ("lives_in", "They live in a one-bedroom flat on the second floor.", OTHER),
        ("wants_to_be_called", "They want to be called May.", "name"),
        ("nickname", "They want to be called Nené.", "name"),
        ("age", "They work at the harbour.", OTHER),
        ("age", "They are sixty-one years old.", "age"),
        ("dislikes", "They like tea.", OTHER),
        ("sister", "Their sister is called Anika.", "sister"),
        ("sister", "They work with Anika.", OTHER),
        ("favourite_tea", "Their favourite tea is oolong.", "favourite_tea"),
        ("commutes_by", "They commute by bike.", "commutes_by"),
        ("is_a_convicted_murderer", "They work at the harbour.", OTHER),
        ("", "They work at the harbour.", OTHER),
        ("birthday", "Duda is 8 and turns 9 on 14 February.", "birthday"),
        ("birthday", "Duda faz aniversário em 14 de fevereiro.", "birthday"),
        ("birthday", "Lena hat am 14. Februar Geburtstag.", "birthday"),
        ("lives_in", "Mora em Niterói.", "lives_in"),
        ("lives_in", "Sie wohnt in Köln.", "lives_in"),
        ("lives_in", "Arbeitet im Hafen.", OTHER),
        ("name", "Ela se chama Célia.", "name"),
        ("name", "Elle travaille au port.", OTHER),
        ("works_as", "Il est boulanger.", "works_as"),
        ("sister", "A irmã dela se chama Rosana.", "sister"),
        ("daughter", "Её дочь зовут Лена.", "daughter"),
        ("sister", "Trabaja con Rosana.", OTHER),
        ("brother", "她有一个哥哥。", "brother"),
        ("brother", "Bir kardeşi var.", "brother"),
        ("lives_in", "Mieszka w Lipsku.", "lives_in"),
        ("lives_in", "她住在深圳。", "lives_in"),
        ("lives_in", "她喜欢深圳。", OTHER),
        ("likes", "Gosta de café.", "likes"),
        ("dislikes", "Kahveyi sever.", OTHER),
        ("favourite_tea", "O chá preferido dela é mate.", "favourite_tea"),
    ],
)
def test_a_predicate_must_fit_its_sentence(given: str, claim: str, kept: str) -> None:
    assert choose_predicate(given, claim) == kept


def test_every_fact_that_rules_find_keeps_its_predicate() -> None:
    for message in STATED:
        for found in facts_in(message):
            assert choose_predicate(found.predicate, found.text) == found.predicate, found.text
