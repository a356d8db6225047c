"""Memories for the pages: lists, search, one memory with its context, the profile, and
previews of forgetting."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime, time
from typing import TYPE_CHECKING, Any

from furoshiki.conversation.commands.memory import speaker_name
from furoshiki.core import refs
from furoshiki.core.catalogue import Sentence, later, say, say_number
from furoshiki.core.errors import FuroshikiError
from furoshiki.core.timestamps import local, parse
from furoshiki.faces.overview.store import memory_lists
from furoshiki.faces.overview.store.memory_lists import Listing, Wanted
from furoshiki.language import testimony
from furoshiki.language.facts.retelling import address_user
from furoshiki.language.humanize import day
from furoshiki.memory import concepts as concepts_moved
from furoshiki.memory import neighbourhood, overview
from furoshiki.memory.neighbourhood import Neighbourhood
from furoshiki.memory.rules import in_words
from furoshiki.memory.store import concepts, memories
from furoshiki.memory.store import overview as overview_store
from furoshiki.memory.values import Memory
from furoshiki.messages.store import turns
from furoshiki.owner.user_model import user
from furoshiki.owner.user_model.rules import profile as profile_rules
from furoshiki.owner.user_model.rules import style_summary
from furoshiki.owner.user_model.store import profiles, style
from furoshiki.recall.retrieval.values import PERHAPS, UNCONFIRMED
from furoshiki.world import World

if TYPE_CHECKING:
    from furoshiki.archive.forgetting.everywhere import Found
    from furoshiki.archive.forgetting.forgetting import Preview

SHOWN = 30  # memories on one page
FOUND = 30  # results of a search
MOST_GOING = 40  # items shown of each kind that would be forgotten
STANDING = 8  # highlighted memories of each kind
AROUND = 6  # turns shown before and after a turn


@dataclass(frozen=True)
class Asked:
    """The filters as typed, so that the form can show them again."""

    q: str = ""
    type: str = ""
    status: str = ""
    about: str = ""
    since: str = ""
    concept: str = ""


def parse_filters(world: World, looked: Asked) -> Wanted:
    """Return the filters for the database. Raises FuroshikiError."""
    since = None
    if looked.since:
        try:
            since = datetime.combine(date.fromisoformat(looked.since), time(), world.zone)
        except ValueError as error:
            raise FuroshikiError(
                Sentence("{since!r} isn't a date: write it like 2026-03-24", since=looked.since)
            ) from error
    concept = None
    if looked.concept:
        with world.database.read() as db:
            known = concepts.read_named(db, [looked.concept])
        concept = known[0].id if known else 0
    return Wanted(looked.type or None, looked.status or None, looked.about or None, since, concept)


def find_by_words(world: World, words: str) -> dict[str, Any]:
    """Search, best results first; `by_meaning` is False if memoryd was away."""
    from furoshiki.recall.retrieval.recall import search

    done = search(world, words, k=FOUND, now=world.now.astimezone(world.zone))
    items = []
    for one in done.found:
        who = testimony.label_speaker(speaker_name(world, one.speaker), one.text, one.foreign) if one.speaker else ""
        text = address_user(one.text) if one.kind == "memory" else one.text
        item = {"id": one.id, "kind": one.kind, "text": text, "at": one.at, "who": who, "past": one.past}
        items.append(item | {"score": round(one.score, 4), "href": _href(one.id, one.turn_ids)})
    return {"by_meaning": done.by_meaning, "items": items}


def lines(listing: Listing) -> list[dict[str, Any]]:
    return [_line(memory) for memory in listing.memories]


def _line(memory: Memory) -> dict[str, Any]:
    return {
        **overview.brief(memory),
        "number": memory.id,
        "kind": in_words.KINDS[memory.type],
        "shown": PERHAPS * (memory.status == UNCONFIRMED) + address_user(memory.content),
        "weighed": overview.describe_weight(memory),
        "subject": memory.subject,
        "cold": memory.cold_since is not None,
    }


def list_page(world: World, looked: Asked, cursor: str) -> dict[str, Any]:
    """Return a page of the list, or the results of a search. Raises FuroshikiError."""
    if looked.q:
        found, listing, filters, cursor = find_by_words(world, looked.q), Listing([]), Wanted(), ""
    else:
        found, filters = None, parse_filters(world, looked)
        with world.database.read() as db:
            listing = memory_lists.newest(db, filters, cursor, SHOWN)
    return {
        "asked": looked,
        "narrowed": filters != Wanted(),
        "found": found,
        "items": lines(listing),
        "next": listing.next,
        "looked_to": listing.looked_to,
        "cursor": cursor,
    }


def _href(name: str, turn_ids: tuple[int, ...]) -> str:
    ref = refs.Ref.parse(name)
    if ref is not None and ref.kind == "memory":
        return f"/memory/{ref.id}"
    return f"/memory/said/{turn_ids[0]}" if turn_ids else ""


def describe_memory(world: World, memory_id: int) -> dict[str, Any] | None:
    """Describe a memory in words for its page; None for an unknown memory."""
    with world.database.read() as db:
        found, centre = overview.whole(db, memory_id), memories.get(db, memory_id)
        if found is None or centre is None:
            return None
        around = neighbourhood.around(db, centre)
    replaced = [one for one in found["links"] if overview.relation_in_words(one) == "replaced by"]
    replaces = [one for one in found["links"] if overview.relation_in_words(one) == "replaces"]
    return {
        "memory": found,
        "number": memory_id,
        "shown": address_user(found["text"]),
        "validity": in_words.validity(found, lambda at: day(parse(at), world.zone)),
        "importance": _level(found["importance"], _IMPORTANCE),
        "charge": _level(found["charge"], _CHARGE),
        "kind": in_words.KINDS[found["type"]],
        "fact_of": "you"
        if found["fact"] and found["fact"]["subject"] == "user"
        else (found["fact"] or {}).get("subject"),
        "history": in_words.describe_changes(_local(world, found["history"])),
        "gate": [in_words.describe_decision(one) for one in _local(world, found["gate"])],
        "held_back": [in_words.describe_ceiling(one) for one in _local(world, found["held_back"])],
        "together": [(refs.row(one["id"]), in_words.company(one)) for one in found["accesses"]["together_with"]],
        "replaced": _each_once(replaced),
        "replaces": _each_once(replaces),
        "rests_on": [
            {**one, "number": refs.row(one["id"]), "who": speaker_name(world, one["speaker"])} for one in found["turns"]
        ],
        "graph": draw_graph(around),
        "around": around,
        "past": found["status"] in ("superseded", "archived"),
    }


def _local(world: World, told: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the rows with times in the owner's zone."""
    return [{**one, "at": one["at"] and local(parse(one["at"]), world.zone).isoformat()} for one in told]


