"""Inside a wing, a room imports only rooms below it, and every folder of a wing has its place."""

from __future__ import annotations

import grimp

from tests.architecture.source import PACKAGE, WINGS, room_of


def test_a_room_imports_only_rooms_below_it() -> None:
    graph = grimp.build_graph("furoshiki", cache_dir=None)
    upward = [
        f"{importer} -> {imported}"
        for importer in sorted(graph.modules)
        for imported in sorted(graph.find_modules_directly_imported_by(importer))
        if not _is_allowed(importer, imported)
    ]
    assert upward == []


def test_a_wing_is_listed_with_every_room_it_has() -> None:
    """A wing made of rooms alone has no module of its own; what is listed is there."""
    for wing, lines in WINGS.items():
        rooms = {room for line in lines for room in line.split(" | ")}
        folders = {path.name for path in (PACKAGE / wing).iterdir() if (path / "__init__.py").exists()}
        assert rooms - {"."} <= folders, f"{wing} lists a room that is not there"
        if "." not in rooms:
            modules = {path.name for path in (PACKAGE / wing).glob("*.py")} - {"__init__.py"}
            assert (folders - rooms, modules) == (set(), set()), f"{wing} has what its list does not name"


def _is_allowed(importer: str, imported: str) -> bool:
    wing, of_other = importer.split(".")[1:2], imported.split(".")[1:2]
    if wing != of_other or not wing or wing[0] not in WINGS:
        return True
    above, below = _place(importer), _place(imported)
    return above == below or above[0] < below[0]


def _place(module: str) -> tuple[int, str]:
    """The line of a module's room in its wing, counted from the top, and the room."""
    wing, *rest = room_of(module.replace(".", "/") + "/").split("/")
    room = rest[0] if rest and rest[0] else "."
    return next((at, room) for at, line in enumerate(WINGS[wing]) if room in line.split(" | "))
