"""session-context.json: the start of a conversation, prepared in advance. No model is asked.

It contains slow look-ups: the last sessions, related sessions, rising themes, open lists.
Frequently changing values (mood, needs, profile, commitments) are read from their sources.
"""

import contextlib
from datetime import date, tzinfo
from typing import Any

from furoshiki.core import refs
from furoshiki.language.session_feeling import describe_connection
from furoshiki.language.tokens import cut
from furoshiki.memory import concepts
from furoshiki.messages.store import sessions
from furoshiki.messages.store.sessions import SessionDocument
from furoshiki.owner.agenda.store import tasks
from furoshiki.owner.user_model import profile_files, user
from furoshiki.recall.retrieval.client import VectorsAway
from furoshiki.world import World

SESSIONS = 4
# minimum cosine for a past session to count as related to the latest journal entry
LEAST_SIMILARITY = 0.3

NEAREST = 12  # number of sessions requested; the latest is removed from the result

EXCERPT_TOKENS = 120
SESSION_TOKENS = 150
TASKS = 10


def refresh(world: World) -> None:
    """Collect the latest sessions, related sessions, rising themes and open tasks."""
    with contextlib.suppress(OSError):  # a full disk must not cost the context; the mark stays for the next run
        profile_files.settle(world)
    with world.database.read() as db:
        zone = user.zone(world, db)
        latest = sessions.latest(db, SESSIONS)
        open_tasks = {
            list_id: [task.title for task in tasks.in_list(db, list_id)[:TASKS]] for list_id in tasks.lists(db)
        }
        rising = list(concepts.themes(db).rising)
    written_on, thought = thought_last(world)
    excerpt = thought or (_summary(latest[0]) if latest else "")
    world.state.write_context(
        {
            "sessions": [line for document in latest if (line := _line(document, zone))],
            "thought": thought,
            "thought_on": written_on,
            "related": _find_related(world, excerpt, {document.session_id for document in latest[:1]}, zone),
            "rising": rising,
            "tasks": open_tasks,
        }
    )


def thought_last(world: World) -> tuple[str, str]:
    """Return the day of the newest journal page, as it is spoken of, and its beginning; "" without one."""
    for path in sorted((world.settings.data / "memory" / "inner-monologue").glob("????-??-??.md"), reverse=True):
        with contextlib.suppress(OSError, ValueError):
            lines = [line for line in path.read_text(encoding="utf-8").splitlines() if not line.startswith(("#", "!["))]
            if words := " ".join(" ".join(lines).split()):
                return f"{date.fromisoformat(path.stem):%A, %-d %B}", cut(words, EXCERPT_TOKENS)
    return "", ""


def _find_related(world: World, excerpt: str, besides: set[str], zone: tzinfo) -> list[dict[str, Any]]:
    """Return the past sessions most similar to the excerpt, best first; [] without vectors."""
    if not excerpt:
        return []
    try:
        found = world.vectors.query(excerpt, ("session",), NEAREST)
    except VectorsAway:
        return []
    near = {refs.row(name): cosine for name, cosine in found if cosine > LEAST_SIMILARITY}
    with world.database.read() as db:
        held = [(row, document) for row in near if (document := sessions.of_row(db, row)) is not None]
    return [
        {"about": _line(one, zone), "text": _summary(one)}
        for row, one in sorted(held, key=lambda entry: (-near[entry[0]], entry[0]))
        if one.session_id not in besides
    ][:SESSIONS]


def _line(document: SessionDocument, zone: tzinfo) -> str:
    """Return a session's date, topics and closeness; "" without topics."""
    day = document.started_at.astimezone(zone).strftime("%A, %-d %B")
    close = "" if document.connection_quality is None else describe_connection(document.connection_quality)
    return f"{day}: {', '.join(document.topics)}{f' ({close})' if close else ''}" if document.topics else ""


def _summary(document: SessionDocument) -> str:
    """Return a session's summary: the last paragraph of its document's head."""
    head = document.document.partition("\n\n")[0].splitlines()
    return cut(head[-1].strip() if head else "", SESSION_TOKENS)
