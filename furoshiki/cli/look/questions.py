"""`furoshiki questions`: what the companion asks itself, what waits to be asked, and what it found."""

from __future__ import annotations

import argparse
from dataclasses import asdict
from datetime import datetime
from typing import Any

from furoshiki.cli import context
from furoshiki.core import refs
from furoshiki.core.timestamps import stamp
from furoshiki.inner_life.store import self_questions
from furoshiki.inner_life.store.self_questions import SelfQuestion
from furoshiki.language.humanize import ago, plural
from furoshiki.terminal.printing import as_json, table

STATES = {
    "open": "open",
    "user_required": "yours to answer",
    "answered": "answered",
    "merged": "merged",
    "expired": "let go",
}


def run(args: argparse.Namespace) -> int:
    """Print the questions that are open; with --all every one, newest first."""
    _, database = context.storage()
    now = context.clock().now()
    with database.read() as db:
        found = self_questions.every(db) if args.all else self_questions.pending(db)
        asked = self_questions.put_to_user(db)
    if args.json:
        as_json([_plain(one) | {"asked_you": one.id in asked} for one in found])
        return 0
    if not found:
        print("No question has come up yet." if args.all else "No question is open.")
        return 0
    rows = [
        [_state(one, one.id in asked), plural(one.asked, "time"), ago(one.created_at, now), _told(one)] for one in found
    ]
    table(["state", "came up", "first", "question"], rows)
    return 0


def _state(one: SelfQuestion, asked: bool) -> str:
    """Where a question stands, and what was done about it so far."""
    if one.state == "user_required" and asked:
        return "asked you"
    if one.state == "open" and one.tried:
        return f"open, looked into {plural(one.tried, 'time')}"
    return STATES[one.state]


def _told(one: SelfQuestion) -> str:
    """The question, and after it what is known: the answer with the memory that holds it, or what it went into."""
    if one.state == "answered":
        held = "" if one.memory_id is None else f" [{refs.name('memory', one.memory_id)}]"
        return f"{one.question} — {one.answer}{held}"
    if one.state == "merged":
        return f"{one.question} (the same as {one.merged_into})"
    return one.question


def _plain(one: SelfQuestion) -> dict[str, Any]:
    """A question for machines: every field but the stem it is compared by."""
    found = {name: value for name, value in asdict(one).items() if name != "stem"}
    return {name: stamp(value) if isinstance(value, datetime) else value for name, value in found.items()}