def _each_once(linked: list[dict[str, Any]]) -> list[tuple[int, str]]:
    """Return numbers and words of linked memories, without duplicates."""
    return list(dict.fromkeys((refs.row(one["id"]), address_user(one["text"] or "")) for one in linked))


def _level(value: float, words: tuple[str, str, str, str]) -> str:
    """Return the word for a value in [0, 1], one for each quarter."""
    return say(words[min(3, int(value * 4))])


_IMPORTANCE = later(("hardly matters", "matters a little", "matters", "matters a lot"))
_CHARGE = later(("said calmly", "with some feeling", "with feeling", "very emotional"))


def draw_graph(around: Neighbourhood) -> dict[str, Any] | None:
    """Return what is drawn around a memory: linked ones with their relation, and its concepts, each
    with other memories that share it. None without neighbours."""
    sharing: dict[int, list[tuple[int, str]]] = {}
    for concept, memory in around.beside:
        sharing.setdefault(concept, []).append((memory.id, address_user(memory.content)))
    linked = [(words, held.id, address_user(held.content)) for words, held in around.linked]
    about = [(one.name, sharing.get(one.id, [])) for one in around.concepts]
    return {"linked": linked, "concepts": about} if linked or about else None


def outlook_of(world: World, what: str) -> dict[str, Any]:
    """Preview a wish to forget in words, with the token for exactly this. Raises NothingAsked."""
    from furoshiki.archive.forgetting import everywhere
    from furoshiki.conversation.commands import forget as command

    with everywhere.looked(world, what) as found:
        shown: dict[str, Any] = {"nothing": found.nothing, "lines": [], "near": []}
        shown |= {"warning": "", "stays": "", "token": ""}
        for result in found.places:
            if result.world is world:
                shown["lines"] += _describe_losses(world, result.outlook)
            else:
                shown["lines"] += _of_somebody(result)
        if found.everything:
            shown["stays"] = command.STAYS.format(folder=world.home)
        elif not what.startswith(everywhere.PERSON):
            shown["near"] = command.near(world, what, found)
        if not found.nothing:
            shown |= {"warning": command.describe_warning(found, world.zone), "token": found.token}
        return shown


