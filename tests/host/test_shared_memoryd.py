"""The memoryd of all homes as a process: alone, asked by each home for its own, and out of the way when one goes."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from furoshiki.app.wiring import build_world
from furoshiki.archive.forgetting import forgetting
from furoshiki.core.database.connection import Database
from furoshiki.core.paths import HOST
from furoshiki.host import homes
from furoshiki.host.open_home import settings_of
from furoshiki.messages.store import turns
from furoshiki.recall.retrieval.client import VectorsAway
from tests.support.files import contents
from tests.support.memoryd_process import Shared, eventually, models, whole
from tests.support.rows import user_said
from tests.support.world import FrozenClock

__all__ = ["models"]

pytestmark = pytest.mark.slow

NOW = datetime(2026, 3, 24, 15, tzinfo=UTC)


@pytest.fixture
def shared(root: Path, models: Path) -> Iterator[Shared]:
    for name, words in (("anna", "the accordion of my sister Zephyrine"), ("bob", "an old bicycle rusts")):
        home = homes.add(root, name, NOW)
        database = Database(home.data / "memory" / "longmemory.sqlite")
        with database.write() as db:
            turns.add(db, user_said(words))
            turns.add(db, user_said(f"{name} likes rain"))
        database.close()
    (root / HOST / ".env").write_text("FUROSHIKI_EMBEDDER=minilm-int8\n")
    (root / HOST / "models").symlink_to(models)
    made = Shared(root)
    yield made
    for process in made.processes:
        process.kill()
        process.wait(10)


def test_each_is_answered_from_its_own_one_forgets_and_one_goes(shared: Shared, root: Path) -> None:
    anna, bob = shared.of("anna"), shared.of("bob")
    for one in (anna, bob):
        one.nudge(at_once=True)
        eventually(lambda one=one: one.query("rain", seconds=5))  # type: ignore[misc]
        eventually(lambda one=one: one.status(5.0), whole)  # type: ignore[misc]
    pid = anna.status(5.0)["pid"]
    assert pid == bob.status(5.0)["pid"]
    assert anna.query("Zephyrine plays the accordion", k=1, seconds=5)[0][0] == "turn:1"
    assert bob.query("a bicycle", k=1, seconds=5)[0][0] == "turn:1"
    assert not [path for path, held in contents(root / "bob") if b"ephyrin" in held]

    world = build_world(
        settings_of(homes.get_home(root, "anna")), FrozenClock(NOW), spawn_memoryd=False, minds_when_asked=True
    )
    done = forgetting.forget(world, "Zephyrine", forgetting.look(world, "Zephyrine").token)
    assert done is not None and done.left == ()
    found = eventually(lambda: anna.query("Zephyrine plays the accordion", seconds=5))
    assert [name for name, _ in found] == ["turn:2"]
    assert not [path for path, held in contents(root) if b"ephyrin" in held]

    homes.remove(root, "anna", NOW)
    assert not (root / "anna").exists()
    with pytest.raises(VectorsAway):
        anna.query("rain", seconds=5)
    assert not (root / "anna").exists()
    assert bob.query("a bicycle", k=1, seconds=5)[0][0] == "turn:1"
    assert bob.status(5.0)["pid"] == pid
    [process] = [one for one in shared.processes if one.poll() is None]
    process.terminate()
    assert process.wait(20) == 0
    assert sorted(path.name for path in (root / HOST / "run").iterdir()) == ["memoryd.lock"]
