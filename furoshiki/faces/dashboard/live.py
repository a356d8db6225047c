"""Live updates of open pages. Checks the data directory once a second while pages are open.

A check is a few `stat`s; only when a file has changed is the database asked, by indexed maxima,
which topics have changed. Events are numbered and the last few kept: a page that reconnects gets
what it missed, or is told to reload everything if that is too old or from an earlier process.
"""

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
# seconds of silence after which a comment is sent, so that proxies keep the stream open
ALIVE_SECONDS = 20.0

AGAIN = 2  # further checks of the rows after their file has changed
KEPT = 256  # events that are kept for pages that reconnect

_NUMBER = re.compile(r"[0-9]{1,18}")

TOPICS = (*marks.TOPICS, "state", "settings", "processes", "scripts", "logs")


@dataclass
class Hub:
    """The watchers and the recent events. `boot` is the prefix of this process's event ids."""

    world: Callable[[], World]
    boot: str
    _number: int = 0
    _events: deque[tuple[int, tuple[str, ...]]] = field(default_factory=lambda: deque(maxlen=KEPT))
    _watching: set[asyncio.Queue[None]] = field(default_factory=set)
    _looking: asyncio.Task[None] | None = None
    _known: tuple[dict[str, object], dict[str, object]] | None = None
    _closed: bool = False

    def mark(self) -> str:
        """Return the newest event's id for a new page. Not in the event loop: it may read files."""
        seen = f"{self.boot}-{self._number}"
        if self._known is None:
            self._known = self._stamps(), self._marks()
        return seen

    async def changes(self, last_event_id: str = "") -> AsyncIterator[str]:
        """Yield events after `last_event_id` until the watcher leaves or the hub closes."""
        seen = self._after(last_event_id)
        mine: asyncio.Queue[None] = asyncio.Queue(1)
        self._watching.add(mine)
        if self._looking is None:
            self._looking = asyncio.create_task(self._look(), name="live updates")
        try:
            if seen is None:  # the missed events are not known
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
        """Announce changed topics. Call it in the event loop."""
        self._number += 1
        self._events.append((self._number, tuple(topics)))
        self._wake()

    def newest(self) -> int:
        """Return the number of the newest event."""
        return self._number

    @property
    def closed(self) -> bool:
        """Whether the process is ending: streams must end, too."""
        return self._closed

    def close(self) -> None:
        """End every stream, so that the process can end."""
        self._closed = True
        self._wake()

    def _wake(self) -> None:
        for queue in self._watching:
            if queue.empty():
                queue.put_nowait(None)

    def _after(self, last_event_id: str) -> int | None:
        """Return the number of the last seen event; None if later events are no longer known."""
        boot, _, number = last_event_id.partition("-")
        if boot != self.boot or not _NUMBER.fullmatch(number) or int(number) > self._number:
            return None
        oldest = self._events[0][0] if self._events else self._number + 1
        return int(number) if int(number) >= oldest - 1 else None

    def _format_event(self, number: int, topics: Iterable[str]) -> str:
        return f"id: {self.boot}-{number}\nevent: change\ndata: {json.dumps({'topics': list(topics)})}\n\n"

    async def _look(self) -> None:
        """Announce all changes since the last check, however long ago: pages reconnect for them."""
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
            if again >= 0:  # a commit changes the file shortly before its rows can be read
                changed.discard("rows")
                try:
                    now = await asyncio.to_thread(self._marks)
                except StorageUnavailable:  # checked again later; the rest goes on
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