def by_use(world: World, heat: str, cursor: str) -> dict[str, Any]:
    """Return a page of the "hot" (most used) or "cold" (unused, no longer known facts) memories."""
    with world.database.read() as db:
        listing = (memory_lists.hot if heat == "hot" else memory_lists.cold)(db, cursor, SHOWN)
    return {"heat": heat, "items": lines(listing), "next": listing.next, "looked_to": listing.looked_to}


def _describe_losses(world: World, outlook: Preview) -> list[tuple[bool, str]]:
    """List what the owner's memory would lose: each line, and whether it is indented."""
    from furoshiki.conversation.commands import forget as command

    told = command.describe_preview(world, outlook, world.zone, MOST_GOING)
    return [(line.startswith("  "), line.strip().removeprefix("- ")) for line in told]


def _of_somebody(result: Found) -> list[tuple[bool, str]]:
    """Count what another person's place would lose; their words are never shown."""
    with result.world.database.read() as db:
        name = user.name(db) or result.world.who.name or str(result.world.who.place)
    said, held = len(result.outlook.turns), len(result.outlook.memories)
    messages = say_number("{number} message", "{number} messages", said)
    memories = say_number("{number} memory", "{number} memories", held)
    many = say("{messages}, {memories}; /forget in the chat shows them", messages=messages, memories=memories)
    return [(False, say("From what {name} told it in private:", name=name)), (True, many)]


def gather_highlights(world: World) -> dict[str, Any]:
    """Gather the newest conclusions, contested memories, tensions and changing themes."""
    with world.database.read() as db:
        concluded = memory_lists.newest(db, Wanted(type="reflection", status="active"), "", STANDING).memories
        contested = overview_store.read_contested(db, STANDING)
        tensions = overview_store.newest_of(db, ("tension",), STANDING)
        moved = concepts_moved.themes(db)
    groups = (
        (*later(("What it makes of things", "Newest conclusions, each with the words it's based on.")), concluded),
        (*later(("Disputed", "There's a lot for it and a lot against it. Correct it to settle it.")), contested),
        (*later(("What doesn't add up", "You said one thing and did another. It may ask you about it.")), tensions),
    )
    standing = [(title, about, [_line(memory) for memory in held]) for title, about, held in groups]
    return {"standing": standing, "moved": moved}


def about_owner(world: World) -> dict[str, Any]:
    """Describe the owner's profile, each statement with its facts, in the second person."""
    with world.database.read() as db:
        profile = profiles.current(db, world.now)
        manner = style_summary.describe(style.traits(db), style.wishes(db), world.now)
    sections: dict[str, list[profile_rules.Statement]] = {}
    for statement in profile.reference:
        sections.setdefault(statement.section, []).append(statement)
    told = [(profile_rules.SECTIONS[name], sections[name]) for name in profile_rules.SECTIONS if name in sections]
    return {
        "mini": " ".join(address_user(one.text) for one in profile.mini),
        "sections": [(title, [(address_user(one.text), one.facts) for one in said]) for title, said in told],
        "gaps": profile.gaps,
        "manner": manner,
    }


def find_turn(world: World, turn_id: int) -> dict[str, Any] | None:
    """Return a turn with its neighbours and the memories made of it; None if it does not exist."""
    with world.database.read() as db:
        turn = turns.get(db, turn_id)
        if turn is None:
            return None
        around = [one for one in turns.of_session(db, turn.session_id) if abs(one.id - turn_id) <= AROUND]
        made = memories.of_ids(db, memories.list_by_turns(db, [turn_id]))
    told = [
        (one, speaker_name(world, one.speaker), testimony.origin(one.text, one.foreign).get("from", ""))
        for one in around
    ]
    return {"turn": turn, "around": told, "items": [_line(memory) for memory in made]}
