"""The answer to one message as a stream of events, while it grows.

Each event holds the whole state, so that a page which was away misses nothing: `thinking`, `text`
(the words so far), `done` (the result). Nothing is checked while nobody listens.
"""

import asyncio
import json
import time
from collections.abc import AsyncIterator, Callable

from furoshiki.channels.local.live_reply import FileBoard
from furoshiki.channels.local.mailbox import Answer, Mailbox
from furoshiki.messages.channels import WEB
from furoshiki.world import World

LOOK_SECONDS = 0.1
PATIENT_SECONDS = 1.0
LONG_SECONDS = 15.0
"""Seconds without a change after which checks get rarer: the mind may be away for hours."""

ALIVE_SECONDS = 20.0
LONGEST_SECONDS = 900.0
"""Seconds after which the stream ends and the page reconnects."""

DONE = "done"
"""The id of the last event."""


async def events(
    current: Callable[[], World], envelope_id: int, last_event_id: str, over: Callable[[], bool]
) -> AsyncIterator[str]:
    """Yield events after `last_event_id` until the message is answered or `over` returns true."""
    world = current()
    database, board = world.database, FileBoard(world.settings.data / "run")
    shown, version, told_at = last_event_id, -1, time.monotonic()
    changed_at, ends_at = told_at, told_at + LONGEST_SECONDS
    if shown == DONE:
        return
    while not over() and time.monotonic() < ends_at:
        text = board.text(envelope_id)  # before the answer: else finished words would seem to grow
        if text is not None and _mark(text) != shown:
            shown, told_at = _mark(text), time.monotonic()
            changed_at = told_at
            yield encode_event("text" if text else "thinking", shown, {"text": text})
        fresh = database.version()
        if fresh != version:
            answer = await asyncio.to_thread(Mailbox(database, WEB).answer, envelope_id)
            if answer is not None:
                yield encode_event("done", DONE, as_json(answer))
                return
            version = fresh
        if time.monotonic() - told_at > ALIVE_SECONDS:
            told_at = time.monotonic()
            yield ": still here\n\n"
        await asyncio.sleep(PATIENT_SECONDS if time.monotonic() - changed_at > LONG_SECONDS else LOOK_SECONDS)


def as_json(answer: Answer) -> dict[str, object]:
    """Return the result of a message as JSON data."""
    return {
        "turn_key": answer.turn_key,
        "parts": list(answer.texts),
        "buttons": [{"text": text, "data": data} for text, data in answer.buttons],
        "silent": not answer.parts,
        "model": answer.model,
        "error": answer.failure,
    }


def encode_event(event: str, event_id: str, data: object) -> str:
    """Format a server-sent event."""
    return f"id: {event_id}\nevent: {event}\ndata: {json.dumps(data)}\n\n"


def _mark(text: str) -> str:
    """Return an id that distinguishes the states of a growing text."""
    return f"text-{len(text)}" if text else "thinking"
