"""How the companion is inside, in words: what it feels and why, what it wants, what it senses, what is on its mind."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from furoshiki.feelings import heartbeat
from furoshiki.feelings.rules import mood_curve, user_needs
from furoshiki.feelings.rules.emotions import Emotions, at_rest
from furoshiki.feelings.rules.mood_curve import Moment, Move
from furoshiki.feelings.rules.needs import NEEDS
from furoshiki.feelings.state_files import Heartbeat
from furoshiki.feelings.store import history as feeling_history
from furoshiki.language import signals
from furoshiki.language.humanize import ago, plural
from furoshiki.messages.store import turns
from furoshiki.messages.values import Turn
from furoshiki.mind.inner_life.store import commitments, monologue
from furoshiki.owner.agenda.store import mind_queue
from furoshiki.world import World

NOTABLE = 0.15
"""An emotion this far from where it rests is worth a word."""

LATELY = timedelta(days=3)

_WANTS = {
    "communication": "I would like to talk",
    "connection": "I would like to feel closer",
    "curiosity_need": "I would like to learn something",
    "helpfulness": "I would like to be of use",
    "self_knowledge": "I would like to understand myself better",
}
_SENSES = {
    "companionship": "company",
    "emotional_support": "somebody to lean on",
    "playfulness": "lightness",
    "focus": "help to stay with one thing",
    "challenge": "to be challenged",
    "grounding": "calm",
    "space": "room for yourself",
}
_EVENTS = {
    "session_closed": "how our last conversation went",
    "excitement_triggered": "something exciting in what we talked about",
    "worry_triggered": "something in what we talked about that worries me",
    "anger_triggered": "something in what we talked about that angered me",
    "pride_triggered": "something I could be proud of",
}
_SAID = {
    "anger": "you were angry",
    "frustration": "you were annoyed",
    "praise": "you praised me",
    "warmth": "you were warm with me",
    "excitement": "you were excited",
    "worry": "you were worried",
    "sadness": "you were sad",
    "curiosity": "you were curious",
    "disengagement": "you drew back",
    "relief": "you were relieved",
}
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
    """All of it, as values. `moved` is what moved it most in the last days, `why` that in words (empty when nothing
    did); `sensed` what the user seems to need surely enough to go by, strongest first."""

    beat: Heartbeat
    moved: Move | None
    why: str
    sensed: tuple[str, ...]
    conflicts: tuple[str, ...]
    on_mind: Mapping[str, int]
    reflected_at: datetime | None
    promises: int


def look(world: World) -> InnerState:
    """How it is now. Looking changes nothing."""
    now, laws = world.now, world.laws.user_needs
    beat = heartbeat.drifted(world.laws, now)(world.state.heartbeat())
    moments = history(world, now - LATELY)
    moved = mood_curve.largest([*moments, Moment(beat.felt_at, beat.emotions, beat.mood.word)], world.laws.emotions)
    with world.database.read() as db:
        felt = {} if moved is None else _signals(turns.felt_since(db, moved.after), moved.at)
        on_mind = mind_queue.pending_by_kind(db)
        entries = monologue.newest(db, 1)
        promises = len(commitments.active(db))
    return InnerState(
        beat=beat,
        moved=moved,
        why="" if moved is None else _why(moved, felt, now),
        sensed=user_needs.felt(beat.user_needs, now, laws),
        conflicts=user_needs.conflicts(beat.user_needs, now, laws),
        on_mind=on_mind,
        reflected_at=entries[-1].at if entries else None,
        promises=promises,
    )


def history(world: World, since: datetime) -> list[Moment]:
    """What was written down of its feelings since a moment, oldest first."""
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
            found = signals.merged(found, strengths)
    return found


def _why(moved: Move, felt: Mapping[str, float], now: datetime) -> str:
    """What moved it, as a clause: the strongest thing the user showed, what had happened, or only that they wrote."""
    went = "grew" if moved.by > 0 else "gave way"
    causes = [_EVENTS[one] for one in moved.causes if one in _EVENTS]
    if felt:
        because = f"when {_SAID[max(felt, key=lambda one: felt[one])]}"
    elif causes:
        because = f"after {causes[0]}"
    else:
        because = "when you wrote" if moved.emotion == "loneliness" else "in our talk"
    when = ago(moved.at, now)
    return f"my {moved.emotion} {went} {because}" + ("" if when == "just now" else f", {when}")


# -- in words --


def feeling(inside: InnerState, world: World) -> str:
    """The mood, and what stands out in it."""
    beat, natural, looks = inside.beat, world.laws.emotions.natural, world.laws.emotions.looks
    apart = {name: value - natural[name] for name, value in beat.emotions.as_mapping().items()}
    notable = sorted((name for name in apart if abs(apart[name]) >= NOTABLE), key=lambda name: -abs(apart[name]))
    phrases = [looks[name].above if apart[name] > 0 else looks[name].below for name in notable]
    said = [phrase for phrase in phrases if phrase][:2]
    since = ago(beat.mood.since, world.now)
    told = f"I feel {beat.mood.word}" + ("" if since == "just now" else f", for {since.removesuffix(' ago')}") + "."
    return f"{told} {_sentence(' and '.join(said))}" if said else told


def wants(inside: InnerState) -> str:
    """What it needs most, empty when it needs nothing."""
    marks = inside.beat.need_marks
    strong = sorted(
        (name for name in NEEDS if marks.get(name) in ("amber", "rose")), key=lambda name: marks[name] != "rose"
    )
    return _sentence(_WANTS[strong[0]]) if strong else ""


def sensed_in_words(sensed: Sequence[str]) -> str:
    """What the user seems to need, empty when it is not sure of anything."""
    return _sentence(f"I sense that you need {_listed([_SENSES[name] for name in sensed])}") if sensed else ""


def on_mind_in_words(waiting: Mapping[str, int]) -> str:
    """What waits to be said, by kind, empty when nothing does."""
    told = [plural(count, *_KINDS.get(kind, (kind, f"{kind}s"))) for kind, count in waiting.items() if count]
    return _sentence(f"On my mind: {_listed(told)}") if told else ""


def _listed(parts: Sequence[str]) -> str:
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"


def _sentence(text: str) -> str:
    return f"{text[0].upper()}{text[1:]}."
