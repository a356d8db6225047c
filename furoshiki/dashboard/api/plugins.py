"""`/api/v1/plugins`: what each plugin is, may and did; and its owner's word, on exactly what was looked at."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal

from fastapi import APIRouter, Depends, Query, Request, Response
from pydantic import BaseModel, Field

from furoshiki.dashboard.access.current import admin, viewer
from furoshiki.dashboard.addresses import Cursor, Listed
from furoshiki.dashboard.etag import answered
from furoshiki.overview import extensions as extended
from furoshiki.overview.rules import differences
from furoshiki.plugins.offers import STATES
from furoshiki.world import World

router = APIRouter(prefix="/api/v1/plugins", tags=["plugins"], dependencies=[Depends(viewer)])

Limit = Annotated[int, Query(ge=1, le=200)]
What = Literal["enable", "rollback"]


class Plugin(BaseModel):
    """A plugin as it stands. `runs`, `failed` and `cost_usd` (US dollars) are of the last 30 days."""

    name: str
    version: str | None
    description: str
    state: str = Field(description=f"One of {', '.join(STATES)}.")
    origin: str = Field(description="shipped, proposal (written by the companion) or folder (installed by its owner).")
    may: list[str] = Field(description="What it may do beyond its own folder, in words.")
    runs_when: list[str]
    newer: str | None = Field(description="The version that comes with the program, where that is another.")
    problems: list[str] = Field(description="What keeps it from running, with the fix.")
    runs: int
    failed: int
    cost_usd: float
    last_run_at: datetime | None


class Plugins(Listed):
    """All of them, installed or coming with the program."""

    items: list[Plugin]


class PluginSetting(BaseModel):
    """A setting of its own. The value of a secret is never told."""

    name: str
    called: str = Field(description="Its name in .env.")
    about: str
    secret: bool
    required: bool
    default: str
    is_set: bool
    value: str


class WholePlugin(Plugin):
    """All of one plugin; its files are compared with those that were allowed."""

    reason: str | None = Field(description="Why it was switched off, where it was not its owner.")
    settings: list[PluginSetting]
    pins: dict[str, str] = Field(description="The SHA-256 of every file that was allowed.")
    earlier: str | None = Field(description="The version that going back would bring.")


class Run(BaseModel):
    """One run. `ms` passed, `cpu_ms` were worked, `cost_usd` were spent on a model."""

    id: int
    at: datetime
    hook: str
    target: str | None
    status: str
    ms: float
    cpu_ms: float
    cost_usd: float
    error: str | None
    log: str | None


class Runs(Listed):
    """A page of them, the newest first; `next` is the cursor of the page after it."""

    items: list[Run]


class OfferedFile(BaseModel):
    """A file as it would be in place, and what becomes of it."""

    path: str
    what: str
    text: str


class Offer(BaseModel):
    """What a yes would do. Send `mark` with it."""

    kind: str
    lines: list[str] = Field(description="What it is and may, as its owner is told.")
    files: list[OfferedFile]
    instead: str | None
    mark: str


class Word(BaseModel):
    """A yes to exactly what was looked at: the `mark` that came with it."""

    mark: str


class Done(BaseModel):
    """What was done, in words."""

    said: str


@router.get("", response_model=Plugins)
def every(request: Request) -> Response:
    """Every plugin, with what it may and did."""
    found = extended.every(request.app.state.world())
    return answered(request, Plugins(items=[Plugin(**_plain(one)) for one in found]))


@router.get("/{name}")
def one(name: str, request: Request) -> WholePlugin:
    """One plugin, whole: settings of its own, what was allowed, what it can go back to."""
    whole = extended.one(request.app.state.world(), name)
    return WholePlugin(
        **_plain(whole.plugin),
        reason=whole.reason,
        settings=[PluginSetting(**vars(each)) for each in whole.settings],
        pins=dict(whole.pins),
        earlier=whole.earlier,
    )


@router.get("/{name}/runs")
def runs(name: str, request: Request, cursor: Cursor = None, limit: Limit = 50) -> Runs:
    """The runs of a plugin, the newest first."""
    found = extended.one(request.app.state.world(), name, cursor, limit + 1).runs
    items = [Run(**{each: run[each] for each in Run.model_fields}) for run in found[:limit]]
    return Runs(items=items, next=str(items[-1].id) if len(found) > limit else None)


@router.get("/{name}/offer", dependencies=[Depends(admin)])
def offer(name: str, request: Request, what: What = "enable") -> Offer:
    """What switching it on, or going back, would allow: words, permissions and every file."""
    found = extended.offer(request.app.state.world(), name, what)
    changed = {each.path: each.what for each in differences.of_files(found.before, found.files)}
    files = [
        OfferedFile(path=path, what=changed[path], text=content.decode("utf-8", "replace"))
        for path, content in found.files.items()
    ]
    return Offer(kind=found.kind, lines=found.lines, files=files, instead=found.instead, mark=found.mark)


@router.post("/{name}/enable", dependencies=[Depends(admin)])
def enable(name: str, word: Word, request: Request) -> Done:
    """Allow what the offer with this mark shows. 409 when that is not what it is any more."""
    return Done(said=extended.agree(request.app.state.world(), name, "enable", word.mark))


@router.post("/{name}/rollback", dependencies=[Depends(admin)])
def rollback(name: str, word: Word, request: Request) -> Done:
    """Go back to the version before, as the offer with this mark shows it."""
    return Done(said=extended.agree(request.app.state.world(), name, "rollback", word.mark))


@router.post("/{name}/disable", dependencies=[Depends(admin)])
def disable(name: str, request: Request) -> Done:
    """Let it not run any more."""
    return Done(said=extended.switch_off(request.app.state.world(), name))


@router.delete("/{name}", dependencies=[Depends(admin)])
def remove(name: str, request: Request) -> Done:
    """Take it away; a copy is kept for going back."""
    return Done(said=extended.remove(request.app.state.world(), name))


class PluginValue(BaseModel):
    """The value of a setting; null takes it out."""

    value: str | None


@router.put("/{name}/settings/{setting}", dependencies=[Depends(admin)])
def put_setting(name: str, setting: str, given: PluginValue, request: Request) -> Done:
    """Set one of its own settings. The value is kept in .env and never told again if it is a secret."""
    world: World = request.app.state.world()
    return Done(said=extended.put_setting(world, name, setting, given.value))


def _plain(found: extended.Plugin) -> dict[str, object]:
    about, did = found.found.manifest, found.did
    return {
        "name": found.name,
        "version": None if about is None else about.version,
        "description": "" if about is None else about.description,
        "state": found.state,
        "origin": found.found.origin,
        "may": list(found.may),
        "runs_when": list(found.runs_when),
        "newer": found.newer,
        "problems": list(found.problems),
        "runs": 0 if did is None else did.runs,
        "failed": 0 if did is None else did.failed,
        "cost_usd": 0.0 if did is None else did.cost_usd,
        "last_run_at": None if did is None else did.last_at,
    }
