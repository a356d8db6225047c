"""The emotion simulator: what follows from nine emotions, and how they go home, by the rules the companion lives by."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from furoshiki.feelings.rules import emotions as emotion_rules
from furoshiki.feelings.rules import mood as mood_rules
from furoshiki.feelings.rules import needs as need_rules
from furoshiki.feelings.rules.emotions import Emotions
from furoshiki.feelings.rules.laws import InnerLife
from furoshiki.feelings.rules.mood_curve import Moment
from furoshiki.feelings.rules.needs import Mark

LONGEST = timedelta(hours=24)
STEP = timedelta(minutes=30)
"""How far it is looked ahead, and how finely; the time asked for is rounded to a step."""

SILENCE = timedelta(days=7)

PRESETS: Mapping[str, str] = {
    "now": "As it is now",
    "silence": "After a week of silence",
    "good-news": "After good news",
    "quarrel": "After a quarrel",
    "rest": "At rest, but for loneliness",
}


@dataclass(frozen=True)
class Simulated:
    """How it is some hours on: feelings, the word for them, five needs and their marks. `ahead` is the way there and
    on, a moment for each half hour of a day."""

    hours: float
    emotions: Emotions
    mood: str
    needs: Mapping[str, float]
    marks: Mapping[str, Mark]
    ahead: tuple[Moment, ...]


def simulate(felt: Emotions, hours: float, laws: InnerLife, now: datetime) -> Simulated:
    """What follows from feelings that are so since just `now`, with nothing happening, after so many hours (held
    between 0 and 24, and rounded to a step)."""
    steps = LONGEST // STEP
    at = min(steps, max(0, round(timedelta(hours=min(24.0, max(0.0, hours))) / STEP)))
    word, marks = mood_rules.settle(None, felt, now, 0.0, laws.mood), dict[str, Mark]()
    ahead, marked = [], []
    for step in range(steps + 1):
        moment = now + step * STEP
        feels = emotion_rules.drift(felt, step * STEP / timedelta(hours=1), laws.emotions)
        word = mood_rules.settle(word, feels, moment, 0.0, laws.mood)
        marks = need_rules.marks(need_rules.derive(feels, laws.needs), marks, laws.needs)
        ahead.append(Moment(moment, feels, word.word))
        marked.append(marks)
    there = ahead[at]
    needs = need_rules.derive(there.emotions, laws.needs)
    return Simulated(at * STEP / timedelta(hours=1), there.emotions, there.mood, needs, marked[at], tuple(ahead))


def preset(name: str, felt: Emotions, laws: InnerLife) -> Emotions:
    """Feelings to begin with, from those of now. KeyError for a preset there is not."""
    rules = laws.emotions
    match name:
        case "now":
            return felt
        case "silence":
            return emotion_rules.drift(felt, SILENCE / timedelta(hours=1), rules)
        case "good-news":
            felt = emotion_rules.after_message(felt, rules)
            felt = emotion_rules.after_signals(felt, {"excitement": 1.0, "warmth": 1.0, "praise": 0.5}, rules)
            felt = emotion_rules.after_event(felt, "excitement_triggered", rules)
            return emotion_rules.after_session(felt, 0.9, 0.9, rules)
        case "quarrel":
            for _ in range(3):
                felt = emotion_rules.after_message(felt, rules)
                felt = emotion_rules.after_signals(felt, {"anger": 1.0}, rules)
            return emotion_rules.after_session(felt, 0.1, 0.1, rules)
        case "rest":
            return emotion_rules.at_rest(rules)
    raise KeyError(name)
