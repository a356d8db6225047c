"""Two texts laid over each other, and what becomes of the files of a folder."""

from __future__ import annotations

from furoshiki.faces.overview.rules.differences import Line, of_files, of_texts, parse_unified


def test_what_goes_and_what_comes() -> None:
    assert of_texts("one\ntwo", "one\nthree") == (
        Line("place", "@@ -1,2 +1,2 @@"),
        Line("same", "one"),
        Line("gone", "two"),
        Line("new", "three"),
    )


def test_characters_that_cannot_be_seen_are_shown() -> None:
    assert of_texts("", "a\u202eb")[-1].text == "a\\u202eb"


def test_the_heading_of_a_diff_is_no_change() -> None:
    found = parse_unified("--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b".splitlines())
    assert [line.kind for line in found] == ["place", "gone", "new"]


def test_changed_files_come_first_and_the_others_in_full() -> None:
    found = of_files({"a": b"1", "b": b"1", "c": b"1"}, {"a": b"1", "b": b"2", "d": b"1"})
    assert [(one.path, one.what) for one in found] == [("b", "changed"), ("c", "gone"), ("d", "new"), ("a", "same")]
    assert found[-1].lines == (Line("same", "1"),)
