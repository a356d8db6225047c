"""The page Mind: waiting thoughts, questions, guesses, promises, journal, self, wandering."""

import re
from collections.abc import Sequence
from functools import partial
from operator import attrgetter
from typing import Annotated, TypeVar

from fastapi import APIRouter, Depends, Form, Request, Response
from fastapi.responses import HTMLResponse, RedirectResponse

from furoshiki.conversation.acting.rules import confidence
from furoshiki.conversation.acting.store import second_thoughts
from furoshiki.conversation.commands.look import promises, self_description
from furoshiki.core.catalogue import Sentence, later, say, say_sentence
from furoshiki.core.errors import FuroshikiError
from furoshiki.faces.dashboard import rendering
from furoshiki.faces.dashboard.access.current import CurrentWorld, admin, viewer
from furoshiki.faces.dashboard.addresses import Cursor, Number
from furoshiki.faces.dashboard.flash import back
from furoshiki.faces.overview import mind as gathering
from furoshiki.faces.overview.errors import NotThere
from furoshiki.faces.overview.rules.markdown import parse
from furoshiki.memory import concepts
from furoshiki.memory.store import concepts as concept_store
from furoshiki.memory.store import gists
from furoshiki.messages.store import turns
from furoshiki.mind.inner_life.journal import pages
from furoshiki.mind.inner_life.self_model import description
from furoshiki.mind.inner_life.store import commitments, drift, monologue, patterns, self_questions, wandered
from furoshiki.owner.agenda.store import mind_queue
from furoshiki.owner.user_model.store import anticipations

PAGE = ("Mind", "What waits to be said, questions, promises, journal, who it is becoming", "Companion", 30)

router = APIRouter(include_in_schema=False, dependencies=[Depends(viewer)])

TABS = later(
    (
        ("/mind", "To say"),
        ("/mind/questions", "Questions"),
        ("/mind/expected", "Expected"),
        ("/mind/promises", "Promises"),
        ("/mind/journal", "Journal"),
        ("/mind/self", "Who it is"),
        ("/mind/wandering", "Wandering"),
        ("/mind/concepts", "Concepts"),
        ("/mind/second-thoughts", "Second thoughts"),
    )
)
_page = partial(rendering.page, tabs=TABS)

SHOWN = 25  # items of each kind on one page

CONCEPTS = 100

_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")

T = TypeVar("T")
_ID = attrgetter("id")


def split_page(found: Sequence[T]) -> tuple[list[T], int | None]:
    """Return the first SHOWN of SHOWN + 1 items with an `id`, and the cursor of the next page."""
    shown = list(found[:SHOWN])
    return shown, _ID(shown[-1]) if len(found) > SHOWN else None


# -- waiting thoughts --


@router.get("/mind")
@router.get("/parts/mind/queue")
def queue(request: Request, world: CurrentWorld) -> HTMLResponse:
    """Show the waiting thoughts with reasons, and what became of earlier ones."""
    return rendering.show(request, "mind_queue", "mind_queue", tabs=TABS, **gathering.queue(world))


@router.post("/mind/queue/{item_id:row}/dismiss", dependencies=[Depends(admin)])
def dismiss(world: CurrentWorld, item_id: Number) -> RedirectResponse:
    """Drop a waiting thought."""
    with world.database.write() as db:
        dropped = mind_queue.let_go(db, item_id, "dropped")
    if dropped:
        return back("/mind", say("It will not be said."))
    return back("/mind", say("It is no longer waiting: it was said, or let go, in the meantime."), "failed")


# -- questions, guesses, promises --


@router.get("/mind/questions")
def questions(request: Request, world: CurrentWorld, cursor: Cursor = None) -> HTMLResponse:
    """Show open questions, those for the owner, and all earlier ones."""
    with world.database.read() as db:
        asked = self_questions.put_to_user(db)
        open_ = [] if cursor is not None else self_questions.list_pending(db)[::-1]
        shown, after = split_page(self_questions.every(db, SHOWN + 1, cursor))

    settled = [question for question in shown if question.state not in ("open", "user_required")]
    return _page(
        request,
        "mind_questions",
        first=cursor is None,
        open=open_,
        past=settled,
        said=lambda question: gathering.state_of_question(question, question.id in asked),
        next=after,
    )


@router.get("/mind/expected")
def show_expectations(request: Request, world: CurrentWorld, cursor: Cursor = None) -> HTMLResponse:
    """Show what the companion expects, and how earlier guesses turned out."""
    with world.database.read() as db:
        open_ = [] if cursor is not None else anticipations.open_(db, world.now)
        shown, after = split_page(anticipations.newest(db, SHOWN + 1, cursor))
    known = {anticipation.id for anticipation in open_}
    past = [one for one in shown if one.id not in known and one.state != "open"]
    return _page(request, "mind_expected", open=open_, past=past, next=after)


@router.get("/mind/promises")
def show_promises(request: Request, world: CurrentWorld, cursor: Cursor = None) -> HTMLResponse:
    """Show its promises to itself, and how it keeps them."""
    with world.database.read() as db:
        active = [] if cursor is not None else commitments.active(db)
        shown, after = split_page(commitments.every(db, SHOWN + 1, cursor))
        past = [commitment for commitment in shown if commitment.state != "active"]
        judged = {one.id: commitments.judgements(db, one.id) for one in (*active, *past)}
        asked = {one.id: patterns.read_recurrences(db, one.pattern_id) for one in (*active, *past)}
    return _page(
        request,
        "mind_promises",
        active=active,
        past=past,
        judged=judged,
        asked=asked,
        ended=gathering.ENDED,
        next=after,
    )


