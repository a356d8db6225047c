"""heartbeat-state.json after thousands of accidents: a heartbeat is always there."""

from __future__ import annotations

import json
import random
from datetime import timedelta
from typing import Any

import pytest

from furoshiki.feelings import heartbeat
from tests.feelings.conftest import Files
from tests.support.laws import shipped

pytestmark = pytest.mark.slow

ODD: tuple[Any, ...] = (
    None, True, -1, 0, 1e999, 10**400, 0.5, "", "\ud800", "9999-12-31T23:59:59+00:00", "0001-01-01T00:00:00+14:00",
    [], {}, [[[]]], {"": {"": None}}, "rose", "purple", "2026-03-03",
)  # fmt: skip


def cut(text: str, dice: random.Random) -> str:
    return text[: dice.randrange(len(text))]


def flipped(text: str, dice: random.Random) -> str:
    at = dice.randrange(len(text))
    return text[:at] + chr(dice.randrange(1, 0x250)) + text[at + 1 :]


def doubled(text: str, dice: random.Random) -> str:
    start = dice.randrange(len(text))
    return text[:start] + text[start : start + dice.randrange(60)] + text[start:]


def replaced(text: str, dice: random.Random) -> str:
    """One value somewhere in the tree is another one, or gone, or has company."""
    tree = json.loads(text)
    branch = tree
    while True:
        key = dice.choice(list(branch))
        if not isinstance(branch[key], dict) or not branch[key] or dice.random() < 0.4:
            break
        branch = branch[key]
    match dice.randrange(3):
        case 0:
            branch[key] = dice.choice(ODD)
        case 1:
            del branch[key]
        case _:
            branch[f"{key}2"] = dice.choice(ODD)
    return json.dumps(tree)


def buried(text: str, dice: random.Random) -> str:
    depth = dice.choice((5, 400, 950, 5000))
    return text.rstrip().removesuffix("}") + ', "deep": ' + "[" * depth + "]" * depth + "}"


def noise(_text: str, dice: random.Random) -> str:
    return dice.randbytes(dice.randrange(200)).decode("latin-1")


ACCIDENTS = (cut, flipped, doubled, noise) * 3 + (replaced,) * 10 + (buried,)


def _survive(state: Files, times: int) -> None:
    """Spoil the file in some way, read it, move it: it answers each time, and what was spoilt is kept aside."""
    dice, longest = random.Random(11), timedelta(hours=shipped().emotions.longest_hours)
    state.files.heartbeat()
    whole = json.dumps(json.loads(state.path.read_text()))
    for _ in range(times):
        spoilt = dice.choice(ACCIDENTS)(whole, dice).encode("utf-8", "surrogatepass")
        state.path.write_bytes(spoilt)
        rebuilds = state.rebuilds
        beat = state.files.heartbeat()
        assert set(beat.needs) <= set(shipped().needs.each)
        assert [aside.read_bytes() for aside in state.set_aside] == [spoilt] * (state.rebuilds - rebuilds)
        for aside in state.set_aside:
            aside.unlink()
        moved = state.files.change(heartbeat.drifted(shipped(), state.at))
        assert state.files.heartbeat().emotions.as_mapping() == pytest.approx(moved.emotions.as_mapping(), abs=1e-6)
        assert moved.felt_at <= state.at + longest
    assert 0 < state.rebuilds < times


def test_five_hundred_accidents(state: Files) -> None:
    _survive(state, 500)


@pytest.mark.slow
@pytest.mark.faults
def test_ten_thousand_accidents(state: Files) -> None:
    _survive(state, 10_000)
