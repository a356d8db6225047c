"""When a host takes messages, and what is said when it does not."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from furoshiki.host.rules.readiness import SILENCE_SECONDS, STANDSTILL_SECONDS, Seen, list_missing, lives

WELL = Seen(round_s=1.0, brain_s=30.0, bots=2, hearing=2, shared_hears=True)


@pytest.mark.parametrize(
    ("change", "what"),
    [
        ({}, set()),
        ({"hearing": 1}, set()),
        ({"shared_hears": None, "hearing": 1}, set()),
        ({"shared_hears": None, "hearing": 0}, {"bots"}),
        ({"shared_hears": False, "hearing": 1}, {"bots"}),
        ({"bots": 0, "hearing": 0, "shared_hears": None}, {"bots"}),
        ({"brain_s": None}, {"brain"}),
        ({"brain_s": SILENCE_SECONDS + 1}, {"brain"}),
        ({"round_s": STANDSTILL_SECONDS + 1}, {"listener"}),
        ({"draining": True}, {"draining"}),
        ({"draining": True, "round_s": STANDSTILL_SECONDS + 1}, {"draining"}),
    ],
)
def test_it_is_ready_when_bots_are_heard_and_the_brain_lives(change: dict[str, Any], what: set[str]) -> None:
    seen = replace(WELL, **change)
    assert set(list_missing(seen, None)) == what
    assert lives(seen) is ("listener" not in what)


def test_a_disk_that_takes_no_writes_is_named() -> None:
    assert list_missing(WELL, "No space left on device") == {"disk": "it takes no writes: No space left on device"}
