"""Export of all memories in an open format: JSON Lines for a later import, or Markdown to read.

JSON Lines have one record a line. A turn has the fields of the import format ("session", "at",
"speaker", "text", "id") and more, so other readers of that format accept it; `furoshiki memory
import` also restores memories with weights, sources, links and accesses, and session documents.
"""

import json
import os
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime, tzinfo
from itertools import chain, groupby
from pathlib import Path
from typing import Any, Literal

from furoshiki.archive.import_export.store import exports
from furoshiki.core import atomic_files, refs
from furoshiki.core.database.connection import Database
from furoshiki.core.framing import quote_lines
from furoshiki.core.timestamps import name_day, parse
from furoshiki.language.facts.retelling import address_user
from furoshiki.language.humanize import shorten
from furoshiki.language.testimony import label_speaker
from furoshiki.messages.values import COMPANION, USER
from furoshiki.mind.outreach.rules import explaining

Format = Literal["jsonl", "markdown"]
_SUFFIXES: dict[Format, str] = {"jsonl": "jsonl", "markdown": "md"}

# names of user and companion in Markdown; other speakers have their own
_SPEAKERS = {USER: "you", COMPANION: "me"}

_HEADINGS = {
    "semantic": "Facts",
    "preference": "What you like",
    "procedural": "How you like things done",
    "episodic": "Moments",
    "reflection": "Insights",
    "narrative": "Who I have become",
    "tension": "Contradictions",
    "correction": "Where I was corrected",
}


def usual_path(data: Path, format_: Format, now: datetime) -> Path:
    return data / "exports" / f"furoshiki-{now.strftime('%Y%m%d-%H%M%S')}.{_SUFFIXES[format_]}"


def to_file(
    database: Database,
    path: Path,
    format_: Format,
    now: datetime,
    zone: tzinfo,
    besides: Sequence[Mapping[str, Any]] = (),
) -> int:
    """Write an export that only its user can read; returns the number of records. Raises OSError.

    `besides` are records from outside the tables (`import_export.besides`). The file is written
    atomically.
    """
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    fresh = path.with_name(f"{path.name}.part")
    count = 0
    with database.read() as db:
        fresh.unlink(missing_ok=True)
        fresh.touch(mode=0o600)
        with fresh.open("w", encoding="utf-8") as file:
            for text in render_pieces(db, format_, now, zone, besides):
                file.write(text)
                count += 1
            file.flush()
            os.fsync(file.fileno())
    fresh.replace(path)
    atomic_files.sync_folder(path.parent)
    return count


def render_pieces(
    db: sqlite3.Connection,
    format_: Format,
    now: datetime,
    zone: tzinfo,
    besides: Sequence[Mapping[str, Any]] = (),
) -> Iterator[str]:
    """Yield the export's text, record by record."""
    return _jsonl(db, besides) if format_ == "jsonl" else _markdown(db, now, zone, besides)


def _jsonl(db: sqlite3.Connection, besides: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    for record in chain(exports.read_records(db), besides):
        yield json.dumps(record, ensure_ascii=False) + "\n"


def _markdown(
    db: sqlite3.Connection, now: datetime, zone: tzinfo, besides: Sequence[Mapping[str, Any]]
) -> Iterator[str]:
    head = ""
    for heading, texts in _sections(db, now, zone, besides):
        head += heading
        for text in texts:
            yield head + text
            head = ""


def _sections(
    db: sqlite3.Connection, now: datetime, zone: tzinfo, besides: Sequence[Mapping[str, Any]]
) -> Iterator[tuple[str, Iterable[str]]]:
    """Yield each heading with the texts below it."""
    yield f"# What is remembered\n\nWritten on {name_day(now, zone)}.\n", ()
    for kind, memories in groupby(exports.current_memories(db), key=lambda memory: str(memory["type"])):
        heading = _HEADINGS.get(kind, kind.capitalize())
        yield f"\n## {heading}\n\n", (_memory(memory, zone) for memory in memories)
    yield "\n# What is to be done\n", ()
    for name, tasks in groupby(exports.to_do(db), key=lambda task: str(task["list"])):
        yield f"\n## {name.replace('_', ' ')}\n\n", (_task(task, zone) for task in tasks)
    unasked = exports.read_unprompted(db)
    yield "\n# What I said unasked\n\n", (_render_unprompted(message, zone) for message in unasked)
    yield "\n# What I wrote for myself\n\n", map(_render_entry, exports.journal(db))
    files = (record for record in besides if record["record"] == "file")
    yield (
        "\n# What stands in files\n",
        (f"\n## {record['path']}\n\n{quote_lines(str(record['text']))}\n" for record in files),
    )
    settings = (record for record in besides if record["record"] == "setting")
    yield (
        "\n# Settings\n\n",
        (f"- {record['name']}: {record['value']} ({record['source']})\n" for record in settings),
    )
    yield "\n# What was said\n", ()
    day = ""
    for _, said in groupby(exports.read_turns(db), key=lambda turn: str(turn["session_id"])):
        for number, turn in enumerate(said):
            at = parse(turn["at"]).astimezone(zone)
            heading = ""
            if number == 0 or name_day(at, zone) != day:
                day = name_day(at, zone)
                where = f", {turn['chat_id'].removeprefix('import:')}" if turn["source"] != "live" else ""
                heading = f"\n## {day}{where}\n\n"
            speaker = _SPEAKERS.get(str(turn["speaker"]), str(turn["speaker"]))
            who = label_speaker(speaker, str(turn["text"]), turn["foreign_words"])
            text = str(turn["text"]).replace("\n", "  \n  ")
            yield heading, [f"- {at.strftime('%H:%M')} **{who}**: {text} ({refs.name('turn', turn['id'])})\n"]


def _render_entry(entry: dict[str, Any]) -> str:
    kind = str(entry["kind"]).replace("_", " ")
    return "\n\n".join((f"## {entry['day']}, {kind}", *entry["texts"], ""))


def _task(one: dict[str, object], zone: tzinfo) -> str:
    due = f", {parse(str(one['due_at'])).astimezone(zone).strftime('%-d %B %Y %H:%M')}" if one["due_at"] else ""
    again = f" ({one['recurrence']})" if one["recurrence"] else ""
    notes = f": {one['notes']}" if one["notes"] else ""
    return f"- {one['title']}{notes}{due}{again}\n"


def _render_unprompted(one: dict[str, object], zone: tzinfo) -> str:
    at = parse(str(one["at"])).astimezone(zone).strftime("%-d %B %Y %H:%M")
    about = f" (“{one['about']}”)" if one["about"] else ""
    said = shorten(str(one["text"]))
    received = explaining.outcome(None if one["outcome"] is None else str(one["outcome"]))
    return f"- {at}, {explaining.kind(str(one['kind']))}{about}: {said} {received}\n"


def _memory(one: dict[str, object], zone: tzinfo) -> str:
    since = name_day(parse(str(one["valid_from"] or one["created_at"])), zone)
    until = name_day(parse(str(one["valid_to"])), zone) if one["valid_to"] else None
    notes = [f"{since} to {until}" if until else f"since {since}"]
    if one["status"] != "active":
        notes.append(str(one["status"]))
    if one["immutable"]:
        notes.append("pinned")
    turn_ids = one["turn_ids"]
    rests = ", ".join(refs.names("turn", turn_ids)) if isinstance(turn_ids, list) else ""
    name = refs.name("memory", str(one["id"]))
    return f"- {address_user(str(one['content']))} ({'; '.join(notes)}; {name}, from {rests})\n"
