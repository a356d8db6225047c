"""The page Chat: the conversation from all channels, and a form to write."""

import asyncio
import json
import re
import secrets
import time
from collections.abc import AsyncIterator, Callable
from typing import Annotated, Any
from urllib.parse import quote

from fastapi import APIRouter, Depends, File, Form, Request, Response, UploadFile
from fastapi.responses import HTMLResponse, JSONResponse

from furoshiki.channels.local import files
from furoshiki.channels.local.live_reply import FileBoard
from furoshiki.channels.local.mailbox import Answer, Mailbox
from furoshiki.channels.web import NAME, progress
from furoshiki.conversation.commands.registry import list_commands
from furoshiki.core.catalogue import Sentence, later, say
from furoshiki.core.framing import is_blank
from furoshiki.core.process.locks import LOCKS, list_held_for
from furoshiki.faces.dashboard import rendering
from furoshiki.faces.dashboard.access.current import CurrentWorld, admin, viewer
from furoshiki.faces.dashboard.access.streams import EventStream
from furoshiki.faces.dashboard.addresses import Cursor, Number
from furoshiki.faces.dashboard.flash import back
from furoshiki.faces.overview.errors import NotThere, Refused
from furoshiki.faces.overview.rules import conversation as rules
from furoshiki.faces.overview.rules.markdown import parse
from furoshiki.faces.overview.store import conversation
from furoshiki.messages.channels import WEB
from furoshiki.messages.events import File as Attached
from furoshiki.messages.store import turns
from furoshiki.owner.agenda import channel_modes
from furoshiki.world import World

PAGE = ("Chat", "The same conversation as everywhere else", "", 20)

router = APIRouter(include_in_schema=False, dependencies=[Depends(viewer)])

SHOWN = 40  # turns on one page of the conversation
LONGEST = 16_000  # characters of one message
PICTURE = ".png"  # the suffix of files that are shown instead of downloaded

_ONCE = re.compile(r"[\w-]{8,64}")


@router.get("/chat")
def chat(request: Request, world: CurrentWorld, before: Cursor = None) -> HTMLResponse:
    """Show the page."""
    with world.database.read() as db:
        first_meeting = turns.is_first_meeting(db)
    return rendering.page(
        request,
        "chat",
        **_entries(world, before),
        commands=list_commands(),
        longest=LONGEST,
        once=secrets.token_hex(8),
        first_meeting=first_meeting,
        before=before,
    )


@router.get("/parts/chat")
def entries(request: Request, world: CurrentWorld, before: Cursor = None) -> HTMLResponse:
    """Show the present conversation as a fragment, or the turns before one."""
    return rendering.part(request, "chat_entries", **_entries(world, before))


@router.get("/chat/file/{outbox_id}")
def file(world: CurrentWorld, outbox_id: Number) -> Response:
    """Send a picture made by the companion for display; other files as a download."""
    with world.database.read() as db:
        found = conversation.file(db, outbox_id)
    if found is None:
        raise NotThere
    name, data = found
    headers = {"Cache-Control": "no-store"}  # it may be forgotten
    if name.endswith(PICTURE):
        return Response(data, media_type="image/png", headers=headers)
    disposition = {"Content-Disposition": f"attachment; filename*=UTF-8''{quote(name)}"}
    return Response(data, media_type="application/octet-stream", headers=headers | disposition)


@router.post("/chat", dependencies=[Depends(admin)])
def send(
    request: Request,
    world: CurrentWorld,
    text: Annotated[str, Form()] = "",
    once: Annotated[str, Form()] = "",
    file: Annotated[UploadFile | None, File()] = None,
) -> Response:
    """Store a message or a file for the companion. The same `once` is stored only once."""
    return _respond_kept(request, post(world, text, once, _read_upload(file)))


@router.post("/chat/press", dependencies=[Depends(admin)])
def press(
    request: Request, world: CurrentWorld, data: Annotated[str, Form()], once: Annotated[str, Form()] = ""
) -> Response:
    """Press a button below a message of the companion."""
    return _respond_kept(request, Mailbox(world.database, NAME).press(data, _choose_key(once), world.now))


@router.post("/chat/hello", dependencies=[Depends(admin)])
def hello(request: Request, world: CurrentWorld) -> Response:
    """Request the first words of a companion that was never talked to."""
    return _respond_kept(request, Mailbox(world.database, NAME).hello(world.now))


