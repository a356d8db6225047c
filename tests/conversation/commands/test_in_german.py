"""What commands answer is in the person's language, line for line: nothing reads the same as in English."""

from __future__ import annotations

import re

import pytest

from furoshiki.conversation.commands import registry
from furoshiki.core import catalogue
from furoshiki.mind.inner_life.self_model import description
from furoshiki.owner.agenda.store import quiet, tasks
from tests.support.commands import Commander, learned, said

WORD = re.compile(r"[A-Za-z]{3,}")
SHOWING = sorted(name for name, one in registry.commands().items() if one.shows)
THEIRS = ("the river", "a quiet week")
"""What the person said, which stays as it is."""


@pytest.fixture
def lived(command: Commander) -> Commander:
    """Somebody who told something, has a list and wants quiet."""
    world = command.world
    learned(world, "They row on the river.", said(world, "I row on the river"))
    with world.database.write() as db:
        tasks.add(db, "shopping", "the river map", world.now)
        quiet.keep(db, world.now.replace(hour=22), world.now, "a quiet week")
    return command


@pytest.mark.parametrize("name", [*SHOWING, "why not", "why all", "self diff", "wish", "quiet", "promises"])
async def test_no_line_of_an_answer_is_english(lived: Commander, name: str) -> None:
    own = " ".join(description.text(lived.world).split())
    english = {line for line in (await lived(f"/{name}")).text.splitlines() if line not in own}
    with catalogue.speaking("de"):
        german = (await lived(f"/{name}")).text.splitlines()
    same = [line for line in german if line in english and len(WORD.findall(line)) >= 3]
    assert [line for line in same if not any(one in line for one in THEIRS)] == []
