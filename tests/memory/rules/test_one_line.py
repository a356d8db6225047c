"""A memory in one line: short, and with what must not be lost."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from furoshiki.memory.rules.one_line import LONGEST, compress


@given(st.text(max_size=600))
def test_is_one_line_of_bounded_length(text: str) -> None:
    line = compress(text)
    assert len(line) <= LONGEST
    assert "\n" not in line
    assert bool(line) == bool(text.strip())


@given(st.text(max_size=600))
def test_a_line_is_not_shortened_twice(text: str) -> None:
    assert compress(compress(text)) == compress(text)


def test_what_is_short_stays_as_it_is() -> None:
    assert compress("My sister  Anika\nlives in Lyon.") == "My sister Anika lives in Lyon."


WORDS = "we sat by the river for a very long while, talking about nothing in particular, and the evening was warm"


@given(
    st.permutations(["Anika", "Lyon", "2023", "17:45", "C3PO"]),
    st.lists(st.sampled_from(WORDS.replace(",", "").replace("nothing", "plenty").split()), min_size=30, max_size=80),
)
def test_names_and_numbers_stay(kept: list[str], filling: list[str]) -> None:
    step = len(filling) // len(kept)
    words = list(filling)
    for number, name in enumerate(kept):
        words.insert(1 + number * (step + 1), name)
    line = compress(" ".join(words)).split()
    assert [word for word in line if word in kept] == [word for word in words if word in kept]


@pytest.mark.parametrize(
    ("said", "denied"),
    [
        (f"{WORDS}, and then he said that he would not come to the wedding after all, which surprised us", "not come"),
        (f"{WORDS}; since the winter I don't drink coffee any more, it made me feel restless at night", "don't drink"),
        (
            f"{WORDS}. Anika never liked the big house on the hill, although everybody else loved it",
            "never liked",
        ),
    ],
)
def test_what_is_denied_stays_with_its_negation(said: str, denied: str) -> None:
    assert denied in compress(said)


def test_a_long_story_keeps_its_point() -> None:
    story = (
        "Well, honestly, you know, yesterday I finally went to see Dr Weber about my knee, because it had been hurting "
        "for weeks, and she told me that I should not run until March 2027, which is a long time if you ask me."
    )
    line = compress(story)
    assert len(line) <= LONGEST
    for word in ("Weber", "knee", "not run", "March", "2027"):
        assert word in line
    assert "honestly" not in line


def test_one_endless_word_is_cut() -> None:
    line = compress("https://example.org/" + "a" * 300)
    assert len(line) == LONGEST
    assert line.endswith("…")


@pytest.mark.parametrize(
    "told",
    [
        "rano przyszłam na siódmą i się okazało że Kaśka na zwolnieniu, o jedenastej umarł pan Henryk "
        "spod trójki, a potem przyszła jego córka i trzymałam ją za rękę i myślałam o mamie",
        "vanochtend kwam ik om zeven uur en Karin was ziek, om elf uur stierf meneer Hendrik van kamer "
        "drie, en daarna kwam zijn dochter en hield ik haar hand vast",
        "i morse kom jag klockan sju och Karin var sjuk, klockan elva dog herr Henrik på trean, och sedan "
        "kom hans dotter och jag höll hennes hand hela tiden",
        "вранці я прийшла на сьому, а Катя на лікарняному, об одинадцятій помер пан Генрик з третьої "
        "палати, потім прийшла його донька, і я тримала її за руку",
        "heute früh kam ich um sieben und Karin war krank, um elf starb Herr Heinrich aus der Drei, und "
        "dann kam seine Tochter und ich hielt ihre Hand ganz fest",
    ],
)
def test_a_long_line_in_another_language_is_its_beginning(told: str) -> None:
    """No words are picked out of it: “przyszłam na Kaśka, Henryk no i Marek” says what nobody said."""
    line = compress(told)
    assert len(line) <= LONGEST and line.endswith("…") and told.startswith(line.removesuffix("…"))
