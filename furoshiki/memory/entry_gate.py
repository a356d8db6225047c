"""The entry gate: put the user's messages into the scratch buffer, in the turn's own transaction.

Only the user's own words are accepted (`furoshiki.language.testimony`). The companion's words are
no evidence about a person, nor are the contents of a document or a forwarded message.
"""

import random
import sqlite3
from collections.abc import Sequence

from furoshiki.language import testimony
from furoshiki.memory.perception.values import Percept
from furoshiki.memory.rules import entry_gate
from furoshiki.memory.store import scratch

SOURCE = "external_user"


def enter(db: sqlite3.Connection, percept: Percept, heard: Sequence[int], rng: random.Random) -> int:
    """Put messages into the scratch buffer, in the caller's transaction; return how many.

    `heard` are the turn ids of `percept.said`, in the same order.
    """
    count = 0
    for turn_id, message in zip(heard, percept.said, strict=True):
        text = testimony.own(message.text, message.foreign, doubtful=False)
        entry = entry_gate.enters(text, rng)
        if not entry.enters:
            continue
        # the signals belong to the turn as a whole and are stored with its last message
        felt = percept.signals if message is percept.said[-1] else {}
        tags = {"kind": entry.kind, "signals": {name: round(strength, 3) for name, strength in felt.items()}}
        waits = scratch.put(db, turn_id, text, tags, SOURCE, entry_gate.charge(felt), message.at)
        count += waits is not None
    return count
