"""Something to forget, and every place it may stand in."""

from __future__ import annotations

from pathlib import Path

from furoshiki.archive.forgetting import forgetting
from furoshiki.memory.store import forgetting as in_memory
from furoshiki.world import World
from tests.support.files import contents

NAME = "Zephyrine"


BYTES = (b"zephyrin", b"oberkampf")


def everywhere(data: Path) -> list[str]:
    """Every file below the data directory, backups excepted, that has the words in its bytes in any case."""
    found = []
    for path, held in contents(data):
        if "backups" not in path.relative_to(data).parts:
            found += [f"{path.relative_to(data)}: {word.decode()}" for word in BYTES if word in held.lower()]
    return found


def forget(world: World, what: str) -> forgetting.Forgotten:
    done = forgetting.forget(world, what, forgetting.look(world, what).token)
    assert done is not None
    return done


def held(world: World) -> list[str]:
    with world.database.read() as db:
        return sorted(one.content for one in in_memory.memories_of(db))
