"""`/export`: all messages and memories as JSON Lines. Runs as a background operation."""

import asyncio
import base64
import gzip
from pathlib import Path

from furoshiki.archive.import_export import exporting, settings_and_files
from furoshiki.conversation.commands.registry import Command
from furoshiki.core import refs
from furoshiki.core.catalogue import say, say_number
from furoshiki.messages.channels import HERE
from furoshiki.messages.store import outbox
from furoshiki.messages.values import Envelope, NewOutgoing, Words
from furoshiki.owner.agenda.store import operations
from furoshiki.world import World

KIND = "export"
COMPRESS_BYTES = 5 * 1024 * 1024
MOST_BYTES = 45 * 1024 * 1024  # maximum size; Telegram accepts files up to 50 MB

# references to running tasks, which could otherwise be garbage-collected
_under_way: set[asyncio.Task[None]] = set()


@Command("export", "everything I know, as a file", place=190)
async def run(world: World, _args: str, envelope: Envelope) -> Words:
    """Return the path at once on this machine; elsewhere the file follows as a message."""
    if (full := await asyncio.to_thread(world.no_room)) is not None:
        return Words(say("I can't create an export right now: {why}.", why=full))
    with world.database.write() as db:
        operation = operations.begin(db, KIND, "your export", envelope.channel, envelope.chat_id, world.now)
    if envelope.channel in HERE:
        path, count = await _write_file(world, operation)
        with world.database.write() as db:
            operations.mark_read(db, (operation,), world.now)  # reported here and now
        return Words(
            say_number("{number:,} record in {path}.", "{number:,} records in {path}.", count, path=f"`{path}`")
        )
    task = asyncio.get_running_loop().create_task(_deliver(world, operation, envelope))
    _under_way.add(task)
    task.add_done_callback(_under_way.discard)
    return Words(say("I'm gathering everything; the file will be here in a moment."))


def write(world: World) -> tuple[Path, int]:
    """Write the file to `exports/`; return its path and number of records. Raises OSError."""
    path = exporting.usual_path(world.settings.data, "jsonl", world.now)
    beside = list(settings_and_files.records(world.settings, own=world.who.place is None))
    return path, exporting.to_file(world.database, path, "jsonl", world.now, world.zone, beside)


async def _write_file(world: World, operation: int) -> tuple[Path, int]:
    try:
        path, count = await asyncio.to_thread(write, world)
    except OSError as error:
        _end(world, operation, False, f"could not be written: {error}")
        raise
    _end(world, operation, True, f"{count} records in {path}")
    return path, count


async def _deliver(world: World, operation: int, envelope: Envelope) -> None:
    try:
        path, count = await _write_file(world, operation)
        item = await asyncio.to_thread(_document, path, count, envelope)
    except OSError as error:
        item = NewOutgoing(envelope.channel, envelope.chat_id, say("The export failed: {error}", error=error))
    with world.database.write() as db:
        outbox.put(db, [item], world.now, None, refs.name("operation", operation))


def _document(path: Path, count: int, envelope: Envelope) -> NewOutgoing:
    data, name = path.read_bytes(), path.name
    if len(data) > COMPRESS_BYTES:
        data, name = gzip.compress(data), f"{name}.gz"
    if len(data) > MOST_BYTES:
        text = say_number(
            "{number:,} record: too much for a message. The file is {path} on the machine I live on.",
            "{number:,} records: too much for a message. The file is {path} on the machine I live on.",
            count,
            path=path,
        )
        return NewOutgoing(envelope.channel, envelope.chat_id, text)
    extra = {"filename": name, "data": base64.b64encode(data).decode("ascii")}
    words = say_number(
        "{number:,} record: all we said, what I made of it, and the lists. One JSON object a line.",
        "{number:,} records: all we said, what I made of it, and the lists. One JSON object a line.",
        count,
    )
    return NewOutgoing(envelope.channel, envelope.chat_id, words, kind="document", extra=extra)


def _end(world: World, operation: int, ok: bool, result: str) -> None:
    with world.database.write() as db:
        operations.end(db, operation, ok, result, world.now)
