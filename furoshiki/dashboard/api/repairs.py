"""`/api/v1/repairs`: errors that came back, and what became of each. A word on one is given at `/api/v1/proposals`."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

from fastapi import APIRouter, Depends, Query, Request
from pydantic import BaseModel, Field

from furoshiki.dashboard.access.current import viewer
from furoshiki.dashboard.addresses import Cursor, Listed, Number
from furoshiki.dashboard.api.proposals import Changed, changed
from furoshiki.overview import proposed
from furoshiki.repair import store
from furoshiki.repair.store import Job

router = APIRouter(prefix="/api/v1/repairs", tags=["repairs"], dependencies=[Depends(viewer)])

Limit = Annotated[int, Query(ge=1, le=200)]


class Repair(BaseModel):
    """An error that came back. `times` is how often; `cost_usd` what looking into it cost, in US dollars."""

    id: int
    source: str
    kind: str
    message: str
    times: int
    state: store.State
    verdict: str | None = Field(description="Why it became what it is.")
    file: str | None
    result: str | None
    attempts: int
    cost_usd: float
    first_at: datetime
    last_at: datetime
    changed_at: datetime


class Repairs(Listed):
    """A page of them, the newest first; `next` is the cursor of the page after it."""

    items: list[Repair]


class WholeRepair(Repair):
    """One of them with what was recorded (without secrets), what was or would be changed, and the diagnosis."""

    evidence: str
    text: str
    files: list[Changed]
    earlier: list[int] = Field(description="Repairs of the same error before.")


@router.get("")
def every(request: Request, cursor: Cursor = None, limit: Limit = 50) -> Repairs:
    """Errors that came back, the newest first."""
    found = proposed.repairs(request.app.state.world(), cursor, limit + 1)
    items = [Repair(**_plain(job)) for job in found[:limit]]
    return Repairs(items=items, next=str(items[-1].id) if len(found) > limit else None)


@router.get("/{job_id}")
def one(job_id: Number, request: Request) -> WholeRepair:
    """One error that came back: what was recorded, what was or would be changed, the diagnosis."""
    found = proposed.repair(request.app.state.world(), job_id)
    return WholeRepair(
        **_plain(found.job),
        evidence=found.evidence,
        text=found.text,
        files=changed(found.files),
        earlier=[job.id for job in found.earlier],
    )


def _plain(job: Job) -> dict[str, object]:
    return {name: getattr(job, name) for name in Repair.model_fields}
