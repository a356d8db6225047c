"""Measure a message in numbers from 1 to 10 without a model: length, directness, mood, pace.

Each measure is a pure function of the words, the strengths of the signals, and the seconds since
the previous message. Code, quoted lines and URLs are removed first.
"""

import re
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from furoshiki.language.lexicon import Lexicon
from furoshiki.language.phrases import Said
from furoshiki.language.signals import PLEASANT, UNPLEASANT
from furoshiki.language.testimony import Own
from furoshiki.language.words import count_words, ends_asking
from furoshiki.messages.values import SESSION_GAP_SECONDS
from furoshiki.owner.user_model.rules.style_traits import ENERGY, HIGHEST, MIDDLE, within

_NOT_THEIRS = re.compile(r"```[\s\S]*?(?:```|\Z)|^>.*$|https?://\S+", re.MULTILINE)
_CONTRACTION = re.compile(
    r"[^\W\d_](?:n't|'(?:re|ve|ll|d|m))$|^(?:it|that|what|he|she|there|here|who|how|where|let)'s$"
)
_EMOJI = re.compile(r"[\U0001f000-\U0001faff\u2600-\u27bf\u2b50\u2b55]")
_SHOUTED = re.compile(r"\b[A-Z]{4,}\b")
_DRAWN = re.compile(r"([^\W\d_])\1\1")
_CLOSED = re.compile(r"[.!?\u2026]['\"\u201d)]?\s*$")

MANNER_CHARACTERS = 1000

# Thresholds in words for the scores 1 to 9; more words score 10.
_LENGTHS = (3, 6, 10, 16, 25, 40, 60, 90, 140)

# Thresholds in seconds for the paces below.
_GAPS = (10.0, 30.0, 60.0, 120.0, 300.0, 600.0)
_PACES = (9.0, 8.0, 7.0, 6.0, 4.5, 3.0, 2.0)

_BRIEF_WORDS, _LONG_WORDS, _PLAIN_WORDS = 6, 40, 12


@dataclass(frozen=True)
class Message:
    """The counts of a message for all measures. `text` is its beginning, `length` all words."""

    text: str
    length: int
    words: tuple[str, ...]
    manner: Counter[str]
    emoji: int
    exclamations: int

    @property
    def bare(self) -> bool:
        """Whether there is no greeting, slang, laughter, emoji or exclamation."""
        manner = self.manner
        return not (
            self.emoji or self.exclamations or manner["slang"] or manner["laughs"] or manner["casual_greetings"]
        )


def read(text: Own, lexicon: Lexicon) -> Message | None:
    """Count the person's own words; None if there are none.

    The length is that of the whole text; manner is measured on the first 1,000 characters.
    """
    whole = _NOT_THEIRS.sub(" ", text).strip()
    own = whole[:MANNER_CHARACTERS]
    message = Said(own)
    emoji = 0 if own.isascii() else len(_EMOJI.findall(own))
    faces = sum(1 for match in lexicon.emoticon_pattern.finditer(own) if _stands_alone(own, match))
    if not message.plain and not emoji and not faces:
        return None
    manner = Counter(hit.meaning for hit in lexicon.manner.everywhere(message))
    return Message(own, count_words(whole), tuple(message.plain), manner, emoji + faces, own.count("!"))


def measure(
    message: Message, lexicon: Lexicon, strengths: Mapping[str, float], gap_seconds: float | None = None, parts: int = 1
) -> dict[str, float]:
    """Measure the dimensions and the energy of a message, each in [1, 10].

    `strengths` are those of its signals, `gap_seconds` the time since the previous message of the
    conversation (None: there was none), `parts` the number of messages it consists of. Without a
    gap shorter than a session's pause there is no pacing.
    """
    measures = {
        "verbosity": verbosity(message),
        "directness": directness(message, lexicon),
        "formality": formality(message),
        "emotional_valence": emotional_valence(message, strengths),
        ENERGY: energy(message, strengths),
    }
    if gap_seconds is not None and gap_seconds < SESSION_GAP_SECONDS:
        measures["pacing"] = measure_pace(message, gap_seconds, parts)
    return measures


def verbosity(message: Message) -> float:
    """Rate verbosity in [1, 10] by words: 3 give 1, 25 give 5, 40 give 6, 140 give 10."""
    return 1.0 + bisect_left(_LENGTHS, message.length)


