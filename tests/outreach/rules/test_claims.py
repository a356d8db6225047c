"""What a message says of the owner must have been told."""

from __future__ import annotations

import pytest

from furoshiki.outreach.rules.claims import unfounded

GROUND = (
    "Ask how the first day at the harbour went",
    "long day. the new job at the harbour starts monday and i still haven't told Anika",
    "she'd only say i told you so",
)


@pytest.mark.parametrize(
    "text",
    [
        "First day at the harbour done! Was the crane as high as you feared?",
        "So, the harbour: how was Monday?",
        "No rush to answer, whenever you like.",
        "You said you still haven't told Anika. I keep thinking of that.",
        "I was thinking of your first day. How did it go?",
        "I hope your evening is quiet.",
        "You have been on my mind. No need to write back, I only wanted you to know that I have not forgotten.",
        "Wie war der erste Tag am Hafen?",
        "\u00bfQu\u00e9 tal tu primer d\u00eda en el puerto?",
        "Как прошёл первый день?",
    ],
)
def test_what_was_told_and_what_is_only_kind_needs_no_more(text: str) -> None:
    assert unfounded(text, GROUND).ok


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("How was the harbour? And is your dog Rex well?", "Rex"),
        ("How is your dog?", "your dog"),
        ("You said that your boss fired you.", "fired"),
        ("Good luck with Ruben today!", "Ruben"),
        ("I'm sorry about your mother's death.", "death"),
        ("How did it go? You love chess.", "too few"),
        ("Only 12 days to go!", "12"),
        ("Wie war der Tag mit Anika um 15 Uhr?", "15"),
        ("\u00bfQu\u00e9 tal tu primer d\u00eda en el puerto con Carlos?", "Carlos"),
    ],
)
def test_what_nobody_told_is_found(text: str, why: str) -> None:
    verdict = unfounded(text, GROUND)
    assert not verdict.ok and why in verdict.reason
