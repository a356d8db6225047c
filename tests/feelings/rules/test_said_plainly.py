"""What is said plainly changes the mood's word at once, from any mood; it goes by the hour, and does not flutter."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from bench.moves import FITS, RESTING
from furoshiki.feelings import heartbeat
from furoshiki.feelings.heartbeat import Felt
from furoshiki.feelings.rules import emotions, mood, needs, user_needs
from furoshiki.feelings.rules.emotions import Emotions
from furoshiki.feelings.rules.mood import Mood
from furoshiki.feelings.state_files import Heartbeat
from tests.support.laws import NOON, shipped

LAWS = shipped()
REST = emotions.at_rest(LAWS.emotions)
STIRRED = {"worried": {"worry": 0.6}, "irritated": {"anger": 0.6}, "excited": {"excitement": 0.7, "joy": 0.4}}
"""Moods in which a day may have left it already."""

EVENING = (
    *("-", "-", "excitement", "excitement", "-", "-", "-", "praise", "-", "-", "anger", "anger", "frustration"),
    *("-", "-", "-", "-", "worry", "worry", "-", "-", "sadness", "-", "-", "-", "relief", "-", "-", "warmth", "-"),
)


def beating(feels: Emotions, since: float = 1.0) -> Heartbeat:
    word = mood.settle(None, feels, NOON - timedelta(hours=since), 0.0, LAWS.mood)
    level = needs.derive(feels, LAWS.needs)
    return Heartbeat(feels, NOON, word, level, {}, user_needs.unknown(NOON, LAWS.user_needs))


def hears(beat: Heartbeat, label: str, minutes: float = 0.0, strength: float = 0.96) -> Heartbeat:
    strengths = {} if label == "-" else {label: strength}
    felt = Felt(
        beat.last_message_id + 1, "telegram:7", strengths, NOON + timedelta(minutes=minutes), asked=label == "-"
    )
    return heartbeat.hear(LAWS, felt)(beat)


@pytest.mark.parametrize("label", sorted(FITS))
@pytest.mark.parametrize("state", [*RESTING, *STIRRED])
def test_a_feeling_said_plainly_is_met_from_every_mood(state: str, label: str) -> None:
    beat = beating(REST.moved({**RESTING, **STIRRED}[state]), since=0.1)
    assert hears(beat, label).mood.word in FITS[label]


@pytest.mark.parametrize("state", RESTING)
def test_what_says_no_feeling_plainly_leaves_the_word(state: str) -> None:
    beat = beating(REST.moved(RESTING[state]))
    for label in FITS:
        assert hears(beat, label, strength=0.55).mood == beat.mood
    assert hears(beat, "-").mood == beat.mood


@pytest.mark.parametrize(("label", "stays", "goes"), [("excitement", 4, 12), ("anger", 8, 16), ("sadness", 4, 16)])
def test_it_goes_by_the_hour(label: str, stays: int, goes: int) -> None:
    beat = hears(beating(REST.moved(RESTING["newborn"])), label)
    for hours in range(1, stays + 1):
        beat = heartbeat.drift(LAWS, NOON + timedelta(hours=hours))(beat)
        assert beat.mood.word in FITS[label]
    assert heartbeat.drift(LAWS, NOON + timedelta(hours=goes))(beat).mood.word not in FITS[label]


@pytest.mark.parametrize("state", RESTING)
def test_thirty_messages_of_a_mixed_evening_do_not_make_it_flutter(state: str) -> None:
    beat, found = beating(REST.moved(RESTING[state])), []
    for number, label in enumerate(EVENING):
        beat = hears(beat, label, 4.0 * number)
        found.append(beat.mood.word)
    assert len(EVENING) == 30
    assert sum(one != then for one, then in zip(found, found[1:], strict=False)) <= 8


def test_what_was_misread_goes_home() -> None:
    beat = hears(beating(REST.moved(RESTING["newborn"])), "excitement")
    again = heartbeat.read_again(LAWS, {"excitement": 0.75}, {"sadness": 0.8}, NOON)(beat)
    assert again.mood.word in FITS["sadness"]
    assert again.emotions.excitement <= REST.excitement


def test_a_mood_of_an_hour_ago_gives_way_at_once() -> None:
    tender = replace(beating(REST.moved(RESTING["fond"])), mood=Mood("tender", NOON))
    assert hears(tender, "excitement").mood.word == "excited"
