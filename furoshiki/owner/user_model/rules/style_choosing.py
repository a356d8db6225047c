"""Choose the style instructions for the prompt: few, the most important first.

Only names are chosen here ("verbosity-low"); the sentences are in `prompts/_parts/style/`.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from furoshiki.language import nlp
from furoshiki.language.lexicon import Lexicon
from furoshiki.language.phrases import Said
from furoshiki.owner.user_model.rules import style_wishes
from furoshiki.owner.user_model.rules.style_traits import (
    HIGH,
    LOW,
    MIDDLE,
    SETTLED_OBSERVATIONS,
    TOLERANCE,
    Trait,
    distance,
    grown,
    side,
)

MOST_SLOTS = 4
FARTHEST = 2

# dimensions of which the two farthest from the middle are used; others have own slots
MANNERS = ("verbosity", "directness", "formality", "abstraction_level", "certainty_level", "depth_preference")

# dimensions that a conversation can explore
FORKS = (
    "verbosity",
    "directness",
    "formality",
    "abstraction_level",
    "certainty_level",
    "challenge_appetite",
    "depth_preference",
)

FORK_EVERY = 5  # exchanges between two such explorations

# The differences from the usual energy that count. Below calm (4) there is less room.
LIVELIER, QUIETER = 2.5, 2.0

LOAD_TURNS = 3
_FEW_WORDS, _WORDS_A_QUESTION = 10, 20
_QUESTIONS = re.compile("[?\u061f\uff1f]+")
_HIGH_LOAD, _OVERLOAD = 4, 6

Load = Literal["high", "overload"]
Energy = Literal["up", "down", "heated"]

# the slots that a wish replaces: requests outrank measurements
_SPOKEN_FOR: Mapping[str, tuple[str, ...]] = {
    "brief": ("verbosity",),
    "long": ("verbosity", "depth_preference-low"),
    "plain_words": ("abstraction_level-high",),
    "technical": ("abstraction_level-low",),
    "blunt": ("directness",),
    "gentle": ("directness", "challenge-high"),
    "formal": ("formality",),
    "casual": ("formality",),
    "examples": ("abstraction_level",),
    "slower": ("pacing",),
}


@dataclass(frozen=True)
class Block:
    """The names of style instructions: up to four `slots`, up to two `wishes`, a `fork` (a
    dimension to explore), a `growth` line."""

    slots: tuple[str, ...] = ()
    wishes: tuple[str, ...] = ()
    fork: str | None = None
    growth: str | None = None

    def __bool__(self) -> bool:
        return bool(self.slots or self.wishes or self.fork or self.growth)


@dataclass(frozen=True)
class Recent:
    """Word and question mark counts of one of the user's last turns."""

    words: int
    questions: int

    @classmethod
    def of(cls, text: str) -> "Recent":
        """Count a turn."""
        return cls(len(text.split()), len(_QUESTIONS.findall(text)))


def choose(
    traits: Mapping[str, Trait],
    holding: Sequence[str],
    now: datetime,
    *,
    load: Load | None = None,
    energy: Energy | None = None,
) -> Block:
    """Choose the instructions for now. `holding` are the active wishes, strongest first."""
    settled = {name for wish in holding for name in _SPOKEN_FOR.get(wish, ())}
    candidates: list[str] = []
    if load:
        candidates.append(f"load-{load}")
    candidates += _choose_slot("pacing", side(traits.get("pacing")))
    candidates += _choose_slot("challenge", tier(traits))
    candidates += _farthest(traits, settled)
    if energy != "up":
        candidates += _choose_slot("emotional", side(traits.get("emotional_valence")))
    if energy:
        candidates.append(f"energy-{energy}")
    slots = [name for name in candidates if not {name, name.rsplit("-", 1)[0]} & settled]
    growth = grown(traits.values(), now)
    return Block(
        tuple(slots[:MOST_SLOTS]),
        tuple(holding[: style_wishes.SHOWN]),
        None if load else _fork(traits, settled),
        None if growth is None else f"{growth[0].name}-{growth[1]}",
    )


def exchanges(traits: Mapping[str, Trait]) -> int:
    """Return the number of measured messages."""
    return traits["verbosity"].observations if "verbosity" in traits else 0


