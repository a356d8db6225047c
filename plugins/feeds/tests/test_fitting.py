"""What fits what somebody cares about, and what does not."""

from __future__ import annotations

import re
from pathlib import Path

import fitting
import pytest
from fitting import Entry


def entry(title: str, text: str = "", at: float = 1.0) -> Entry:
    return Entry(title, "Botany News", title, text, "https://botany.example/1", at)


CARED = fitting.interests(["gardening", "Bach cantatas", "roots"], ["football"], ["frost", "football", "choir"])


def test_what_is_liked_counts_more_than_what_is_talked_of_and_a_dislike_takes_away() -> None:
    assert CARED == {"frost": 1.0, "football": -4.0, "choir": 1.0, "gardening": 3.0, "bach cantata": 3.0, "root": 3.0}


def test_the_best_is_taken_and_says_why() -> None:
    fit = fitting.best([entry("A late frost and what it does to roots"), entry("Elections"), entry("Frost")], CARED)
    assert fit is not None and fit.entry.title.startswith("A late frost")
    assert (fit.points, fit.because) == (8.0, ("root", "frost"))
    golden = Path(__file__).resolve().parent / "samples" / "told.txt"
    assert fitting.told(fit) == golden.read_text().rstrip("\n")


@pytest.mark.parametrize(
    ("title", "text", "fits"),
    [
        ("Elections in the society", "A new board.", False),
        ("Frost", "", False),
        ("Frost", "and the choir", True),
        ("News", "for gardening in winter", True),
        ("Gardening for football fans", "", False),
        ("Bach", "A life", False),
        ("Singing Bach", "Cantatas for small choirs", True),
        ("Grassroots of politics", "", False),
    ],
)
def test_what_fits(title: str, text: str, fits: bool) -> None:
    assert (fitting.best([entry(title, text)], CARED) is not None) == fits


def test_a_word_that_stands_everywhere_tells_nothing() -> None:
    everywhere = [entry(f"Gardening {n}") for n in range(20)]
    assert fitting.best(everywhere, CARED) is None
    assert fitting.best([*everywhere, entry("Gardening and roots")], CARED) is not None


def test_of_equals_the_newest_is_taken_and_of_none_none() -> None:
    fit = fitting.best([entry("Roots", at=1), entry("Roots!", at=2)], CARED)
    assert fit is not None and fit.entry.at == 2
    assert fitting.best([], CARED) is None
    assert fitting.best([entry("Roots")], {}) is None


def test_no_link_is_said_unasked() -> None:
    said = fitting.told(
        fitting.Fit(entry("See https://x.example WWW.x.example T.me/x @@all " + "word " * 100), 3.0, ("root",))
    )
    assert not re.search("://|www|t.me", said, re.IGNORECASE) and "@" not in said and len(said) <= 200
    assert said.endswith("(because of: root)")
