"""Memory: what it knows, page by page; one memory with all it rests on; putting right, pinning and forgetting."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime, time
from typing import Annotated, Any
from urllib.parse import urlencode

from fastapi import APIRouter, Depends, Form, Path, Query, Request
from fastapi.responses import HTMLResponse, RedirectResponse

from furoshiki.conversation.commands.memory import speaker_name
from furoshiki.core import refs
from furoshiki.core.errors import FuroshikiError
from furoshiki.core.timestamps import parse
from furoshiki.dashboard import rendering
from furoshiki.dashboard.access.current import admin, viewer
from furoshiki.dashboard.errors import NotThere, Refused
from furoshiki.dashboard.flash import back
from furoshiki.dashboard.rules import memory_graph
from furoshiki.dashboard.rules.memory_graph import Graph, Node
from furoshiki.dashboard.store import memory_lists
from furoshiki.dashboard.store.memory_lists import Listing, Wanted
from furoshiki.language import testimony
from furoshiki.language.facts.retelling import addressed
from furoshiki.language.humanize import day, shortened
from furoshiki.memory import correction, neighbourhood, overview
from furoshiki.memory.neighbourhood import Neighbourhood
from furoshiki.memory.rules import in_words
from furoshiki.memory.store import concepts, memories
from furoshiki.memory.store.overview import TYPES
from furoshiki.memory.values import Memory
from furoshiki.messages.store import turns
from furoshiki.user_model.rules import profile as profile_rules
from furoshiki.user_model.store import profiles
from furoshiki.world import World

router = APIRouter(include_in_schema=False, dependencies=[Depends(viewer)])

SHOWN = 30
"""Memories on one page."""

FOUND = 30
"""Answers to a search."""

Number = Annotated[int, Path(lt=2**63)]
"""The row of something, in an address."""

STATUSES = ("active", "dormant", "superseded", "archived")

TABS = (
    ("/memory", "Everything"),
    ("/memory/you", "About you"),
    ("/memory/hot", "Hot"),
    ("/memory/cold", "Cold"),
    ("/memory/forget", "Forget"),
)

WIDE, NARROW = 940.0, 330.0
"""Units of the two pictures of one graph: for a desk and for a phone."""


class NoSuchDay(Refused):
    """A day in a form is none."""

    status, code = 422, "no_such_day"
    words = "That is not a day."
    fix = "Write it as 2026-03-24."


class NothingNamed(Refused):
    """A form to forget something came without words."""

    status, code = 422, "nothing_named"
    words = "Nothing was named that is to be forgotten."
    fix = "Write words, a day (2026-03-24), or what an id names (memory:3)."


@dataclass(frozen=True)
class Asked:
    """What somebody looks for, as it was typed, so that the form can show it again."""

    q: str = ""
    type: str = ""
    status: str = ""
    about: str = ""
    since: str = ""
    concept: str = ""


def asked(
    q: str = "",
    kind: Annotated[str, Query(alias="type")] = "",
    status: str = "",
    about: str = "",
    since: str = "",
    concept: str = "",
) -> Asked:
    """The filters of a list, as they stand in an address."""
    return Asked(
        q.strip(),
        kind if kind in TYPES else "",
        status if status in STATUSES else "",
        about.strip(),
        since.strip(),
        concept.strip(),
    )


@router.get("/memory")
def everything(request: Request, looked: Annotated[Asked, Depends(asked)], cursor: str = "") -> HTMLResponse:
    """What is remembered, newest first; with words, what a search finds."""
    world: World = request.app.state.world()
    with world.database.read() as db:
        held = memories.count(db)
    return rendering.page(
        request, "memory", **_listed(world, looked, cursor), tabs=TABS, held=held, types=TYPES, statuses=STATUSES
    )


@router.get("/parts/memory/list")
def part(request: Request, looked: Annotated[Asked, Depends(asked)], cursor: str = "") -> HTMLResponse:
    """The list alone."""
    return rendering.part(request, "memory_list", **_listed(request.app.state.world(), looked, cursor))


@router.get("/memory/hot")
def hot(request: Request, cursor: str = "") -> HTMLResponse:
    """What is of use most often."""
    return _by_use(request, "hot", cursor)


@router.get("/memory/cold")
def cold(request: Request, cursor: str = "") -> HTMLResponse:
    """What is no known fact for want of use."""
    return _by_use(request, "cold", cursor)


def _by_use(request: Request, heat: str, cursor: str) -> HTMLResponse:
    world: World = request.app.state.world()
    with world.database.read() as db:
        found = (memory_lists.hot if heat == "hot" else memory_lists.cold)(db, cursor, SHOWN)
    return rendering.page(
        request, "memory_by_use", heat=heat, tabs=TABS, items=lines(found), next=found.next, looked_to=found.looked_to
    )


@router.get("/memory/{memory_id:int}")
def one(request: Request, memory_id: Number) -> HTMLResponse:
    """One memory, whole."""
    return rendering.page(request, "memory_one", **_shown(request.app.state.world(), memory_id), tabs=TABS)


@router.get("/parts/memory/{memory_id:int}")
def part_of_one(request: Request, memory_id: Number) -> HTMLResponse:
    """One memory alone."""
    return rendering.part(request, "memory_one", **_shown(request.app.state.world(), memory_id))


@router.get("/memory/you")
def about_you(request: Request) -> HTMLResponse:
    """Who the owner is to the companion, each statement with the facts it rests on."""
    world: World = request.app.state.world()
    with world.database.read() as db:
        found = profiles.current(db, world.now)
    sections: dict[str, list[profile_rules.Statement]] = {}
    for statement in found.reference:
        sections.setdefault(statement.section, []).append(statement)
    told = [(profile_rules.SECTIONS[name], sections[name]) for name in profile_rules.SECTIONS if name in sections]
    return rendering.page(
        request,
        "memory_you",
        tabs=TABS,
        mini=" ".join(addressed(one.text) for one in found.mini),
        sections=[(title, [(addressed(one.text), one.facts) for one in said]) for title, said in told],
        gaps=found.gaps,
    )


@router.post("/memory/{memory_id:int}/edit", dependencies=[Depends(admin)])
def edit(
    request: Request,
    memory_id: Number,
    text: Annotated[str, Form()] = "",
    was: Annotated[str, Form()] = "wrong",
    object_: Annotated[str, Form(alias="object")] = "",
) -> RedirectResponse:
    """New words in place of a memory's; as `furoshiki memory edit` does it."""
    world: World = request.app.state.world()
    try:
        done = correction.edit(world, memory_id, text, object_.strip() or None, was == "changed")
    except FuroshikiError as error:
        return back(f"/memory/{memory_id}", str(error), "failed")
    how = "was true until now" if was == "changed" else "is withdrawn"
    words = f"This takes the place of {refs.name('memory', memory_id)}, which {how}."
    if not done.fact:
        words += " Which words are the new value could not be told, so no later fact will end it."
    return back(f"/memory/{done.new.id}", words)


