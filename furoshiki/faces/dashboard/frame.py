"""The frame of every page: the companion, the time there, and the other pages."""

import ast
import contextlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, tzinfo
from pathlib import Path

from furoshiki.core.errors import StorageUnavailable
from furoshiki.faces.dashboard.live import Hub
from furoshiki.owner.user_model import user
from furoshiki.world import World

# -- the pages in menu order: the constant `PAGE` of each module in `pages/` --


@dataclass(frozen=True)
class Page:
    """A page: path, label, description, group in *More* ("": in the menu itself), and position."""

    path: str
    label: str
    about: str
    group: str
    place: int


def _list_pages() -> Iterator[Page]:
    """Yield the pages by parsing the modules, which are imported only on demand."""
    for module in (Path(__file__).parent / "pages").glob("*.py"):
        for node in ast.parse(module.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "PAGE":
                yield Page("/" if module.stem == "now" else f"/{module.stem}", *ast.literal_eval(node.value))


PAGES = tuple(sorted(_list_pages(), key=lambda page: page.place))


def groups(pages: Sequence[Page] = PAGES) -> list[tuple[str, list[Page]]]:
    """Return the groups in order, each with its pages."""
    found: dict[str, list[Page]] = {}
    for page in pages:
        found.setdefault(page.group, []).append(page)
    return list(found.items())


def of(path: str, pages: Sequence[Page] = PAGES) -> Page | None:
    """Return the page that a path belongs to: "/memory/12" belongs to Memory."""
    first = "/" + path.strip("/").partition("/")[0]
    return next((page for page in pages if page.path == first), None)


@dataclass(frozen=True)
class Frame:
    """The frame's values. `newest_event` is where the event stream resumes (None: no stream)."""

    companion: str
    now: datetime
    zone: tzinfo
    newest_event: str | None
    pages: Sequence[Page] = PAGES


def of_companion(world: World, hub: Hub, signed_in: bool) -> Frame:
    """Build a page's frame. Without a sign-in it shows nothing from the database."""
    zone, newest = world.zone, ""
    if signed_in:
        with contextlib.suppress(StorageUnavailable):  # some pages need no database
            newest = hub.mark()
            zone = user.zone_of(world)
    return Frame(world.settings.furoshiki_companion_name, world.now, zone, newest)
