"""A document is cut at its headings into parts that are small enough, and nothing of it is lost."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from furoshiki.core.paths import ROOT
from furoshiki.language.tokens import estimate
from furoshiki.mind.inner_life.rules.documents import MOST_TOKENS, Chunk, chunks

PAGE = """\
Before any heading.

# Memory

What is kept.

## Forgetting

It goes.
And stays gone.

### Backups

They age out.

## Finding

```mermaid
flowchart LR
  a --> b
```

```sh
# no heading
furoshiki memory search
```
"""


def words(text: str) -> list[str]:
    return re.findall(r"\w+", text)


def test_a_part_stands_under_its_path_of_headings() -> None:
    assert chunks(PAGE) == (
        Chunk("", "Before any heading."),
        Chunk("Memory", "What is kept."),
        Chunk("Memory \u203a Forgetting", "It goes.\nAnd stays gone."),
        Chunk("Memory \u203a Forgetting \u203a Backups", "They age out."),
        Chunk("Memory \u203a Finding", "```sh\n# no heading\nfuroshiki memory search\n```"),
    )


def test_every_part_of_a_table_begins_with_its_head() -> None:
    rows = [f"| `job_{number}` | every {number} minutes | {'what it does ' * 5}|" for number in range(40)]
    found = chunks("\n".join(["# Jobs", "", "| job | when | what |", "|---|---|---|", *rows]))
    assert len(found) > 5
    assert all(one.text.startswith("| job | when | what |\n|---|---|---|\n| `job_") for one in found)
    assert [line for one in found for line in one.text.splitlines()[2:]] == rows


def test_items_of_a_list_stay_whole() -> None:
    items = [f"- item {number} says a whole sentence\n  over two lines" for number in range(60)]
    found = chunks("\n".join(items))
    assert len(found) > 3
    assert all(one.text.startswith("- item") and one.text.endswith("over two lines") for one in found)


@pytest.mark.parametrize("path", sorted((ROOT / "docs").rglob("*.md")), ids=lambda path: path.name)
def test_our_own_documents_lose_no_word_and_fit(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    found = chunks(text)
    assert max(estimate(one.text) for one in found) <= MOST_TOKENS
    without_pictures = re.sub(r"```mermaid.*?```", "", text, flags=re.DOTALL)
    assert set(words(without_pictures)) <= {word for one in found for word in words(f"{one.heading} {one.text}")}


@given(st.text(alphabet="ab #|-`\n.", max_size=400), st.integers(20, 200))
def test_any_text_is_cut_without_losing_a_letter(text: str, most: int) -> None:
    found = chunks(text, most)
    assert all(one.text.strip() for one in found)
    assert all(estimate(one.text) <= most for one in found if "|" not in one.text)
    said = "".join(line for line in text.splitlines() if not line.startswith("#"))
    kept = "".join(one.text for one in found)
    assert kept.count("a") >= said.count("a") and kept.count("b") >= said.count("b")
