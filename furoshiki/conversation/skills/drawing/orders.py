"""Check whether a picture can be drawn and its cost, and store orders for the background task."""

import sqlite3
from datetime import UTC, datetime
from pathlib import Path

from furoshiki.core.catalogue import later, say, say_number
from furoshiki.core.database import kv
from furoshiki.core.errors import BadSetting
from furoshiki.messages.store import pictures
from furoshiki.models.llm.prices import Cost
from furoshiki.models.llm.store import costs
from furoshiki.models.media.service import PAINTING
from furoshiki.models.media.values import Maker
from furoshiki.world import World

OWN_LOOK = "drawing.own_look"
"""The `kv` key of the owner's choice about self-portraits (True or False; absent before they are
asked)."""

_noted: set[Path] = set()
"""The databases in which orders may wait."""

_MOST_A_DAY = later("That is all I may draw in a day: {number}. Try again tomorrow, or change it in /settings.")
_SPENT = later("The daily budget for pictures is spent ({usd}). Try again tomorrow, or change it in /settings.")
_BUDGET = later("Today's money is spent, so I can't draw any more. Try again tomorrow, or change it in /settings.")


def find_painter(world: World) -> Maker | None:
    """Return the picture provider of this world; None without one, and for guests."""
    if world.media is None or world.who.standing != "owner":
        return None
    try:
        return world.media.maker("pictures", world.settings.model_values())
    except BadSetting:  # reported where the settings are loaded
        return None


def find_obstacle(world: World, maker: Maker, *, ordered: bool = False) -> str | None:
    """Return why no picture may be drawn now, in the user's words; None when it may. `ordered`: it
    is already counted. Reads the database, so no transaction may be open."""
    assert world.media is not None
    since, settings = _midnight(world.now), world.settings
    with world.database.read() as db:
        ordered_today, spent = pictures.ordered_since(db, since), costs.spent_for(db, PAINTING, since)
    if ordered_today - ordered >= settings.furoshiki_pictures_a_day:
        return say(_MOST_A_DAY, number=settings.furoshiki_pictures_a_day)
    price, share = world.media.price(maker).usd, settings.furoshiki_pictures_budget_usd
    if share and price and spent + price > share:
        return say(_SPENT, usd=describe_cost(Cost(share)))
    return say(_BUDGET) if world.media.refusal(maker) else None


def describe_cost(cost: Cost) -> str:
    """Format a cost: "about 7 cents", "$1.20", "nothing"."""
    if cost.usd <= 0:
        return say("nothing")
    if cost.usd >= 1:
        return f"${cost.usd:.2f}"
    cents = cost.usd * 100
    if cents < 1:
        return say("less than a cent")
    return say_number("about {number} cent", "about {number} cents", round(cents))


def may_draw_itself(db: sqlite3.Connection) -> bool:
    """Return whether the owner allowed self-portraits."""
    return bool(kv.get(db, OWN_LOOK))


def note(world: World) -> None:
    """Mark that an order may wait."""
    _noted.add(world.database.path)


def take_note(world: World) -> bool:
    """Return whether an order may wait, and clear the mark; avoids a query after every message."""
    noted = world.database.path in _noted
    _noted.discard(world.database.path)
    return noted


def _midnight(now: datetime) -> datetime:
    return now.astimezone(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
