"""Settings: what can be turned, where each value comes from, and turning it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Literal
from urllib.parse import urlencode

from fastapi import APIRouter, Depends, Form, Request, Response
from fastapi.responses import HTMLResponse

from furoshiki.core import settings
from furoshiki.core.catalogue import later
from furoshiki.core.errors import BadSetting
from furoshiki.core.settings import Settings
from furoshiki.faces.dashboard import rendering
from furoshiki.faces.dashboard.access.current import admin, viewer
from furoshiki.faces.dashboard.errors import NotThere
from furoshiki.faces.dashboard.flash import back
from furoshiki.faces.overview.rules import setting_words
from furoshiki.maintenance import operator_settings, setting_changes
from furoshiki.maintenance.operator_settings import Changed, Locked, OwnersWord
from furoshiki.maintenance.setting_changes import NotAsked
from furoshiki.world import World

PAGE = ("Settings", "What can be turned, and where each value comes from", "System", 130)

router = APIRouter(include_in_schema=False, dependencies=[Depends(viewer)])

Show = Literal["all", "changed", "open"]

FILES = later(
    (
        ("memory/schedules.json", "when each job runs, and which are switched off", "/schedules"),
        ("config/inner_life.toml", "what moves its feelings, how its mind wanders, what comes to its mind", ""),
        ("config/outreach.toml", "quiet hours, how often and how soon it writes first", "/outreach"),
        ("config/tool_servers.toml", "servers whose tools it may use", "/extensions"),
        ("config/SOUL.md", "who it is", ""),
        ("config/SELF.md", "who it has become", "/mind"),
    )
)
"""What is turned in files of the data directory, with what for and the page that shows it."""


@dataclass(frozen=True)
class Fault:
    """What was wrong with what somebody typed into a field."""

    typed: str
    words: str


@router.get("/settings")
def every(request: Request, q: str = "", show: Show = "all") -> HTMLResponse:
    """Every setting, or those that a search finds."""
    return _page(request, q, show, {}, 200)


@router.post("/settings/{name}", dependencies=[Depends(admin)], response_model=None)
def change(
    request: Request,
    name: str,
    seen: Annotated[str, Form()],
    do: Annotated[Literal["save", "default"], Form()] = "save",
    value: Annotated[str, Form()] = "",
    q: Annotated[str, Form()] = "",
    show: Annotated[Show, Form()] = "all",
) -> Response:
    """Give one a value or return it to its default. What does not fit is shown again where it was typed."""
    field = name.lower()
    if field not in Settings.model_fields:
        raise NotThere(f"There is no setting {name!r}.", "It may have been renamed: search for a word of it.")
    world: World = request.app.state.world()
    text = value.strip() if do == "save" else None
    if not text and settings.describe(field)["default"] is None:
        text = None
    try:
        changed = operator_settings.change(world.settings.data, field, text, seen)
    except Changed as error:
        words = f"{error}. Yours is still in the field: save it again to put it in its place."
        return _page(request, q, show, {field: Fault(value, words)}, 409)
    except OwnersWord:
        try:
            return back(f"/settings{_search(q, show)}#{field}", setting_changes.ask(world, field, text))
        except NotAsked as error:
            return _page(request, q, show, {field: Fault(value, f"{error}.")}, 409)
    except (Locked, BadSetting) as error:
        return _page(request, q, show, {field: Fault(value, str(error))}, 409 if isinstance(error, Locked) else 422)
    return back(f"/settings{_search(q, show)}#{field}", _describe_change(field, world, changed))


def _page(request: Request, q: str, show: Show, faults: Mapping[str, Fault], status: int) -> HTMLResponse:
    world: World = request.app.state.world()
    given = settings.effective(data=world.settings.data)
    held = settings.build_settings(given)
    rows = [_row(name, operator_settings.describe(name, held, given), given) for name in Settings.model_fields]
    found = [row for row in rows if row["field"] in faults or (_fits(row, q) and _is_shown(row, show))]
    subjects = [
        (key, label, [row for row in found if row["subject"] == key]) for key, label in settings.SUBJECTS.items()
    ]
    return rendering.page(
        request,
        "settings",
        status=status,
        at=f"/settings{_search(q, show)}",
        q=q,
        show=show,
        subjects=[one for one in subjects if one[2]],
        found=len(found),
        every=len(rows),
        faults=faults,
        files=FILES,
        data=str(world.settings.data),
    )


def _row(name: str, told: dict[str, Any], given: operator_settings.Given) -> dict[str, Any]:
    return {
        **told,
        "field": name,
        "mark": operator_settings.mark(name, given),
        "limits": setting_words.limits(told["range"]),
        "choices": setting_words.choices(told),
        "called": dict(setting_words.choices(told)),
        "example": setting_words.example(name.upper(), told),
    }


def _fits(row: Mapping[str, Any], q: str) -> bool:
    """Whether every word of a search stands somewhere in what is shown of a setting."""
    text = " ".join((row["name"], row["help"], settings.SUBJECTS[row["subject"]], row["source"], row["value"] or ""))
    return all(word in text.casefold() for word in q.casefold().split())


def _is_shown(row: Mapping[str, Any], show: Show) -> bool:
    return show == "all" or (row["source"] != "default" if show == "changed" else row["locked"] is None)


def _search(q: str, show: Show) -> str:
    asked = {name: value for name, value in (("q", q), ("show", show)) if value and value != "all"}
    return f"?{urlencode(asked)}" if asked else ""


def _describe_change(name: str, world: World, changed: bool) -> str:
    row = operator_settings.describe(name, *_load_settings(world))
    shown = dict(setting_words.choices(row))
    now = "not set" if row["value"] is None else shown.get(row["value"], row["value"])
    if not changed:
        return f"{row['name']} was {now} already."
    words = f"{row['name']} is now {now}{' (its default)' if row['source'] == 'default' else ''}."
    if not row["restart"]:
        return f"{words} It holds now."
    return f"{words} It holds once {row['restarts']} {'are' if ' and ' in row['restarts'] else 'is'} started again."


def _load_settings(world: World) -> tuple[Settings, operator_settings.Given]:
    given = settings.effective(data=world.settings.data)
    return settings.build_settings(given), given
