"""Steps of the heartbeat: functions that take the stored state and return the next one."""

import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from furoshiki.core import refs
from furoshiki.core.database.connection import Database
from furoshiki.core.database.events import Event
from furoshiki.core.timestamps import parse
from furoshiki.feelings.rules import emotions, mood, needs, user_needs
from furoshiki.feelings.rules.emotions import Emotions
from furoshiki.feelings.rules.laws import InnerLife
from furoshiki.feelings.state_files import Heartbeat
from furoshiki.feelings.store import history
from furoshiki.language.words import asks
from furoshiki.messages.store import turns
from furoshiki.messages.values import USER, Turn

log = logging.getLogger(__name__)

Step = Callable[[Heartbeat], Heartbeat]

# the system event with the user needs read from a conversation: {"session", "ended_at", "needs":
# [{"need", "level", "confidence", "turns"}]}
NEEDS_READ = "user_needs_read"

# the most lanes (chats and their reactions) that are told apart; far more than needed
MOST_LANES = 64


@dataclass(frozen=True)
class Felt:
    """A message or reaction of the user, as far as it affects the companion's feelings.

    `lane` is the queue of its envelope, `strengths` are its signals, each in [0, 1]. `asked`: it
    asked a question or opened a subject. `gesture`: it is a reaction to a message.
    """

    envelope_id: int
    lane: str
    strengths: Mapping[str, float]
    at: datetime
    asked: bool = False
    gesture: bool = False


def rebuilt(database: Database, laws: InnerLife, now: datetime) -> Heartbeat:
    """Rebuild the heartbeat from the stored history and later messages, else a newborn's."""
    with database.read() as db:
        last = history.last(db)
        last_needs = history.last_user_needs(db)
        heard_last = turns.last_said(db, USER)
        since = [] if last is None else turns.read_felt_since(db, last[0])
    felt_at, felt, word = last if last is not None else (now, dict(laws.emotions.newborn), None)
    feels = Emotions.recalled(felt, emotions.at_rest(laws.emotions))
    human = user_needs.unknown(now, laws.user_needs)
    for name in last_needs.keys() & human.keys():
        row = last_needs[name]
        human[name] = user_needs.UserNeed(
            row["level"], row["confidence"], parse(row["last_updated"]), tuple(row["evidence"])
        )
    beat = Heartbeat(
        emotions=feels,
        felt_at=felt_at,
        mood=mood.Mood(word, felt_at) if word in mood.WORDS else mood.settle(None, feels, now, 0.0, laws.mood),
        needs={},
        need_marks={},
        user_needs=human,
    )
    beat = settle(beat, feels, laws, now)
    for turn, strengths in since:
        beat = _apply_felt(beat, _on_record(turn, strengths, now), laws)
    return replace(beat, last_message_at=None if heard_last is None else heard_last.at)


def _on_record(turn: Turn, strengths: Mapping[str, float], now: datetime) -> Felt:
    """Convert a stored turn for a rebuilt heartbeat, so that its envelope does not count again."""
    key = refs.Ref.parse(turn.turn_key or "")
    gesture = turn.kind == "reaction"
    return Felt(
        envelope_id=(key.row or 0) if key is not None and key.kind == "inbox" else 0,
        lane=lane(turn.channel, turn.chat_id, turn.kind),
        strengths=strengths,
        at=min(turn.at, now),
        asked=not gesture and asks(turn.own),
        gesture=gesture,
    )


def drift(laws: InnerLife, now: datetime) -> Step:
    """Apply the time passed since the last step.

    A clock that was ahead and is corrected counts no time twice: feelings wait until the time they
    had reached, but at most for the longest drift, or a wrong year would freeze them.
    """

    def step(beat: Heartbeat) -> Heartbeat:
        hours = emotions.count_hours(beat.felt_at, now, laws.emotions)
        feels = emotions.drift(beat.emotions, hours, laws.emotions)
        ahead = now + timedelta(hours=laws.emotions.longest_hours)
        return settle(replace(beat, felt_at=min(max(beat.felt_at, now), ahead)), feels, laws, now, moved=0.0)

    return step


def lane(channel: str, chat_id: str, kind: str) -> str:
    """Return the queue of an envelope: messages of one chat are in order, and so are its reactions,
    but neither waits for the other or for another chat."""
    return f"{channel}:{chat_id}{'/reactions' if kind == 'reaction' else ''}"


def hear(laws: InnerLife, felt: Felt) -> Step:
    """Apply a user's message or reaction. Each counts once, even if its turn is restarted; a
    reaction may be processed after later messages."""

    def step(beat: Heartbeat) -> Heartbeat:
        before = beat.heard.get(felt.lane, beat.heard.get("", 0))
        return beat if felt.envelope_id <= before else _apply_felt(beat, felt, laws)

    return step


def in_turn(steps: Sequence[Step]) -> Step:
    """Return one step that applies several in their order, so that they are written once."""

    def step(beat: Heartbeat) -> Heartbeat:
        for each in steps:
            beat = each(beat)
        return beat

    return step


