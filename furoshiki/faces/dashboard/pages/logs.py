"""The page Logs: the processes' logs, and the doctor's findings."""

from typing import Annotated, Any, Literal
from urllib.parse import urlencode

from fastapi import APIRouter, Depends, Query, Request, Response
from fastapi.responses import HTMLResponse

from furoshiki.core.catalogue import later, say, say_sentence
from furoshiki.faces.dashboard import rendering
from furoshiki.faces.dashboard.access.current import CurrentWorld, admin, viewer
from furoshiki.faces.dashboard.flash import back
from furoshiki.faces.overview import health, logs
from furoshiki.faces.overview.logs import SPANS, Wanted
from furoshiki.maintenance import doctor
from furoshiki.maintenance.doctor import DoctorFailed
from furoshiki.maintenance.log_reading import LEVELS
from furoshiki.world import World

PAGE = ("Logs", "What the processes wrote", "System", 140)

router = APIRouter(include_in_schema=False, dependencies=[Depends(viewer)])

Level = Literal["debug", "info", "warning", "error", "critical"]
Span = Literal["", "hour", "day", "week"]
Text = Annotated[str, Query(max_length=200)]

_DOCTOR = later(
    {
        0: "The doctor checked: all is well.",
        1: "The doctor checked, and fixed something.",
        2: "The doctor checked: something needs you.",
    }
)


@router.get("/logs")
@router.get("/parts/logs")
def page(
    request: Request, level: Level = "info", process: Text = "", since: Span = "", words: Text = "", before: Text = ""
) -> HTMLResponse:
    """Show the newest entries, or those before one."""
    values = _values(request, level, process, since, words, before)
    return rendering.show(request, "logs", "logs_shown", levels=LEVELS, **values)


@router.get("/parts/logs/processes")
def processes(request: Request) -> HTMLResponse:
    """Show the running processes as a fragment."""
    return rendering.render_shared(request, "logs_processes", lambda world: {"running": health.check_processes(world)})


@router.post("/logs/doctor", dependencies=[Depends(admin)])
def look(world: CurrentWorld) -> Response:
    """Run the doctor now."""
    try:
        status = doctor.look(world.settings.data)
    except DoctorFailed as error:
        return back("/logs#health", say_sentence(error), "failed")
    return back("/logs#health", say(_DOCTOR[status]), "failed" if status == 2 else "done")


def _values(request: Request, level: str, process: str, since: str, words: str, before: str) -> dict[str, Any]:
    world: World = request.app.state.world()
    folder = world.settings.data / "logs"
    moment = world.now - SPANS[since] if since else None
    chosen = {"level": level, "process": process, "since": since, "words": words}
    wanted = Wanted(level, process or None, moment, words, before or None)
    return {
        "shown": logs.page(folder, wanted, world.settings.secrets()),
        "names": logs.names(folder),
        "chosen": chosen,
        "query": urlencode(chosen),
        "before": before,
        "report": doctor.last_report(world.settings.data),
        "running": health.check_processes(world),
        "most_read": logs.MOST_READ,
    }
