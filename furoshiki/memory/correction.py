"""Editing of memories by the owner: correct the text, pin, unpin.

A correction means that the old text was always wrong: the old version is stored as never valid and
no longer found, and the new one replaces it. If something changed instead, the old version ends now
and stays true for its time. Either way the owner's new text is stored as a turn and cited next to
the turns of the old version, so that a corrected memory has its sources too.
"""

import contextlib
import sqlite3
from dataclasses import dataclass

from furoshiki.core import refs
from furoshiki.core.catalogue import Sentence, later
from furoshiki.core.errors import FuroshikiError
from furoshiki.memory import weighing
from furoshiki.memory.rules.one_line import compress
from furoshiki.memory.rules.weights import NEW, Weight
from furoshiki.memory.store import links, memories, weights
from furoshiki.memory.values import Memory, NewMemory
from furoshiki.messages.store import turns
from furoshiki.messages.values import USER, NewTurn
from furoshiki.recall.retrieval.client import VectorsAway
from furoshiki.world import World

# the source tag of a corrected memory, and the source of the turn with the correction
OWNER = "owner"


class NoSuchMemory(FuroshikiError):
    """Nothing has that id, or what has it cannot be changed: the message says what can."""


@dataclass(frozen=True)
class Edited:
    """The corrected memory and the one it replaces; `fact`: whether it states a fact."""

    new: Memory
    old: Memory
    fact: bool


def edit(world: World, memory_id: int, text: str, object_: str | None = None, changed: bool = False) -> Edited:
    """Replace the text of a memory that was wrong, or with `changed` was right until now. Raises
    NoSuchMemory.

    The object of a fact is found by comparing old and new text; if that fails, `object_` is used;
    without either the result is a plain memory, which no later fact can end by itself.
    """
    text = " ".join(text.split())
    with world.database.write() as db:
        old = current(db, memory_id)
        if not text or text == old.content:
            name = refs.name("memory", memory_id)
            same, none = later("{name} already says that"), later("there are no new words to keep")
            raise NoSuchMemory(Sentence(same if text else none, name=name))
        object_ = object_ or _object(old, text)
        fact: tuple[str | None, ...] = (old.subject, old.predicate, object_)
        if None in fact:
            fact = (None, None, None)
        subject, predicate, object_ = fact
        valid_from, event_time = old.valid_from, old.event_time
        if changed:
            valid_from, event_time = world.now, None
        typed = turns.add(db, NewTurn(OWNER, OWNER, OWNER, USER, text, world.now, kind="command", source=OWNER))
        new_id = memories.add(
            db,
            NewMemory(
                type=old.type,
                content=text,
                turn_ids=(*old.turn_ids, typed),
                source_tag=OWNER,
                subject=subject,
                predicate=predicate,
                object=object_,
                category=old.category,
                valid_from=valid_from,
                event_time=event_time,
                compressed=compress(text),
                importance=old.importance,
                charge=old.charge,
                feelings=old.feelings or None,
                immutable=old.immutable,
                metadata={**old.metadata, "corrects": old.id},
            ),
            world.now,
        )
        cycle = weighing.cycle(world, "edit")
        inherited = Weight(old.alpha, old.beta)
        weights.put(db, new_id, inherited)
        weights.log(db, cycle.id, cycle.now, "edit", new_id, NEW, inherited, {"corrects": old.id, "turn": typed})
        links.link(db, old.id, new_id, "updated_by", 1.0, world.now)
        if changed:
            memories.close(db, old.id, world.now)
        else:
            memories.withdraw(db, old.id)
        replaced, new = memories.of_ids(db, sorted((old.id, new_id)))
    with contextlib.suppress(VectorsAway):  # full-text search finds it until memoryd is back
        world.vectors.nudge()
    return Edited(new, replaced, object_ is not None or old.object is None)


def pin(world: World, memory_id: int, pinned: bool) -> Memory:
    """Pin a memory (make it immutable) or unpin it. Raises NoSuchMemory."""
    with world.database.write() as db:
        current(db, memory_id)
        cycle = weighing.cycle(world, "owner")
        (weighing.pin if pinned else weighing.unpin)(db, cycle, memory_id)
        memory = memories.get(db, memory_id)
        assert memory is not None
    return memory


def current(db: sqlite3.Connection, memory_id: int) -> Memory:
    """Return the memory with this id if it may be changed. Raises NoSuchMemory."""
    memory, name = memories.get(db, memory_id), refs.name("memory", memory_id)
    if memory is None:
        raise NoSuchMemory(Sentence("there is no {name}; it may have been forgotten", name=name))
    if memory.status in {"superseded", "archived"}:
        newer = links.list_targets(db, memory_id, "updated_by") + links.list_sources(db, memory_id, "supersedes")
        if not newer:
            raise NoSuchMemory(Sentence("{name} is in the past and stays as it was", name=name))
        replaced = later("{name} is in the past and stays as it was: {newer} replaced it")
        raise NoSuchMemory(Sentence(replaced, name=name, newer=refs.name("memory", newer[-1])))
    return memory


def _object(old: Memory, text: str) -> str | None:
    """Return the new text in place of the old object; None if the rest of the text differs too."""
    if not old.object:
        return None
    before, middle, after = old.content.partition(old.object)
    if not middle:
        return None
    if text.startswith(before) and text.endswith(after) and len(text) > len(before) + len(after):
        return text[len(before) : len(text) - len(after)].strip() or None
    return None
