"""`/api/v1/operator-settings`: what can be turned, where each value comes from, and turning it.

Who changes something says with `If-Match` what they looked at: where somebody else was there first, nothing is changed.
"""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Depends, Header, Request, Response
from pydantic import BaseModel, Field

from furoshiki.agenda import setting_changes
from furoshiki.agenda.setting_changes import NotAsked
from furoshiki.core import settings
from furoshiki.core.errors import BadSetting
from furoshiki.core.network.addresses import without_secrets
from furoshiki.core.settings import Settings
from furoshiki.dashboard.access.current import admin, viewer
from furoshiki.dashboard.addresses import Listed
from furoshiki.dashboard.errors import Conflict, NotThere, Outdated, Unfit
from furoshiki.dashboard.etag import answered
from furoshiki.maintenance import operator_settings
from furoshiki.maintenance.operator_settings import Changed, Given, Locked, OwnersWord
from furoshiki.world import World

router = APIRouter(prefix="/api/v1/operator-settings", tags=["operator-settings"])

Value = str | int | float | bool | None
IfMatch = Annotated[str | None, Header(description="The ETag of what you looked at; 412 when it has changed since.")]
ASKED: dict[str, Any] = {"description": "Nothing is changed yet: the owner was asked in Telegram."}
NAMED = "GET /api/v1/operator-settings lists them."


class Limits(BaseModel):
    """What a value may be. `above` is excluded, `from_` and `to` are included; lengths are characters."""

    from_: float | None = Field(None, alias="from")
    above: float | None = None
    to: float | None = None
    shortest: int | None = None
    longest: int | None = None
    pattern: str | None = None


class Setting(BaseModel):
    """A setting as it stands. The value of a secret is never told, only whether it is `set`."""

    name: str = Field(examples=["FUROSHIKI_HARD_BUDGET_USD"])
    subject: str = Field(description="What it is about.", examples=["Models and what they may cost"])
    help: str
    type: str = Field(description="string, integer, number or boolean, as in JSON Schema.")
    value: Value = Field(description="What holds once who must restart has; null when it is not set, or a secret.")
    default: Value
    set: bool = Field(description="Whether it is set anywhere, so that its default does not hold.")
    source: str = Field(
        description="environment, systemd credential, .env of the data directory, .env of the checkout, "
        "memory/operator_settings.json, or default: the first of these that says something."
    )
    locked: str | None = Field(description="Why it cannot be changed here, and where it can; null when it can.")
    whose: settings.Whose = Field(description="Who decides: whoever keeps the machine, the owner, or a page.")
    carries: str = Field(description="What lets somebody in and travels to the address it holds; empty for nothing.")
    asks: bool = Field(description="Whether a change is asked of the owner in Telegram first, and answered with 202.")
    tier: int = Field(description="1 can be changed here; 2 and 3 in the environment or .env alone.")
    secret: bool
    restart_needed: bool
    restarts: str = Field(description="What must be started again for a change to hold; empty when nothing must.")
    limits: Limits
    choices: list[str] = Field(description="All there are to choose from; empty when it is not one of a few.")
    etag: str = Field(description="What to send as If-Match to change exactly this.")


class NewValue(BaseModel):
    """What to give a setting."""

    value: Value = Field(examples=[0.75])


class OperatorSettings(Listed):
    """All of them."""

    items: list[Setting]


@router.get("", dependencies=[Depends(viewer)], response_model=OperatorSettings)
def every(request: Request) -> Response:
    """Every setting."""
    given = _given(request)
    held = settings.made(given)
    return answered(request, OperatorSettings(items=[_told(name, held, given) for name in Settings.model_fields]))


@router.get("/{name}", dependencies=[Depends(viewer)])
def one(name: str, request: Request, response: Response) -> Setting:
    """One setting."""
    found = _told_now(request, _known(name, NotThere))
    response.headers["ETag"] = found.etag
    return found


@router.put("/{name}", dependencies=[Depends(admin)], responses={202: ASKED})
def put(
    name: str,
    request: Request,
    response: Response,
    new: NewValue,
    if_match: IfMatch = None,
) -> Setting:
    """Give one a value. 409 when something else sets it, 412 when it has changed, 422 for what it cannot be."""
    if new.value is None or new.value == "":
        raise Unfit(f"{name.upper()} was given no value.", "DELETE returns it to its default.")
    field = _known(name, Unfit)
    if _change(request, field, str(new.value), if_match):
        response.status_code = 202
    found = _told_now(request, field)
    response.headers["ETag"] = found.etag
    return found


@router.delete("/{name}", dependencies=[Depends(admin)], status_code=204, responses={202: ASKED})
def delete(name: str, request: Request, if_match: IfMatch = None) -> Response:
    """Return one to its default."""
    asked = _change(request, _known(name, Unfit), None, if_match)
    return Response(status_code=202 if asked else 204)


def _given(request: Request) -> Given:
    world: World = request.app.state.world()
    return settings.effective(data=world.settings.data)


def _known(name: str, otherwise: type[NotThere | Unfit]) -> str:
    """The name of a setting's field. Raises `otherwise`, with the nearest match."""
    try:
        settings.known(name, "the address")
    except BadSetting as error:
        raise otherwise(str(error), NAMED) from None
    return name.lower()


def _change(request: Request, name: str, text: str | None, if_match: str | None) -> bool:
    """Change it; True where its owner was asked instead."""
    world: World = request.app.state.world()
    seen = None if if_match in (None, "*") else str(if_match).strip().removeprefix("W/").strip('"')
    try:
        operator_settings.change(world.settings.data, name, text, seen)
    except OwnersWord:
        try:
            setting_changes.ask(world, name, text)
        except NotAsked as error:
            raise Conflict(str(error), "Do it on the machine.") from error
        return True
    except Locked as error:
        raise Conflict(str(error), "Change it where it is set.") from error
    except Changed as error:
        raise Outdated(str(error), "GET it again, and send the ETag that comes with it.") from error
    except BadSetting as error:
        raise Unfit(str(error), f"GET /api/v1/operator-settings/{name.upper()} says what it can be.") from error
    return False


def _told_now(request: Request, name: str) -> Setting:
    given = _given(request)
    return _told(name, settings.made(given), given)


def _told(name: str, held: Settings, given: Given) -> Setting:
    row = operator_settings.told(name, held, given)
    choices = row["range"].get("one_of", [])
    value = getattr(held, name)
    return Setting(
        **{each: row[each] for each in _AS_THEY_ARE},
        subject=settings.SUBJECTS[row["subject"]],
        value=None if row["secret"] else _plain(value),
        default=_plain(Settings.model_fields[name].default),
        set=row["source"] != "default",
        restart_needed=row["restart"],
        limits=Limits(**{each: limit for each, limit in row["range"].items() if each != "one_of"}),
        choices=choices,
        etag=f'"{operator_settings.mark(name, given)}"',
    )


_AS_THEY_ARE = ("name", "help", "type", "source", "locked", "whose", "carries", "asks", "tier", "secret", "restarts")


def _plain(value: object) -> Value:
    if isinstance(value, bool | int | float):
        return value
    return None if value is None else without_secrets(str(value))
