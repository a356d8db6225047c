"""A proposal reads back as what it was written from, whatever stands in the files; anything else is refused."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from furoshiki.core.paths import version
from furoshiki.extensions.plugins.authoring.rules import proposal_text
from furoshiki.extensions.plugins.authoring.rules.proposal_text import NoProposal
from furoshiki.extensions.plugins.rules import manifest as manifests
from tests.extensions.plugins.authoring.conftest import FILES, MANIFEST, NAME

AT = datetime(2026, 3, 24, tzinfo=UTC)


def written(files: dict[str, str], can_do: str = "It does.", wish: str = "trams") -> str:
    manifest, _ = manifests.judge(MANIFEST.encode(), version())
    assert manifest is not None
    return proposal_text.render(NAME, wish, "chat", AT, manifest, files, (), can_do, 0.9, "proposals/x.md")


LINES = st.lists(
    st.sampled_from(
        [
            "```",
            "````python",
            "~~~",
            "## Every file in full",
            "## How to apply it",
            "### scripts/a.py",
            "",
            "x",
            "  ```",
        ]
    )
)


@given(LINES, LINES)
def test_nothing_in_a_file_or_in_anybodys_words_ends_its_place(held: list[str], said: list[str]) -> None:
    files = {**FILES, "docs/a.md": ("x\n" + "\n".join(held)).rstrip() + "\n"}
    words = "\n".join(said) or "it"
    assert proposal_text.read(written(files, words, words)).files == files


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("trams.example.org/next", "evil.example.org/next"),
        ("### scripts/tram.py", "### scripts/../../tram.py"),
        ("### scripts/tram.py", "### PLUGIN.md"),
        ("### scripts/tram.py", "### data/tram.py"),
        ("# A plugin: ", "# A plugin: ../"),
        ("## How to apply it", "## How"),
        ("## Every file in full", "## Some"),
        ("SHA-256 `", "SHA-256 `0"),
    ],
)
def test_what_was_changed_is_refused(old: str, new: str) -> None:
    text = written(FILES)
    assert old in text
    with pytest.raises(NoProposal):
        proposal_text.read(text.replace(old, new))
