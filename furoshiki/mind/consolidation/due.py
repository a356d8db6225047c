"""Check whether light or deep consolidation has work.

Each function returns the reason to run, or None. Imports only the standard library and storage.
"""

import sqlite3
from datetime import datetime, timedelta

from furoshiki.core.database import kv
from furoshiki.core.timestamps import parse
from furoshiki.memory.store import accesses, concepts
from furoshiki.mind.consolidation.store import consolidation

LIGHT_REST = timedelta(minutes=15)  # minimum time between two light consolidations

# Summed importance of new memories that starts deep consolidation before the night: fifty ordinary
# ones. (Importance is in [0, 1]; Generative Agents reflect at 150, with 10 as the maximum each.)
MUCH_LEARNED = 15.0


A_DAY = timedelta(hours=24)


NIGHT_HOUR = 4  # the hour (UTC) of the nightly run
SINCE_NIGHT = timedelta(hours=12)  # minimum age of the last run at the nightly hour


def consolidate_light(db: sqlite3.Connection, now: datetime) -> str | None:
    """Report new or used memories, or a day that passed; at most every 15 minutes."""
    last = kv.get(db, consolidation.LIGHT_AT)
    if last is not None and now - parse(last) < LIGHT_REST:
        return None
    newest = consolidation.last_memory(db)
    if newest > int(kv.get(db, concepts.READ_TO, 0)):
        return "there are new memories"
    decayed = kv.get(db, consolidation.DECAYED_TO)
    if newest and (decayed is None or now - parse(decayed) >= consolidation.between_decays(newest)):
        return "a day has passed"
    return "memories were of use" if last is not None and accesses.has_use_since(db, parse(last)) else None


def consolidate_memory(db: sqlite3.Connection, now: datetime) -> str | None:
    """Report an interrupted cycle, many new memories, the night, or a day without a cycle."""
    if kv.get(db, consolidation.CYCLE) is not None:
        return "the last cycle was cut off"
    last = kv.get(db, consolidation.LAST)
    began = consolidation.first_memory(db) if last is None else parse(last["began"])
    if began is None:
        return None
    if consolidation.importance_since(db, 0 if last is None else int(last["newest"])) >= MUCH_LEARNED:
        return "much was learned"
    if now - began >= A_DAY:
        return "a day has passed"
    night = now.replace(hour=NIGHT_HOUR, minute=0, second=0, microsecond=0)
    return "it is night" if began < night - SINCE_NIGHT and now >= night else None
