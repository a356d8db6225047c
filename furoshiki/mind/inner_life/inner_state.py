"""Describe the companion's state in words: feelings and causes, needs, what it senses, thoughts."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from furoshiki.core.catalogue import ENGLISH, get_language, say, say_number, words
from furoshiki.feelings import heartbeat
from furoshiki.feelings.rules import mood, user_needs
from furoshiki.feelings.rules.emotions import Emotions, at_rest
from furoshiki.feelings.rules.mood import Moment, Move
from furoshiki.feelings.rules.needs import NEEDS
from furoshiki.feelings.state_files import Heartbeat
from furoshiki.feelings.store import history as feeling_history
from furoshiki.language import signals
from furoshiki.language.humanize import ago, join_items, plural
from furoshiki.messages.store import turns
from furoshiki.messages.values import Turn
from furoshiki.mind.inner_life.store import commitments, monologue
from furoshiki.owner.agenda.store import mind_queue
from furoshiki.world import World

NOTABLE = 0.15  # minimum distance of an emotion from its resting level to be mentioned

LATELY = timedelta(days=3)

_WANTS = words("needs_wants")
_SENSES = words("user_needs")
_EVENTS = words("mood_causes_events")
_SAID = words("mood_causes_said")
_KINDS = {
    "question": ("question", "questions"),
    "curiosity": ("curiosity", "curiosities"),
    "follow_up": ("thing to come back to", "things to come back to"),
    "thought": ("thought", "thoughts"),
    "anticipation": ("thing you may need", "things you may need"),
    "need": ("wish of my own", "wishes of my own"),
    "growth": ("thing about myself", "things about myself"),
    "reminder": ("thing to be done", "things to be done"),
    "reply_nudge": ("unanswered question", "unanswered questions"),
    "skill_result": ("thing I found out", "things I found out"),
    "task_update": ("piece of work that is finished", "pieces of work that are finished"),
    "delegation": ("thing that is yours to decide", "things that are yours to decide"),
    "plugin": ("thing a plugin found", "things plugins found"),
}


@dataclass(frozen=True)
class InnerState:
    """The state as values. `why` is the cause of the largest recent change in words ("" without
    one); `sensed` holds needs of the user that are certain enough, strongest first."""

    beat: Heartbeat
    why: str
    sensed: tuple[str, ...]
    conflicts: tuple[str, ...]
    on_mind: Mapping[str, int]
    reflected_at: datetime | None
    promises: int


def look(world: World) -> InnerState:
    """Return the current state. Read-only."""
    now, laws = world.now, world.laws.user_needs
    beat = heartbeat.drift(world.laws, now)(world.state.heartbeat())
    moments = history(world, now - LATELY)
    moved = mood.largest([*moments, Moment(beat.felt_at, beat.emotions, beat.mood.word)], world.laws.emotions)
    with world.database.read() as db:
        felt = {} if moved is None else _signals(turns.read_felt_since(db, moved.after), moved.at)
        on_mind = mind_queue.count_by_kind(db)
        entries = monologue.newest(db, 1)
        promises = len(commitments.active(db))
    return InnerState(
        beat=beat,
        why="" if moved is None else _why(moved, felt, now),
        sensed=user_needs.list_felt(beat.user_needs, now, laws),
        conflicts=user_needs.conflicts(beat.user_needs, now, laws),
        on_mind=on_mind,
        reflected_at=entries[-1].at if entries else None,
        promises=promises,
    )


def history(world: World, since: datetime) -> list[Moment]:
    """Return the recorded feelings since a time, oldest first."""
    with world.database.read() as db:
        rows = feeling_history.rows(db, since)
    resting = at_rest(world.laws.emotions)
    return [
        Moment(row.at, Emotions.recalled(row.emotions, resting), row.mood, tuple(row.cause.split(", ")[1:]))
        for row in rows
    ]


def _signals(felt: Sequence[tuple[Turn, Mapping[str, float]]], until: datetime) -> dict[str, float]:
    found: dict[str, float] = {}
    for turn, strengths in felt:
        if turn.at <= until:
            found = signals.merge(found, strengths)
    return found


def _why(moved: Move, felt: Mapping[str, float], now: datetime) -> str:
    """Return the cause as a clause: the user's strongest signal, else an event, else the talk."""
    causes = [_EVENTS[one] for one in moved.causes if one in _EVENTS]
    if felt:
        because = say("when {said}", said=say(_SAID[max(felt, key=lambda one: felt[one])]))
    elif causes:
        because = say("because of {what}", what=say(causes[0]))
    else:
        because = say("when you wrote") if moved.emotion == "loneliness" else say("when we talked")
    when, emotion = ago(moved.at, now), say(moved.emotion)
    because += "" if when == say("just now") else f", {when}"
    if moved.by > 0:
        return say("my {emotion} grew {because}", emotion=emotion, because=because)
    return say("my {emotion} eased {because}", emotion=emotion, because=because)


# -- in words --


def describe_feeling(inside: InnerState, world: World) -> str:
    """Describe the mood and its most notable emotions."""
    beat, natural, looks = inside.beat, world.laws.emotions.natural, world.laws.emotions.looks
    apart = {name: value - natural[name] for name, value in beat.emotions.as_mapping().items()}
    notable = sorted((name for name in apart if abs(apart[name]) >= NOTABLE), key=lambda name: -abs(apart[name]))
    phrases = [looks[name].above if apart[name] > 0 else looks[name].below for name in notable]
    said = [phrase for phrase in phrases if phrase][:2]
    since = ago(beat.mood.since, world.now)
    told = say("I feel {mood}.", mood=say(beat.mood.word))
    if since != say("just now"):
        span = since.removesuffix(" ago")
        told = say("I feel {mood}, for {span}.", mood=say(beat.mood.word), span=span, ago=since)
    return f"{told} {_sentence(join_items([say(one) for one in said]))}" if said else told


def wants(inside: InnerState) -> str:
    """Describe the strongest need; "" without one."""
    marks = inside.beat.need_marks
    strong = sorted(
        (name for name in NEEDS if marks.get(name) in ("amber", "rose")), key=lambda name: marks[name] != "rose"
    )
    return say(_WANTS[strong[0]]) if strong else ""


def describe_sensed(sensed: Sequence[str]) -> str:
    """Describe what the user seems to need; "" when nothing is certain."""
    needed = join_items([say(_SENSES[name]) for name in sensed])
    return say("I sense that you need {what}.", what=needed) if sensed else ""


def on_mind_in_words(waiting: Mapping[str, int]) -> str:
    """Describe the waiting thoughts by kind; "" when none wait."""
    if get_language() != ENGLISH:
        total = sum(waiting.values())
        return say_number("On my mind: {number} thing.", "On my mind: {number} things.", total) if total else ""
    told = [plural(count, *_KINDS.get(kind, (kind, f"{kind}s"))) for kind, count in waiting.items() if count]
    return f"On my mind: {join_items(told)}." if told else ""


def _sentence(text: str) -> str:
    return say("{words}.", words=f"{text[0].upper()}{text[1:]}")
