"""What a text is about, how links fade, and how far the talk has moved."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from furoshiki.memory.concepts import find_key_nouns
from furoshiki.memory.rules.concepts import concept_name, drift, fade, key_nouns, rarity

DAYS = st.floats(0, 2000)
WEIGHTS = st.floats(0.001, 1000)


@pytest.mark.parametrize(
    ("text", "about"),
    [
        ("The user lives in Lisbon.", ("lisbon",)),
        ("The user's sister Ana plays the violin.", ("ana", "sister", "violin")),
        ("We talked about their two cats and the wedding in June.", ("june", "cat", "wedding")),
        ("I was really happy, honestly.", ()),
        ("They were running late again.", ()),
        ("", ()),
        ("12:30 — 14 €", ()),
    ],
)
def test_it_is_about_names_and_things(text: str, about: tuple[str, ...]) -> None:
    found = key_nouns(text)
    assert found == about


@pytest.mark.parametrize(
    ("text", "about"),
    [
        ("Ich wohne in Bonn und arbeite als Krankenschwester", ("bonn", "krankenschwester", "wohne", "arbeite")),
        ("Я живу в Казани, и что мне делать без работы", ("казани", "живу", "делать", "работы")),
        ("Qu'est-ce que je fais avec mon frère", ("fais", "frère")),
        ("Trabajo como enfermera en un hospital, pero sin ganas", ("trabajo", "enfermera", "hospital", "ganas")),
        ("Ho comprato una bicicletta per mia figlia", ("comprato", "bicicletta", "figlia")),
        ("Comprei uma bicicleta para a minha filha", ("comprei", "bicicleta", "filha")),
        ("Ablam Ankara'da yaşıyor ve keman çalıyor", ("ablam", "yaşıyor", "keman", "çalıyor")),
        ("我姐姐住在北京，因为她在那里工作", ("姐姐", "北京", "工作")),
        ("在成都一家小公司做平面设计，今天才下班", ("成都", "小公司", "平面设计", "下班")),
        ("老板又让我改了八遍logo，最后还是用第一版", ("老板", "logo", "用第一版")),
        ("今晚要请我妈吃火锅，她爱看小说", ("火锅", "小说")),
        ("They said: “ich habe heute mit meiner Mutter über das Haus geredet”", ("mutter", "haus", "geredet")),
        ("The war made people die; my son has a hat.", ("war", "die", "son", "hat")),
    ],
)
def test_small_words_are_no_concepts_in_any_of_the_languages(text: str, about: tuple[str, ...]) -> None:
    assert find_key_nouns(text) == about


def test_a_name_is_one_concept_however_its_first_letter_is_dotted() -> None:
    assert key_nouns("They call İlker.") == key_nouns("they call ilker") == (concept_name("İlker"),) == ("ilker",)


def test_plural_and_singular_are_one_concept() -> None:
    assert key_nouns("cats, a cat, berries, the berry, the glass, boxes") == ("cat", "berry", "glass", "box")


def test_a_long_text_has_no_more_concepts_than_a_memory_takes() -> None:
    assert len(key_nouns("Ana and Bea and Carla and Dora and Emma and Fay and Gina met in a harbour")) == 6


@given(st.text(max_size=200))
def test_whatever_is_said_concepts_are_few_plain_and_unlike(text: str) -> None:
    found = key_nouns(text)
    assert len(found) == len(set(found)) <= 6
    assert all(name == name.casefold() and 0 < len(name) <= 40 for name in found)


@given(WEIGHTS, DAYS, DAYS)
def test_two_fadings_are_one(weight: float, first: float, second: float) -> None:
    assert fade(fade(weight, first), second) == pytest.approx(fade(weight, first + second))


@given(WEIGHTS, DAYS)
def test_fading_takes_and_never_gives(weight: float, days: float) -> None:
    assert 0 <= fade(weight, days) <= weight
    assert fade(weight, -days) == weight
    assert fade(weight, 60) == pytest.approx(weight / 2)


COUNTS = st.dictionaries(st.sampled_from("abcdef"), st.floats(1, 50), max_size=6)


@given(COUNTS, COUNTS)
def test_drift_is_a_distance(before: dict[str, float], after: dict[str, float]) -> None:
    found = drift(before, after)
    assert 0 <= found.distance <= 1
    assert found.distance == pytest.approx(drift(after, before).distance)
    assert not set(found.rising) & set(found.fading)


def test_drift_says_what_came_and_what_went() -> None:
    found = drift({"garden": 5, "work": 5}, {"hospital": 6, "work": 4})
    assert (found.rising[0], found.fading[0]) == ("hospital", "garden")
    assert 0.5 < found.distance < 1
    assert drift({"work": 2}, {"work": 9}).distance == pytest.approx(0)
    assert drift({}, {"work": 9}).distance == 0


def test_what_is_everywhere_says_little() -> None:
    assert rarity(0) == rarity(1) == 1
    assert rarity(1000) < rarity(10) < 1
