"""What an answer, or a memory, rests on: the words themselves, each with its date. For `/why` and the command line."""

from __future__ import annotations

import sqlite3
from typing import Any

from furoshiki.conversation.commands.memory import speaker_name
from furoshiki.core import refs
from furoshiki.core.timestamps import parse, stamp
from furoshiki.inner_life.store import design_docs
from furoshiki.inner_life.store.design_docs import Part
from furoshiki.language import testimony
from furoshiki.language.humanize import day, shortened
from furoshiki.memory.store import memories
from furoshiki.messages.store import sessions, turn_journal, turns
from furoshiki.messages.values import USER, Envelope, Turn, Words
from furoshiki.user_model import user
from furoshiki.world import World

MOST_QUOTES = 6


async def run(world: World, _args: str, _envelope: Envelope) -> Words:
    """What the last answer rested on."""
    return Words(in_words(world, last_answer(world)))


def last_answer(world: World) -> dict[str, Any] | None:
    """The newest answer, the question it answered, and the evidence the mind was shown; None before the first."""
    with world.database.read() as db:
        entry = turn_journal.last_committed(db)
        if entry is None:
            return None
        spoken = turns.of_key(db, entry.turn_key)
        short = set(entry.answer.get("shortened", ()))
        evidence = [
            {**found, "shown": "in one line" if name in short else "in full"}
            for name in entry.evidence
            if (found := described(db, name)) is not None
        ]
    return {
        "turn_key": entry.turn_key,
        "question": "\n".join(turn.text for turn in spoken if turn.speaker == USER),
        "answer": "\n\n".join(turn.text for turn in spoken if turn.speaker != USER),
        "model": f"{entry.answer.get('provider', '')}:{entry.answer.get('model', '')}".strip(":") or None,
        "evidence": evidence,
    }


def described(db: sqlite3.Connection, name: str) -> dict[str, Any] | None:
    """A memory with the turns it rests on, or a turn, a session, a part of a document about the companion, as plain
    values; None when it is gone."""
    ref = refs.Ref.parse(name)
    if ref is None:
        return None
    if ref.kind == "session":
        return _session(db, ref)
    if ref.row is None:
        return None
    if ref.kind == "turn":
        turn = turns.get(db, ref.row)
        return None if turn is None else _turn(turn)
    if ref.kind == "memory":
        held = memories.get(db, ref.row)
        if held is None:
            return None
        return {
            "id": name,
            "kind": "memory",
            "type": held.type,
            "at": stamp(held.created_at),
            "text": held.content,
            "status": held.status,
            "valid_to": None if held.valid_to is None else stamp(held.valid_to),
            "source": held.source_tag,
            "turns": [_turn(turn) for turn in turns.many(db, list(held.turn_ids))],
            "documents": [
                _page(part) for part in design_docs.of_ids(db, held.metadata.get(memories.DESIGN, ())).values()
            ],
        }
    if ref.kind == "design":
        part = design_docs.of_ids(db, [ref.row]).get(ref.row)
        return None if part is None else _page(part)
    return None


def _session(db: sqlite3.Connection, ref: refs.Ref) -> dict[str, Any] | None:
    """A session by the row of its document, as recall names it, or by its own id; its words are its turns."""
    held = None if ref.row is None else sessions.of_row(db, ref.row)
    spoken = turns.of_session(db, ref.id if held is None else held.session_id)
    if held is None and not spoken:
        return None
    return {
        "id": str(ref),
        "kind": "session",
        "at": stamp(spoken[0].at if held is None else held.started_at),
        "text": "" if held is None else ", ".join(held.topics),
        "turns": [_turn(turn) for turn in spoken],
    }


def in_words(world: World, found: dict[str, Any] | None) -> str:
    """The same for people: quotes with their dates."""
    if found is None:
        return "I have not answered anything yet."
    with world.database.read() as db:
        zone = user.zone(world, db)
    source = f", from {_mind(found['model'])}" if found["model"] else ""
    lines = [f"My last answer{source}:", f"> {shortened(found['answer'] or '(silence)', 120)}", ""]
    quotes = _quotes(found["evidence"])[:MOST_QUOTES]
    pages = [one for one in found["evidence"] if one["kind"] == "design"]
    if not quotes and not pages:
        return "\n".join([*lines, "It rested on what we had just said, and on nothing older."])
    if pages:
        lines.append("I looked up how I work:")
        lines += [f"- {one['source']}, {one['heading']} ({one['id']})" for one in pages]
    if quotes:
        lines.append("I had these words before me:")
    for quote in quotes:
        who = speaker_name(world, quote["speaker"])
        who = f"{who} ({quote['from']})" if quote.get("from") else who
        where = f"{quote['id']}, in one line" if quote["shown"] == "in one line" else quote["id"]
        lines.append(f"- {day(parse(quote['at']), zone)}, {who}: “{shortened(quote['text'])}” ({where})")
    return "\n".join(lines)


def _quotes(evidence: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The turns behind the evidence, each once, in its order, and how what they stand behind was shown."""
    quotes: dict[str, dict[str, Any]] = {}
    for one in evidence:
        for turn in [one] if one["kind"] == "turn" else one.get("turns", ()):
            quotes.setdefault(turn["id"], {**turn, "shown": one["shown"]})
    return list(quotes.values())


def _turn(turn: Turn) -> dict[str, Any]:
    return {
        "id": refs.name("turn", turn.id),
        "kind": "turn",
        "at": stamp(turn.at),
        "speaker": turn.speaker,
        "text": turn.text,
        "session": turn.session_id,
        "channel": turn.channel,
        **testimony.origin(turn.text, turn.foreign),
    }


def _page(part: Part) -> dict[str, Any]:
    return {
        "id": refs.name("design", part.id),
        "kind": "design",
        "source": part.source,
        "heading": part.heading,
        "text": part.text,
    }


def _mind(model: str) -> str:
    return "my built-in mind" if model == "local:reflex" else model.partition(":")[2] or model
