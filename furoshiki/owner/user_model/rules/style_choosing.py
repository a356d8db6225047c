"""What the mind is told about how to speak now: few things, the most pressing first.

Only names are chosen here ("verbosity-low"); the sentences stand in `prompts/_parts/style/`.

What people ask for in so many words ("use bullet points", "shorter please"): recognised by rule, fading by the day.

A wish is one of a fixed set of names, so nothing of what was said is kept with it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Literal

from furoshiki.language.phrases import Said
from furoshiki.language.tables.wish_names import OPPOSED
from furoshiki.owner.user_model.rules import style_traits
from furoshiki.owner.user_model.rules.style_traits import MIDDLE, SETTLED_OBSERVATIONS, Trait, distance, grown, side

if TYPE_CHECKING:
    from furoshiki.language.lexicon import Lexicon

MOST_SLOTS = 4
FARTHEST = 2

MANNERS = ("verbosity", "directness", "formality", "abstraction_level", "certainty_level", "depth_preference")
"""The dimensions of which the two farthest from the middle are told; the other three have slots of their own."""

FORKS = (
    "verbosity",
    "directness",
    "formality",
    "abstraction_level",
    "certainty_level",
    "challenge_appetite",
    "depth_preference",
)
"""Dimensions that a conversation can find out about by trying."""

FORK_EVERY = 5
"""Exchanges from one fork to the next."""

LIVELIER, QUIETER = 2.5, 2.0
"""How far above and below the usual energy a message departs from it. Calm is 4: there is less room below."""

LOAD_TURNS = 3
_FEW_WORDS, _WORDS_A_QUESTION = 10, 20
_QUESTIONS = re.compile("[?\u061f\uff1f]+")
_HIGH_LOAD, _OVERLOAD = 4, 6

Load = Literal["high", "overload"]
Energy = Literal["up", "down", "heated"]

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
"""What a wish settles: a slot that says the same, or the opposite, is left out. Who asks is believed before who is
measured."""


@dataclass(frozen=True)
class Block:
    """Names of what the prompt says of their style: up to four `slots`, up to two `wishes`, a
    `fork` (a dimension), a `growth` line."""

    slots: tuple[str, ...] = ()
    wishes: tuple[str, ...] = ()
    fork: str | None = None
    growth: str | None = None

    def __bool__(self) -> bool:
        return bool(self.slots or self.wishes or self.fork or self.growth)


@dataclass(frozen=True)
class Recent:
    """One of the last turns of the user in this conversation: its words and question marks."""

    words: int
    questions: int

    @classmethod
    def of(cls, text: str) -> Recent:
        """A turn, counted."""
        return cls(len(text.split()), len(_QUESTIONS.findall(text)))


def choose(
    traits: Mapping[str, Trait],
    holding: Sequence[str],
    now: datetime,
    *,
    load: Load | None = None,
    energy: Energy | None = None,
) -> Block:
    """The block for this moment. `holding` are the wishes kept to, strongest first."""
    settled = {name for wish in holding for name in _SPOKEN_FOR.get(wish, ())}
    candidates = [
        f"load-{load}" if load else None,
        *_choose_slot("pacing", side(traits.get("pacing"))),
        *_choose_slot("challenge", style_traits.tier(traits)),
        *_farthest(traits, settled),
        *_choose_slot("emotional", side(traits.get("emotional_valence"))),
        f"energy-{energy}" if energy else None,
    ]
    slots = [name for name in candidates if name is not None and not {name, name.rsplit("-", 1)[0]} & settled]
    growth = grown(traits.values(), now)
    return Block(
        tuple(slots[:MOST_SLOTS]),
        tuple(holding[:SHOWN]),
        None if load else _fork(traits, settled),
        None if growth is None else f"{growth[0].name}-{growth[1]}",
    )


def exchanges(traits: Mapping[str, Trait]) -> int:
    """How many messages were measured so far."""
    return traits["verbosity"].observations if "verbosity" in traits else 0


def cognitive_load(last: Sequence[Recent], concise: bool) -> Load | None:
    """How full their head is, by the last three user turns, this one last; `concise` is whether they like it short.

    Shrinking turns 2, more than one question for 20 words 2, prefers concise 1, two of three under 10 words 1;
    from 4 on it is high, from 6 on too much.
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
    """Whether this message is livelier or quieter than theirs usually are; lively and troubled is heated."""
    if usual is None or usual.observations < SETTLED_OBSERVATIONS:
        return None
    moved = energy_now - usual.baseline
    if moved >= LIVELIER:
        return "heated" if valence_now < MIDDLE else "up"
    return "down" if moved <= -QUIETER else None


def concise(traits: Mapping[str, Trait], holding: Sequence[str]) -> bool:
    """Whether they like it short: they said so, or write so."""
    return "brief" in holding or ("long" not in holding and side(traits.get("verbosity")) == "low")


