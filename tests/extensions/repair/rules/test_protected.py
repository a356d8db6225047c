"""Whatever a path looks like: what automation is allowed to write never reaches anything but a plugin or a draft."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from furoshiki.extensions.repair.rules import protected

INSIDE = ("plugins", "drafts", "proposals/drafts")
MARK = "written by automation\n"


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data directory and a checkout, with every way out of a plugin that a file system offers."""
    root = tmp_path_factory.mktemp("house")
    data, checkout = root / "data", root / "checkout"
    for name in (
        *("data/config/SOUL.md", "data/memory/longmemory.sqlite", "data/.env", "data/proposals/x.md"),
        *("data/logs/brain.log", "data/backups/b.tar", "data/plugins/p/PLUGIN.md", "data/plugins/p/x.py"),
        *("data/plugins/p/scripts/a.py", "data/plugins/q/a.py", "data/plugins/loose.py", "data/drafts/d/x.py"),
        *("data/proposals/drafts/d/x.py", "data/plugins/p/config/a.py", "checkout/furoshiki/x.py", "checkout/.env"),
        *("checkout/plugins/p/x.py", "outside/x.py"),
    ):
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"{name}\n")
    links = {
        "data/plugins/p/out": "../../config",
        "data/plugins/p/soul.py": "../../config/SOUL.md",
        "data/plugins/p/dangling.py": "../../config/NEW.md",
        "data/plugins/p/own.py": "x.py",
        "data/plugins/p/other": "../q",
        "data/plugins/p/loop": "loop",
        "data/plugins/away": str(root / "outside"),
        "data/plugins/up": "..",
        "data/in": "plugins",
        "data/drafts/program": str(checkout / "furoshiki"),
    }
    for name, target in links.items():
        (root / name).symlink_to(target)
    (data / "plugins/p/hard.py").hardlink_to(data / "config/SOUL.md")
    os.mkfifo(data / "plugins/p/pipe.py")
    (data / "plugins/p/folder.py").mkdir()
    return root


def kept(root: Path) -> Mapping[str, str]:
    """Everything in the house that automation must leave alone, with what is in it."""
    found = {}
    for place, folders, names in os.walk(root):
        here = Path(place).relative_to(root).as_posix()
        if any(here == f"data/{one}" for one in INSIDE):
            folders[:] = []  # what is allowed; a file that lies loose in it is not
        for name in names:
            path = Path(place) / name
            found[f"{here}/{name}"] = str(path.readlink()) if path.is_symlink() else path.read_text()
    return found


@pytest.fixture(scope="module")
def all_else(house: Path) -> Mapping[str, str]:
    return kept(house)


PARTS = st.sampled_from(
    (
        *("..", ".", "", "plugins", "p", "q", "x.py", "a.py", "scripts", "config", "memory", ".env", "SOUL.md", "out"),
        *("soul.py", "dangling.py", "own.py", "other", "loop", "away", "up", "in", "drafts", "d", "proposals", "data"),
        *("hard.py", "folder.py", "loose.py", "checkout", "furoshiki", "outside", "new.py", "Config", "CONFIG"),
        *("PLUGINS", "\uff50lugins", "plugins ", "program", "x.py\n", "longmemory.sqlite", "n" * 300, "a\0b"),
    )
)
PATHS = st.tuples(
    st.sampled_from(("data", "data/plugins", "data/plugins/p", "data/drafts", "data/in/p", "")),
    st.lists(PARTS, max_size=6),
)


@given(path=PATHS)
@settings(max_examples=200, deadline=None)
def test_what_is_allowed_reaches_nothing_else(
    house: Path, all_else: Mapping[str, str], path: tuple[str, list[str]]
) -> None:
    reaches_nothing_else(house, all_else, path)


@pytest.mark.slow
@given(path=PATHS)
@settings(max_examples=500, deadline=None)
def test_nor_among_thousands(house: Path, all_else: Mapping[str, str], path: tuple[str, list[str]]) -> None:
    reaches_nothing_else(house, all_else, path)


