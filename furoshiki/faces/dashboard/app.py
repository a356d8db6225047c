"""The application: access, pages, resources and error handling."""

import importlib
import pkgutil
import secrets
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from contextlib import asynccontextmanager

import anyio.to_thread
from fastapi import APIRouter, FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.datastructures import State
from starlette.exceptions import HTTPException
from starlette.routing import BaseRoute, Match
from starlette.types import ASGIApp, Receive, Scope, Send

from furoshiki.core.catalogue import ENGLISH, languages, later, say_sentence, speaking
from furoshiki.core.errors import FuroshikiError, StorageUnavailable
from furoshiki.core.paths import version
from furoshiki.faces.dashboard import frame, rendering, static_files
from furoshiki.faces.dashboard.access.guard import Gate, Guard
from furoshiki.faces.dashboard.live import Hub
from furoshiki.faces.dashboard.pages.entering import render_sign_in
from furoshiki.faces.dashboard.shared import Shared
from furoshiki.faces.overview.errors import NotSignedIn, NotThere, Refused
from furoshiki.world import World


def modules(package: str) -> list[str]:
    """Return the names of a package's modules, sorted."""
    return [f"{package}.{one.name}" for one in pkgutil.iter_modules(importlib.import_module(package).__path__)]


def router(module: str) -> APIRouter:
    found: APIRouter = importlib.import_module(module).router
    return found


class Late(BaseRoute):
    """A placeholder for modules that are imported on the first request below their paths."""

    def __init__(self, modules: Sequence[str], *below: str) -> None:
        self.modules, self.below = modules, below
        self._include: Callable[[APIRouter], None] | None = None

    def into(self, include: Callable[[APIRouter], None]) -> None:
        """Set the function to call with each router when it is loaded."""
        self._include = include

    def load(self) -> None:
        """Load the routers, once."""
        include, self._include = self._include, None
        if include is not None:
            for one in self.modules:
                include(router(one))

    def matches(self, scope: Scope) -> tuple[Match, Scope]:
        """Match nothing itself; loaded routers behind it match from then on."""
        if str(scope["path"]).startswith(self.below):
            self.load()
        return Match.NONE, {}


THREADS = 6  # requests served at once; each thread caches a few megabytes of the database

# the live updates that every page and some programs use
EVENTS = "furoshiki.faces.dashboard.api.events"

BROKEN = later("Something went wrong in here that nobody has thought of yet.")
LOGGED = later("`furoshiki logs dashboard` has the details; everything else keeps working.")
UNFIT = later("Part of what was sent is not valid.")
UNLOST = later("Nothing is lost; try again once that is fixed.")


def create_app(world: World, gate: Gate) -> FastAPI:
    """Build the application over a world, behind a gate. It follows changes of settings."""
    app = application(of_a_companion())
    furnish(app.state, world, gate)
    return app


def of_a_companion() -> list[APIRouter | Late]:
    """Return all routers of one companion. Pages with a name in the address and the API are loaded
    on demand: all together would take 20 MB."""
    named = {page.path.strip("/") for page in frame.PAGES}
    parts: list[APIRouter | Late] = []
    for one in modules("furoshiki.faces.dashboard.pages"):
        name = one.rpartition(".")[2]
        parts.append(Late([one], f"/{name}", f"/parts/{name}") if name in named else router(one))
    resources = [one for one in modules("furoshiki.faces.dashboard.api") if one != EVENTS]
    return [*parts, router(EVENTS), Late(resources, *PROGRAMS)]


def furnish(state: State, world: World, gate: Gate) -> None:
    """Set `request.app.state` for the pages of one companion."""
    held = [world]

    def current() -> World:
        held[0] = held[0].follow(held[0])
        return held[0]

    hub = Hub(current, secrets.token_hex(4))
    state.world, state.gate, state.hub, state.shared = current, gate, hub, Shared(hub.newest)
    state.frame = lambda signed_in: frame.of_companion(current(), hub, signed_in)
    state.closing = hub.close
    state.command = "furoshiki dashboard --open"


