"""The pages of the host's operator: figures of every home and the machine, nobody's words."""

import socket
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Any

from fastapi import APIRouter, Depends, FastAPI, Request
from fastapi.responses import HTMLResponse, Response

from furoshiki.core.errors import FuroshikiError
from furoshiki.core.paths import HOST
from furoshiki.core.process import prometheus
from furoshiki.faces.dashboard import rendering
from furoshiki.faces.dashboard.access import telegram
from furoshiki.faces.dashboard.access.current import admin, viewer
from furoshiki.faces.dashboard.access.guard import Gate
from furoshiki.faces.dashboard.app import application
from furoshiki.faces.dashboard.flash import back
from furoshiki.faces.dashboard.frame import Frame, Page
from furoshiki.faces.dashboard.pages import access, entering, theme
from furoshiki.faces.dashboard.pages.telegram import mini_app
from furoshiki.faces.host_dashboard import metrics
from furoshiki.faces.overview.errors import NotThere
from furoshiki.host import homes
from furoshiki.host.figures import Figures, HostFigures, processes
from furoshiki.host.homes import NoSuchHome
from furoshiki.models.limits.rules import amounts

PAGES = (
    Page("/", "Homes", "How each home and the machine are", "", 10),
    Page("/access", *access.PAGE[:2], "", 20),
)
# the states of a home: the colour of the badge, and the words
STATES = {
    "awake": ("good", "awake"),
    "asleep": ("good", "asleep, wakes when called"),
    "runs by itself": ("good", "runs by itself"),
    "rests": ("", "rests"),
    "stands still": ("amber", "stands still"),
}

LIMITED = {
    "money": "dollars for models today",
    "calls": "model calls today",
    "at_once": "models asked at once",
    "disk": "on disk",
    "cpu": "CPU of jobs in an hour",
}
BOTS = {
    "unauthorized": "refused by Telegram (401)",
    "telegram.conflict": "polled by another program, too (409)",
    "telegram.away": "does not reach Telegram",
}

router = APIRouter(dependencies=[Depends(viewer)], include_in_schema=False)


@dataclass
class Desk:
    """The application state of the operator's pages."""

    root: Path
    gate: Gate
    figures: Figures

    def now(self) -> HostFigures:
        return self.figures.gather(self.gate.now())


def operator_app(root: Path, gate: Gate) -> FastAPI:
    """Build the operator's application for the homes in a folder."""
    open_to_all = APIRouter(include_in_schema=False)
    open_to_all.add_api_route("/app", mini_app, methods=["GET"], response_class=HTMLResponse)
    open_to_all.add_api_route("/app", telegram.refuse, methods=["POST"])
    open_to_all.add_api_route("/healthz", healthy, methods=["GET"])
    app = application([router, open_to_all, entering.router, access.router, theme.router])
    app.state.gate, app.state.desk = gate, Desk(root, gate, Figures(root))
    app.state.frame = lambda _signed_in: _frame(gate.now())
    app.state.closing = lambda: None
    app.state.command = "furoshiki host dashboard --open"
    return app


def _frame(now: datetime) -> Frame:
    return Frame(f"Homes on {socket.gethostname()}", now, UTC, None, PAGES)


def _desk(request: Request) -> Desk:
    desk: Desk = request.app.state.desk
    return desk


def _values(desk: Desk) -> dict[str, Any]:
    return {"host": desk.now(), "states": STATES, "bots": BOTS, "shown": amounts.format_amount}


@router.get("/")
@router.get("/parts/host")
def every(request: Request) -> HTMLResponse:
    """Show all homes and the machine."""
    return rendering.show(request, "host", "host_shown", **_values(_desk(request)))


@router.get("/homes/{name}")
def one(request: Request, name: str) -> HTMLResponse:
    """Show one home. Raises NotThere."""
    found = next((home for home in _desk(request).now().homes if home.name == name), None)
    if found is None:
        raise NotThere
    return rendering.page(
        request,
        "host_home",
        home=found,
        states=STATES,
        limited=LIMITED,
        shown=amounts.format_amount,
        at=f"/homes/{name}",
    )


@router.post("/homes/{name}/{verb}", dependencies=[Depends(admin)])
def change(request: Request, name: str, verb: str) -> Response:
    """Pause or resume a home. Raises NotThere."""
    root, at = _desk(request).root, f"/homes/{name}"
    if verb not in ("pause", "resume"):
        raise NotThere
    try:
        if verb == "pause":
            done = homes.pause(root, name, _desk(request).gate.now())
            return back(at, f"{name} rests from now on." if done else f"{name} rested already.")
        done = homes.resume(root, name)
        return back(at, f"{name} goes on." if done else f"{name} did not rest.")
    except NoSuchHome as error:
        raise NotThere from error
    except FuroshikiError as error:
        return back(at, f"{error}.", "failed")


@router.get("/api/v1/host")
def figures(desk: Annotated[Desk, Depends(_desk)]) -> dict[str, Any]:
    """Return the figures as JSON."""
    return desk.now().as_json()


@router.get("/metrics")
def show_metrics(desk: Annotated[Desk, Depends(_desk)]) -> Response:
    """Return the figures for Prometheus."""
    return Response(prometheus.render(metrics.families(desk.now())), media_type=prometheus.CONTENT_TYPE)


def healthy(desk: Annotated[Desk, Depends(_desk)]) -> Response:
    """Answer 200 if listener and brain run, else 503; no body."""
    found = processes(desk.root / HOST / "run")
    return Response(status_code=200 if found["listener"] is not None and found["brain"] is not None else 503)
