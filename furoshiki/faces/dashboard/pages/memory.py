"""The page Memory: lists, a memory with its evidence; correcting, pinning and forgetting."""

from functools import partial
from typing import Annotated

from fastapi import APIRouter, Depends, Form, Query, Request, Response
from fastapi.responses import HTMLResponse, RedirectResponse

from furoshiki.core import refs
from furoshiki.core.catalogue import Sentence, later, say, say_sentence
from furoshiki.core.errors import FuroshikiError
from furoshiki.faces.dashboard import rendering
from furoshiki.faces.dashboard.access.current import CurrentWorld, admin, viewer
from furoshiki.faces.dashboard.addresses import Number
from furoshiki.faces.dashboard.flash import back
from furoshiki.faces.overview import memory as gathering
from furoshiki.faces.overview.errors import NotThere, Refused
from furoshiki.faces.overview.memory import Asked
from furoshiki.memory import correction
from furoshiki.memory.rules import in_words
from furoshiki.memory.store import memories
from furoshiki.memory.store.overview import TYPES

PAGE = ("Memory", "What it knows, and where it knows it from", "", 40)

router = APIRouter(include_in_schema=False, dependencies=[Depends(viewer)])

STATUSES = ("active", "dormant", "superseded", "archived")

TABS = later(
    (
        ("/memory", "Everything"),
        ("/memory/you", "About you"),
        ("/memory/standing-out", "Stands out"),
        ("/memory/hot", "Hot"),
        ("/memory/cold", "Cold"),
        ("/memory/forget", "Forget"),
    )
)
_page = partial(rendering.page, tabs=TABS)


def parse_filters(
    q: str = "",
    kind: Annotated[str, Query(alias="type")] = "",
    status: str = "",
    about: str = "",
    since: str = "",
    concept: str = "",
) -> Asked:
    """Parse the filters of a list from the address."""
    return Asked(
        _clean_words(q),
        kind if kind in TYPES else "",
        status if status in STATUSES else "",
        _clean_words(about),
        _clean_words(since),
        _clean_words(concept),
    )


def _clean_words(words: str) -> str:
    """Strip words, and remove NUL, which would end SQLite's full-text query."""
    return words.replace("\0", "").strip()


@router.get("/memory")
@router.get("/parts/memory/list")
def show_list(
    request: Request, world: CurrentWorld, looked: Annotated[Asked, Depends(parse_filters)], cursor: str = ""
) -> HTMLResponse:
    """Show memories, newest first; with words, the search results."""
    with world.database.read() as db:
        held = memories.count(db)
    return rendering.show(
        request,
        "memory",
        "memory_list",
        **gathering.list_page(world, looked, cursor),
        tabs=TABS,
        held=held,
        types=TYPES,
        kinds=in_words.KINDS,
        statuses=STATUSES,
    )


@router.get("/memory/standing-out")
def show_highlights(request: Request, world: CurrentWorld) -> HTMLResponse:
    """Show the newest conclusions, disputes, contradictions and changing themes."""
    return _page(request, "memory_standing", **gathering.gather_highlights(world))


@router.get("/memory/hot")
def hot(request: Request, cursor: str = "") -> HTMLResponse:
    """Show the most used memories."""
    return _by_use(request, "hot", cursor)


@router.get("/memory/cold")
def cold(request: Request, cursor: str = "") -> HTMLResponse:
    """Show memories that are no longer known facts for want of use."""
    return _by_use(request, "cold", cursor)


def _by_use(request: Request, heat: str, cursor: str) -> HTMLResponse:
    found = gathering.by_use(request.app.state.world(), heat, cursor)
    return _page(request, "memory_by_use", **found)


@router.get("/memory/{memory_id:row}")
@router.get("/parts/memory/{memory_id:row}")
def one(request: Request, memory_id: Number) -> HTMLResponse:
    """Show one memory in full."""
    return _one(request, memory_id)


def _one(request: Request, memory_id: int, typed: dict[str, str] | None = None, wrong: str = "") -> HTMLResponse:
    """Show one memory; for an invalid form, with the input and the reason."""
    found = gathering.describe_memory(request.app.state.world(), memory_id)
    if found is None:
        missing = Sentence("There is no memory {number}.", number=memory_id)
        raise NotThere(missing, later("It may have been forgotten; /memory lists what there is."))
    return rendering.show(
        request,
        "memory_one",
        "memory_one",
        status=422 if wrong else 200,
        at=f"/memory/{memory_id}",
        **found,
        tabs=TABS,
        typed=typed,
        wrong=wrong,
    )


