"""`/api/v1/proposals`: everything that waits for its owner's word, what it would change, and the word."""

from __future__ import annotations

from datetime import datetime

from fastapi import APIRouter, Depends, Request, Response
from pydantic import BaseModel, Field

from furoshiki.core.errors import FuroshikiError
from furoshiki.dashboard.access.current import admin, viewer
from furoshiki.dashboard.addresses import Listed
from furoshiki.dashboard.etag import answered
from furoshiki.overview import proposed
from furoshiki.overview.errors import NotFound, Overtaken
from furoshiki.overview.rules.differences import File
from furoshiki.world import World

router = APIRouter(prefix="/api/v1/proposals", tags=["proposals"], dependencies=[Depends(viewer)])


class Waiting(BaseModel):
    """What waits, in a line."""

    id: str = Field(examples=["repair-3"])
    kind: proposed.Kind
    title: str
    at: datetime


class Proposals(Listed):
    """All that waits, the newest first."""

    items: list[Waiting]


class Changed(BaseModel):
    """A file and what would become of it, as the lines of a diff ("+", "-", " ", "@@")."""

    path: str
    what: str
    diff: list[str]


class Proposal(Waiting):
    """One of them whole. `refused` says why no yes can be given; empty when it can. Send `mark` with the word."""

    text: str
    may: list[str]
    files: list[Changed]
    does: str = Field(description="What a yes comes to.")
    refused: str
    mark: str


class Word(BaseModel):
    """A word on exactly what was read: the `mark` that came with it."""

    mark: str


class Done(BaseModel):
    """What was done, in words."""

    said: str


@router.get("", response_model=Proposals)
def every(request: Request) -> Response:
    """What waits: repairs, plugins it wrote, changes of SELF.md, and what has a button in the chat."""
    found = proposed.every(request.app.state.world())
    return answered(request, Proposals(items=[Waiting(**vars(one)) for one in found]))


@router.get("/{proposal_id}")
def one(proposal_id: str, request: Request) -> Proposal:
    """One proposal, with what it would change."""
    found = proposed.one(request.app.state.world(), proposal_id)
    return Proposal(
        **vars(found.waiting),
        text=found.text,
        may=list(found.may),
        files=changed(found.files),
        does=found.does,
        refused=found.refused,
        mark=found.mark,
    )


@router.post("/{proposal_id}/accept", dependencies=[Depends(admin)])
def accept(proposal_id: str, word: Word, request: Request) -> Done:
    """Say yes to a proposal. 409 when it is not what was read any more, or cannot be done: the message says why."""
    return _decided(request.app.state.world(), proposal_id, True, word)


@router.post("/{proposal_id}/decline", dependencies=[Depends(admin)])
def decline(proposal_id: str, word: Word, request: Request) -> Done:
    """Say no to a proposal: it is not made again."""
    return _decided(request.app.state.world(), proposal_id, False, word)


_SIGNS = {"same": " ", "gone": "-", "new": "+", "place": ""}


def changed(files: tuple[File, ...]) -> list[Changed]:
    """Differences as programs read them."""
    return [
        Changed(path=one.path, what=one.what, diff=[_SIGNS[line.kind] + line.text for line in one.lines])
        for one in files
    ]


def _decided(world: World, proposal_id: str, yes: bool, word: Word) -> Done:
    try:
        return Done(said=proposed.decide(world, proposal_id, yes, word.mark))
    except (NotFound, Overtaken):
        raise
    except FuroshikiError as error:
        raise Overtaken(str(error), f"GET /api/v1/proposals/{proposal_id} has it as it is now.") from error
