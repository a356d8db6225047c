"""A home that has used up its disk takes in nothing more on purpose, says so, and goes on talking."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from furoshiki.app import wiring
from furoshiki.conversation.commands import export
from furoshiki.core import paths, settings
from furoshiki.core.errors import FuroshikiError
from furoshiki.host import homes
from furoshiki.host.disk_watch import DiskWatch, choose_level
from furoshiki.maintenance import backup
from furoshiki.memory.perception import attachments
from furoshiki.messages.events import File, Message
from furoshiki.messages.store import accounts
from furoshiki.messages.values import Envelope
from furoshiki.models.limits import limit_file, room
from furoshiki.world import World
from tests.host.conftest import root
from tests.support.shell import Command, command, data
from tests.support.world import START, FrozenClock

__all__ = ["command", "data", "root"]


@pytest.fixture
def clock() -> FrozenClock:
    return FrozenClock()


@pytest.fixture
def anna(root: Path, clock: FrozenClock) -> Iterator[World]:
    home = homes.add(root, "anna", START)
    with paths.living_in(home.data):
        world = wiring.build_world(settings.load(), clock, spawn_memoryd=False, minds_when_asked=True)
    yield world
    world.database.close()


def test_a_companion_by_itself_has_all_of_its_disk(world: World) -> None:
    assert world.no_room(10**15) is None


async def test_what_makes_a_full_home_larger_on_purpose_is_refused_with_whose_limit_it_is(
    anna: World, root: Path, clock: FrozenClock
) -> None:
    assert anna.no_room() is None
    limit_file.change(root / ".host", "anna", {"disk": 1024**2})
    refused = anna.no_room()
    assert refused is not None and "the person who looks after the machine" in refused and "1M" in refused
    sent = Message(kind="document", attachment=File(name="novel.txt", size=10))
    document = Envelope("telegram", "1", "1", sent, id=1, attempts=0, enqueued_at=clock.at)
    assert "novel.txt, that was not taken in: the person who" in (await attachments.in_words(anna, document)).text
    assert "can't create an export right now" in str(await export.run(anna, "", document))
    for _ in range(3):
        backup.daily(anna)
        clock.pass_(hours=1)
    assert len(backup.list_backups(anna.home / "backups")) == 1
    limit_file.change(root / ".host", "anna", {"disk": None})
    assert anna.no_room() is None


def test_an_import_that_would_not_fit_is_refused_before_it_begins(root: Path, command: Command, tmp_path: Path) -> None:
    homes.add(root, "anna", START)
    limit_file.change(root / ".host", None, {"disk": 8 * 1024**2})
    large = tmp_path / "life.jsonl"
    large.write_bytes(b" " * 9 * 1024**2)
    refused = command("--home", "anna", "memory", "import", str(large))
    assert refused.status == 1 and "gives me 8M of disk space" in refused.err


def test_a_host_keeps_some_of_its_disk_free(root: Path) -> None:
    home = homes.add(root, "anna", START)
    refused = room.refusal(home.data, free_gb=100_000.0)
    assert refused is not None and "wants 100000 GB kept free" in refused


def test_an_owner_is_told_once_before_and_once_when_it_is_full(anna: World, root: Path, clock: FrozenClock) -> None:
    with anna.database.write() as db:
        accounts.pair(db, "console", "1", "1", "owner", START)
    watch, home = DiskWatch(root), homes.get_home(root, "anna")

    def told() -> list[str]:
        with anna.database.read() as db:
            return [row[0] for row in db.execute("SELECT text FROM outbox ORDER BY id")]

    used = room.measure(home.data)
    for share, times in ((0.5, 0), (0.95, 1), (0.95, 1), (1.5, 2), (0.95, 2), (0.5, 2), (0.95, 3)):
        limit_file.change(root / ".host", "anna", {"disk": max(1024**2, round(used / share))})
        watch.look(home, clock.at)
        clock.pass_(days=1)
        assert len(told()) == times, share
    assert "used up" in told()[1] and watch.due([]) is None
    assert [watch.due(["anna"]), watch.due(["anna"])] == ["anna", None]
    assert choose_level(0.85, "full") == "full"


def test_a_file_that_is_wrong_is_a_sentence_for_the_keeper(root: Path, anna: World) -> None:
    (root / ".host" / limit_file.NAME).write_text("{")
    assert anna.no_room() is None
    with pytest.raises(FuroshikiError, match="furoshiki host limit"):
        DiskWatch(root).look(homes.get_home(root, "anna"), START + timedelta(days=1))
