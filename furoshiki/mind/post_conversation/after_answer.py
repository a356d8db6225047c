"""Read the user's messages right after an answer, so that facts are known at the next message.

Progress is one number, advanced in the transaction that stores the facts: an interrupted run is
repeated once. It runs in the background and asks no model when nothing was told.
"""

import asyncio
from collections.abc import Awaitable, Callable, Sequence

from furoshiki.core import refs
from furoshiki.core.database import kv
from furoshiki.core.process.crash_points import point
from furoshiki.messages.store import sessions, turns
from furoshiki.messages.values import COMPANION, USER, Turn
from furoshiki.mind.post_conversation import fact_reading
from furoshiki.mind.post_conversation.fact_reading import Heard, Stretch
from furoshiki.mind.post_conversation.rules.telling import may_tell
from furoshiki.world import World

READ_TO = "told.read_to"  # the `kv` key of the newest message of the user that was read here
MOST_AT_ONCE = 12  # maximum messages read at once: the newest; the rest is read with the session
SHOWN_BEFORE = 6  # earlier turns shown as context, for answers such as "yes, with her"


async def around(world: World, work: Callable[[], Awaitable[object]]) -> None:
    """Read new messages before and after some other work."""
    await read(world)
    await work()
    await read(world)


async def read(world: World) -> int:
    """Read unread messages; return the number of facts stored."""
    stretch = await asyncio.to_thread(_find_unread, world)
    if stretch is None:
        return 0
    newest = max(stretch.new)
    heard = await fact_reading.read(world, stretch, refs.name("turn", newest))
    point("told.answered")
    return await asyncio.to_thread(_keep, world, stretch, heard, newest)


def _find_unread(world: World) -> Stretch | None:
    """Return the unread messages with context; None when they tell nothing."""
    with world.database.read() as db:
        after = max(int(kv.get(db, READ_TO, 0)), int(kv.get(db, sessions.WRITTEN_TO, 0)))
        said = turns.lately(db, MOST_AT_ONCE * 2 + SHOWN_BEFORE)
        new = _list_telling(said, after)[-MOST_AT_ONCE:]
        if not new or sessions.has(db, said[-1].session_id):
            return None
        first = next(number for number, one in enumerate(said) if one.id == new[0])
        return fact_reading.gather(world, db, said[max(0, first - SHOWN_BEFORE) :], new, asked=True)


def _list_telling(said: Sequence[Turn], after: int) -> list[int]:
    """List the user's messages after an id that may tell something."""
    found, before = [], ""
    for turn in said:
        if turn.speaker == COMPANION:
            before = turn.text
        elif turn.speaker == USER and turn.id > after and may_tell(turn.own, before):
            found.append(turn.id)
    return found


def _keep(world: World, stretch: Stretch, heard: Heard, newest: int) -> int:
    with world.database.write() as db:
        if int(kv.get(db, READ_TO, 0)) >= newest:
            return 0  # another process was quicker
        kept = fact_reading.keep(db, world, stretch, heard)
        kv.put(db, READ_TO, newest, world.now)
        point("told.before_commit")
    point("told.kept")
    return kept
