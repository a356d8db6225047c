"""heartbeat-state.json after thousands of accidents: a heartbeat is always there."""

from __future__ import annotations

import json
import random
from datetime import timedelta

import pytest

from furoshiki.feelings import heartbeat
from tests.feelings.conftest import Files
from tests.support.accidents import ACCIDENTS
from tests.support.laws import shipped

pytestmark = pytest.mark.slow


def _survive(state: Files, times: int) -> None:
    """Spoil the file in some way, read it, move it: it answers each time, and what was spoilt is kept aside."""
    dice, longest = random.Random(11), timedelta(hours=shipped().emotions.longest_hours)
    state.files.heartbeat()
    whole = json.dumps(json.loads(state.path.read_text()))
    spoilt_often = 0
    for _ in range(times):
        spoilt = dice.choice(ACCIDENTS)(whole, dice).encode("utf-8", "surrogatepass")
        state.path.write_bytes(spoilt)
        beat = state.files.heartbeat()
        assert set(beat.needs) <= set(shipped().needs.each)
        assert [aside.read_bytes() for aside in state.set_aside] in ([], [spoilt])
        spoilt_often += len(state.set_aside)
        for aside in state.set_aside:
            aside.unlink()
        moved = state.files.change(heartbeat.drift(shipped(), state.at))
        assert state.files.heartbeat().emotions.as_mapping() == pytest.approx(moved.emotions.as_mapping(), abs=1e-6)
        assert moved.felt_at <= state.at + longest
    assert 0 < spoilt_often < times


def test_five_hundred_accidents(state: Files) -> None:
    _survive(state, 500)


@pytest.mark.slow
@pytest.mark.faults
@pytest.mark.nightly
def test_ten_thousand_accidents(state: Files) -> None:
    _survive(state, 10_000)
