"""The emotion simulator: effects and decay of nine emotions, by the companion's own rules."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from furoshiki.feelings.rules import emotions as emotion_rules
from furoshiki.feelings.rules import mood as mood_rules
from furoshiki.feelings.rules import needs as need_rules
from furoshiki.feelings.rules.emotions import Emotions
from furoshiki.feelings.rules.laws import InnerLife
from furoshiki.feelings.rules.mood import Moment
from furoshiki.feelings.rules.needs import Mark

LONGEST = timedelta(hours=24)
# how far the simulation goes, and its step, to which the requested time is rounded
STEP = timedelta(minutes=30)

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
    """The state some hours later: feelings, mood word, five needs and their marks. `ahead` is the
    course of a day in half-hour steps."""

    hours: float
    emotions: Emotions
    mood: str
    needs: Mapping[str, float]
    marks: Mapping[str, Mark]
    ahead: tuple[Moment, ...]


def simulate(felt: Emotions, hours: float, laws: InnerLife, now: datetime) -> Simulated:
    """Simulate `hours` (0 to 24, rounded to a step) without events, from the feelings at `now`."""
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
    """Return a preset's feelings, given the present ones. Raises KeyError."""
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
