"""The companion's mind for the pages: waiting thoughts, the journal by days, self-reviews."""

from typing import Any

from furoshiki.conversation.commands.look import self_description
from furoshiki.core.catalogue import later, say, say_number, words
from furoshiki.faces.overview.rules import differences
from furoshiki.faces.overview.store import mind_lists
from furoshiki.mind.inner_life.journal import pages
from furoshiki.mind.inner_life.store import drift, monologue
from furoshiki.mind.inner_life.store.monologue import Entry
from furoshiki.mind.inner_life.store.self_questions import SelfQuestion
from furoshiki.mind.outreach.rules import explaining
from furoshiki.world import World

GONE = 25  # past thoughts shown with the waiting ones
ENTRIES = 40  # journal entries read for one page

# the outcome of a commitment that is no longer active
ENDED = later({"retired": "has become part of me since", "dropped": "dropped for lack of an occasion on"})

_STATES = words("questions")


def queue(world: World) -> dict[str, Any]:
    """Return waiting thoughts in order of delivery, the moments at which they expire, past thoughts,
    and the error of the outreach file, if any."""
    from furoshiki.mind.outreach import explanation

    waiting, wrong = explanation.try_list_held(world)
    with world.database.read() as db:
        expires = mind_lists.waits_until(db, [one.item_id for one in waiting])
        gone = mind_lists.read_gone(db, GONE)
    return {"waiting": waiting, "expires": expires, "wrong": wrong, "gone": gone, "called": explaining.kind}


def read_journal(world: World, cursor: int | None) -> dict[str, Any]:
    """Return complete days of the journal, newest first, and the next cursor (None: the last)."""
    with world.database.read() as db:
        found = monologue.newest(db, ENTRIES, cursor)
    by_day: dict[str, list[Entry]] = {}
    for entry in found:
        by_day.setdefault(entry.day, []).append(entry)
    days, after = sorted(by_day.items(), reverse=True), None
    if len(found) == ENTRIES:
        days = days[:-1] or days  # the last may be incomplete
        after = min(entry.id for _, entries in days for entry in entries)
    pictured = [
        {"day": day, "entries": entries, "picture": pages.picture(world, day) is not None} for day, entries in days
    ]
    return {"days": pictured, "next": after, "title": pages.title}


def state_of_question(one: SelfQuestion, asked: bool) -> str:
    """Return in words what became of a question; `asked` says whether the user was asked."""
    if one.state == "user_required" and asked:
        return say("asked you")
    if one.state == "open" and one.tried:
        return say_number("open, looked into {number} time", "open, looked into {number} times", one.tried)
    return say(_STATES[one.state])


def look(one: drift.Drift) -> dict[str, Any]:
    """Return a self-review with its changed lines and its outcome in words."""
    told = self_description.as_data(one)
    fate = self_description.STATES[one.state] if one.changed else later("looked, left it as is")
    return told | {"lines": list_changes(one.diff), "fate": fate}


def list_changes(diff: str) -> list[differences.Line]:
    """Return the lines of a self-review's diff without blank ones and its head."""
    return [line for line in differences.parse_unified(diff.splitlines()) if line.text.strip()][1:]
