"""The journal's files: memory/inner-monologue/YYYY-MM-DD.md, a page a day, written from the rows."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import tzinfo
from pathlib import Path

from furoshiki.core import atomic_files
from furoshiki.core.process.crash_points import point
from furoshiki.inner_life.store import monologue
from furoshiki.inner_life.store.monologue import Entry
from furoshiki.user_model import user
from furoshiki.world import World

TITLES: dict[monologue.Kind, str] = {
    "journal": "at night",
    "contemplation": "a thought",
    "morning": "looking ahead",
    "afternoon": "looking back",
}
BY_RULE = " (put together by rule, without a model)"

FOLDER = Path("memory") / "inner-monologue"


def file(world: World) -> list[str]:
    """Write every page that is not what the rows say; returns their days. May be cut off and done again."""
    with world.database.read() as db:
        days = monologue.unfiled(db)
        zone = user.zone(world, db)
    for day in days:
        with world.database.read() as db:
            entries = monologue.of_day(db, day)
        path = world.settings.data / FOLDER / f"{day}.md"
        if entries:
            atomic_files.write_text(path, page(world, day, entries, zone))
        elif path.exists():  # all of it was forgotten
            path.unlink()
            atomic_files.sync_folder(path.parent)
        point("journal.page_written")
        with world.database.write() as db:
            monologue.filed(db, day, [one.id for one in entries], world.now)
    return days


def title(entry: Entry) -> str:
    """What an entry is, in a few words."""
    return TITLES[entry.kind] + (BY_RULE if entry.provider == "local" else "")


def page(world: World, day: str, entries: Sequence[Entry], zone: tzinfo) -> str:
    """One day as people read it."""
    shown = [
        {
            "clock": one.at.astimezone(zone).strftime("%H:%M"),
            "title": title(one),
            "passages": [passage.text for passage in one.passages],
        }
        for one in entries
    ]
    return world.prompts.render("inner_monologue/page", day=day, entries=shown)
