"""Describe the user's style preferences in words, with the numbers behind them."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from furoshiki.language.humanize import plural
from furoshiki.language.tables.wish_names import LANGUAGES
from furoshiki.language.word_tables import by_language
from furoshiki.owner.user_model.rules import style_wishes
from furoshiki.owner.user_model.rules.style_traits import MEASURED, NAMES, Side, Trait, side
from furoshiki.owner.user_model.rules.style_wishes import Wish

_STYLE = by_language("style")["en"]
_WORDS: Mapping[str, tuple[str, str, str]] = _STYLE["writes"]
_ASKED: Mapping[str, str] = _STYLE["asked"] | {name: name.capitalize() for name in LANGUAGES}
_SIDES = ("low", "middle", "high")


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
    dimensions: dict[str, dict[str, float]] = {}
    for name in NAMES:
        if trait := traits.get(name):
            levels = {"value": round(trait.value, 2), "baseline": round(trait.baseline, 2)}
            dimensions[name] = {**levels, "observations": trait.observations}
    return {
        "dimensions": dimensions,
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
