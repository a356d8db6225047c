"""The page Settings: each setting with its source, and changing it."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Literal
from urllib.parse import urlencode

from fastapi import APIRouter, Depends, Form, Request, Response
from fastapi.responses import HTMLResponse

from furoshiki.core import settings
from furoshiki.core.catalogue import later, say
from furoshiki.core.errors import BadSetting
from furoshiki.core.settings import Settings
from furoshiki.faces.dashboard import rendering
from furoshiki.faces.dashboard.access.current import CurrentWorld, admin, viewer
from furoshiki.faces.dashboard.access.guard import READ_ALONG, is_unread
from furoshiki.faces.dashboard.flash import back
from furoshiki.faces.overview.errors import NotThere
from furoshiki.faces.overview.rules import setting_words
from furoshiki.maintenance import operator_settings, setting_changes
from furoshiki.maintenance.operator_settings import Changed, Locked, OwnersWord
from furoshiki.maintenance.setting_changes import NotAsked
from furoshiki.world import World

PAGE = ("Settings", "What can be turned, and where each value comes from", "", 130)

router = APIRouter(include_in_schema=False, dependencies=[Depends(viewer)])

Show = Literal["all", "changed", "open"]

# settings in files of the data directory: path, purpose, and the page that shows it
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


@dataclass(frozen=True)
class Fault:
    """Invalid input of a field, and the reason."""

    typed: str
    words: str


@dataclass(frozen=True)
class View:
    """What is shown: a subject, the matches of a search, or (with neither) the subjects."""

    subject: str = ""
    q: str = ""
    show: Show = "all"

    @property
    def searches(self) -> bool:
        """Whether all subjects are searched."""
        return bool(self.q.strip()) or self.show != "all"

    @property
    def address(self) -> str:
        if not self.searches:
            return f"/settings/{self.subject}" if self.subject else "/settings"
        asked = {name: value for name, value in (("q", self.q), ("show", self.show)) if value and value != "all"}
        return f"/settings?{urlencode(asked)}"


@router.get("/settings")
def every(request: Request, q: str = "", show: Show = "all") -> HTMLResponse:
    """Show the subjects, or the matches of a search."""
    return _page(request, View(q=q, show=show), {}, 200)


@router.get("/settings/{subject}")
def of_a_subject(request: Request, subject: str) -> HTMLResponse:
    if subject not in settings.load_subjects():
        raise NotThere(f"There are no settings about {subject!r}.", "The page Settings lists what they are about.")
    return _page(request, View(subject), {}, 200)


@router.post("/settings/{name}", dependencies=[Depends(admin)], response_model=None)
def change(
    request: Request,
    world: CurrentWorld,
    name: str,
    seen: Annotated[str, Form()],
    do: Annotated[Literal["save", "default"], Form()] = "save",
    value: Annotated[str, Form()] = "",
    q: Annotated[str, Form()] = "",
    show: Annotated[Show, Form()] = "all",
) -> Response:
    """Set a value, or reset it to its default. Invalid input is shown again in its field."""
    field = name.lower()
    if field not in Settings.model_fields:
        raise NotThere(f"There is no setting {name!r}.", "It may have been renamed: search for a word of it.")
    row = settings.describe(field)
    view = View(str(row["subject"]), q, show)
    text = value.strip() if do == "save" else None
    if row["secret"]:
        return _enter(request, view, field, text)
    if not text and row["default"] is None:
        text = None
    try:
        changed = operator_settings.change(world.settings.data, field, text, seen)
    except Changed as error:
        words = f"{error}. Yours is still in the field: save it again to put it in its place."
        return _page(request, view, {field: Fault(value, words)}, 409)
    except OwnersWord:
        try:
            return back(f"{view.address}#{field}", setting_changes.ask(world, field, text))
        except NotAsked as error:
            return _page(request, view, {field: Fault(value, f"{error}.")}, 409)
    except (Locked, BadSetting) as error:
        return _page(request, view, {field: Fault(value, str(error))}, 409 if isinstance(error, Locked) else 422)
    return back(f"{view.address}#{field}", _describe_change(field, world, changed))


def _enter(request: Request, view: View, field: str, text: str | None) -> Response:
    """Write a secret to `.env`, or remove it. The input is never sent back."""

    def refuse(words: str, status: int) -> Response:
        return _page(request, view, {field: Fault("", words)}, status)

    if text == "":
        return refuse(say("Nothing was entered, so nothing was changed."), 422)
    if text is not None and not is_unread(request):
        return refuse(say(READ_ALONG), 409)
    try:
        return back(f"{view.address}#{field}", setting_changes.enter(request.app.state.world(), field, text))
    except (NotAsked, Locked) as error:
        return refuse(f"{error}.", 409)
    except BadSetting as error:
        return refuse(str(error), 422)


def _page(request: Request, view: View, faults: Mapping[str, Fault], status: int) -> HTMLResponse:
    world: World = request.app.state.world()
    given = settings.effective(data=world.settings.data)
    held = settings.build_settings(given)
    rows = [_row(name, operator_settings.describe(name, held, given), given) for name in Settings.model_fields]
    found = [row for row in rows if row["field"] in faults or _is_found(row, view)]
    subjects = [(key, *_fold(found, key, view, faults)) for key in settings.load_subjects()]
    return rendering.page(
        request,
        "settings",
        status=status,
        at=view.address,
        view=view,
        counts=Counter(row["subject"] for row in rows),
        about=settings.load_subjects(),
        subjects=[one for one in subjects if one[1] or one[2]],
        found=len(found),
        faults=faults,
        files=FILES,
        data=str(world.settings.data),
    )


def _fold(
    found: Sequence[dict[str, Any]], subject: str, view: View, faults: Mapping[str, Fault]
) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Return the settings of a subject that are visible and those that are folded: settings of the
    machine's operator, of automatic behaviour, and unset alternative servers."""
    first: list[dict[str, Any]] = []
    folded: list[dict[str, Any]] = []
    for row in found:
        away = row["tier"] > 1 or (row["carries"] and row["source"] == "default")
        if row["subject"] == subject:
            (folded if away and not view.searches and row["field"] not in faults else first).append(row)
    return first, folded


def _is_found(row: Mapping[str, Any], view: View) -> bool:
    """Return whether a setting is shown: it matches the search, else the subject."""
    return _fits(row, view.q) and _is_shown(row, view.show) if view.searches else row["subject"] == view.subject


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
    """Return whether every word of a search is in the shown text of a setting."""
    subject = settings.load_subjects()[row["subject"]].title
    text = " ".join((row["name"], row["help"], subject, row["source"], row["value"] or ""))
    return all(word in text.casefold() for word in q.casefold().split())


def _is_shown(row: Mapping[str, Any], show: Show) -> bool:
    return show == "all" or (
        row["source"] != "default" if show == "changed" else row["locked"] is None or row["enters"]
    )


def _describe_change(name: str, world: World, changed: bool) -> str:
    given = settings.effective(data=world.settings.data)
    row = operator_settings.describe(name, settings.build_settings(given), given)
    shown = dict(setting_words.choices(row))
    now = "not set" if row["value"] is None else shown.get(row["value"], row["value"])
    if not changed:
        return f"{row['name']} was {now} already."
    words = f"{row['name']} is now {now}{' (its default)' if row['source'] == 'default' else ''}."
    if not row["restart"]:
        return f"{words} It holds now."
    return f"{words} It takes effect once {row['restarts']} {'are' if ' and ' in row['restarts'] else 'is'} restarted."
