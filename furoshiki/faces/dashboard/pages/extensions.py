"""The page Extensions: plugins, their permissions, proposals, repairs, tool servers."""

from typing import Annotated, Any, Literal

from fastapi import APIRouter, Depends, Form, Request, Response
from fastapi.responses import HTMLResponse

from furoshiki.core.catalogue import say, say_sentence
from furoshiki.core.errors import FuroshikiError
from furoshiki.extensions.plugins.offers import STATES
from furoshiki.extensions.plugins.store import jobs
from furoshiki.extensions.repair import proposing
from furoshiki.extensions.tool_servers import permissions
from furoshiki.faces.dashboard import rendering
from furoshiki.faces.dashboard.access.current import CurrentWorld, admin, viewer
from furoshiki.faces.dashboard.access.guard import READ_ALONG, is_unread
from furoshiki.faces.dashboard.addresses import Cursor, Number
from furoshiki.faces.dashboard.flash import back
from furoshiki.faces.overview import extensions as extended
from furoshiki.faces.overview import pending_decisions
from furoshiki.faces.overview.errors import Conflict, NotThere
from furoshiki.faces.overview.rules import differences
from furoshiki.faces.overview.rules.markdown import parse
from furoshiki.world import World

PAGE = ("Extensions", "Plugins, what they may do, proposals, repairs", "Work", 110)

router = APIRouter(include_in_schema=False, dependencies=[Depends(viewer)])

HOME = "/extensions"
SHOWN = 20
WORDS: dict[str, Any] = {
    "states": STATES,
    "origins": extended.ORIGINS,
    "kinds": pending_decisions.KINDS,
    "repair_states": proposing.IN_WORDS,
    "wish_states": jobs.IN_WORDS,
    "markdown": parse,
}


def _lists(world: World) -> dict[str, Any]:
    with world.database.read() as db:
        wished = [job for job in jobs.of_states(db, limit=SHOWN) if job.state != "proposed"][::-1]
    servers, fault = extended.tools(world)
    return {
        "plugins": extended.every(world),
        "waiting": pending_decisions.every(world),
        "repairs": pending_decisions.repairs(world, None, 5),
        "wished": wished,
        "servers": servers,
        "servers_fault": fault,
    }


@router.get(HOME)
@router.get("/parts/extensions")
def every(request: Request, world: CurrentWorld) -> HTMLResponse:
    """Show all present lists."""
    return rendering.show(request, "extensions", "extensions_lists", **WORDS, **_lists(world))


@router.get(f"{HOME}/plugins/{{name}}")
def plugin(name: str, request: Request, world: CurrentWorld, before: Cursor = None) -> HTMLResponse:
    """Show one plugin in full."""
    found = extended.one(world, name, before, SHOWN + 1)
    ran = found["runs"]
    older = ran[SHOWN - 1]["id"] if len(ran) > SHOWN else None
    values = {**WORDS, **found, "ran": ran[:SHOWN], "older": older, "paging": before is not None}
    return rendering.page(request, "extension_plugin", **values)


@router.get(f"{HOME}/plugins/{{name}}/{{what}}", dependencies=[Depends(admin)])
def show_offer(name: str, what: Literal["enable", "rollback"], request: Request) -> HTMLResponse:
    """Show what would be allowed: words, permissions, and every file."""
    return _offer(request, name, what, 200, "")


@router.post(f"{HOME}/plugins/{{name}}/{{what}}", dependencies=[Depends(admin)], response_model=None)
def agree(
    name: str, what: Literal["enable", "rollback"], request: Request, world: CurrentWorld, mark: Annotated[str, Form()]
) -> Response:
    """Do exactly what was shown; if that has changed, show it again."""
    try:
        words = extended.agree(world, name, what, mark)
    except Conflict as error:
        return _offer(request, name, what, 409, say_sentence(error))
    return back(f"{HOME}/plugins/{name}", words)


