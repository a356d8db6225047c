"""The page Schedules: jobs, their runs, and starting them."""

import sys
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Form, Request, Response
from fastapi.responses import HTMLResponse

from furoshiki.app.scheduler import job_overview, run_now, schedule_file
from furoshiki.app.scheduler.job_overview import Job
from furoshiki.core import paths
from furoshiki.core.catalogue import Sentence, later, say, say_sentence
from furoshiki.core.errors import BadSetting, in_words
from furoshiki.core.logs import Redacting
from furoshiki.faces.dashboard import rendering
from furoshiki.faces.dashboard.access.current import CurrentWorld, admin, viewer
from furoshiki.faces.dashboard.addresses import Cursor
from furoshiki.faces.dashboard.flash import back
from furoshiki.faces.overview import jobs as shown
from furoshiki.faces.overview.errors import Conflict, NotThere, Refused
from furoshiki.world import World

PAGE = ("Schedules", "What runs when, and how it went", "Work", 100)

router = APIRouter(include_in_schema=False, dependencies=[Depends(viewer)])

PER_PAGE = 25


@router.get("/schedules")
def page(request: Request, world: CurrentWorld) -> HTMLResponse:
    found = shown.gather(world)
    return rendering.page(request, "schedules", shown=found, ended=shown.describe_end)


@router.get("/parts/schedules")
def part(request: Request, world: CurrentWorld) -> HTMLResponse:
    """Show the present jobs as a fragment."""
    found = request.app.state.shared.get(world, "schedules", lambda: shown.gather(world))
    return rendering.part(request, "schedules_shown", shown=found, ended=shown.describe_end)


@router.get("/schedules/{name}")
@router.get("/parts/schedules/{name}")
def one_job(request: Request, name: str, before: Cursor = None) -> HTMLResponse:
    """Show one job with its runs."""
    return rendering.show(
        request, "schedule", "schedule_shown", name=name, before=before, **_one(request, name, before)
    )


@router.post("/schedules/{name}/run", dependencies=[Depends(admin)])
def run(world: CurrentWorld, name: str, back_to: Annotated[str, Form(alias="back")] = "/schedules") -> Response:
    """Start a job now."""
    try:
        start_job(world, name)
    except Conflict as error:
        return back(back_to, f"{say_sentence(error)} {say_sentence(error.fix)}", "failed")
    return back(
        back_to, say("{name} has started. Its run appears here, with what it did, as soon as it ends.", name=name)
    )


@router.post("/schedules/{name}/switch", dependencies=[Depends(admin)])
def switch(
    world: CurrentWorld,
    name: str,
    enabled: Annotated[bool, Form()],
    back_to: Annotated[str, Form(alias="back")] = "/schedules",
) -> Response:
    """Enable or disable a job."""
    switch_job(world, name, enabled)
    on = later("{name} runs by itself again.")
    off = later("{name} no longer runs by itself; you can still run it from here.")
    return back(back_to, say(on if enabled else off, name=name))


def job_of(world: World, name: str) -> Job:
    """Return the job of that name. Raises NotThere."""
    found, _ = shown.jobs(world)
    job = next((one for one in found if one.entry.name == name), None)
    if job is None:
        raise NotThere(Sentence("There is no job {name!r}.", name=name), later("The Schedules page lists them all."))
    return job


def start_job(world: World, name: str) -> None:
    """Start a job in a process of its own. Raises NotThere, Conflict while it runs, Refused."""
    job = job_of(world, name)
    if shown.at_work(world, job):
        raise Conflict(Sentence("{name} is already running.", name=name), later("You'll see what it did when it ends."))
    try:
        run_now.start(
            job.entry,
            world.settings.data,
            world.database,
            world.clock.now,
            sys.executable,
            paths.environ(),
            Redacting(world.settings.secrets()).clean,
        )
    except OSError as error:
        words = Sentence("{name} could not be started: {why}.", name=name, why=in_words(error))
        raise Refused(words, later("Try again when the machine has room."), 503, "cannot_start") from error


def switch_job(world: World, name: str, enabled: bool) -> None:
    """Enable or disable a job in the owner's schedules.json. Raises NotThere, or Refused while
    the file is wrong as it stands."""
    job_of(world, name)
    try:
        schedule_file.switch(job_overview.of_owner(world.settings.data), name, enabled)
    except BadSetting as error:
        fix = later("Fix that line of memory/schedules.json, or remove the file; then switch jobs here.")
        raise Refused(error.args[0], fix, 409, "schedules_wrong") from error


def _one(request: Request, name: str, before: int | None) -> dict[str, Any]:
    world: World = request.app.state.world()
    job = job_of(world, name)
    with world.database.read() as db:
        found = shown.latest(world, db, job.entry.recorded_as, PER_PAGE + 1, before)
    return {
        "job": job,
        "when": shown.describe_when(job.entry),
        "runs": found[:PER_PAGE],
        "older": found[PER_PAGE - 1].id if len(found) > PER_PAGE else None,
        "running": shown.at_work(world, job),
        "ended": shown.describe_end,
        "ticking": shown.is_brain_running(world),
    }
