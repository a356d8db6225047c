"""Evidence, besides meaning, that a text is a likely answer to a question about the past.

Every figure was chosen on development conversations of three kinds (models writing as two people,
two real people, a person and an assistant), by leaving one kind out at a time; docs/memory.md
states the effect and cost of every term. The same figures hold for all kinds. Within wide bounds
none of them matters much.
"""

import re
from collections.abc import Callable, Sequence, Set
from dataclasses import dataclass
from functools import cache

from furoshiki.language.tables.calendar_names import MONTHS, WEEKDAYS
from furoshiki.language.tables.function_words import STOP_WORDS
from furoshiki.language.word_tables import by_language
from furoshiki.language.words import RUN
from furoshiki.messages.values import COMPANION, USER

# speakers whose words are answers of a machine and seldom searched for
COMPANIONS = frozenset({COMPANION, "assistant", "ai", "bot", "model"})

# the weight of a query token that is a speaker's name, which matches all that speaker's turns
NAME_PIECE = 0.3

STOP_PIECE = 0.6
MARK_PIECE = 0.3  # the weights of stop words and of punctuation marks; other tokens count 1


@dataclass(frozen=True)
class Terms:
    """Terms added to contextual late interaction, in standard deviations of its scores.

    `before` and `after` are the discounts at which a query token may match the turns around a
    candidate, nearest first; `answers` is the discount for the previous turn if another speaker
    asks there.
    """

    before: tuple[float, ...] = (0.9, 0.87)
    after: tuple[float, ...] = (0.9, 0.85)
    answers: float = 0.96
    session: float = 0.5
    named: float = 1.2
    oneself: float = 0.3
    first_person: float = 0.3
    dated: float = 3.0
    tells_when: float = 1.4
    after_question: float = 0.12
    full_text: float = 0.05
    companion: float = 1.0
    long_per_log: float = 0.03
    past: float = 1.5
    asked_again: float = 4.0
    whole: float = 0.0  # the weight of the cosine between whole texts; the rest is the tokens'
    # the share of the message it answers in the cosine of a short text (`SHORT_ANSWER`), less in a
    # longer one's
    answered: float = 0.0
    mentioned: float = 0.0  # for a text that mentions a name from the question


TERMS = Terms()  # the terms in use

# those for the multilingual encoder, chosen on development lives in five languages
OTHER_TERMS = Terms(
    before=(0.8, 0.7),
    after=(0.8, 0.7),
    answers=0.9,
    session=0.25,
    companion=2.5,
    whole=0.45,
    answered=0.17,
    mentioned=1.5,
)

SHORT_ANSWER = 60  # characters up to which an answer means little without what it answers
LONG_TOKENS = 96  # longer turns get a penalty, as best matches grow with the number of tokens

# characters of a message searched for a question about the companion's statements
LONGEST_QUESTION = 2_000

SAME_QUESTION = 0.6  # the share of common content words (Jaccard index) of two equal questions
QUESTION_CHARACTERS = 400  # a longer text (about LONG_TOKENS tokens) is more than a question


@dataclass(frozen=True)
class Cues:
    """Evidence in the words of a question about its answer."""

    words: frozenset[str]
    asks_when: bool
    asks_companion: bool
    about_oneself: bool
    about_before: bool


_SENTENCE = re.compile(r"(?<=[.!?;:\n。！？；：])")
_COMMA = re.compile(r"[,，]")
_ASKING = ("?", "？", "؟")
_TIME = re.compile(
    r"\b(yesterday|today|tonight|tomorrow|last|next|ago|week|weekend|month|year|recently"
    rf"|{'|'.join((*WEEKDAYS, *MONTHS))}|\d{{4}})s?\b",
    re.I,
)
# a request to the companion ("can you list", "would you suggest"), not about its earlier words
_REQUEST = re.compile(r"\b(can|could|would|will|do) you\b( please| kindly| also| just)?\s+(?!remind\b)\w+", re.I)
_WHEN = re.compile(by_language("likely_answers")["en"]["when"], re.I)
COMPANION_SAID = re.compile(by_language("likely_answers")["en"]["companion_said"], re.I)
_ONESELF = re.compile(r"\b(i|i'm|i've|i'd|my|me|mine|myself)\b", re.I)
_OURS = re.compile(r"\b(we|our)\b", re.I)


