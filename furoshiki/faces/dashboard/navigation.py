"""The pages there are, in the order one finds them: what each module of `pages/` says of itself as `PAGE`."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Page:
    """A page: where it is, what it is called, what one finds there, under which heading of *More* ("" for the few that
    the menu shows at once), and its place among the others."""

    path: str
    label: str
    about: str
    group: str
    place: int


def _list_pages() -> Iterator[Page]:
    """What the modules say, read without loading them: that is for when somebody goes there."""
    for module in (Path(__file__).parent / "pages").glob("*.py"):
        for node in ast.parse(module.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "PAGE":
                yield Page("/" if module.stem == "now" else f"/{module.stem}", *ast.literal_eval(node.value))


PAGES = tuple(sorted(_list_pages(), key=lambda page: page.place))


def groups(pages: Sequence[Page] = PAGES) -> list[tuple[str, list[Page]]]:
    """The headings in order, each with its pages."""
    found: dict[str, list[Page]] = {}
    for page in pages:
        found.setdefault(page.group, []).append(page)
    return list(found.items())


def of(path: str, pages: Sequence[Page] = PAGES) -> Page | None:
    """The page that a path belongs to: "/memory/12" belongs to Memory."""
    first = "/" + path.strip("/").partition("/")[0]
    return next((page for page in pages if page.path == first), None)