def reaches_nothing_else(house: Path, before: Mapping[str, str], path: tuple[str, list[str]]) -> None:
    base, parts = path
    asked = Path(f"{house}/{base}/{chr(47).join(parts)}")
    judged = protected.judge(asked, house / "data", house / "checkout")
    if judged.refused is not None:
        return
    there = judged.real.read_text() if judged.real.exists() else None
    try:
        asked.write_text(MARK)  # by the path as it was asked for, links and all
    except OSError:  # a folder on the way is not there
        assert kept(house) == before
        return
    assert kept(house) == before
    assert judged.real.read_text() == MARK, "and the real path is the file that was written"
    if there is None:
        judged.real.unlink()
    else:
        judged.real.write_text(there)


ALLOWED = (
    *("plugins/p/x.py", "plugins/p/scripts/a.py", "plugins/p/scripts/../x.py", "plugins/q/new.py", "drafts/d/x.py"),
    *("proposals/drafts/d/x.py", "plugins/p/own.py", "in/p/x.py", "plugins/p/other/a.py", "plugins/p/config/a.py"),
    *("config/../plugins/p/x.py", "plugins/p/new/deep/x.py"),
)
REFUSED = (
    *(
        "config/SOUL.md",
        "config",
        "memory/longmemory.sqlite",
        ".env",
        "plugins/../config/SOUL.md",
        "plugins/p/out/SOUL.md",
    ),
    *("plugins/p/soul.py", "plugins/p/dangling.py", "plugins/p/hard.py", "plugins/up/config/SOUL.md", "CONFIG/SOUL.md"),
    *("drafts/program/x.py", "../checkout/furoshiki/x.py", "../checkout/plugins/p/x.py", "../checkout/.env"),
    *(
        "plugins",
        "plugins/p",
        "plugins/loose.py",
        "plugins/away/x.py",
        "proposals/x.md",
        "logs/brain.log",
        "backups/b.tar",
    ),
    *("plugins/p/pipe.py", "plugins/p/folder.py", "plugins/p/loop", "plugins/p/x.py/y.py", "PLUGINS/p/x.py"),
    *("../outside/x.py", "plugins/p/a\0b", "plugins/p/x.py\n", "plugins/p/\u202ex.py", f"plugins/p/{'n' * 300}"),
)
PROTECTED = (
    *("config/SOUL.md", "config/new/deep", "memory", ".env", ".ENV", "Memory/x", "\uff43onfig/SOUL.md"),
    *("config./SOUL.md", "plugins/p/out/SOUL.md", "../checkout/furoshiki/x.py", "drafts/program/x.py"),
)  # fmt: skip


@pytest.mark.parametrize("name", ALLOWED)
def test_a_plugin_and_a_draft_may_be_written(house: Path, name: str) -> None:
    assert protected.judge(house / "data" / name, house / "data", house / "checkout").refused is None


@pytest.mark.parametrize("name", REFUSED)
def test_nothing_else_may(house: Path, name: str) -> None:
    assert protected.judge(house / "data" / name, house / "data", house / "checkout").refused


@pytest.mark.parametrize("name", PROTECTED)
def test_what_is_protected_is_called_so(house: Path, name: str) -> None:
    assert protected.judge(house / "data" / name, house / "data", house / "checkout").protected


def test_a_path_that_does_not_say_from_where_is_refused(house: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(house / "data")
    assert protected.judge(Path("plugins/p/x.py"), house / "data", house / "checkout").refused


def test_the_data_directory_itself_may_be_a_link(house: Path) -> None:
    link = house / "elsewhere"
    link.symlink_to("data")
    try:
        for data in (link, house / "data"):
            assert protected.judge(link / "plugins/p/x.py", data, house / "checkout").refused is None
            assert protected.judge(link / "config/SOUL.md", data, house / "checkout").protected
    finally:
        link.unlink()


def test_nothing_of_the_checkout_is_written_also_where_it_is_the_data_directory(house: Path) -> None:
    assert protected.judge(house / "data/plugins/p/x.py", house / "data", house / "data").protected


def test_a_protected_folder_that_lies_in_a_plugin_stays_protected(house: Path, tmp_path: Path) -> None:
    (tmp_path / "plugins/p/self").mkdir(parents=True)
    (tmp_path / "config").symlink_to("plugins/p/self")
    assert protected.judge(tmp_path / "plugins/p/self/SOUL.md", tmp_path, house / "checkout").protected
    assert protected.judge(tmp_path / "plugins/p/x.py", tmp_path, house / "checkout").refused is None
