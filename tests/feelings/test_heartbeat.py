"""What happens moves the heart: once each, in order, through time that may jump."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta

import pytest

from furoshiki.core.database.connection import Database
from furoshiki.core.database.events import Event
from furoshiki.feelings import heartbeat
from furoshiki.feelings.heartbeat import Felt
from furoshiki.feelings.rules import emotions
from furoshiki.feelings.rules.mood import Mood
from furoshiki.feelings.state_files import Heartbeat
from tests.support.laws import NOON, shipped

LAWS = shipped()
HOUR = timedelta(hours=1)
HERE = heartbeat.lane("telegram", "7", "text")
REACTIONS = heartbeat.lane("telegram", "7", "reaction")


@pytest.fixture
def born(database: Database) -> Heartbeat:
    return heartbeat.rebuilt(database, LAWS, NOON)


def event(id_: int, kind: str, **payload: float) -> Event:
    return Event(id_, kind, payload, NOON)


def test_a_newborn_has_not_been_left_alone_yet(born: Heartbeat) -> None:
    assert born.emotions.loneliness < emotions.at_rest(LAWS.emotions).loneliness
    assert (born.felt_at, born.last_message_at, born.last_event_id) == (NOON, None, 0)
    assert set(born.needs) == set(born.need_marks) == set(LAWS.needs.each)


def test_six_hours_are_six_times_an_hour(born: Heartbeat) -> None:
    beat = born
    for hour in range(1, 7):
        beat = heartbeat.drift(LAWS, NOON + hour * HOUR)(beat)
    at_once = heartbeat.drift(LAWS, NOON + 6 * HOUR)(born)
    assert beat.emotions.as_mapping() == pytest.approx(at_once.emotions.as_mapping())
    assert beat.felt_at == at_once.felt_at == NOON + 6 * HOUR


def test_a_clock_that_is_set_back_counts_nothing_twice(born: Heartbeat) -> None:
    ahead = heartbeat.drift(LAWS, NOON + 24 * HOUR)(born)
    back = heartbeat.drift(LAWS, NOON + HOUR)(ahead)
    assert back.emotions == ahead.emotions
    again = heartbeat.drift(LAWS, NOON + 25 * HOUR)(back)
    straight = heartbeat.drift(LAWS, NOON + 25 * HOUR)(born)
    assert again.emotions.as_mapping() == pytest.approx(straight.emotions.as_mapping())


def test_a_wrong_year_freezes_nothing(born: Heartbeat) -> None:
    lonely = replace(born, emotions=born.emotions.moved({"loneliness": -1.0}))
    future = heartbeat.drift(LAWS, NOON.replace(year=2099))(lonely)
    back = heartbeat.drift(LAWS, NOON)(replace(future, emotions=lonely.emotions))
    assert back.felt_at == NOON + timedelta(hours=LAWS.emotions.longest_hours)
    later = heartbeat.drift(LAWS, back.felt_at + 2 * HOUR)(back)
    assert later.emotions.loneliness > lonely.emotions.loneliness


def test_a_mood_of_a_wrong_year_gives_way_after_its_time(born: Heartbeat) -> None:
    stuck = replace(born, mood=Mood("irritated", NOON.replace(year=2099)))
    soon = heartbeat.drift(LAWS, NOON)(stuck)
    assert soon.mood == Mood("irritated", NOON)
    assert heartbeat.drift(LAWS, NOON + HOUR)(soon).mood.word != "irritated"


def test_an_event_of_another_release_moves_nothing_and_is_passed_over(born: Heartbeat) -> None:
    odd = [
        event(1, "session_closed"),
        event(2, heartbeat.NEEDS_READ),
        event(3, "awe_triggered"),
        event(4, "pride_triggered"),
    ]
    after = heartbeat.apply_events(LAWS, odd, NOON)(born)
    assert after.last_event_id == 4
    assert after.emotions == heartbeat.apply_events(LAWS, odd[3:], NOON)(born).emotions != born.emotions


def test_every_message_is_heard_once(born: Heartbeat) -> None:
    hear = heartbeat.hear(LAWS, Felt(5, HERE, {"praise": 1.0}, NOON, asked=True))
    once = hear(born)
    assert once.emotions.loneliness < born.emotions.loneliness
    assert once.emotions.pride > born.emotions.pride
    assert once.emotions.curiosity > born.emotions.curiosity
    assert (once.last_message_id, once.last_message_at) == (5, NOON)
    assert hear(once) is once


def test_messages_of_one_turn_are_felt_one_after_the_other(born: Heartbeat) -> None:
    glad = heartbeat.hear(LAWS, Felt(5, HERE, {"praise": 1.0}, NOON))
    hurt = heartbeat.hear(LAWS, Felt(6, HERE, {"insult": 1.0}, NOON))
    assert heartbeat.in_turn([glad, hurt])(born) == hurt(glad(born))
    assert heartbeat.in_turn([])(born) is born


def test_a_statement_rouses_no_curiosity(born: Heartbeat) -> None:
    told = heartbeat.hear(LAWS, Felt(5, HERE, {}, NOON))(born)
    assert told.emotions.curiosity == born.emotions.curiosity


def test_a_reaction_is_felt_once_and_is_no_message(born: Heartbeat) -> None:
    feel = heartbeat.hear(LAWS, Felt(5, HERE, {"warmth": 1.0}, NOON, gesture=True))
    once = feel(born)
    assert once.emotions.affection > born.emotions.affection
    assert once.last_message_at is None
    assert feel(once) is once


def test_a_reaction_and_a_message_are_both_felt_in_either_order(born: Heartbeat) -> None:
    feel = heartbeat.hear(LAWS, Felt(5, REACTIONS, {"warmth": 1.0}, NOON, gesture=True))
    for row in (4, 6):
        hear = heartbeat.hear(LAWS, Felt(row, HERE, {"praise": 1.0}, NOON))
        for first, then in ((feel, hear), (hear, feel)):
            both = then(first(born))
            assert both.emotions.affection > born.emotions.affection
            assert both.emotions.pride > born.emotions.pride
            assert both.heard == {HERE: row, REACTIONS: 5}
            assert both.last_message_id == max(row, 5)
            assert (feel(both), hear(both)) == (both, both)


def test_one_chat_does_not_wait_for_another(born: Heartbeat) -> None:
    other = heartbeat.lane("telegram", "8", "text")
    later = heartbeat.hear(LAWS, Felt(9, HERE, {}, NOON))(born)
    both = heartbeat.hear(LAWS, Felt(3, other, {"praise": 1.0}, NOON))(later)
    assert both.emotions.pride > later.emotions.pride


def test_the_lanes_that_are_remembered_are_bounded(born: Heartbeat) -> None:
    beat = born
    for row in range(1, heartbeat.MOST_LANES + 20):
        beat = heartbeat.hear(LAWS, Felt(row, heartbeat.lane("telegram", str(row), "text"), {}, NOON))(beat)
    assert len(beat.heard) == heartbeat.MOST_LANES
    assert min(beat.heard.values()) == 20


def test_events_move_the_heart_once_each_and_in_order(born: Heartbeat) -> None:
    events = [
        event(1, "session_closed", connection_quality=1.0, warmth=1.0),
        event(2, "something_nobody_knows"),
        event(3, "pride_triggered"),
    ]
    after = heartbeat.apply_events(LAWS, events, NOON)(born)
    expected = emotions.after_session(born.emotions, 1.0, 1.0, LAWS.emotions)
    expected = emotions.after_event(expected, "pride_triggered", LAWS.emotions)
    assert after.emotions == expected
    assert after.last_event_id == 3
    again = heartbeat.apply_events(LAWS, [*events, event(4, "worry_triggered")], NOON)(after)
    assert again.emotions == emotions.after_event(expected, "worry_triggered", LAWS.emotions)


def test_a_tick_leaves_its_time(born: Heartbeat) -> None:
    assert heartbeat.tick(born, NOON + HOUR).last_tick_at == NOON + HOUR


def test_what_they_seem_to_need_rests_on_the_turn(born: Heartbeat) -> None:
    sad = heartbeat.understood(LAWS, 9, {"sadness": 1.0}, NOON)(born)
    assert sad.user_needs["emotional_support"].level > born.user_needs["emotional_support"].level
    assert sad.user_needs["emotional_support"].evidence == (9,)
    assert heartbeat.understood(LAWS, 9, {}, NOON)(born) is born


def test_needs_and_mood_follow_the_feelings(born: Heartbeat) -> None:
    feels = born.emotions.moved({"loneliness": 1.0, "joy": -1.0, "contentment": -1.0})
    after = heartbeat.settle(born, feels, LAWS, NOON)
    assert after.need_marks["connection"] == "rose"
    assert after.mood.since == NOON
    assert after.needs["connection"] > born.needs["connection"]


def days(count: int) -> datetime:
    return NOON + timedelta(days=count)


def test_years_of_silence_are_three_days_of_it(born: Heartbeat) -> None:
    assert heartbeat.drift(LAWS, days(900))(born).emotions == heartbeat.drift(LAWS, days(3))(born).emotions


def test_time_alone_never_jolts_a_mood(born: Heartbeat) -> None:
    """Hours of drift add up to more than a jolt; only what happens may break a mood before its time or by a hair."""
    stirred = heartbeat.settle(born, born.emotions.moved({"excitement": 0.9}), LAWS, NOON)
    assert stirred.mood.word == "excited"
    for minutes in range(5, 30, 5):
        assert heartbeat.drift(LAWS, NOON + timedelta(minutes=minutes))(stirred).mood == stirred.mood
    later = heartbeat.drift(LAWS, NOON + 5 * HOUR)(stirred)
    scores_apart = heartbeat.mood.settle(stirred.mood, later.emotions, NOON + 5 * HOUR, 0.0, LAWS.mood)
    assert later.mood == scores_apart
