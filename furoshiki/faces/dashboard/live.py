"""Tells open pages what has changed. It looks at the data directory once a second while somebody watches, else never.

A look is a few `stat`s; only when a file has changed is the database asked which subjects have, by an indexed maximum.
Events are numbered, and the last few are kept: a page that was away for a while is told what it missed, or to look at
everything again when that is too long ago or happened before this process began.
"""

from __future__ import annotations

import asyncio
import json
import re
from collections import deque
from collections.abc import AsyncIterator, Callable, Iterable
from dataclasses import dataclass, field

from furoshiki.core.errors import StorageUnavailable
from furoshiki.core.paths import stamp_of
from furoshiki.faces.dashboard import shared
from furoshiki.faces.dashboard.store import marks
from furoshiki.world import World

LOOK_SECONDS = 1.0
ALIVE_SECONDS = 20.0
"""After so long without an event a comment is sent, so that no proxy in between hangs up."""

AGAIN = 2
"""So many more looks at the rows after their file has changed."""

KEPT = 256
"""Events that a page which comes back can be told of."""

_NUMBER = re.compile(r"[0-9]{1,18}")

TOPICS = (*marks.TOPICS, "state", "settings", "processes", "scripts", "logs")


@dataclass
class Hub:
    """Who watches, and what has changed since when. `boot` tells the numbers of this process from another's."""

    world: Callable[[], World]
    boot: str
    _number: int = 0
    _events: deque[tuple[int, tuple[str, ...]]] = field(default_factory=lambda: deque(maxlen=KEPT))
    _watching: set[asyncio.Queue[None]] = field(default_factory=set)
    _looking: asyncio.Task[None] | None = None
    _known: tuple[dict[str, object], dict[str, object]] | None = None
    _closed: bool = False

    def mark(self) -> str:
        """The newest event a page made now need not be told of. Not to be called in the event loop: it may look."""
        seen = f"{self.boot}-{self._number}"
        if self._known is None:
            self._known = self._stamps(), self._marks()
        return seen

    async def changes(self, last_event_id: str = "") -> AsyncIterator[str]:
        """What to send to one who watches, from the event they saw last on, until they go or the hub closes."""
        seen = self._after(last_event_id)
        mine: asyncio.Queue[None] = asyncio.Queue(1)
        self._watching.add(mine)
        if self._looking is None:
            self._looking = asyncio.create_task(self._look(), name="live updates")
        try:
            if seen is None:  # it cannot be told what they missed
                seen = self._number
                yield self._format_event(seen, TOPICS if last_event_id else ())
            while not self._closed:
                missed = [one for one in self._events if one[0] > seen]
                for number, topics in missed:
                    seen = number
                    yield self._format_event(number, topics)
                try:
                    await asyncio.wait_for(mine.get(), ALIVE_SECONDS)
                except TimeoutError:
                    yield ": still here\n\n"
        finally:
            self._watching.discard(mine)
            if not self._watching and self._looking is not None:
                self._looking.cancel()
                self._looking = None

    def tell(self, topics: Iterable[str]) -> None:
        """Something has changed. Call it in the event loop."""
        self._number += 1
        self._events.append((self._number, tuple(topics)))
        self._wake()

    def newest(self) -> int:
        """The number of the newest event."""
        return self._number

    @property
    def closed(self) -> bool:
        """Whether the process is about to end: no stream may go on then."""
        return self._closed

    def close(self) -> None:
        """End every stream, so that the process can."""
        self._closed = True
        self._wake()

    def _wake(self) -> None:
        for queue in self._watching:
            if queue.empty():
                queue.put_nowait(None)

    def _after(self, last_event_id: str) -> int | None:
        """The number of the event somebody saw last; None when what came after it is not known any more."""
        boot, _, number = last_event_id.partition("-")
        if boot != self.boot or not _NUMBER.fullmatch(number) or int(number) > self._number:
            return None
        oldest = self._events[0][0] if self._events else self._number + 1
        return int(number) if int(number) >= oldest - 1 else None

    def _format_event(self, number: int, topics: Iterable[str]) -> str:
        return f"id: {self.boot}-{number}\nevent: change\ndata: {json.dumps({'topics': list(topics)})}\n\n"

    async def _look(self) -> None:
        """Tell what has changed since the last look, however long ago that was: pages come back to be told."""
        if self._known is None:
            stamps = self._stamps()
            try:
                self._known = stamps, await asyncio.to_thread(self._marks)
            except StorageUnavailable:
                self._known = {**stamps, "rows": None}, {}
        again = AGAIN + 1
        while True:
            stamps, found = self._known
            fresh = self._stamps()
            changed = {topic for topic in fresh if fresh[topic] != stamps[topic]}
            again = AGAIN if "rows" in changed else again - 1
            if again >= 0:  # a commit is in the file a moment before its rows can be read
                changed.discard("rows")
                try:
                    now = await asyncio.to_thread(self._marks)
                except StorageUnavailable:  # looked at again until it can be read; the rest goes on
                    fresh["rows"] = stamps["rows"]
                else:
                    changed |= {topic for topic in now if now[topic] != found.get(topic)}
                    found = now
            self._known = fresh, found
            if changed:
                self.tell(sorted(changed))
            await asyncio.sleep(LOOK_SECONDS)

    def _stamps(self) -> dict[str, object]:
        world = self.world()
        logs = sorted((world.settings.data / "logs").glob("*.log"))
        return {**shared.stamps(world), "logs": tuple((path.name, stamp_of(path)) for path in logs)}

    def _marks(self) -> dict[str, object]:
        with self.world().database.read() as db:
            return marks.of(db)