def application(parts: Iterable[APIRouter | Late]) -> FastAPI:
    """Build an application of these parts with guard and error handling; call `furnish` next."""

    @asynccontextmanager
    async def lasting(app: FastAPI) -> AsyncIterator[None]:
        anyio.to_thread.current_default_thread_limiter().total_tokens = THREADS
        yield
        app.state.closing()

    app = FastAPI(
        title="Furoshiki",
        version=version(),
        docs_url=None,
        redoc_url=None,
        openapi_url=None,
        lifespan=lasting,
    )

    def refused(request: Request, error: Refused) -> Response:
        if isinstance(error, NotSignedIn) and request.method == "GET" and not of_programs(request):
            return render_sign_in(request, error.status, back_to=request.url.path)
        answer = render_error(request, error.status, error.code, error, error.fix)
        answer.headers.update(error.headers)
        return answer

    app.add_exception_handler(Refused, refused)  # type: ignore[arg-type]
    app.add_middleware(Guard, tell=refused)
    app.add_middleware(Speaking)

    @app.exception_handler(StorageUnavailable)
    def unavailable(request: Request, error: StorageUnavailable) -> Response:
        return render_error(request, 503, "storage_unavailable", error, UNLOST)

    app.add_exception_handler(OverflowError, lambda request, _: refused(request, NotThere()))  # larger than any row

    @app.exception_handler(FuroshikiError)
    def failed(request: Request, error: FuroshikiError) -> Response:
        return render_error(request, 422, "cannot", error, "")

    @app.exception_handler(RequestValidationError)
    def unfit(request: Request, error: RequestValidationError) -> Response:
        """Name the invalid fields and why. The input is not returned: it may be a password."""
        faults = [f"{'.'.join(map(str, one['loc'][1:])) or 'the body'}: {one['msg']}" for one in error.errors()]
        return render_error(request, 422, "does_not_fit", UNFIT, "; ".join(faults[:10]))

    @app.exception_handler(HTTPException)
    def unknown(request: Request, error: HTTPException) -> Response:
        if error.status_code == 404:
            return refused(request, NotThere())
        return render_error(request, error.status_code, "http", str(error.detail), "")

    @app.exception_handler(Exception)
    def broken(request: Request, _error: Exception) -> Response:
        """Answer an unexpected error, which is logged, without its message: it may be private."""
        return render_error(request, 500, "broken", BROKEN, LOGGED)

    app.include_router(static_files.router)
    for part in parts:
        if isinstance(part, Late):
            part.into(app.include_router)
            app.router.routes.append(part)
        else:
            app.include_router(part)
    return app


def render_error(request: Request, status: int, code: str, words: object, fix: str) -> Response:
    """Render an error as a page for people, as JSON for programs."""
    said, next_step = say_sentence(words), say_sentence(fix)
    if of_programs(request):
        return JSONResponse({"error": {"code": code, "message": said, "fix": next_step}}, status)
    return rendering.page(request, "error", status=status, words=said, fix=next_step, code=status)


# -- the language of pages: the setting, else the first supported one of the browser --
#
# Programs get English.


PROGRAMS = ("/api/", "/metrics")  # path prefixes for programs


class Speaking:
    """Middleware that answers every request in the visitor's language."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        with speaking(_language(Request(scope)) if scope["type"] == "http" else ENGLISH):
            await self._app(scope, receive, send)


def of_programs(request: Request) -> bool:
    """Return whether the request comes from a program, not a person."""
    return request.url.path.startswith(PROGRAMS) or "authorization" in request.headers


def _language(request: Request) -> str:
    if of_programs(request):
        return ENGLISH
    companion = getattr(request.app.state, "world", None)
    return (companion and companion().settings.furoshiki_language) or choose_language(
        request.headers.get("accept-language", "")
    )


def choose_language(header: str) -> str:
    """Return the first supported language of an Accept-Language header ("de-CH,de;q=0.9")."""
    codes = (part.partition(";")[0].strip().lower().partition("-")[0] for part in header.split(","))
    return next((code for code in codes if code in languages()), ENGLISH)
