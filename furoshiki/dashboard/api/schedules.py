"""`/api/v1/schedules` and `/api/v1/runs`: what runs when, how it went, running a job now, switching one off."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, Query, Request, Response
from pydantic import BaseModel

from furoshiki.core.timestamps import stamp
from furoshiki.dashboard.access.current import admin, viewer
from furoshiki.dashboard.addresses import Cursor, Listed
from furoshiki.dashboard.pages.schedules import job_of, started, switched
from furoshiki.overview import jobs as shown
from furoshiki.scheduler.standing import Job
from furoshiki.scheduler.store import runs as store
from furoshiki.world import World

router = APIRouter(prefix="/api/v1", tags=["schedules"])


class Run(BaseModel):
    """One run of a script. `exit` is null while it runs, negative after a signal; CPU in seconds, memory in MB."""

    id: int
    script: str
    started_at: str
    finished_at: str | None
    exit: int | None
    cpu_s: float | None
    peak_mb: float | None
    did: bool
    summary: str | None
    output: str | None


class Schedule(BaseModel):
    """A job. `origin` is "shipped", "changed" (by the owner's schedules.json: `changed` names the keys) or "own"."""

    name: str
    about: str
    script: str
    args: list[str]
    when: str
    zone: str
    enabled: bool
    origin: str
    changed: list[str]
    timeout_s: float
    catch_up: str
    next_at: str | None
    running: bool
    failures: int
    last: Run | None


class Schedules(Listed):
    """Every job; `wrong` is what is wrong with schedules.json, `brain_running` whether any of it runs by itself."""

    items: list[Schedule]
    wrong: str | None
    brain_running: bool


class Runs(Listed):
    """A page of runs, newest first; `next` leads to older ones."""

    items: list[Run]


class Switch(BaseModel):
    """Whether a job runs by itself."""

    enabled: bool


@router.get("/schedules", dependencies=[Depends(viewer)])
def every(request: Request) -> Schedules:
    """Every job with its next and its last run."""
    world: World = request.app.state.world()
    jobs, wrong = shown.jobs(world)
    return Schedules(items=[_job(world, job) for job in jobs], wrong=wrong, brain_running=shown.ticking(world))


@router.get("/schedules/{name}", dependencies=[Depends(viewer)])
def one(request: Request, name: str) -> Schedule:
    """One job."""
    world: World = request.app.state.world()
    return _job(world, job_of(world, name))


@router.post("/schedules/{name}/run", dependencies=[Depends(admin)], status_code=202)
def run(request: Request, name: str) -> Response:
    """Begin it now, in a process of its own; 409 while it runs. `/runs` tells how it ended."""
    started(request.app.state.world(), name)
    return Response(status_code=202)


@router.patch("/schedules/{name}", dependencies=[Depends(admin)])
def switch(request: Request, name: str, wanted: Switch) -> Schedule:
    """Have it run by itself, or not."""
    world: World = request.app.state.world()
    switched(world, name, wanted.enabled)
    return _job(world, job_of(world, name))


@router.get("/runs", dependencies=[Depends(viewer)])
def runs(
    request: Request,
    script: str | None = None,
    cursor: Cursor = None,
    limit: Annotated[int, Query(ge=1, le=200)] = 50,
) -> Runs:
    """What ran, of one script or of all."""
    world: World = request.app.state.world()
    with world.database.read() as db:
        found = shown.latest(world, db, script, limit + 1, cursor)
    told = [_run(one) for one in found[:limit]]
    return Runs(items=told, next=str(told[-1].id) if len(found) > limit else None)


def _job(world: World, job: Job) -> Schedule:
    return Schedule(
        name=job.entry.name,
        about=job.entry.about,
        script=job.entry.script.name,
        args=list(job.entry.args),
        when=job.entry.when,
        zone=job.entry.zone,
        enabled=job.entry.enabled,
        origin=job.origin,
        changed=list(job.changed),
        timeout_s=job.entry.timeout_s,
        catch_up=job.entry.timing.catch_up,
        next_at=None if job.next_at is None else stamp(job.next_at),
        running=shown.at_work(world, job),
        failures=job.failures,
        last=None if job.last is None else _run(job.last),
    )


def _run(run: store.Run) -> Run:
    return Run(
        id=run.id,
        script=run.script,
        started_at=stamp(run.started_at),
        finished_at=None if run.finished_at is None else stamp(run.finished_at),
        exit=run.exit_code,
        cpu_s=run.cpu_s,
        peak_mb=run.peak_mb,
        did=run.did_work,
        summary=run.summary,
        output=run.output,
    )
