"""`furoshiki questions`: what the companion asks itself, what it will ask you, and its answers."""

import argparse

from furoshiki.core import refs
from furoshiki.faces.cli import context
from furoshiki.faces.terminal.printing import show_list
from furoshiki.language.humanize import ago, plural
from furoshiki.mind.inner_life import views
from furoshiki.mind.inner_life.store import self_questions
from furoshiki.mind.inner_life.store.self_questions import SelfQuestion


def run(args: argparse.Namespace) -> int:
    """Print the open questions; with --all every one, newest first."""
    _, database = context.storage()
    now = context.clock().now()
    with database.read() as db:
        questions = self_questions.every(db) if args.all else self_questions.list_pending(db)
        asked = self_questions.put_to_user(db)
    data = [views.question(question, question.id in asked) for question in questions]
    rows = []
    for question in questions:
        state = views.state_of_question(question, question.id in asked)
        rows.append((state, plural(question.asked, "time"), ago(question.created_at, now), _describe(question)))
    nothing = "No question has come up yet." if args.all else "No question is open."
    return show_list(args.json, data, ("state", "came up", "first", "question"), rows, nothing)


def _describe(question: SelfQuestion) -> str:
    """Return the question with its answer and memory, or with the question it merged into."""
    if question.state == "answered":
        held = "" if question.memory_id is None else f" [{refs.name('memory', question.memory_id)}]"
        return f"{question.question} — {question.answer}{held}"
    if question.state == "merged":
        return f"{question.question} (the same as {question.merged_into})"
    return question.question
