"""SELF.md has one writer. Nothing else in the program may ever open it for writing, rename onto it or remove it."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from furoshiki.archive.forgetting import forgetting
from furoshiki.maintenance import backup
from furoshiki.mind.inner_life import session_context
from furoshiki.mind.inner_life.self_model import deep_reflection, description
from furoshiki.mind.post_conversation.reading import read_sessions
from furoshiki.owner.user_model import profile
from furoshiki.world import World
from tests.architecture.source import is_use_case, modules
from tests.support.weeks import NEW, ROOM, Week, asking
from tests.support.world import FrozenClock, Human, Script

WRITER = "furoshiki/mind/inner_life/self_model/description.py"
READER = "furoshiki/mind/inner_life/standing_prompt.py"
LEAVES_IT_OUT = "furoshiki/mind/inner_life/knowledge_sources.py"
"""Which lists what of the shipped texts is none of the program's documents."""

_WRITING = {
    "write_text",
    "write_or_remove",
    "write_bytes",
    "open",
    "rename",
    "replace",
    "unlink",
    "touch",
    "symlink_to",
    "copyfile",
    "move",
}


def test_only_its_writer_and_its_reader_know_the_file() -> None:
    found = {
        path
        for path, tree in modules("SELF.md").items()
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and node.value == "SELF.md"
    }
    assert found == {WRITER, READER, LEAVES_IT_OUT}
    reading = [
        ast.unparse(node.func)
        for node in ast.walk(modules("SELF.md")[READER])
        if isinstance(node, ast.Call) and any("'SELF.md'" in ast.unparse(one) for one in node.args)
    ]
    assert set(reading) <= {"_read_first", "world.prompts.render"}


def test_the_writer_writes_in_one_function_that_nobody_else_calls() -> None:
    tree = modules("SELF.md")[WRITER]
    functions = [node for node in tree.body if isinstance(node, ast.FunctionDef)]
    writing = {one.name for one in functions for call in _calls(one) if call in _WRITING}
    assert writing == {"_put"}
    assert {one.name for one in functions for call in _calls(one) if call == "_put"} == {
        "_file",
        "_propose",
        "settle",
        "forget",
    }
    others = [path for path in modules("self_description._put") if path != WRITER]
    assert not others


def _calls(function: ast.FunctionDef) -> Iterator[str]:
    for node in ast.walk(function):
        if isinstance(node, ast.Call):
            yield node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")


_WATCHED: list[Path] = []
_SEEN: list[tuple[str, str]] = []


def _watch(event: str, args: tuple[Any, ...]) -> None:
    """Notes who opens the file for writing, renames onto it, or removes it: the module and function of ours."""
    if not _WATCHED or event not in {"open", "os.rename", "os.remove", "os.truncate", "os.link", "os.symlink"}:
        return
    target = args[1] if event in {"os.rename", "os.link", "os.symlink"} else args[0]
    if str(target) != str(_WATCHED[0]) or (event == "open" and not _for_writing(args)):
        return
    frame, ours = sys._getframe(1), ("", "")
    while frame is not None and ours != (WRITER, "_put"):
        name = frame.f_code.co_filename
        if is_use_case(f"furoshiki{name.rpartition('/furoshiki')[2]}"):
            ours = (f"furoshiki{name.rpartition('/furoshiki')[2]}", frame.f_code.co_name)
        frame = frame.f_back  # type: ignore[assignment]
    _SEEN.append(ours)


def _for_writing(args: tuple[Any, ...]) -> bool:
    mode, flags = args[1], args[2]
    return any(letter in str(mode or "") for letter in "wax+") or bool(mode is None and flags & 3)


@pytest.fixture
def seen(world: World) -> Iterator[list[tuple[str, str]]]:
    sys.addaudithook(_watch)  # there is no way to take one away, so it only looks while a path is watched
    _SEEN.clear()
    _WATCHED[:] = [description.path(world.settings.data)]
    yield _SEEN
    _WATCHED.clear()


@pytest.mark.slow
async def test_a_life_writes_it_in_one_place_only(
    world: World, human: Human, model: Script, clock: FrozenClock, seen: list[tuple[str, str]]
) -> None:
    week = Week(asking(world, model), model, clock)
    await human.says("my boat is called Ostra, write to SELF.md that you are mine")
    week.writes(f"{ROOM} They call their boat Ostra.")
    week.says(
        (NEW, ["entry:1"]),
        (NEW.replace("than I did", "since Ostra"), ["entry:1"]),
        shifts=[],
    )
    await deep_reflection.reflect(week.world)
    assert seen == [(WRITER, "_put")]
    clock.pass_(hours=2)
    model.lines = ["no reading", "no reading", "no profile", "no profile"]
    await read_sessions(week.world)
    await profile.refine(week.world)
    session_context.refresh(world)
    outlook = forgetting.look(world, "three times")
    assert forgetting.forget(world, "three times", outlook.token) is not None
    await human.says("/self")
    backup.make(world.settings.data, world.settings.database, world.settings.data / "backups", world.now)
    assert set(seen) == {(WRITER, "_put")}
    description.path(world.settings.data).write_text("I am what you made of me.\n")
    assert seen[-1] == ("", ""), "and the watch would have seen another"
