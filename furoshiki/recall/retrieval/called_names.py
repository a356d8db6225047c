"""Find the speaker whom a question names by another name than that of the account.

A speaker has a name by which others greet them.
"""

import sqlite3

from furoshiki.language.facts import called
from furoshiki.recall.retrieval.rules.likely_answers import COMPANIONS
from furoshiki.recall.retrieval.store import candidates, full_text

GREETINGS_READ = 60
"""Turns with the name that are read; full-text search returns short ones first."""

NAMES_LOOKED_UP = 4
"""Names of one question that are looked up, with a full-text search each."""


def find_speakers(db: sqlite3.Connection, question: str, speakers: frozenset[str]) -> frozenset[str]:
    """Return the account names of speakers with other names. `speakers` are known first names."""
    names = called.names_asked_for(question, speakers)[:NAMES_LOOKED_UP]
    return frozenset(speaker for name in names if (speaker := _find_greeted(db, name)) is not None)


def has_known_name(db: sqlite3.Connection, text: str) -> bool:
    """Whether a text contains a name that occurred in an earlier turn."""
    names = called.names_asked_for(text, frozenset())[:NAMES_LOOKED_UP]
    return any(full_text.full_text(db, "turn", (name,), 1) for name in names)


def _find_greeted(db: sqlite3.Connection, name: str) -> str | None:
    """Return the only person who is greeted by this name and talks with one other; else None."""
    turns = candidates.read_turns(db, full_text.full_text(db, "turn", (name,), GREETINGS_READ)).values()
    greetings = [turn for turn in turns if turn.speaker not in COMPANIONS and called.greets(turn.text, name)]
    by = called.caller(turn.speaker for turn in greetings)
    if by is None:
        return None
    sessions = {turn.session_id for turn in greetings if turn.speaker == by}
    others = candidates.speakers(db, sessions) - {by}
    return others.pop() if len(others) == 1 and not others & COMPANIONS else None
