"""One line more: after how long, by mood, and what holds it."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from furoshiki.core.paths import ROOT, read_toml_file
from furoshiki.mind.outreach import continuity
from furoshiki.mind.outreach.continuity import Mood
from furoshiki.mind.outreach.rules import explaining
from furoshiki.mind.outreach.rules.gates import Moment, find_hold
from furoshiki.mind.outreach.rules.laws import OutreachLaws

LAWS = OutreachLaws.from_mapping(read_toml_file(ROOT / "config" / "outreach.toml"))
LISBON = ZoneInfo("Europe/Lisbon")
NOON = datetime(2026, 3, 24, 12, tzinfo=LISBON)
QUIET_MOMENT = Moment(NOON, LISBON)

levels = st.floats(0, 1)


@given(levels, levels, levels)
def test_it_waits_three_to_twelve_minutes(excitement: float, affection: float, loneliness: float) -> None:
    wait = continuity.delay_after(Mood(excitement, affection, loneliness), LAWS.continuity)
    assert timedelta(minutes=3) <= wait <= timedelta(minutes=12)
    calmer = continuity.delay_after(Mood(excitement / 2, affection / 2, loneliness / 2), LAWS.continuity)
    assert calmer >= wait


@pytest.mark.parametrize("stirred", ["excitement", "affection", "loneliness"])
def test_whatever_stirs_it_makes_it_sooner(stirred: str) -> None:
    calm = Mood(0.0, 0.0, 0.0)
    assert continuity.delay_after(calm, LAWS.continuity) == timedelta(minutes=12)
    assert continuity.delay_after(replace(calm, **{stirred: 1.0}), LAWS.continuity) == timedelta(minutes=3)


@pytest.mark.parametrize(
    ("moment", "goodbye", "heavy", "gate"),
    [
        (QUIET_MOMENT, False, False, None),
        (QUIET_MOMENT, True, False, "goodbye"),
        (QUIET_MOMENT, False, True, "heavy"),
        (replace(QUIET_MOMENT, now=NOON.replace(hour=23, minute=30)), False, False, "quiet"),
        (replace(QUIET_MOMENT, quiet_until=NOON + timedelta(hours=1)), False, False, "quiet"),
        (replace(QUIET_MOMENT, anger=0.9), False, False, "mood"),
        (replace(QUIET_MOMENT, space=(0.8, 0.6)), False, False, "room"),
        (replace(QUIET_MOMENT, focus=(0.8, 0.6)), False, False, "focus"),
    ],
)
def test_what_holds_it(moment: Moment, goodbye: bool, heavy: bool, gate: str | None) -> None:
    seen = continuity.gates_at(moment, LAWS, goodbye, heavy)
    look = find_hold(seen)
    assert (None if look is None else look.gate) == gate
    for one in seen:
        assert "limit" not in explaining.holds({"gate": one.gate, "value": one.value, "limit": one.limit})
