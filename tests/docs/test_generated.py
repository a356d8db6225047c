"""The generated pages are those that `make docs` would write."""

from __future__ import annotations

from pathlib import Path

import pytest

from furoshiki.core.paths import ROOT
from tests.docs.generate import pages


@pytest.mark.parametrize("path", sorted(pages()), ids=lambda path: str(path.relative_to(ROOT)))
def test_a_generated_page_is_current(path: Path) -> None:
    assert path.read_text(encoding="utf-8") == pages()[path], "run `make docs`"
