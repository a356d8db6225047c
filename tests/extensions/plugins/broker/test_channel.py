"""The line to a plugin holds whatever comes over it: garbage, depth, half lines, floods, and ears that are shut."""

from __future__ import annotations

import json
import socket
import threading

import pytest

from furoshiki.extensions.plugins.broker import serving
from furoshiki.extensions.plugins.broker.serving import LONGEST_REPLY, LONGEST_REQUEST, Channel, Garbled, Request


@pytest.fixture
def pair() -> tuple[Channel, socket.socket]:
    ours, theirs = socket.socketpair()
    return Channel(ours), theirs


def test_requests_come_one_after_the_other_however_they_are_cut(pair: tuple[Channel, socket.socket]) -> None:
    channel, theirs = pair
    lines = b'{"id": 1, "call": "read_db", "args": {"sql": "x"}}\n{"id": "b", "call": "llm"}\n{"half'
    writer = threading.Thread(target=lambda: [theirs.send(bytes([one])) for one in lines] and theirs.close())
    writer.start()
    assert channel.next() == Request(1, "read_db", {"sql": "x"})
    assert channel.next() == Request("b", "llm", {})
    assert channel.next() is None
    writer.join()


@pytest.mark.parametrize(
    "line",
    [
        *(b"", b"hello", b"[]", b"1", b'"x"', b"{", b'{"id": 1}', b'{"id": 1, "call": 2}', b'{"id": [], "call": "x"}'),
        *(b'{"call": "x", "args": []}', b'{"call": "x", "args": {"a": NaN}}', b"\xff\xfe", b'{"call": "\\ud800"}'),
        *(b"[" * 200_000, b'{"a":' * 100_000, b'{"call": "x", "args": {"n": ' + b"9" * 5000 + b"}}"),
    ],
    ids=lambda line: repr(line[:30]),
)
def test_what_is_no_request_is_told_so_and_the_next_is_read(pair: tuple[Channel, socket.socket], line: bytes) -> None:
    channel, theirs = pair
    sending = threading.Thread(target=theirs.sendall, args=(line + b'\n{"call": "x"}\n',))
    sending.start()
    assert isinstance(channel.next(), Garbled)
    assert channel.next() == Request(None, "x", {})
    sending.join()


def test_a_line_without_end_ends_it(pair: tuple[Channel, socket.socket]) -> None:
    channel, theirs = pair
    sending = threading.Thread(target=theirs.sendall, args=(b"x" * (LONGEST_REQUEST + 1),))
    sending.start()
    assert channel.next() is None
    assert str(LONGEST_REQUEST) in json.loads(theirs.recv(1 << 16))["error"]
    sending.join()


def test_an_answer_that_is_too_large_is_not_sent(pair: tuple[Channel, socket.socket]) -> None:
    channel, theirs = pair
    assert channel.send(7, "x" * LONGEST_REPLY)
    assert json.loads(theirs.recv(1 << 16)) == {
        "id": 7,
        "ok": False,
        "error": f"the answer has more than {LONGEST_REPLY} bytes: ask for less",
    }


def test_who_does_not_read_is_not_waited_for(
    pair: tuple[Channel, socket.socket], monkeypatch: pytest.MonkeyPatch
) -> None:
    channel, theirs = pair
    monkeypatch.setattr(serving, "SEND_S", 0.05)
    assert not channel.send(1, "x" * 3_000_000)
    theirs.close()
    assert not channel.send(1, "x")


def test_closing_wakes_who_waits(pair: tuple[Channel, socket.socket]) -> None:
    channel, _theirs = pair
    found: list[object] = ["nothing"]
    waiting = threading.Thread(target=lambda: found.append(channel.next()))
    waiting.start()
    channel.close()
    waiting.join(5)
    assert found[-1] is None