@cache
def _patterns(code: str) -> dict[str, re.Pattern[str]]:
    """Return what is asked for in a language, by name; of one without patterns English's."""
    tables = by_language("likely_answers")
    return {name: re.compile(words, re.I) for name, words in tables.get(code, tables["en"]).items()}


def read(question: str, code: str = "en") -> Cues:
    """Read a question in the language of this code."""
    asks = _patterns(code)
    part = question[:LONGEST_QUESTION]
    return Cues(
        words=frozenset(RUN.findall(question.lower())),
        asks_when=bool(_WHEN.search(part)),
        asks_companion=bool(asks["companion_said"].search(_REQUEST.sub(" ", part))),
        about_oneself=bool(_ONESELF.search(question)),
        about_before=bool(asks["before"].search(part)),
    )


def asks_foremost(text: str) -> bool:
    """Whether a text is mainly a question: in a long explanation a question is a courtesy."""
    return "?" in text and len(text) <= QUESTION_CHARACTERS


def asks_again(text: str, wanted: Set[str], tell: Callable[[str], frozenset[str]], asks: Callable[[str], bool]) -> bool:
    """Whether a text repeats the present question and contains nothing of its answer.

    `wanted` are the content words of the question, `tell` extracts those of a text, and `asks` says
    whether words without a question mark are a question. "I like figs, do you like figs?" does not
    count: the words before its last comma say the same.
    """
    if len(text) > QUESTION_CHARACTERS or not (any(mark in text for mark in _ASKING) or asks(text)):
        return False
    stated: list[str] = []
    same = False
    for sentence in _SENTENCE.split(text):
        asking = sentence.rstrip().endswith(_ASKING) or asks(sentence)
        words = tell(sentence) if asking else frozenset[str]()
        if words and len(words & wanted) >= SAME_QUESTION * len(words | wanted):
            same = True
            stated += _COMMA.split(sentence)[:-1]
        else:
            stated.append(sentence)
    return same and len(tell(" ".join(stated)) & wanted) * 2 < len(wanted)


def tells_when(text: str) -> bool:
    """Whether a text names a time."""
    return bool(_TIME.search(text))


def tells_of_oneself(text: str) -> bool:
    """Whether a text is about its speaker."""
    return bool(_ONESELF.search(text)) or bool(_OURS.search(text))


def is_asker(speaker: str, cues: Cues) -> bool:
    """Whether the question says "I" and this speaker asks it."""
    return speaker == USER and cues.about_oneself and not cues.asks_companion


def is_about_speaker(speaker: str, cues: Cues) -> bool:
    """Whether the question is about this speaker's statements, by name; "you" for the companion."""
    if speaker in COMPANIONS:
        return cues.asks_companion
    first = speaker.lower().split()
    return bool(first) and len(first[0]) > 1 and first[0] in cues.words


def pays_for_length(speaker: str, cues: Cues) -> bool:
    """Whether a turn of this speaker is penalised for its length: not the companion's, if the
    question is about its statements, as its explanations are long."""
    return not (speaker in COMPANIONS and cues.asks_companion)


def piece_weights(pieces: Sequence[str], speakers: frozenset[str]) -> list[float]:
    """Return each token's weight, in [0, 1]; `speakers` are lower-case first names."""
    return [_weight(piece, speakers) for piece in pieces]


def _weight(piece: str, speakers: frozenset[str]) -> float:
    bare = piece.removeprefix("##").lower()
    if not any(character.isalnum() for character in bare):
        return MARK_PIECE
    if bare in speakers:
        return NAME_PIECE
    return STOP_PIECE if bare in STOP_WORDS else 1.0
