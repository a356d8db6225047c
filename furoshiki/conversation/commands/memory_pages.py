"""Browse the memories by buttons: subjects, pages of facts, one fact, and actions on it."""

import sqlite3
from collections import Counter
from collections.abc import Sequence
from typing import Any

from furoshiki.conversation.commands import registry
from furoshiki.conversation.commands.memory import in_words
from furoshiki.conversation.commands.registry import Button
from furoshiki.core import numbers, refs
from furoshiki.core.catalogue import later, say
from furoshiki.language.humanize import day, shorten
from furoshiki.memory import correction
from furoshiki.memory.store import memories
from furoshiki.memory.values import Memory
from furoshiki.messages.store import turns
from furoshiki.messages.values import USER, Envelope, Words
from furoshiki.owner.user_model import user
from furoshiki.world import World

# number of facts loaded, and of subjects and facts on a page
LOOKED_AT, SUBJECTS, ON_A_PAGE = 500, 12, 6

NAME = "know"

_VERBS = ("about", "of", "one", "from", "wrong", "pin", "unpin", "forget")


@Button(NAME, _VERBS, who="alone", stays=True)
async def press(world: World, verb: str, value: str, envelope: Envelope) -> Words | None:
    """Handle a browsing step; `value` is a memory id, or an id and a page ("12-1")."""
    row, _, page = value.partition("-")
    number = numbers.row(row)
    if verb == "about":
        return _subjects(world)
    if number is None:
        return None
    try:
        match verb:
            case "of":
                return _page(world, number, numbers.row(page) or 0)
            case "one":
                return _one(world, number)
            case "from":
                return Words(_sources(world, number))
            case "wrong":
                return Words(_withdrawn(world, number))
            case "pin" | "unpin":
                memory = correction.pin(world, number, verb == "pin")
                kept = later("I hold on to that: {what}") if verb == "pin" else later("It may fade again: {what}")
                with world.database.read() as db:
                    return Words(say(kept, what=in_words(world, db, memory)))
    except correction.NoSuchMemory:
        return Words(say("I no longer know that."))
    return await registry.run(world, "forget", refs.name("memory", number), envelope)


def _subjects(world: World) -> Words:
    with world.database.read() as db:
        found = _read_facts(db)
    counted = Counter(memory.subject or USER for memory in found).most_common(SUBJECTS)
    first = {memory.subject or USER: memory.id for memory in reversed(found)}
    rows = [
        [{"text": f"{_render_subject(subject)} ({count})", "data": f"{NAME}.of:{first[subject]}-0"}]
        for subject, count in counted
    ]
    return Words(say("Of whom?") if rows else say("Nothing yet."), {"buttons": rows})


def _page(world: World, memory_id: int, page: int) -> Words | None:
    with world.database.read() as db:
        held = memories.get(db, memory_id)
        subject = USER if held is None else held.subject or USER
        found = [memory for memory in _read_facts(db) if (memory.subject or USER) == subject]
        shown = found[page * ON_A_PAGE : (page + 1) * ON_A_PAGE]
        lines = [f"{number}. {shorten(in_words(world, db, one))}" for number, one in enumerate(shown, 1)]
    if not shown:
        return Words(say("Nothing yet."))
    row = [{"text": str(number), "data": f"{NAME}.one:{one.id}"} for number, one in enumerate(shown, 1)]
    turning = []
    if page:
        turning.append({"text": "◀", "data": f"{NAME}.of:{memory_id}-{page - 1}"})
    if len(found) > (page + 1) * ON_A_PAGE:
        turning.append({"text": "▶", "data": f"{NAME}.of:{memory_id}-{page + 1}"})
    return Words("\n".join([f"{_render_subject(subject)}:", *lines]), {"buttons": [row, turning] if turning else [row]})


def _one(world: World, memory_id: int) -> Words:
    with world.database.read() as db:
        memory = correction.current(db, memory_id)
        told = in_words(world, db, memory)
    pin = ("unpin", say("Let it fade")) if memory.immutable else ("pin", say("Hold on to it"))
    rows = [
        [_button("from", say("Where from?"), memory.id), _button("wrong", say("That's wrong"), memory.id)],
        [_button(*pin, memory.id), _button("forget", say("Forget"), memory.id)],
    ]
    return Words(told, {"buttons": rows})


def _sources(world: World, memory_id: int) -> str:
    with world.database.read() as db:
        memory = memories.get(db, memory_id)
        zone = user.zone(world, db)
        said = turns.many(db, list(memory.turn_ids)) if memory else []
    if not said:
        return say("I can't show any words of yours for that.")
    return "\n".join(f"- {day(one.at, zone)}: “{shorten(one.quotable or one.text)}”" for one in said)


def _withdrawn(world: World, memory_id: int) -> str:
    with world.database.write() as db:
        memory = correction.current(db, memory_id)
        if memory.immutable:
            return say("You asked me to hold on to that. Let it fade first.")
        told = in_words(world, db, memory)
        memories.withdraw(db, memory_id)
    return say("I take that back: {what} Tell me how it really is, if you like.", what=told)


def _read_facts(db: sqlite3.Connection) -> Sequence[Memory]:
    return memories.read_known(db, LOOKED_AT)


def _render_subject(subject: str) -> str:
    return say("You") if subject == USER else f"{subject[0].upper()}{subject[1:]}"


def _button(verb: str, text: str, memory_id: int) -> dict[str, Any]:
    return {"text": text, "data": f"{NAME}.{verb}:{memory_id}"}
