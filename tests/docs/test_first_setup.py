"""docs/first-setup.md shows what the wizard really shows."""

from __future__ import annotations

import pytest

from tests.docs.first_setup import PAGE, page

pytestmark = pytest.mark.slow


def test_the_set_up_runs_as_it_is_written_down() -> None:
    assert page() == PAGE.read_text(encoding="utf-8"), "read what changed, then run `python -m tests.docs.first_setup`"
