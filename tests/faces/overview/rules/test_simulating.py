"""The emotion simulator goes by the rules of the heart, and by no others."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from furoshiki.faces.overview.rules import simulating
from furoshiki.feelings.rules import emotions as emotion_rules
from furoshiki.feelings.rules import mood as mood_rules
from furoshiki.feelings.rules import needs as need_rules
from furoshiki.feelings.rules.emotions import NAMES, Emotions
from tests.support.laws import shipped

LAWS = shipped()
NOW = datetime(2026, 3, 9, 14, 30, tzinfo=UTC)
share = st.floats(0.0, 1.0)
felt = st.builds(Emotions, *(share for _ in NAMES))


@given(felt, st.floats(-5.0, 40.0))
def test_it_is_what_the_rules_say(feels: Emotions, hours: float) -> None:
    found = simulating.simulate(feels, hours, LAWS, NOW)
    assert 0.0 <= found.hours <= 24.0 and abs(found.hours - min(24.0, max(0.0, hours))) <= 0.25
    assert found.emotions == emotion_rules.drift(feels, found.hours, LAWS.emotions)
    assert found.needs == need_rules.derive(found.emotions, LAWS.needs)
    assert len(found.ahead) == 49 and found.ahead[-1].at - NOW == timedelta(hours=24)
    assert found.ahead[0].mood == mood_rules.choose_word(feels, LAWS.mood)
    for name, mark in found.marks.items():
        law = LAWS.needs.each[name]
        if found.needs[name] >= law.rose:
            assert mark == "rose"
        elif mark == "calm":
            assert found.needs[name] < law.amber


def test_presets_go_where_one_expects() -> None:
    rest = emotion_rules.at_rest(LAWS.emotions)
    calm = Emotions(**{**rest.as_mapping(), "loneliness": 0.2})
    made = {name: simulating.preset(name, calm, LAWS) for name in simulating.PRESETS}
    assert made["now"] == calm and made["rest"] == rest
    assert made["silence"].loneliness == 1.0
    assert made["good-news"].excitement > calm.excitement and made["good-news"].joy > calm.joy
    assert made["quarrel"].anger > calm.anger and made["quarrel"].joy < calm.joy
    with pytest.raises(KeyError):
        simulating.preset("none", calm, LAWS)
