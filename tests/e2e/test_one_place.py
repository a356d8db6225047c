"""What is added often is added in one place: each test adds something to a copy of the program, and lives with it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.e2e.program import KEY, Program
from tests.emulators.llm import LLMEmulator
from tests.support.changed_tree import ChangedTree

pytestmark = pytest.mark.e2e


@pytest.fixture(scope="module")
def copied(tmp_path_factory: pytest.TempPathFactory) -> ChangedTree:
    return ChangedTree(tmp_path_factory.mktemp("tree"))


@pytest.fixture
def tree(copied: ChangedTree) -> Iterator[ChangedTree]:
    """As it is; changed by one test alone."""
    yield copied
    copied.restore()


@pytest.fixture
def program(tree: ChangedTree, tmp_path: Path) -> Iterator[Program]:
    """The program of the changed tree, with no language model."""
    with Program(tmp_path / "data", root=tree.root) as found:
        yield found


def says(program: Program, text: str) -> str:
    """What is answered in the terminal."""
    said = program.run("chat", "--once", text, "--json")
    assert said.returncode == 0, said.stderr
    return str(json.loads(said.stdout)["reply"])


PROVIDER = """
    ProviderSpec(
        "echo", "Echo", "says it back", address="{url}", keys_at="https://echo.example/keys",
        models={{"chat": "test-model"}}, by_key=True, lacks=frozenset({{"stream_options"}}),
        asked=(Asked(send={{"reasoning_effort": "low"}}, room=77),),
    ),
"""


def test_a_provider_is_one_row(tree: ChangedTree, program: Program, llm: LLMEmulator) -> None:
    table = "furoshiki/core/network/providers.py"
    tree.insert(table, '    ProviderSpec(\n        "anthropic",', PROVIDER.format(url=llm.openai_url))
    program.set(ECHO_API_KEY=KEY)
    assert "good evening" in says(program, "good evening")
    [asked, *_] = llm.asked
    assert asked.key == KEY
    assert "stream_options" not in asked.body and asked.body["reasoning_effort"] == "low"
    [call, *_] = program.rows("SELECT * FROM llm_calls")
    assert (call["provider"], call["model"], call["error"]) == ("echo", "test-model", None)
    assert program.run("config", "check").returncode == 0
    shown = program.run("status", "--json").stdout + program.run("config", "show").stdout
    assert "test-model" in shown and "ECHO_API_KEY" in shown and KEY not in shown
    llm.offline()
    away = program.run("config", "check")
    assert away.returncode != 0 and "echo cannot be reached" in away.stdout + away.stderr
    assert tree.changed.keys() == {table}


COMMAND = '''"""`/dice`: what was thrown."""

from __future__ import annotations

from furoshiki.conversation.commands.registry import Command
from furoshiki.messages.values import Envelope, Words
from furoshiki.world import World


@Command("dice", "throw a die; /dice 20 for one with twenty sides")
async def run(world: World, args: str, _envelope: Envelope) -> Words:
    return Words(f"{args or 6} sides")
'''


def test_a_slash_command_is_one_module(tree: ChangedTree, program: Program) -> None:
    module = "furoshiki/conversation/commands/dice.py"
    tree.write(module, COMMAND)
    assert says(program, "/dice 20") == "20 sides"
    assert "/dice — throw a die" in says(program, "/help")
    assert tree.changed.keys() == {module}
