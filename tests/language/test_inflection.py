"""A name is the same name in Latin letters and in those of another script, whichever of the two was said."""

from __future__ import annotations

import pytest

from furoshiki.language.grounding.words import collect_language_words, collect_words, mostly_said
from furoshiki.language.inflection import language_of, languages_of


@pytest.mark.parametrize(
    ("said", "name", "held"),
    [
        ("Their new flat is in Miera street.", "Миера", True),
        ("Their new flat is in Miera street.", "Миеры", True),
        ("Oleg has promised to help.", "Олега", True),
        ("квартира на улице миера", "Miera", True),
        ("Oleg has promised to help.", "Ольга", False),
        ("Their sister is called Anna.", "Аня", False),
        ("Oleg has promised to help.", "Виктор", False),
    ],
)
@pytest.mark.parametrize("language", [None, "ru"])
def test_a_name_in_other_letters(said: str, name: str, held: bool, language: str | None) -> None:
    assert collect_language_words(said, language).holds(name, name=True) is held


@pytest.mark.parametrize(
    ("said", "held", "unheard"),
    [
        ("我叫陈皓，今晚回绵阳，婷婷和芝麻在家", ("Chen", "Hao", "Mianyang", "Tingting", "Zhima"), ("Liu", "Tokyo")),
        ("Με λένε Γιώργο", ("Giorgos",), ("Nikos",)),
        ("اسمي محمد", ("Muhammad",), ("Ali",)),
    ],
)
def test_a_name_in_any_letters(said: str, held: tuple[str, ...], unheard: tuple[str, ...]) -> None:
    heard = collect_language_words(said, None)
    assert [name for name in held if not heard.holds(name, name=True)] == []
    assert [name for name in unheard if heard.holds(name, name=True)] == []


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("on a une fille, lou, huit ans", "fr"),
        ("ma soeur s'appelle Inès", "fr"),
        ("minha irmã mora em Curitiba", "pt"),
        ("meu irmão não tem emprego", "pt"),
        ("abito a Roma con mia sorella", "it"),
        ("mi hermano no tiene trabajo", "es"),
        ("Babası elini hiç tutmuyor.", "tr"),
        ("They live in Lyon with a dog.", None),
        ("What a day", None),
    ],
)
def test_the_language_of_a_few_words(text: str, language: str | None) -> None:
    assert language_of(text) == language


def test_what_is_said_in_two_languages_is_heard_in_both() -> None:
    said = ("meine oma liegt im krankenhaus", "ben bugün çok yorgunum ama köpekleri çok seviyorum")
    assert {*languages_of(said)} == {"de", "tr"}
    assert languages_of(["What a day. I was at the Zoo", "die hard is a film"]) == ()
    heard = collect_words(said)
    assert mostly_said("köpekler", heard) and mostly_said("Großmutter im Krankenhaus", heard)
    assert not mostly_said("kediler", heard)


@pytest.mark.parametrize(
    ("text", "language", "word"),
    [
        ("annem öğrendi, iki saat ağladı telefonda. yoruldum", "tr", "telefon"),
        ("köpeğim öldü, işten çıkamadım", "tr", "iş"),
        ("ich hätte gern zwei Brötchen", "de", "Brötchen"),
        ("sono andata all'ospedale e poi nell’agenzia", "it", "ospedale"),
        ("não sei se vou à praia", "pt", "praia"),
    ],
)
def test_letters_of_its_own_tell_a_language_from_one_that_shares_the_rest(text: str, language: str, word: str) -> None:
    assert language_of(text) == language
    assert collect_words([text]).holds(word)
