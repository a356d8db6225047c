"""The figures of writing first: the shipped file is whole, an owner's says what differs, and what is wrong is named."""

from __future__ import annotations

from datetime import time, timedelta
from typing import Any

import pytest

from furoshiki.core.paths import ROOT, read_toml_file
from furoshiki.mind.outreach import outcomes
from furoshiki.mind.outreach.rules.laws import OutreachLaws

SHIPPED = read_toml_file(ROOT / "config" / "outreach.toml")


def test_an_owner_says_what_differs() -> None:
    own = {"quiet_hours": {"from": "21:30"}, "cap": {"per_day": 1}, "continuity": {"enabled": True}}
    laws = OutreachLaws.from_mapping(SHIPPED, own)
    assert (laws.quiet.since, laws.quiet.until) == (time(21, 30), time(8))
    assert laws.per_day == 1 and laws.continuity.enabled
    assert laws.cooldown[5] == timedelta(hours=24)


@pytest.mark.parametrize(
    ("own", "said"),
    [
        ({"quiet_hours": {"from": "25:00"}}, "quiet_hours.from must be a time of day like \"23:00\", not '25:00'"),
        ({"quiet_ours": {}}, "quiet_ours is not a setting; did you mean 'quiet_hours'?"),
        ({"cap": {"per_day": -1}}, "cap.per_day must lie between 0 and 50, not -1"),
        ({"continuity": {"enabled": "yes"}}, "continuity.enabled must be true or false, not 'yes'"),
        ({"continuity": {"longest_minutes": 1}}, "continuity.longest_minutes must not be less than"),
    ],
)
def test_what_is_wrong_is_named(own: dict[str, Any], said: str) -> None:
    with pytest.raises(ValueError, match="(?s).") as error:
        OutreachLaws.from_mapping(SHIPPED, own)
    assert said in str(error.value)


def test_a_kind_that_is_ignored_weighs_less_and_less_within_bounds() -> None:
    laws = OutreachLaws.from_mapping(SHIPPED).weights
    weight = 1.0
    for _ in range(50):
        weight = outcomes.weight_after(weight, "ignored", laws)
    assert weight == laws.least
    assert outcomes.weight_after(1.0, "answered", laws) > 1.0 > outcomes.weight_after(1.0, "disliked", laws)