def directness(message: Message, lexicon: Lexicon) -> float:
    """Rate directness: orders, clipped questions and short statements raise it; hedges or apologies
    take 1.5 off.

    A clipped question has neither a question word nor an auxiliary verb, and nothing around it
    ("Default value?").
    """
    hedges, apologies = min(3, message.manner["hedges"]), min(3, message.manner["apologies"])
    courtesies = lexicon.words["politeness"]
    first = next((word for word in message.words if word not in courtesies), "")
    begged = bool(message.words) and message.words[0] in courtesies and not hedges
    score = MIDDLE - 1.5 * hedges - 1.5 * apologies
    if first in lexicon.words["commands"]:
        score += 1.5 if begged else 2.5
    if not hedges and not apologies and 0 < message.length <= _PLAIN_WORDS:
        asking = lexicon.words["wh_words"] | lexicon.words["auxiliaries"]
        clipped = ends_asking(message.text) and message.bare and asking.isdisjoint(message.words)
        score += 2.5 if clipped else 1.0
    return within(score)


def formality(message: Message) -> float:
    """Rate formality: formal words add 1.5 each; emoji, slang and contractions reduce it."""
    manner, words = message.manner, message.words
    contracted = any("'" in word and _CONTRACTION.search(word) for word in words)
    loose = message.emoji > 0 or manner["slang"] > 0 or manner["casual_greetings"] > 0
    careful = message.text[:1].isupper() and bool(_CLOSED.search(message.text)) and len(words) >= _BRIEF_WORDS
    score = MIDDLE + 1.5 * min(3, manner["formal"])
    score -= 1.5 * min(2, manner["slang"]) + 1.5 * (message.emoji > 0)
    score -= 1.0 * (manner["casual_greetings"] > 0) + 1.0 * contracted
    score -= 1.0 * message.text[:1].islower() + 0.5 * bool(_DRAWN.search(message.text))
    if careful and not loose and not contracted:
        score += 1.0
    return within(score)


def emotional_valence(message: Message, strengths: Mapping[str, float]) -> float:
    """Rate valence: the strongest pleasant less the strongest unpleasant signal (disengagement by
    half), then laughter, emoji and exclamation marks. A message without any sign is 5.5, and
    counts."""
    glad = max(strengths.get(name, 0.0) for name in PLEASANT)
    troubled = max(strengths.get(name, 0.0) * (0.5 if name == "disengagement" else 1.0) for name in UNPLEASANT)
    score = MIDDLE + (HIGHEST - MIDDLE) * (glad - troubled)
    if not troubled:
        score += 1.0 * (message.manner["laughs"] > 0) + 0.5 * (message.emoji > 0) + 0.5 * (message.exclamations > 0)
    return within(score)


def measure_pace(message: Message, gap_seconds: float, parts: int = 1) -> float:
    """Rate pace in [1, 10] by the seconds since the last message: up to 10 give 9, a minute 7, five
    4.5, ten and more 2. Few words, or several messages at once, add half a point; many words take
    one off."""
    score = _PACES[bisect_right(_GAPS, max(0.0, gap_seconds))]
    score += 0.5 * (message.length <= _BRIEF_WORDS) + 0.5 * (parts > 1) - 1.0 * (message.length > _LONG_WORDS)
    return within(score)


def energy(message: Message, strengths: Mapping[str, float]) -> float:
    """Rate energy: exclamations, emoji, laughter, capitals, stretched letters above a calm 4."""
    score = 4.0 + min(2, message.exclamations) + 0.75 * min(2, message.emoji)
    score += 0.75 * (message.manner["laughs"] > 0) + 1.0 * bool(_SHOUTED.search(message.text))
    score += 0.75 * bool(_DRAWN.search(message.text))
    score += 2.0 * max(strengths.get("excitement", 0.0), strengths.get("anger", 0.0))
    score -= 2.0 * max(strengths.get("sadness", 0.0), strengths.get("disengagement", 0.0))
    return within(score)


def _stands_alone(text: str, match: re.Match[str]) -> bool:
    """Whether no letter or digit touches an emoticon: "8:30" and "http:/" contain none."""
    around = text[max(0, match.start() - 1) : match.start()] + text[match.end() : match.end() + 1]
    return not any(letter.isalnum() or letter in "/:" for letter in around)
