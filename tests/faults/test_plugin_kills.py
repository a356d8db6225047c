"""Killed anywhere while a plugin is replaced, removed or brought back, there is the old one or the new one, whole."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest

from furoshiki.extensions.plugins import installed, installing, package, pins
from tests.support import deaths, plugins
from tests.support.dying_night import world_in

pytestmark = pytest.mark.faults


def begun(home: Path) -> None:
    with deaths.opened(home) as database:
        world = world_in(home, database)
        installing.install(world, package.gather_files(plugins.write(home / "one")), "folder")
        (home / "plugins" / "dice" / "data" / "kept.txt").write_text("mine")
        plugins.write(home / "two", version="2.0", script="# two\n")


def replaced(home: Path) -> None:
    with deaths.opened(home) as database:
        installing.install(world_in(home, database), package.gather_files(home / "two"), "folder")


def removed_and_back(home: Path) -> None:
    with deaths.opened(home) as database:
        world = world_in(home, database)
        if installed.one(world, "dice") is not None:
            installing.remove(world, "dice")
        installing.rollback(world, "dice")


def left(home: Path) -> object:
    """The plugin as anybody finds it who comes by."""
    with deaths.opened(home) as database:
        (one,) = installed.list_all(world_in(home, database), thoroughly=True)
    assert (one.folder / "data" / "kept.txt").read_text() == "mine"
    assert sorted(path.name for path in one.folder.parent.iterdir()) == ["dice"]
    return dataclasses.asdict(one) | {"folder": "", "pins": pins.hash_files(one.folder)}


@pytest.mark.parametrize("do", [replaced, removed_and_back])
def test_the_old_one_or_the_new_one(do: object, empty_database: Path, tmp_path: Path) -> None:
    work = deaths.Work(do, begun, left)  # type: ignore[arg-type]
    trial = deaths.Trial(work, empty_database, tmp_path)
    assert len([one for one in trial.points if one.startswith("plugins.")]) >= 4
    trial.survives_each(one for one in trial.points if one.startswith("plugins."))


def found_whole(home: Path) -> None:
    """The next process, which does not do it again."""
    with deaths.opened(home) as database:
        (one,) = installed.list_all(world_in(home, database), thoroughly=True)
    assert one.runs, one.problems
    assert (one.folder / "data" / "kept.txt").read_text() == "mine"
    replaced(home)


def test_nothing_has_to_be_done_again(empty_database: Path, tmp_path: Path) -> None:
    trial = deaths.Trial(deaths.Work(replaced, begun, left, finish=found_whole), empty_database, tmp_path)
    trial.survives_each(one for one in trial.points if one.startswith("plugins."))
