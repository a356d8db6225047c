"""A diff of SELF.md as lines with signs."""

from __future__ import annotations

from furoshiki.faces.overview.mind import list_changes
from furoshiki.faces.overview.rules.differences import Line
from furoshiki.mind.inner_life.rules.self_description import diff


def test_what_goes_and_what_comes() -> None:
    found = list_changes(diff("I am calm. I listen. I like tea.", "I am calm. I like tea. I ask."))
    assert found == [
        Line("same", "I am calm."),
        Line("gone", "I listen."),
        Line("same", "I like tea."),
        Line("new", "I ask."),
    ]


def test_what_is_left_out_is_a_gap() -> None:
    many = [f"Sentence {i}." for i in range(20)]
    found = list_changes(diff(" ".join(many), " ".join(["First.", *many[1:-1], "Last."])))
    assert [line.kind for line in found].count("place") == 1
    assert list_changes("") == []
