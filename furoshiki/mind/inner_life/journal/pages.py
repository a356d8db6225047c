"""The journal's files: memory/inner-monologue/YYYY-MM-DD.md, one page a day, written from rows.

YYYY-MM-DD.svg next to it shows the feelings of the day that the night's entry reviews.
"""

from collections.abc import Sequence
from datetime import tzinfo
from pathlib import Path

from furoshiki.core import atomic_files
from furoshiki.core.catalogue import later, say
from furoshiki.core.process.crash_points import point
from furoshiki.mind.inner_life.store import monologue
from furoshiki.mind.inner_life.store.monologue import Entry
from furoshiki.owner.user_model import user
from furoshiki.world import World

TITLES: dict[monologue.Kind, str] = later(
    {
        "journal": "at night",
        "contemplation": "a thought",
        "morning": "looking ahead",
        "afternoon": "looking back",
    }
)
BY_RULE = later("{title} (put together by rule, without a model)")

FOLDER = Path("memory") / "inner-monologue"


def file(world: World) -> list[str]:
    """Write all outdated pages; return their days. Can be interrupted and repeated."""
    with world.database.read() as db:
        days = monologue.list_unfiled(db)
        zone = user.zone(world, db)
    for day in days:
        with world.database.read() as db:
            entries = monologue.of_day(db, day)
        path = world.settings.data / FOLDER / f"{day}.md"
        if entries:
            drawn = _picture(world, path.with_suffix(".svg"), entries, zone)
            atomic_files.write_text(path, page(world, day, entries, zone, drawn.name if drawn else None))
        else:  # all entries were forgotten
            _remove(path)
            _remove(path.with_suffix(".svg"))
        point("journal.page_written")
        with world.database.write() as db:
            monologue.mark_filed(db, day, [entry.id for entry in entries], world.now)
    return days


def title(entry: Entry) -> str:
    """Name an entry in a few words."""
    named = say(TITLES[entry.kind])
    if entry.provider == "local":
        return say(BY_RULE, title=named)
    return named


def picture(world: World, day: str) -> Path | None:
    """Return the path of a day's picture; None if absent."""
    path = world.settings.data / FOLDER / f"{day}.svg"
    return path if path.is_file() else None


def page(world: World, day: str, entries: Sequence[Entry], zone: tzinfo, picture: str | None = None) -> str:
    """Render one day as Markdown; `picture` is the name of the picture file next to the page."""
    shown = [
        {
            "clock": entry.at.astimezone(zone).strftime("%H:%M"),
            "title": title(entry),
            "passages": [passage.text for passage in entry.passages],
        }
        for entry in entries
    ]
    return world.prompts.render("inner_monologue/page", day=day, entries=shown, picture=picture)


def _picture(world: World, path: Path, entries: Sequence[Entry], zone: tzinfo) -> Path | None:
    """Draw a page's picture once, with the night's entry; later there would be fewer values."""
    night = next((entry for entry in reversed(entries) if entry.kind == "journal"), None)
    if night is None:
        _remove(path)
        return None
    if path.exists():
        return path
    from furoshiki.mind.inner_life import feelings_picture

    found = feelings_picture.of_day(world, night.at, zone)
    if found is None:
        return None
    atomic_files.write_text(path, found.chart.svg())
    point("journal.picture_drawn")
    return path


def _remove(path: Path) -> None:
    if path.exists():
        path.unlink()
        atomic_files.sync_folder(path.parent)