@router.post("/chat/stop", dependencies=[Depends(admin)])
def stop(request: Request, world: CurrentWorld) -> Response:
    """Stop the answer that is being written here."""
    stopped = progress.stop(world.database, world.settings.data / "run")
    return _respond_kept(request, None) if stopped else back("/chat", say("Nothing was being written any more."))


@router.get("/chat/stream/{envelope_id}")
async def stream(request: Request, envelope_id: Number) -> Response:
    """Stream the growing answer as server-sent events; resumes at `Last-Event-ID`."""
    return stream_answer(request, envelope_id)


def post(world: World, text: str, once: str, file: tuple[str, Attached] | None = None) -> int:
    """Store a message for the mind's process. Raises Refused for no words or too many."""
    if is_blank(text) and file is None:
        raise Refused(later("There is nothing to send."), later("Write something first."), code="nothing_written")
    if len(text) > LONGEST:
        words = Sentence("That is longer than one message can be ({number:,} characters).", number=LONGEST)
        raise Refused(words, later("Send it in parts."), 413, "too_long")
    return Mailbox(world.database, NAME).say(text.replace("\r\n", "\n").strip(), _choose_key(once), world.now, file)


def stream_answer(request: Request, envelope_id: Number) -> Response:
    """Stream one answer; 204 if the browser has seen its end, so that it does not reconnect."""
    seen = request.headers.get("last-event-id", "")
    if seen == DONE:
        return Response(status_code=204)
    hub = request.app.state.hub
    found: AsyncIterator[str] = events(request.app.state.world, envelope_id, seen, lambda: hub.closed)
    return EventStream(request, found)


def _read_upload(file: UploadFile | None) -> tuple[str, Attached] | None:
    if file is None or not file.filename:
        return None
    data = file.file.read(files.MOST_BYTES + 1)
    if len(data) > files.MOST_BYTES:
        words = Sentence("That file is too large: the limit is {size} MB.", size=files.MOST_BYTES // 1000000)
        raise Refused(words, later("Send the part that matters, or just its text."), 413, "too_large")
    return files.make_attachment(file.filename, data)


def _choose_key(once: str) -> str:
    return once if _ONCE.fullmatch(once) else secrets.token_hex(16)


def _respond_kept(request: Request, envelope_id: int | None) -> Response:
    if "application/json" in request.headers.get("accept", ""):
        return JSONResponse({"id": envelope_id})
    return back("/chat#write")


def _entries(world: World, before: int | None) -> dict[str, Any]:
    """Return the entries of the conversation."""
    with world.database.read() as db:
        said = conversation.newest(db, before, SHOWN + 1)
        more, said = len(said) > SHOWN, said[-SHOWN:]
        until = None if before is None else next((turn.at for turn in turns.many(db, [before])), None)
        sent = conversation.read_sent_with(db, said)
        sent += conversation.read_sent_between(db, said[0].at if said and more else None, until)
        waiting = conversation.read_unanswered(db) if before is None else []
        pressed = conversation.read_pressed(db)
    oldest = said[0].at if said and more else None
    waiting = [
        unanswered for unanswered in waiting if unanswered.state != "dead" or oldest is None or unanswered.at >= oldest
    ]
    mode = channel_modes.mode(world, NAME)
    return {
        "entries": rules.list_entries(said, sent, waiting, pressed),
        "earlier": said[0].id if more else None,
        "markdown": parse,
        "once_press": secrets.token_hex(8),
        "away": None if LOCKS["mind"] in list_held_for(world.settings.data / "run") else progress.MIND_AWAY,
        "mode": mode,
        "modes_file": world.settings.data / "config" / channel_modes.FILE,
        "under_way": _under_way([unanswered.state for unanswered in waiting]),
    }


def _under_way(states: list[str]) -> str:
    """Return the state of waiting messages in one word."""
    if "processing" in states:
        return "thinking"
    return "waiting" if "pending" in states else ""


# -- the answer while it grows, as events --
#
# Each event holds the whole state, so that a page which was away misses nothing: `thinking`, `text`
# (the words so far), `done` (the result). Nothing is checked while nobody listens.


LOOK_SECONDS = 0.1
PATIENT_SECONDS = 1.0
# seconds without a change after which checks get rarer: the mind may be away for hours
LONG_SECONDS = 15.0

ALIVE_SECONDS = 20.0
LONGEST_SECONDS = 900.0  # seconds after which the stream ends and the page reconnects
DONE = "done"  # the id of the last event


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