@router.post("/mind/promises/{promise:row}", dependencies=[Depends(admin)])
def decide(world: CurrentWorld, promise: Number, drop: Annotated[bool, Form()]) -> RedirectResponse:
    """Drop or continue a promise, as the buttons in the chat do."""
    done = promises.decide(world, promise, drop=drop)
    return back("/mind/promises", done or promises.OVER, "done" if done else "failed")


# -- the journal --


@router.get("/mind/journal")
@router.get("/parts/mind/journal")
def journal(request: Request, world: CurrentWorld, cursor: Cursor = None) -> HTMLResponse:
    """Show its own notes by day, newest first."""
    journal_page = gathering.read_journal(world, cursor)
    return rendering.show(request, "mind_journal", "mind_journal", tabs=TABS, **journal_page, cursor=cursor)


@router.get("/mind/journal/{day}.svg")
def picture(world: CurrentWorld, day: str) -> Response:
    found = pages.picture(world, day) if _DAY.fullmatch(day) else None
    if found is None:
        raise NotThere(later("There is no picture of that day."))
    return Response(found.read_bytes(), media_type="image/svg+xml")


@router.get("/mind/journal/{day}")
def of_day(request: Request, world: CurrentWorld, day: str) -> HTMLResponse:
    """Show one day, with the turns that each passage cites."""
    if not _DAY.fullmatch(day):
        raise NotThere(later("That is not a day."), later("Write days like 2026-03-24."))
    with world.database.read() as db:
        entries = monologue.of_day(db, day)
        cited = {number for entry in entries for passage in entry.passages for number in passage.cites}
        quoted = {turn.id: turn for turn in turns.many(db, sorted(cited))}
    if not entries:
        raise NotThere(
            Sentence("Nothing was written on {day}.", day=day), later("/mind/journal lists every day there is.")
        )
    return _page(
        request,
        "mind_day",
        day=day,
        entries=entries,
        title=pages.title,
        quoted=quoted,
        pictured=pages.picture(world, day) is not None,
    )


# -- self-description --


@router.get("/mind/self")
def who(request: Request, world: CurrentWorld, cursor: Cursor = None) -> HTMLResponse:
    """Show its self-description, the proposed change, and all reviews."""
    text = description.text(world)
    with world.database.read() as db:
        last, proposed = drift.last_change(db), drift.proposal(db)
        shown, after = split_page(drift.newest(db, SHOWN + 1, cursor))
    return _page(
        request,
        "mind_self",
        nodes=parse(text),
        last=None if last is None else self_description.as_data(last),
        by_hand=description.was_edited(world),
        proposed=None if proposed is None else gathering.look(proposed),
        looks=[gathering.look(one) for one in shown],
        next=after,
        cursor=cursor,
    )


@router.get("/mind/self/{look:row}")
def one_look(request: Request, world: CurrentWorld, look: Number) -> HTMLResponse:
    """Show one review: removed and added sentences, reasons and evidence."""
    with world.database.read() as db:
        found = drift.get(db, look)
        if found is None:
            raise NotThere(later("There was no such look."), later("/mind/self lists them."))
        cited = {name for reason in found.reasons for name in reason.cites}
        rests = {name: words for name in sorted(cited) if (words := self_description.source(db, name, world.zone))}
    return _page(request, "mind_look", look=gathering.look(found), rests=rests)


@router.post("/mind/self/{answer}", dependencies=[Depends(admin)])
def answer(world: CurrentWorld, answer: str) -> RedirectResponse:
    """Accept or decline the proposal, as `furoshiki self` does."""
    if answer not in ("accept", "decline"):
        raise NotThere
    try:
        found = description.accept(world) if answer == "accept" else description.decline(world)
    except FuroshikiError as error:
        return back("/mind/self", say_sentence(error), "failed")
    if answer == "accept":
        return back("/mind/self", say("Accepted: {share:.0%} of SELF.md is new.", share=found.changed_share))
    return back("/mind/self", say("Declined: SELF.md stays as it is."))


# -- wandering --


@router.get("/mind/wandering")
def show_wanderings(request: Request, world: CurrentWorld, cursor: Cursor = None) -> HTMLResponse:
    """Show its idle thoughts, and what is on its mind now."""
    with world.database.read() as db:
        shown, after = split_page(wandered.newest(db, SHOWN + 1, cursor))
        passing = [] if cursor is not None else gists.current(db, world.now)
    return _page(request, "mind_wandering", found=shown, became=wandered.BECAME, passing=passing, next=after)


@router.get("/mind/concepts")
def show_concepts(request: Request, world: CurrentWorld, name: str = "", after: str = "") -> HTMLResponse:
    """Show the concepts of memories by name, and rising and fading themes."""
    beginning = name.strip().lower()[:80]
    with world.database.read() as db:
        found = concept_store.by_name(db, beginning, after[:80], CONCEPTS + 1)
        moved = concepts.themes(db)
    shown = found[:CONCEPTS]
    return _page(
        request,
        "mind_concepts",
        found=[(concept, concept.strength_at(world.now)) for concept in shown],
        name=name.strip(),
        next=shown[-1].name if len(found) > CONCEPTS else "",
        moved=moved,
    )


@router.get("/mind/second-thoughts")
def again(request: Request, world: CurrentWorld, cursor: Cursor = None) -> HTMLResponse:
    """Show the answers it corrected itself, and when it checked twice."""
    with world.database.read() as db:
        corrections, after = split_page(second_thoughts.newest_corrections(db, SHOWN + 1, cursor))
        checks = [] if cursor is not None else second_thoughts.newest(db, SHOWN)
    told = [
        (one, confidence.describe_rethink(one.triggers, asked=bool(one.passes), changed=one.changed))  # type: ignore[arg-type]
        for one in checks
    ]
    return _page(request, "mind_second_thoughts", kept=corrections, checks=told, next=after)
