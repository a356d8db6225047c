"""Commitments, questions, journal entries and anticipations as plain values.

The command line, the pages and the API show the same values.
"""

import sqlite3
from collections.abc import Iterable
from dataclasses import asdict
from datetime import datetime
from typing import Any

from furoshiki.core.catalogue import later, say, say_number, words
from furoshiki.core.timestamps import stamp
from furoshiki.mind.inner_life.journal import pages
from furoshiki.mind.inner_life.store import commitments, patterns
from furoshiki.mind.inner_life.store.commitments import Commitment
from furoshiki.mind.inner_life.store.monologue import Entry
from furoshiki.mind.inner_life.store.self_questions import SelfQuestion
from furoshiki.owner.user_model.store.anticipations import Anticipation

# the outcome of a commitment that is no longer active
ENDED = later({"retired": "has become part of me since", "dropped": "dropped for lack of an occasion on"})

_STATES = words("questions")


def promise(db: sqlite3.Connection, commitment: Commitment) -> dict[str, Any]:
    """Return a commitment with its questions and their times, and its judgements."""
    found = {name: stamp(value) if isinstance(value, datetime) else value for name, value in asdict(commitment).items()}
    asked = patterns.read_recurrences(db, commitment.pattern_id)
    found["questions"] = [{"question": text, "times": list(map(stamp, times))} for text, times in asked]
    found["judgements"] = [
        {"session": judged.session_id, "verdict": judged.verdict, "turns": judged.turn_ids, "at": stamp(judged.at)}
        for judged in commitments.judgements(db, commitment.id)
    ]
    return found


def question(one: SelfQuestion, asked: bool) -> dict[str, Any]:
    """Return a question without its stem; `asked_you` says whether the user was asked."""
    found = {name: value for name, value in asdict(one).items() if name != "stem"}
    plain = {name: stamp(value) if isinstance(value, datetime) else value for name, value in found.items()}
    return plain | {"asked_you": asked}


def state_of_question(one: SelfQuestion, asked: bool) -> str:
    if one.state == "user_required" and asked:
        return say("asked you")
    if one.state == "open" and one.tried:
        return say_number("open, looked into {number} time", "open, looked into {number} times", one.tried)
    return say(_STATES[one.state])


def entry(one: Entry) -> dict[str, Any]:
    """Return a journal entry; `by_rule` when no model wrote it."""
    return {
        "id": one.id,
        "kind": one.kind,
        "title": pages.title(one),
        "day": one.day,
        "at": stamp(one.at),
        "by_rule": one.provider == "local",
        "passages": [{"text": passage.text, "turns": passage.cites} for passage in one.passages],
    }


def export_guess(anticipation: Anticipation) -> dict[str, Any]:
    """Return an anticipation: the need, its reason and its time range."""
    return {
        "id": anticipation.id,
        "text": anticipation.text,
        "reason": anticipation.reason,
        "turns": anticipation.cited,
        "from": stamp(anticipation.expected_at),
        "until": stamp(anticipation.expires_at),
        "state": anticipation.state,
    }


def by_day(entries: Iterable[dict[str, Any]]) -> list[tuple[str, list[dict[str, Any]]]]:
    """Group entries by day: newest day first, its entries oldest first."""
    days: dict[str, list[dict[str, Any]]] = {}
    for one in entries:
        days.setdefault(one["day"], []).append(one)
    return sorted(days.items(), reverse=True)
