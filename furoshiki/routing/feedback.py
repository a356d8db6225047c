"""Note what the next message, and a reaction, says about the way a message was answered: on the decision it judges."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from datetime import timedelta

from furoshiki.language import nlp
from furoshiki.messages.store import turns
from furoshiki.messages.values import COMPANION, USER, Turn
from furoshiki.routing.rules import feedback as rules
from furoshiki.routing.rules.decisions import Decided, Label
from furoshiki.routing.store import judgements
from furoshiki.world import World

JUDGED_WITHIN = timedelta(hours=6)
"""A message that comes later begins something new: it says nothing about the last one."""


def heard(world: World, db: sqlite3.Connection, turn_key: str) -> None:
    """Judge the decision before the one of this turn, which is on record, in the caller's transaction."""
    here = judgements.of_turn(db, turn_key)
    before = None if here is None else judgements.beside(db, here, "before")
    found = None if here is None or before is None else _label(world, db, before, here)
    if before is not None and found is not None:
        judgements.label(db, before.id, found, "message", world.now)


def reacted(world: World, db: sqlite3.Connection, about: Turn | None, strengths: Mapping[str, float]) -> None:
    """Note what the reactions now on an answer say about its route; when they say nothing any more, what the next
    message had said holds again."""
    answer = about is not None and about.speaker == COMPANION and about.turn_key
    one = judgements.of_turn(db, answer) if answer else None
    if one is None:
        return
    found = rules.of_reaction(strengths)
    if found is not None:
        judgements.label(db, one.id, found, "reaction", world.now)
    elif judgements.take_back(db, one.id):
        after = judgements.beside(db, one, "after")
        said = None if after is None else _label(world, db, one, after)
        if said is not None:
            judgements.label(db, one.id, said, "message", world.now)


def _label(world: World, db: sqlite3.Connection, judged: Decided, after: Decided) -> Label | None:
    """What the message of one decision says about the one before."""
    if after.at - judged.at > JUDGED_WITHIN:
        return None
    before, text = (_words(db, one.turn_key) for one in (judged, after))
    return rules.label(judged.mode, rules.following(nlp.read(text, world.lexicon), before, text))


def _words(db: sqlite3.Connection, turn_key: str) -> str:
    """What the owner said themselves in a turn."""
    return "\n".join(turn.own for turn in turns.of_key(db, turn_key) if turn.speaker == USER)
