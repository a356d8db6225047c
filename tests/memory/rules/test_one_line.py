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


WORDS = "we sat by the river for a very long while, talking about this and that, and the evening was warm"


@pytest.mark.parametrize(
    ("told", "line"),
    [
        (
            "No. Kieran should have it. He was Tom's apprentice, he's 29 now, works for a kitchen firm in Shrewsbury "
            "and hates it. He wants to rent it from me. My son Daniel says I should sell the lot.",
            "No. Kieran should have it. He was Tom's apprentice, he's 29 now, works for a kitchen firm in Shrewsbury "
            "and hates it. …",
        ),
        (
            "Nell told of her late husband's workshop and who wants what of it: Maureen the lathe for Jake, Kieran to "
            "rent it, Daniel to sell. She wants Kieran to have it.",
            "Nell told of her late husband's workshop and who wants what of it: Maureen the lathe for Jake, Kieran to "
            "rent it, …",
        ),
        (
            f"{WORDS}. My sister, who is in Leeds since 2019, is leaving him.",
            "we sat by the river for a very long while, … My sister, who is in Leeds since 2019, is leaving him.",
        ),
    ],
)
def test_no_word_is_picked_out_of_what_was_said(told: str, line: str) -> None:
    """Picked, the first said “hates son Daniel”, and the second “Kieran rent Daniel sell”."""
    assert compress(told) == line


@given(st.lists(st.sampled_from([*WORDS.split(), "Anika", "not", "2023.", "Lyon,"]), min_size=30, max_size=80))
def test_what_is_kept_stands_as_it_was_said(words: list[str]) -> None:
    told = " ".join(words)
    assert all(part.strip() in told for part in compress(told).split("…"))


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
        "Well, yesterday I finally went to see Dr Weber about my knee, because it had been hurting "
        "for weeks, and she told me that I should not run until March 2027, which is a long time if you ask me."
    )
    line = compress(story)
    assert len(line) <= LONGEST
    for word in ("Weber", "knee", "not run", "March", "2027"):
        assert word in line


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
