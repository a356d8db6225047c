"""What is on its mind, for the pages: what waits to be said, the journal by whole days, looks at itself."""

from typing import Any

from furoshiki.conversation.commands.look import self_description
from furoshiki.core.catalogue import later
from furoshiki.core.timestamps import stamp
from furoshiki.faces.overview.rules import diffs
from furoshiki.faces.overview.store import mind_lists
from furoshiki.mind.inner_life import views
from furoshiki.mind.inner_life.journal import pages
from furoshiki.mind.inner_life.store import drift, monologue
from furoshiki.mind.outreach.rules import explaining
from furoshiki.owner.agenda.store import mind_queue
from furoshiki.world import World

GONE = 25
"""Thoughts that wait no more, shown beside those that do."""

ENTRIES = 40
"""Entries of the journal that one page looks at."""


def let_go(world: World, item_id: int) -> bool:
    """Have a thought not be said; True when it was waiting."""
    with world.database.write() as db:
        return mind_queue.let_go(db, item_id, "dropped")


def _list_waiting(world: World) -> tuple[list[dict[str, Any]], str | None]:
    """What waits to be said, in the order in which it would be: why it waits, from when on it may, until when."""
    from furoshiki.mind.outreach import explanation

    held, wrong = explanation.try_list_held(world)
    with world.database.read() as db:
        until = mind_lists.waits_until(db, [one.item_id for one in held])
    items = [
        {
            "id": one.item_id,
            "kind": one.kind,
            "what": explaining.kind(one.kind),
            "text": one.about,
            "priority": one.priority,
            "source": one.source,
            "held_by": one.gate,
            "why": one.why,
            "not_before": stamp(one.until),
            "expires_at": stamp(until[one.item_id]) if one.item_id in until else None,
        }
        for one in held
    ]
    return items, wrong


def queue(world: World) -> dict[str, Any]:
    """What waits to be said, what waited before, and what is wrong with a file that says when it may be said."""
    with world.database.read() as db:
        gone = mind_lists.read_gone(db, GONE)
    waits, wrong = _list_waiting(world)
    return {"waiting": waits, "wrong": wrong, "gone": [(explaining.kind(one.kind), one) for one in gone]}


def days_of(world: World, cursor: int | None) -> tuple[list[tuple[str, list[dict[str, Any]]]], int | None]:
    """Days of the journal with their entries, newest first, whole days alone; and where the next page begins."""
    with world.database.read() as db:
        found = monologue.newest(db, ENTRIES, cursor)
        days = views.by_day(views.entry(one) for one in found)
    if len(found) < ENTRIES:
        return days, None
    whole = days[:-1] or days  # the last may go on beyond what was looked at
    return whole, min(one["id"] for _, entries in whole for one in entries)


def flag_pictures(world: World, days: list[tuple[str, list[dict[str, Any]]]]) -> list[dict[str, Any]]:
    """Such days, each with whether there is a picture of it."""
    return [{"day": day, "entries": held, "picture": pages.picture(world, day) is not None} for day, held in days]


def look(one: drift.Drift) -> dict[str, Any]:
    """A look at itself with the lines of what goes and comes, and what became of it in words."""
    told = self_description.as_data(one)
    fate = self_description.STATES[one.state] if one.changed else later("looked, and left it")
    return told | {"lines": diffs.parse(one.diff), "fate": fate}