@router.post(f"{HOME}/plugins/{{name}}", dependencies=[Depends(admin)])
def change(name: str, world: CurrentWorld, do: Annotated[Literal["disable", "remove"], Form()]) -> Response:
    if do == "disable":
        return back(f"{HOME}/plugins/{name}", extended.switch_off(world, name))
    return back(HOME, extended.remove(world, name))


@router.post(f"{HOME}/plugins/{{name}}/settings/{{setting}}", dependencies=[Depends(admin)])
def put_setting(
    name: str,
    setting: str,
    request: Request,
    world: CurrentWorld,
    value: Annotated[str, Form()] = "",
    do: Annotated[Literal["save", "unset"], Form()] = "save",
) -> Response:
    """Set or unset one of a plugin's own settings."""
    here = f"{HOME}/plugins/{name}#settings"
    text = value.strip() if do == "save" else None
    if text == "":
        return back(here, say("You gave no value for {setting}, so nothing was changed.", setting=setting), "failed")
    if text is not None and not is_unread(request) and extended.is_secret(world, name, setting):
        return back(here, say(READ_ALONG), "failed")
    return back(here, extended.put_setting(world, name, setting, text))


@router.get(f"{HOME}/proposals/{{proposal_id}}")
def proposal(proposal_id: str, request: Request) -> HTMLResponse:
    """Show one proposal in full."""
    return _proposal(request, proposal_id, 200, "")


@router.post(f"{HOME}/proposals/{{proposal_id}}", dependencies=[Depends(admin)], response_model=None)
def decide(
    proposal_id: str,
    request: Request,
    world: CurrentWorld,
    do: Annotated[Literal["accept", "decline"], Form()],
    mark: Annotated[str, Form()],
) -> Response:
    try:
        words = pending_decisions.decide(world, proposal_id, do == "accept", mark)
    except NotThere:
        return back(f"{HOME}#proposals", say("It has been decided since."), "failed")
    except FuroshikiError as error:
        return _proposal(request, proposal_id, 409, say_sentence(error))
    return back(f"{HOME}#proposals", words)


@router.get(f"{HOME}/repairs")
def repairs(request: Request, world: CurrentWorld, before: Cursor = None) -> HTMLResponse:
    """Show the recurring errors, page by page."""
    found = pending_decisions.repairs(world, before, SHOWN + 1)
    older = found[SHOWN - 1].id if len(found) > SHOWN else None
    return rendering.page(
        request, "extension_repairs", **WORDS, repairs=found[:SHOWN], older=older, paging=before is not None
    )


@router.get(f"{HOME}/repairs/{{job_id}}")
def repair(job_id: Number, request: Request, world: CurrentWorld) -> HTMLResponse:
    """Show one recurring error."""
    return rendering.page(request, "extension_repair", **WORDS, repair=pending_decisions.repair(world, job_id))


@router.post(f"{HOME}/tools", dependencies=[Depends(admin)])
def forbid(world: CurrentWorld, server: Annotated[str, Form()], tool: Annotated[str, Form()]) -> Response:
    with world.database.write() as db:
        was = permissions.forbid(db, server, tool, world.now)
    words = say("{tool} of {server} is forbidden.", tool=tool, server=server) if was else say("It was not allowed.")
    return back(f"{HOME}#tools", words, "done" if was else "failed")


def _offer(request: Request, name: str, what: Literal["enable", "rollback"], status: int, fault: str) -> HTMLResponse:
    offer = extended.offer(request.app.state.world(), name, what)
    files = differences.of_files(offer.before, offer.files)
    return rendering.page(
        request, "extension_offer", status=status, offer=offer, files=files, what=what, name=name, fault=fault
    )


def _proposal(request: Request, proposal_id: str, status: int, fault: str) -> HTMLResponse:
    found = pending_decisions.one(request.app.state.world(), proposal_id)
    return rendering.page(request, "extension_proposal", status=status, **WORDS, found=found, fault=fault)
