"""The list of pages in menu order: the constant `PAGE` of each module in `pages/`."""

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path


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
