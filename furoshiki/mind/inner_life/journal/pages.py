"""The journal's files: memory/inner-monologue/YYYY-MM-DD.md, a page a day, written from the rows.

Beside the page of a night's entry lies YYYY-MM-DD.svg: how the companion felt in the day that it looks back at.
"""

from collections.abc import Sequence
from datetime import tzinfo
from pathlib import Path

from furoshiki.core import atomic_files
from furoshiki.core.catalogue import later
from furoshiki.core.process.crash_points import point
from furoshiki.mind.inner_life import feelings_picture
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
BY_RULE = " (put together by rule, without a model)"

FOLDER = Path("memory") / "inner-monologue"


def file(world: World) -> list[str]:
    """Write every page that is not what the rows say; returns their days. May be cut off and done again."""
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
        else:  # all of it was forgotten
            _remove(path)
            _remove(path.with_suffix(".svg"))
        point("journal.page_written")
        with world.database.write() as db:
            monologue.mark_filed(db, day, [one.id for one in entries], world.now)
    return days


def title(entry: Entry) -> str:
    """What an entry is, in a few words."""
    return TITLES[entry.kind] + (BY_RULE if entry.provider == "local" else "")


def picture(world: World, day: str) -> Path | None:
    """The picture of a day; None where there is none."""
    path = world.settings.data / FOLDER / f"{day}.svg"
    return path if path.is_file() else None


def page(world: World, day: str, entries: Sequence[Entry], zone: tzinfo, picture: str | None = None) -> str:
    """One day as people read it; `picture` is the name of the file beside it."""
    shown = [
        {
            "clock": one.at.astimezone(zone).strftime("%H:%M"),
            "title": title(one),
            "passages": [passage.text for passage in one.passages],
        }
        for one in entries
    ]
    return world.prompts.render("inner_monologue/page", day=day, entries=shown, picture=picture)


def _picture(world: World, path: Path, entries: Sequence[Entry], zone: tzinfo) -> Path | None:
    """The picture beside a page, drawn once: later there are fewer figures. It goes with the night's entry."""
    night = next((one for one in reversed(entries) if one.kind == "journal"), None)
    if night is None:
        _remove(path)
        return None
    if path.exists():
        return path
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
