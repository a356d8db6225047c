"""Describe the user's style preferences in words, with the numbers behind them."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from furoshiki.language.humanize import plural
from furoshiki.language.tables.wish_names import LANGUAGES
from furoshiki.owner.user_model.rules import style_wishes
from furoshiki.owner.user_model.rules.style_traits import MEASURED, NAMES, Side, Trait, side
from furoshiki.owner.user_model.rules.style_wishes import Wish

_WORDS: Mapping[str, tuple[str, str, str]] = {
    "verbosity": (
        "You write briefly, and get short answers.",
        "You write neither briefly nor at length.",
        "You write at length, and get answers that take their room.",
    ),
    "directness": (
        "You come to things carefully, and are answered softly.",
        "You are neither blunt nor roundabout.",
        "You say things straight, and are answered so.",
    ),
    "formality": (
        "You write loosely, as to a friend.",
        "You write neither stiffly nor loosely.",
        "You write in careful sentences, and are answered in such.",
    ),
    "abstraction_level": (
        "You like the case and the step before the principle.",
        "You like examples and principles alike.",
        "You like the idea before the example.",
    ),
    "emotional_valence": (
        "Something has been weighing on how you write.",
        "You write evenly, neither downcast nor elated.",
        "You write in good spirits.",
    ),
    "certainty_level": (
        "You like to see doubts laid open.",
        "You like a verdict with its reasons.",
        "You like a clear verdict.",
    ),
    "challenge_appetite": (
        "You would rather be backed than contradicted.",
        "You can be contradicted now and then.",
        "You like to be contradicted where there is reason.",
    ),
    "depth_preference": (
        "The gist is enough for you.",
        "You like some of the why with the what.",
        "You like to get to the bottom of things.",
    ),
    "pacing": (
        "You take your time between messages.",
        "You answer neither at once nor late.",
        "You write fast, to and fro.",
    ),
}
_SIDES = ("low", "middle", "high")

_ASKED: Mapping[str, str] = {
    "brief": "short answers",
    "long": "longer answers",
    "bullets": "bullet points",
    "prose": "no lists",
    "no_emoji": "no emoji",
    "emoji": "emoji now and then",
    "no_questions": "no questions back",
    "questions": "questions",
    "plain_words": "plain words",
    "technical": "technical terms",
    "examples": "examples",
    "slower": "one thing at a time",
    "blunt": "the plain truth at once",
    "gentle": "a gentle hand",
    "formal": "a formal tone",
    "casual": "an easy tone",
    "no_jokes": "no jokes",
    "jokes": "a joke now and then",
    **{name: name.capitalize() for name in LANGUAGES},
}


def section(traits: Mapping[str, Trait], wishes: Mapping[str, Wish], now: datetime) -> str | None:
    """Return the section in Markdown, or None if it is empty."""
    lines = [f"- {one}" for one in describe(traits, wishes, now)]
    return "\n".join(["## How you like to be spoken to", "", *lines]) if lines else None


def describe(traits: Mapping[str, Trait], wishes: Mapping[str, Wish], now: datetime) -> list[str]:
    """Return the same as a list of sentences."""
    lines = [_line(traits[name], lies) for name in NAMES if (lies := side(traits.get(name))) is not None]
    return lines + [_describe_wish(wishes[name], now) for name in style_wishes.list_active(wishes, now)]


def to_data(traits: Mapping[str, Trait], wishes: Mapping[str, Wish], now: datetime) -> dict[str, Any]:
    """Return the same as plain values, including dimensions observed only once."""
    return {
        "dimensions": {
            name: {
                "value": round(trait.value, 2),
                "baseline": round(trait.baseline, 2),
                "observations": trait.observations,
            }
            for name in NAMES
            if (trait := traits.get(name)) is not None
        },
        "wishes": {
            name: round(style_wishes.strength_at(wishes[name], now), 3)
            for name in style_wishes.list_active(wishes, now)
        },
    }


def _line(trait: Trait, lies: Side) -> str:
    basis = plural(trait.observations, "message" if trait.name in MEASURED else "conversation")
    return f"{_WORDS[trait.name][_SIDES.index(lies)]} ({trait.value:.1f} of 10, from {basis})"


def _describe_wish(wish: Wish, now: datetime) -> str:
    left = plural((style_wishes.holds_until(wish) - now).days + 1, "more day")
    return f"You asked for {_ASKED[wish.name]}: kept to for {left}, unless you say it again."
