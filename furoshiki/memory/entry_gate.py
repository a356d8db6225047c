"""What the user says goes through the entry gate and waits, within the transaction that puts it on record.

Only the user's own words come in (`furoshiki.language.testimony`): the companion's are no evidence about anybody, nor
are the contents of a document they sent or of a message they passed on.
"""

import random
import sqlite3
from collections.abc import Sequence

from furoshiki.memory.perception.values import Percept
from furoshiki.memory.rules import entry_gate
from furoshiki.memory.store import scratch

SOURCE = "external_user"


def enter(db: sqlite3.Connection, percept: Percept, heard: Sequence[int], rng: random.Random) -> int:
    """Let what was heard wait for its decision, inside the caller's transaction; returns how many messages do.

    `heard` are the turns of `percept.said`, in the same order.
    """
    kept = 0
    for turn_id, said in zip(heard, percept.said, strict=True):
        text = said.own
        entry = entry_gate.enters(text, rng)
        if not entry.enters:
            continue
        # the signals are those of everything said in this turn, and stand with its last message
        felt = percept.signals if said is percept.said[-1] else {}
        tags = {"kind": entry.kind, "signals": {name: round(strength, 3) for name, strength in felt.items()}}
        waits = scratch.put(db, turn_id, text, tags, SOURCE, entry_gate.charge(felt), said.at)
        kept += waits is not None
    return kept
