"""Everything can be taken along: a path in the console, a file in the chat elsewhere."""

from __future__ import annotations

import asyncio
import base64
import json
from pathlib import Path

from furoshiki.conversation.commands import export
from furoshiki.messages.store import outbox
from furoshiki.owner.agenda.store import operations, tasks
from furoshiki.world import World
from tests.support.commands import Commander, learned, said


def _fill(world: World) -> None:
    turn = said(world, "my sister Anika lives in Lisbon")
    learned(world, "Their sister Anika lives in Lisbon.", turn)
    with world.database.write() as db:
        tasks.add(db, "shopping", "milk", world.now)


async def test_in_the_console_it_is_a_file_with_everything(command: Commander, tmp_path: Path) -> None:
    _fill(command.world)
    words = await command("/export", channel="console")
    [path] = (tmp_path / "exports").iterdir()
    assert "4 records" in words.text and str(path) in words.text
    assert path.stat().st_mode & 0o777 == 0o600
    records = [json.loads(line) for line in path.read_text().splitlines()]
    assert [record["record"] for record in records] == ["turn", "memory", "task", "operation"]  # this export
    assert records[0]["text"] == "my sister Anika lives in Lisbon"
    assert records[1]["turn_ids"] == [records[0]["id"]]


async def test_elsewhere_it_comes_as_a_document_and_is_an_operation(command: Commander) -> None:
    world = command.world
    _fill(world)
    words = await command("/export")
    assert "the file will be here" in words.text
    await asyncio.gather(*export._under_way)
    with world.database.read() as db:
        [sent] = outbox.read_waiting(db, "telegram")
        [operation] = operations.active(db)
    assert sent.kind == "document" and str(sent.extra["filename"]).endswith(".jsonl")
    assert len(base64.b64decode(sent.extra["data"]).splitlines()) == 4
    assert operation.kind == "export" and operation.state == "completed"


async def test_a_large_one_is_packed(command: Commander, monkeypatch: object) -> None:
    _fill(command.world)
    path, count = export.write(command.world)
    path.write_bytes(b"x" * (export.COMPRESS_BYTES + 1))
    from tests.support.commands import envelope

    item = export._document(path, count, envelope())
    assert str(item.extra["filename"]).endswith(".jsonl.gz")
    assert len(str(item.extra["data"])) < 100_000