@router.get("/memory/you")
def about_you(request: Request, world: CurrentWorld) -> HTMLResponse:
    """Show the companion's picture of the owner, each statement with its facts."""
    return _page(request, "memory_you", **gathering.about_owner(world))


@router.post("/memory/{memory_id:row}/edit", dependencies=[Depends(admin)])
def edit(
    request: Request,
    world: CurrentWorld,
    memory_id: Number,
    text: Annotated[str, Form()] = "",
    was: Annotated[str, Form()] = "wrong",
    object_: Annotated[str, Form(alias="object")] = "",
) -> Response:
    """Replace a memory's words, as `furoshiki memory edit` does; invalid input is shown again."""
    try:
        done = correction.edit(world, memory_id, text, object_.strip() or None, was == "changed")
    except FuroshikiError as error:
        return _one(request, memory_id, {"text": text, "was": was, "object": object_}, say_sentence(error))
    ended = later("This replaces {memory}, which was true until now.")
    withdrawn = later("This replaces {memory}, which is withdrawn.")
    words = say(ended if was == "changed" else withdrawn, memory=refs.name("memory", memory_id))
    if not done.fact:
        words += " " + say("The new value could not be told from the words, so no later fact will end it.")
    return back(f"/memory/{done.new.id}", words)


@router.post("/memory/{memory_id:row}/pin", dependencies=[Depends(admin)])
def pin(world: CurrentWorld, memory_id: Number, pinned: Annotated[bool, Form()]) -> RedirectResponse:
    """Pin a memory's weight, or release it."""
    try:
        correction.pin(world, memory_id, pinned)
    except FuroshikiError as error:
        return back(f"/memory/{memory_id}", say_sentence(error), "failed")
    held, free = later("It is pinned: nothing changes its weight now."), later("Its weight may change again.")
    return back(f"/memory/{memory_id}", say(held if pinned else free))


@router.post("/memory/{memory_id:row}/approve", dependencies=[Depends(admin)])
def approve(world: CurrentWorld, memory_id: Number) -> RedirectResponse:
    """Approve a weight above the ceiling."""
    from furoshiki.mind.consolidation import promotion

    try:
        promotion.approve(world, memory_id)
    except FuroshikiError as error:
        return back(f"/memory/{memory_id}", say_sentence(error), "failed")
    return back(f"/memory/{memory_id}", say("It may count as almost certain, from the next night on."))


@router.get("/memory/forget")
def show_forget_form(request: Request) -> HTMLResponse:
    return _page(request, "memory_forget", what="", outlook=None)


@router.post("/memory/forget", dependencies=[Depends(admin)])
def look(request: Request, world: CurrentWorld, what: Annotated[str, Form()] = "") -> HTMLResponse:
    """Show what would be deleted, and ask. Changes nothing; the words appear in no URL."""
    if not what.strip():
        example = later("Enter words, a day (2026-03-24), or an id (memory:3).")
        raise Refused(later("You did not say what to forget."), example, 422, "nothing_named")
    outlook = gathering.outlook_of(world, what.strip())
    return _page(request, "memory_forget", what=what.strip(), outlook=outlook)


@router.post("/memory/forget/yes", dependencies=[Depends(admin)])
def forget(world: CurrentWorld, what: Annotated[str, Form()], token: Annotated[str, Form()]) -> RedirectResponse:
    """Forget exactly what was shown; if that has changed, forget nothing and ask to look again."""
    from furoshiki.archive.forgetting import everywhere
    from furoshiki.conversation.commands.forget import farewell

    done = everywhere.forget(world, what, token)
    if done is None:
        return back(
            "/memory/forget",
            say("Something was added in the meantime, so nothing was forgotten: look again."),
            "failed",
        )
    return back("/memory", farewell(done))


@router.get("/memory/said/{turn_id:row}")
def show_turn(request: Request, world: CurrentWorld, turn_id: Number) -> HTMLResponse:
    """Show a turn verbatim, in its conversation, with the memories made of it."""
    found = gathering.find_turn(world, turn_id)
    if found is None:
        raise NotThere(later("That was never said here, or has been forgotten."))
    return _page(request, "memory_said", **found)