@router.post("/memory/{memory_id:int}/pin", dependencies=[Depends(admin)])
def pin(request: Request, memory_id: Number, pinned: Annotated[bool, Form()]) -> RedirectResponse:
    """Hold a memory as it is, or let its weight move again."""
    try:
        correction.pin(request.app.state.world(), memory_id, pinned)
    except FuroshikiError as error:
        return back(f"/memory/{memory_id}", str(error), "failed")
    words = "It is pinned: nothing changes its weight now." if pinned else "Its weight may change again."
    return back(f"/memory/{memory_id}", words)


@router.post("/memory/{memory_id:int}/approve", dependencies=[Depends(admin)])
def approve(request: Request, memory_id: Number) -> RedirectResponse:
    """It may be held nearly for certain."""
    from furoshiki.consolidation import promotion

    try:
        promotion.approve(request.app.state.world(), memory_id)
    except FuroshikiError as error:
        return back(f"/memory/{memory_id}", str(error), "failed")
    return back(f"/memory/{memory_id}", "It may be held nearly for certain, from the next night on.")


@router.get("/memory/forget")
def forgetting(request: Request) -> HTMLResponse:
    """Where one says what is to be forgotten."""
    return rendering.page(request, "memory_forget", tabs=TABS, what="", outlook=None)


