"""Of a draft only plain text files of a plugin are read and written, and no link leads out of it."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from furoshiki.extensions.plugins.authoring import file_tools
from furoshiki.extensions.plugins.authoring.drafts import LARGEST_FILE, MOST_FILES, Draft, NotTaken
from furoshiki.models.llm.values import ToolCall


@pytest.fixture
def draft(tmp_path: Path) -> Draft:
    made = Draft(tmp_path, "trams")
    made.begin()
    return made


def does(draft: Draft, name: str, may_write: bool = True, **args: object) -> str:
    return file_tools.run(draft, ToolCall("c", name, args), may_write=may_write)


def test_a_model_lists_reads_searches_and_writes(draft: Draft) -> None:
    assert does(draft, "list_files") == "None yet."
    assert "Written" in does(draft, "write_file", file="scripts/a.py", text="one\ntwo\r\n\n")
    assert does(draft, "list_files") == "scripts/a.py (2 lines)"
    assert does(draft, "read_file", file="scripts/a.py") == "1| one\n2| two"
    assert does(draft, "search", text="TWO") == "scripts/a.py:2: two"
    assert "no tool" in does(draft, "write_file", may_write=False, file="scripts/a.py", text="x")
    assert "no tool" in does(draft, "run_shell", command="id")


@pytest.mark.parametrize(
    "file",
    [
        "../a.py",
        "/etc/a.py",
        "scripts/../../a.py",
        "data/a.py",
        ".env",
        "scripts/.a.py",
        "scripts/a.sh",
        "a\x00.py",
        "",
    ],
)
def test_other_files_are_not_written(draft: Draft, file: str) -> None:
    assert "no file a plugin may bring" in does(draft, "write_file", file=file, text="x")
    assert draft.files() == {}


def test_a_draft_has_limits(draft: Draft) -> None:
    assert "1 to" in does(draft, "write_file", file="scripts/a.py", text="x" * (LARGEST_FILE + 1))
    assert "1 to" in does(draft, "write_file", file="scripts/a.py", text=" \n")
    for number in range(MOST_FILES):
        draft.write(f"docs/{number}.md", "x")
    assert f"{MOST_FILES} files at most" in does(draft, "write_file", file="docs/more.md", text="x")


def test_no_link_is_followed(draft: Draft, tmp_path: Path) -> None:
    outside = tmp_path / "config"
    outside.mkdir()
    (outside / "SELF.md").write_text("me\n")
    (draft.folder / "scripts").symlink_to(outside)
    assert "Not done" in does(draft, "write_file", file="scripts/a.py", text="x")
    with pytest.raises(NotTaken):
        draft.files()
    (draft.folder / "scripts").unlink()
    (draft.folder / "docs").mkdir()
    (draft.folder / "docs" / "a.md").symlink_to(outside / "SELF.md")
    os.mkfifo(draft.folder / "docs" / "b.md")
    with pytest.raises(NotTaken):
        draft.files()
    draft.begin()
    assert draft.files() == {} and (outside / "SELF.md").read_text() == "me\n"
