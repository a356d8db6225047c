"""The numbers of the inner life: complete, validated, and complained about by name."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

import pytest

from furoshiki.feelings.rules.laws import InnerLife
from tests.support.laws import parsed, shipped


def changed(path: str, value: Any) -> dict[str, Any]:
    table = deepcopy(parsed("inner_life.toml"))
    *parents, last = path.split(".")
    inner = table
    for parent in parents:
        inner = inner[parent]
    if value is None:
        del inner[last]
    else:
        inner[last] = value
    return table


@pytest.mark.parametrize(
    ("path", "value", "complaint"),
    [
        ("emotions.joy.natural", 1.5, r"emotions\.joy\.natural must lie between 0 and 1, not 1\.5"),
        ("emotions.joy.natural", "much", r"emotions\.joy\.natural must be a number"),
        ("emotions.joy.natural", True, r"emotions\.joy\.natural must be a number"),
        ("emotions.joy.natural", float("nan"), r"emotions\.joy\.natural must be a number"),
        ("emotions.joy.natural", None, r"emotions\.joy\.natural is missing"),
        ("emotions.joy.speed", 1, r"emotions\.joy\.speed is not a setting"),
        ("emotions.joy", 3, r"emotions\.joy must be a table"),
        ("emotions.hunger", {}, r"emotions\.hunger is not a setting"),
        ("emotions.signals.sadnes", {}, r"did you mean 'sadness'"),
        ("emotions.signals.sadness", {"joi": 1}, r"emotions\.signals\.sadness\.joi is not a setting"),
        ("emotions.signals.sadness", None, r"emotions\.signals\.sadness is missing"),
        ("emotions.events.worry_triggered", None, r"emotions\.events\.worry_triggered is missing"),
        ("emotions.session.cold_below", -1, r"emotions\.session\.cold_below"),
        ("needs.connection.present", {"lonelines": 1}, r"needs\.connection\.present\.lonelines"),
        ("needs.connection.rose", 0.5, r"needs\.connection\.rose must not lie below amber"),
        ("needs.hysteresis", 2, r"needs\.hysteresis"),
        ("user_needs.half_life_hours", 0, r"user_needs\.half_life_hours"),
        ("user_needs.directives.space", "", r"user_needs\.directives\.space must be a text"),
        ("user_needs.nudges.worry", {"comfort": 1}, r"user_needs\.nudges\.worry\.comfort"),
        ("mood.words.lonely.offset", None, r"mood\.words\.lonely\.offset is missing"),
        ("mood.words.grumpy", {}, r"mood\.words\.grumpy is not a setting"),
        ("mood.words.lonely.hunger", 1, r"mood\.words\.lonely\.hunger is not a setting"),
        ("weather", {}, r"weather is not a setting"),
    ],
)
def test_a_wrong_number_is_named(path: str, value: Any, complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        InnerLife.from_mapping(changed(path, value))


def test_an_owner_need_only_say_what_differs() -> None:
    own = {"emotions": {"joy": {"natural": 0.5}}, "needs": {"connection": {"amber": 0.7, "rose": 0.9}}}
    laws = InnerLife.from_mapping(parsed("inner_life.toml"), own)
    assert laws.emotions.natural["joy"] == 0.5
    assert laws.emotions.drift_per_hour["joy"] == 0.06
    assert laws.needs.each["connection"].amber == 0.7
    assert laws.needs.each["communication"].amber == 0.6
    assert laws.mood == shipped().mood