@router.post("/memory/forget", dependencies=[Depends(admin)])
def look(request: Request, what: Annotated[str, Form()] = "") -> HTMLResponse:
    """What would go, line by line, and the question. It changes nothing, and its words stand in no address."""
    if not what.strip():
        raise NothingNamed
    outlook = outlook_of(request.app.state.world(), what.strip())
    return rendering.page(request, "memory_forget", tabs=TABS, what=what.strip(), outlook=outlook)


@router.post("/memory/forget/yes", dependencies=[Depends(admin)])
def forget(request: Request, what: Annotated[str, Form()], token: Annotated[str, Form()]) -> RedirectResponse:
    """Forget exactly what was shown; where that has changed meanwhile, nothing goes and it is to be looked at again."""
    from furoshiki.conversation.commands.forget import farewell
    from furoshiki.forgetting import everywhere

    done = everywhere.forget(request.app.state.world(), what, token)
    if done is None:
        return back("/memory/forget", "Something was added meanwhile, so nothing was forgotten: look again.", "failed")
    return back("/memory", farewell(done))


def outlook_of(world: World, what: str) -> dict[str, Any]:
    """What would go of a wish to forget, in words, with the token that names exactly this. Raises NothingAsked."""
    from furoshiki.conversation.commands import forget as command
    from furoshiki.forgetting import everywhere

    with everywhere.looked(world, what) as found:
        plain = not found.everything and not what.startswith(everywhere.PERSON)
        return {
            "nothing": found.nothing,
            "lines": [(line.startswith("  "), line.strip().removeprefix("- ")) for line in command.told(world, found)],
            "near": command.near(world, what, found) if plain else [],
            "warning": "" if found.nothing else command.warning(found, world.zone),
            "stays": command.STAYS.format(folder=world.home) if found.everything else "",
            "token": found.token if not found.nothing else "",
        }


def gathered(world: World, memory_id: int) -> dict[str, Any]:
    """All that is known of a memory, as plain values, what surrounds it included. Raises NotThere."""
    with world.database.read() as db:
        found = overview.whole(db, memory_id, world.now)
        centre = memories.get(db, memory_id)
        if found is None or centre is None:
            name = refs.name("memory", memory_id)
            raise NotThere(f"There is no {name}.", "It may have been forgotten; /memory lists what there is.")
        around = neighbourhood.around(db, centre)
    return {**found, "around": neighbourhood.as_data(around), "graph": around}


def wanted(world: World, looked: Asked) -> Wanted:
    """The filters as the database understands them. Raises NoSuchDay, NotThere."""
    since = None
    if looked.since:
        try:
            since = datetime.combine(date.fromisoformat(looked.since), time(), world.zone)
        except ValueError as error:
            raise NoSuchDay(f"{looked.since!r} is not a day.") from error
    concept = None
    if looked.concept:
        with world.database.read() as db:
            known = concepts.named(db, [looked.concept])
        if not known:
            raise NotThere("Nothing is remembered about that.", "/mind/concepts shows what memories are about.")
        concept = known[0].id
    return Wanted(looked.type or None, looked.status or None, looked.about or None, since, concept)


def searched(world: World, words: str, most: int = FOUND) -> dict[str, Any]:
    """What recall finds, best first, and how: by meaning where memoryd answers, else by the words alone."""
    from furoshiki.retrieval.recall import search

    done = search(world, words, k=most, now=world.now.astimezone(world.zone))
    items = []
    for one in done.found:
        who = testimony.labelled(speaker_name(world, one.speaker), one.text, one.foreign) if one.speaker else ""
        items.append(
            {
                "id": one.id,
                "kind": one.kind,
                "text": addressed(one.text) if one.kind == "memory" else one.text,
                "at": one.at,
                "who": who,
                "score": round(one.score, 4),
                "past": one.past,
                "href": _href(one.id, one.turn_ids),
            }
        )
    return {"by_meaning": done.by_meaning, "items": items}


def lines(found: Listing) -> list[dict[str, Any]]:
    """Memories as a list shows them."""
    return [_line(held) for held in found.memories]


def _line(held: Memory) -> dict[str, Any]:
    return {
        **overview.brief(held),
        "number": held.id,
        "shown": addressed(held.content),
        "weighed": overview.weighed(held),
        "subject": held.subject,
        "cold": held.cold_since is not None,
    }