def _apply_felt(beat: Heartbeat, felt: Felt, laws: InnerLife) -> Heartbeat:
    beat = drift(laws, felt.at)(beat)
    feels = beat.emotions if felt.gesture else emotions.after_message(beat.emotions, laws.emotions)
    feels = emotions.after_signals(feels, felt.strengths, laws.emotions)
    if felt.asked:
        feels = emotions.after_question(feels, laws.emotions)
    after = settle(beat, feels, laws, felt.at, moved=1.0)
    if emotions.plainly_said(felt.strengths, laws.emotions) is None:
        after = replace(after, mood=beat.mood)  # only plain statements and time change the mood
    return replace(
        after,
        last_message_id=max(beat.last_message_id, felt.envelope_id),
        heard=_lanes(beat.heard, felt),
        last_message_at=beat.last_message_at if felt.gesture else felt.at,
    )


def _lanes(heard: Mapping[str, int], felt: Felt) -> dict[str, int]:
    """Return the newest processed envelope of each lane, without the least recently used lanes."""
    now = {**heard, felt.lane: max(felt.envelope_id, heard.get(felt.lane, 0))}
    lanes = sorted(now, key=lambda one: (one == "", now[one]))[-MOST_LANES:]
    return {one: now[one] for one in now if one in lanes}


def read_again(laws: InnerLife, before: Mapping[str, float], after: Mapping[str, float], now: datetime) -> Step:
    """Replace the effect of a message's first signals by that of its second reading."""

    def step(beat: Heartbeat) -> Heartbeat:
        beat = drift(laws, now)(beat)
        return settle(beat, emotions.after_second_look(beat.emotions, before, after, laws.emotions), laws, now)

    return step


def ease_curiosities(laws: InnerLife, curiosities: int, now: datetime) -> Step:
    """Ease the companion's curiosity for each of its questions that came up in the conversation."""

    def step(beat: Heartbeat) -> Heartbeat:
        beat = drift(laws, now)(beat)
        feels = beat.emotions
        for _ in range(curiosities):
            feels = emotions.after_curiosity(feels, laws.emotions)
        return settle(beat, feels, laws, now)

    return step


def apply_events(laws: InnerLife, events: Sequence[Event], now: datetime) -> Step:
    """Apply unread system events, each exactly once (by id)."""

    def step(beat: Heartbeat) -> Heartbeat:
        beat = drift(laws, now)(beat)
        for event in events:
            if event.id <= beat.last_event_id:
                continue
            try:
                beat = _apply_event(beat, event, laws, now)
            except (KeyError, TypeError, ValueError) as error:  # otherwise it would be retried with every tick
                log.warning("event %d (%s) is of another release and moves nothing: %r", event.id, event.kind, error)
            beat = replace(beat, last_event_id=event.id)
        return beat

    return step


def _apply_event(beat: Heartbeat, event: Event, laws: InnerLife, now: datetime) -> Heartbeat:
    """Apply one event. Raises KeyError, TypeError or ValueError for a payload of another format."""
    feels = beat.emotions
    if event.kind == "session_closed":
        quality, warmth = event.payload["connection_quality"], event.payload["warmth"]
        feels = emotions.after_session(feels, quality, warmth, laws.emotions)
        feels = emotions.after_reading(feels, event.payload.get("felt", {}), laws.emotions)
    elif event.kind in emotions.EVENTS:
        feels = emotions.after_event(feels, event.kind, laws.emotions)
    elif event.kind == NEEDS_READ:
        beat = _needs_read(beat, event, laws, now)
    return settle(beat, feels, laws, now)


def _needs_read(beat: Heartbeat, event: Event, laws: InnerLife, now: datetime) -> Heartbeat:
    """Apply the user needs read from a conversation, with confidence decayed since its end."""
    needs_after = beat.user_needs
    ended = parse(event.payload["ended_at"])
    for need in event.payload["needs"]:
        name, level = need["need"], need["level"]
        if name not in needs_after:
            continue
        sure = user_needs.fade(need["confidence"], ended, now, laws.user_needs)
        needs_after = user_needs.blend(needs_after, {name: level}, sure, tuple(need["turns"]), now, laws.user_needs)
    return replace(beat, user_needs=needs_after)


def moves(event: Event) -> bool:
    """Whether an event changes feelings; others are only shown."""
    return event.kind == "session_closed" or event.kind in emotions.EVENTS


def tick(beat: Heartbeat, now: datetime) -> Heartbeat:
    """Record that the soul engine ran."""
    return replace(beat, last_tick_at=now)


def understood(laws: InnerLife, turn_id: int, strengths: Mapping[str, float], now: datetime) -> Step:
    """Update the user's needs from the signals of a turn."""

    def step(beat: Heartbeat) -> Heartbeat:
        after = user_needs.nudge(beat.user_needs, strengths, turn_id, now, laws.user_needs)
        return beat if after == beat.user_needs else replace(beat, user_needs=after)

    return step


def settle(
    beat: Heartbeat, feels: Emotions, laws: InnerLife, now: datetime, *, moved: float | None = None
) -> Heartbeat:
    """Return the heartbeat with these feelings, and needs, marks and mood derived from them.

    `moved` is the largest change of an emotion by an event, which may change the mood at once; by
    default the largest difference; 0 for time alone.
    """
    level = needs.derive(feels, laws.needs)
    before = replace(beat.mood, since=min(beat.mood.since, now))  # a mood dated in the future begins now
    moved = emotions.largest_move(beat.emotions, feels) if moved is None else moved
    word = mood.settle(before, feels, now, moved, laws.mood)
    return replace(
        beat, emotions=feels, mood=word, needs=level, need_marks=needs.marks(level, beat.need_marks, laws.needs)
    )
