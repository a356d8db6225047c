"""Find whom a question names: a speaker by another name than that of the account, and texts that mention them.

A speaker has a name by which others greet them.
"""

import re
import sqlite3
from collections import Counter
from collections.abc import Iterable, Mapping

from furoshiki.language.facts.abroad import CAPITAL_NOUNS
from furoshiki.language.inflection import latin
from furoshiki.language.tables.function_words import STOP_WORDS
from furoshiki.language.words import WORD
from furoshiki.recall.retrieval.rules.likely_answers import COMPANIONS
from furoshiki.recall.retrieval.store import candidates, full_text

GREETINGS_READ = 60  # turns with the name that are read; full-text search returns short ones first
NAMES_LOOKED_UP = 4  # names of one question that are looked up, with a full-text search each


# the fewest first letters by which a name is recognized in another case, and letters of its ending
LEAST_STEM, ENDING = 3, 2

_WITHIN = re.compile(r"(?<=[\w,;:] )[^\W\d_]{3,}")


def find_speakers(db: sqlite3.Connection, question: str, speakers: frozenset[str]) -> frozenset[str]:
    """Return the account names of speakers with other names. `speakers` are known first names."""
    names = names_asked_for(question, speakers)[:NAMES_LOOKED_UP]
    return frozenset(speaker for name in names if (speaker := _find_greeted(db, name)) is not None)


def has_known_name(db: sqlite3.Connection, text: str) -> bool:
    """Whether a text contains a name that occurred in an earlier turn."""
    names = names_asked_for(text, frozenset())[:NAMES_LOOKED_UP]
    return any(full_text.full_text(db, "turn", (name,), 1) for name in names)


def find_mentions(question: str, code: str, texts: Mapping[int, str]) -> frozenset[int]:
    """Return the texts that mention a name from within a question, in any case and script ("Гоши" of
    "Гошей", and of "Gosha"). None in a language that writes every noun with a capital."""
    names = [latin(word) for word in _WITHIN.findall(question) if word[0].isupper() and code != CAPITAL_NOUNS]
    stems = tuple(name[: max(LEAST_STEM, len(name) - ENDING)] for name in names)
    if not stems:
        return frozenset()
    return frozenset(
        n for n, text in texts.items() if any(latin(word).startswith(stems) for word in WORD.findall(text))
    )


def _find_greeted(db: sqlite3.Connection, name: str) -> str | None:
    """Return the only person who is greeted by this name and talks with one other; else None."""
    turns = candidates.read_turns(db, full_text.full_text(db, "turn", (name,), GREETINGS_READ)).values()
    greetings = [turn for turn in turns if turn.speaker not in COMPANIONS and greets(turn.text, name)]
    by = caller(turn.speaker for turn in greetings)
    if by is None:
        return None
    sessions = {turn.session_id for turn in greetings if turn.speaker == by}
    others = candidates.speakers(db, sessions) - {by}
    return others.pop() if len(others) == 1 and not others & COMPANIONS else None


# -- who is greeted by a name: "Hey Kate" shows that the other person is Kate --


LEAST_GREETINGS = 3  # least greetings with a name: a drafted mail contains one or two

# least share of these greetings by one speaker: the name is then the other person's
CLEAR_SHARE = 0.8

_GREETING = r"\b(?:hi|hey|hello|thanks|thank you|morning|evening|afternoon|night|bye)[ ,]{1,2}([^\W\d_]{2,30})\b"
_GREETED = re.compile(_GREETING, re.I)
_CAPITALISED = re.compile(r"\b[^\W\d_a-z][^\W\d_]{1,29}\b")


def names_asked_for(question: str, speakers: frozenset[str]) -> tuple[str, ...]:
    """Return words of a question that may be unknown names (lower case)."""
    words = dict.fromkeys(word.lower() for word in _CAPITALISED.findall(question))
    return tuple(word for word in words if word not in STOP_WORDS and word not in speakers)


def greets(text: str, name: str) -> bool:
    """Return whether a text greets or thanks a person of this name (lower case)."""
    return any(found.lower() == name for found in _GREETED.findall(text))


def caller(greeting: Iterable[str]) -> str | None:
    """Return the one who greets with a name, given all greetings' speakers; None if unclear."""
    counts = Counter(greeting)
    if not counts:
        return None
    speaker, times = counts.most_common(1)[0]
    return speaker if times >= LEAST_GREETINGS and times >= CLEAR_SHARE * counts.total() else None