def _choose_slot(slot: str, which: str | None) -> tuple[str, ...]:
    return (f"{slot}-{which}",) if which in ("low", "high") else ()


def _farthest(traits: Mapping[str, Trait], settled: set[str]) -> list[str]:
    found = [
        (distance(traits[name]), name, lies)
        for name in MANNERS
        if (lies := side(traits.get(name))) in ("low", "high") and not {name, f"{name}-{lies}"} & settled
    ]
    return [f"{name}-{lies}" for _, name, lies in sorted(found, reverse=True)[:FARTHEST]]


def _fork(traits: Mapping[str, Trait], settled: set[str]) -> str | None:
    """A dimension in the middle to find out about: the one tried longest ago, of those the one nearest the middle."""
    now_at = exchanges(traits)
    last = max((trait.forked_at for trait in traits.values() if trait.forked_at is not None), default=None)
    if last is not None and now_at - last < FORK_EVERY:
        return None
    unsure = [traits[name] for name in FORKS if name not in settled and side(traits.get(name)) == "middle"]
    if not unsure:
        return None
    return min(unsure, key=lambda one: (-1 if one.forked_at is None else one.forked_at, distance(one), one.name)).name


FIRST = 0.7
"""The strength of a wish said once; each time it is said again it gains half of what is missing to 1."""

FADES_PER_DAY = 0.015
LEAST = 0.3
"""Below this it is not kept to any more: 26 days after it was said once, 46 after it was said often."""

SHOWN = 2

_SENTENCE = re.compile(r"[.;:!?\n()]+")
_CLAUSE = re.compile(r",|[\u2014\u2013]|\s-\s")
_LONGEST_CLAUSE = 16
_SENTENCES = 12


@dataclass(frozen=True)
class Wish:
    """One thing asked for. `strength` in [0, 1] is what it was at `at`, when it was last said, in turn `turn_id`."""

    name: str
    strength: float
    at: datetime
    turn_id: int | None = None


def find_wishes(text: str, lexicon: Lexicon) -> tuple[str, ...]:
    """The wishes in a message, in the order they are said.

    A clause counts only when it says nothing else: "use bullet points please", but neither "use bullet points on the
    slides" nor "my boss wants bullet points" nor "in simple terms, he lied". Of a long text only the first and the
    last sentences are looked at.
    """
    found: list[str] = []
    sentences = _SENTENCE.split(text)
    if len(sentences) > 2 * _SENTENCES:
        sentences = sentences[:_SENTENCES] + sentences[-_SENTENCES:]
    for sentence in sentences:
        wished = [
            (said, _parse_clause(said, lexicon)) for clause in _CLAUSE.split(sentence) if len(said := Said(clause))
        ]
        last_other = max((place for place, (_, names) in enumerate(wished) if names is None), default=-1)
        for place, (said, names) in enumerate(wished):
            if names and not (place < last_other and said.plain[0] in lexicon.words["asides"]):
                found += names
    return tuple(dict.fromkeys(found))


def _parse_clause(said: Said, lexicon: Lexicon) -> list[str] | None:
    """The wishes that a clause consists of, none for mere courtesy; None when it says anything else."""
    if len(said) > _LONGEST_CLAUSE:
        return None
    hits = list(lexicon.wishes.found(said))
    taken = {i for hit in hits for i in range(hit.first, hit.last)}
    around = lexicon.words["around_wishes"]
    if all(i in taken or word in around for i, word in enumerate(said.plain)):
        return [hit.meaning for hit in hits]
    return None


def strength_at(wish: Wish, now: datetime) -> float:
    """What is left of it; a clock set back leaves it whole."""
    days = max(0.0, (now - wish.at).total_seconds() / 86_400)
    return max(0.0, wish.strength - FADES_PER_DAY * days)


def holds_until(wish: Wish) -> datetime:
    """When it will have faded to where it is not kept to any more."""
    return wish.at + timedelta(days=(wish.strength - LEAST) / FADES_PER_DAY)


def add_wishes(
    kept: Mapping[str, Wish], names: Iterable[str], now: datetime, turn_id: int | None = None
) -> dict[str, Wish]:
    """The wishes after some were said: said again they grow stronger, and what they contradict is gone."""
    after = dict(kept)
    for name in names:
        for group in OPPOSED:
            if name in group:
                for other in group - {name}:
                    after.pop(other, None)
        before = strength_at(after[name], now) if name in after else 0.0
        after[name] = Wish(name, max(FIRST, before + (1.0 - before) / 2), now, turn_id)
    return after


def list_active(kept: Mapping[str, Wish], now: datetime) -> tuple[str, ...]:
    """The wishes that are still kept to, strongest first."""
    strong = [(strength_at(wish, now), wish.at, name) for name, wish in kept.items()]
    return tuple(name for strength, _, name in sorted(strong, reverse=True) if strength >= LEAST)
