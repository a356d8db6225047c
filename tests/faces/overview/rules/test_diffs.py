"""A diff of SELF.md as lines with signs."""

from __future__ import annotations

from furoshiki.faces.overview.rules.diffs import Line, parse
from furoshiki.mind.inner_life.rules.self_description import diff


def test_what_goes_and_what_comes() -> None:
    found = parse(diff("I am calm. I listen. I like tea.", "I am calm. I like tea. I ask."))
    assert found == [
        Line("same", "I am calm."),
        Line("removed", "I listen."),
        Line("same", "I like tea."),
        Line("added", "I ask."),
    ]


def test_what_is_left_out_is_a_gap() -> None:
    many = [f"Sentence {i}." for i in range(20)]
    found = parse(diff(" ".join(many), " ".join(["First.", *many[1:-1], "Last."])))
    assert [line.kind for line in found].count("gap") == 1
    assert parse("") == []
