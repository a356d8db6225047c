"""A growing answer can be read while it grows, from the same process and from another."""

from __future__ import annotations

from datetime import UTC, datetime
from functools import partial
from pathlib import Path

import pytest

from furoshiki.channels.local.live_reply import Board, FileBoard, GrowingReply, MemoryBoard, stage
from furoshiki.messages.events import Message
from furoshiki.messages.values import Envelope
from furoshiki.world import Silent


@pytest.fixture(params=["memory", "file"])
def board(request: pytest.FixtureRequest, tmp_path: Path) -> Board:
    return MemoryBoard() if request.param == "memory" else FileBoard(tmp_path)


async def test_it_begins_empty_grows_and_is_taken_away(board: Board) -> None:
    shown = GrowingReply(board, 7)
    assert board.text(7) is None
    await shown.begin()
    assert board.text(7) == "" and shown.shown is False
    await shown.show(lambda: "Hello \ud800 there")
    assert (board.text(7) or "").startswith("Hello") and shown.shown is True
    await shown.end()
    assert board.text(7) is None


async def test_it_is_not_written_more_often_than_anybody_can_read(board: Board) -> None:
    shown = GrowingReply(board, 7)
    for text in ("a", "ab", "abc"):
        await shown.show(partial(str, text))
    assert board.text(7) == "a"


async def test_a_stop_is_seen_by_who_writes_and_ends_with_the_turn(board: Board) -> None:
    shown, other = GrowingReply(board, 7), GrowingReply(board, 8)
    board.stop(7)
    assert shown.stopped and not other.stopped
    await shown.end()
    assert not GrowingReply(board, 7).stopped


async def test_nothing_is_left_behind(tmp_path: Path) -> None:
    files = FileBoard(tmp_path)
    shown = GrowingReply(files, 7)
    await shown.show(lambda: "half an ans")
    files.stop(7)
    await shown.end()
    assert list(tmp_path.iterdir()) == []


async def test_a_folder_that_is_gone_only_means_nothing_is_shown(tmp_path: Path) -> None:
    shown = GrowingReply(FileBoard(tmp_path / "gone"), 7)
    await shown.begin()
    await shown.show(lambda: "hello")
    await shown.end()
    assert shown.stopped is False


def test_what_others_say_is_not_shown_here(tmp_path: Path) -> None:
    telegram = Envelope(
        "telegram", "u1", "7", Message(), id=1, attempts=0, enqueued_at=datetime(2026, 3, 24, tzinfo=UTC)
    )
    assert isinstance(stage(tmp_path, telegram, MemoryBoard()), Silent)


async def test_who_asked_decides_where_it_is_shown(tmp_path: Path) -> None:
    asked = Envelope(
        "console", "m1", "owner", Message(), id=1, attempts=0, enqueued_at=datetime(2026, 3, 24, tzinfo=UTC)
    )
    here = MemoryBoard()
    await stage(tmp_path, asked, here).show(lambda: "for somebody else")
    assert here.text(1) is None and FileBoard(tmp_path).text(1) == "for somebody else"
    here.own.add("m1")
    await stage(tmp_path, asked, here).show(lambda: "for us")
    assert here.text(1) == "for us"
