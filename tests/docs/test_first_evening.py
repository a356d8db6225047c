"""docs/first-evening.md shows what really comes of it: every evening on it is lived again, line by line."""

from __future__ import annotations

import pytest

from tests.docs.evenings import PAGE, invited, played

EVENINGS = 6


@pytest.mark.slow
def test_the_first_evenings_run_as_they_are_written_down() -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert page.count("<!-- played: ") == EVENINGS
    assert played(page) == page, "read what changed, then run `python -m tests.docs.evenings`"


def test_the_page_shows_the_invitation_that_the_machine_shows() -> None:
    assert invited() in PAGE.read_text(encoding="utf-8")