def _listed(world: World, looked: Asked, cursor: str) -> dict[str, Any]:
    if looked.q:
        found = searched(world, looked.q)
        return {
            "asked": looked,
            "narrowed": False,
            "found": found,
            "items": [],
            "next": "",
            "looked_to": None,
            "cursor": "",
        }
    filters = wanted(world, looked)
    with world.database.read() as db:
        listing = memory_lists.newest(db, filters, cursor, SHOWN)
    return {
        "asked": looked,
        "narrowed": filters != Wanted(),
        "found": None,
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


def _shown(world: World, memory_id: int) -> dict[str, Any]:
    found = gathered(world, memory_id)
    around: Neighbourhood = found.pop("graph")
    replaced = [one for one in found["links"] if overview.relation_in_words(one) == "replaced by"]
    replaces = [one for one in found["links"] if overview.relation_in_words(one) == "replaces"]
    return {
        "memory": found,
        "number": memory_id,
        "shown": addressed(found["text"]),
        "validity": in_words.validity(found, lambda at: day(parse(at), world.zone)),
        "importance": _level(found["importance"], ("hardly matters", "matters a little", "matters", "matters a lot")),
        "charge": _level(found["charge"], ("said calmly", "with some feeling", "with feeling", "very emotional")),
        "history": in_words.moved(found["history"]),
        "gate": [in_words.gated(one) for one in found["gate"]],
        "held_back": [in_words.held_back(one) for one in found["held_back"]],
        "together": [(refs.row(one["id"]), in_words.company(one)) for one in found["accesses"]["together_with"]],
        "replaced": _each_once(replaced),
        "replaces": _each_once(replaces),
        "rests_on": [
            {**one, "number": refs.row(one["id"]), "who": speaker_name(world, one["speaker"])} for one in found["turns"]
        ],
        "graphs": drawn(around),
        "around": around,
        "past": found["status"] in ("superseded", "archived"),
    }


def _each_once(linked: list[dict[str, Any]]) -> list[tuple[int, str]]:
    """The numbers and words of linked memories, each once: two relations can say the same."""
    return list(dict.fromkeys((refs.row(one["id"]), addressed(one["text"] or "")) for one in linked))


def _level(value: float, words: tuple[str, str, str, str]) -> str:
    """A value in [0, 1] in words: a quarter each."""
    return words[min(3, int(value * 4))]


def drawn(around: Neighbourhood) -> list[tuple[str, Graph]]:
    """The graph of a memory, wide and narrow; no graph where nothing surrounds it."""
    centre = Node(f"m{around.centre.id}", "centre", addressed(around.centre.content), "", "")
    others = [
        Node(f"m{held.id}", "memory", addressed(held.content), words, f"/memory/{held.id}")
        for words, held in around.linked
    ]
    named = {one.id: one.name for one in around.concepts}
    others += [
        Node(f"c{one.id}", "concept", one.name, "", f"/memory?{urlencode({'concept': one.name})}")
        for one in around.concepts
    ]
    others += [
        Node(
            f"m{held.id}",
            "memory",
            addressed(held.content),
            f"also {shortened(named[concept], 24)}",
            f"/memory/{held.id}",
            f"c{concept}",
        )
        for concept, held in around.beside
    ]
    if not others:
        return []
    return [
        ("wide", memory_graph.laid_out(centre, others, WIDE)),
        ("narrow", memory_graph.laid_out(centre, others, NARROW)),
    ]


@router.get("/memory/said/{turn_id:int}")
def said(request: Request, turn_id: Number) -> HTMLResponse:
    """Something said, word for word, between what was said before and after it, and what was made of it."""
    world: World = request.app.state.world()
    with world.database.read() as db:
        turn = turns.get(db, turn_id)
        if turn is None:
            raise NotThere("That was never said here, or has been forgotten.")
        around = [one for one in turns.of_session(db, turn.session_id) if abs(one.id - turn_id) <= 6][-9:]
        made = memories.of_ids(db, memories.resting_on(db, [turn_id]))
    return rendering.page(
        request,
        "memory_said",
        tabs=TABS,
        turn=turn,
        around=around,
        items=[_line(held) for held in made],
        speaker=lambda who: speaker_name(world, who),
        source=lambda one: testimony.origin(one.text, one.foreign).get("from", ""),
    )