def cognitive_load(last: Sequence[Recent], concise: bool) -> Load | None:
    """Estimate the user's cognitive load from the last three turns, the present one last.

    Shrinking turns score 2, more than one question per 20 words 2, a preference for short answers
    (`concise`) 1, two of three turns under 10 words 1; from 4 on it is high, from 6 on an overload.
    """
    turns = list(last[-LOAD_TURNS:])
    words = sum(turn.words for turn in turns)
    score = 1 * concise
    score += 2 * (sum(turn.questions for turn in turns) * _WORDS_A_QUESTION > words)
    if len(turns) == LOAD_TURNS:
        score += 2 * all(before.words > after.words for before, after in zip(turns, turns[1:], strict=False))
        score += 1 * (sum(turn.words < _FEW_WORDS for turn in turns) >= LOAD_TURNS - 1)
    if score >= _OVERLOAD:
        return "overload"
    return "high" if score >= _HIGH_LOAD else None


def departure(usual: Trait | None, energy_now: float, valence_now: float) -> Energy | None:
    """Return whether a message is livelier or quieter than usual; lively, negative: "heated"."""
    if usual is None or usual.observations < SETTLED_OBSERVATIONS:
        return None
    moved = energy_now - usual.baseline
    if moved >= LIVELIER:
        return "heated" if valence_now < MIDDLE else "up"
    return "down" if moved <= -QUIETER else None


def concise(traits: Mapping[str, Trait], holding: Sequence[str]) -> bool:
    """Whether the user prefers short answers, by a wish or by their own style."""
    return "brief" in holding or ("long" not in holding and side(traits.get("verbosity")) == "low")


def _choose_slot(slot: str, which: str | None) -> tuple[str, ...]:
    return (f"{slot}-{which}",) if which in ("low", "high") else ()


def _farthest(traits: Mapping[str, Trait], settled: set[str]) -> list[str]:
    distances = [
        (distance(traits[name]), name, lies)
        for name in MANNERS
        if (lies := side(traits.get(name))) in ("low", "high") and not {name, f"{name}-{lies}"} & settled
    ]
    return [f"{name}-{lies}" for _, name, lies in sorted(distances, reverse=True)[:FARTHEST]]


def _fork(traits: Mapping[str, Trait], settled: set[str]) -> str | None:
    """Return a dimension to explore: the least recently explored, then the most central."""
    now_at = exchanges(traits)
    last = max((trait.forked_at for trait in traits.values() if trait.forked_at is not None), default=None)
    if last is not None and now_at - last < FORK_EVERY:
        return None
    unsure = [traits[name] for name in FORKS if name not in settled and side(traits.get(name)) == "middle"]
    if not unsure:
        return None
    return min(unsure, key=lambda one: (-1 if one.forked_at is None else one.forked_at, distance(one), one.name)).name


# -- how far to contradict a user: at most the appetite, by tolerance (past reactions) --


Tier = Literal["low", "middle", "high"]

WELL, BADLY = 8.5, 1.5  # a good and a bad reaction to pushback, as observations of tolerance

_HURT = 0.5
_PLEASED = 0.3


def has_pushback(reply: str, lexicon: Lexicon) -> bool:
    """Whether the companion contradicted in this reply, by its words."""
    return any(True for _ in lexicon.phrases["pushback"].found(Said(reply)))


def judge_reaction(text: str, strengths: Mapping[str, float], lexicon: Lexicon) -> float | None:
    """Rate the reaction to pushback as good or bad; None if it does not show.

    Hurt outweighs thanks: conceding a point angrily is no request for more.
    """
    feedback = nlp.read(text, lexicon).explicit_feedback
    hurt = max(strengths.get(name, 0.0) for name in ("anger", "frustration", "sadness", "disengagement"))
    if hurt >= _HURT or feedback == "negative":
        return BADLY
    pleased = max(strengths.get(name, 0.0) for name in ("praise", "curiosity", "excitement", "warmth"))
    conceded = any(True for _ in lexicon.phrases["concessions"].found(Said(text)))
    return WELL if conceded or feedback == "positive" or pleased >= _PLEASED else None


def tier(traits: Mapping[str, Trait]) -> Tier | None:
    """Return how far to contradict; None while too little was observed.

    Never beyond the appetite; without a known one never "high".
    """
    appetite, tolerance = traits.get("challenge_appetite"), traits.get(TOLERANCE)
    known_traits = [trait for trait in (appetite, tolerance) if trait is not None and side(trait) is not None]
    if not known_traits:
        return None
    level = min(trait.value for trait in known_traits)
    if level <= LOW:
        return "low"
    return "high" if level >= HIGH and appetite in known_traits else "middle"
