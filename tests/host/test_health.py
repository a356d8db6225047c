"""What a host answers of itself: to whom asks well, and to whom does not."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from furoshiki.core.network.addresses import place
from furoshiki.host import health
from furoshiki.host.health import MOST_AT_ONCE, Health
from furoshiki.host.job_figures import Board, Jobs
from furoshiki.host.rules.readiness import Seen
from tests.support.ports import LOOPBACK, free_port

WELL = Seen(round_s=1.0, brain_s=30.0, bots=1, hearing=1, shared_hears=True, awake=2, asleep=5)


@asynccontextmanager
async def served(run: Path, seen: Seen = WELL) -> AsyncIterator[int]:
    port = free_port()
    async with Health(run, lambda: seen).served(str(port)):
        for _ in range(200):
            try:
                _, writer = await asyncio.open_connection(LOOPBACK, port)
                break
            except OSError:
                await asyncio.sleep(0.005)
        writer.close()
        yield port


async def ask(port: int, request: bytes) -> tuple[int, str]:
    """The status and the body of an answer; 0 where none came."""
    reader, writer = await asyncio.open_connection(LOOPBACK, port)
    writer.write(request)
    try:
        whole = (await reader.read()).decode()
    except ConnectionError:
        whole = ""
    writer.close()
    head, _, body = whole.partition("\r\n\r\n")
    return (int(head.split()[1]) if head else 0), body


async def get(port: int, path: str) -> tuple[int, str]:
    return await ask(port, f"GET {path} HTTP/1.1\r\nHost: x\r\n\r\n".encode())


async def test_it_says_whether_it_lives_and_takes_messages_and_counts(tmp_path: Path) -> None:
    Board(tmp_path).show(Jobs(2, 1, 9, 3))
    async with served(tmp_path) as port:
        assert await get(port, "/healthz") == (200, '{"lives": true}')
        assert await get(port, "/readyz?verbose") == (200, '{"ready": true, "missing": {}}')
        status, text = await get(port, "/metrics")
        assert await ask(port, b"HEAD /readyz HTTP/1.0\r\n\r\n") == (200, "")
    assert status == 200
    assert 'furoshiki_host_homes{state="awake"} 2\n' in text and 'furoshiki_host_homes{state="asleep"} 5\n' in text
    assert 'furoshiki_host_jobs{state="running"} 2\n' in text and "furoshiki_host_ready 1\n" in text
    assert 'furoshiki_host_jobs_total{outcome="ok"} 6\n' in text
    assert not list(tmp_path.glob("*probe"))


async def test_what_is_missing_is_said_with_503(tmp_path: Path) -> None:
    stopped = Seen(round_s=99.0, brain_s=None, bots=0, hearing=0, shared_hears=None)
    async with served(tmp_path / "gone", stopped) as port:
        status, text = await get(port, "/readyz")
        assert status == 503 and json.loads(text)["missing"].keys() == {"listener", "bots", "brain", "disk"}
        assert (await get(port, "/healthz"))[0] == 503


@pytest.mark.parametrize(
    ("request_", "status"),
    [
        (b"POST /readyz HTTP/1.1\r\n\r\n", 405),
        (b"GET /homes HTTP/1.1\r\n\r\n", 404),
        (b"nonsense\r\n\r\n", 400),
        (b"GET /healthz HTTP/1.1\r\nX: " + b"a" * 9000 + b"\r\n\r\n", 0),
    ],
)
async def test_nothing_else_is_answered(tmp_path: Path, request_: bytes, status: int) -> None:
    async with served(tmp_path) as port:
        assert (await ask(port, request_))[0] == status


async def test_who_only_connects_keeps_nobody_out_for_long(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(health, "DEADLINE_SECONDS", 0.2)
    async with served(tmp_path) as port:
        idle = [await asyncio.open_connection(LOOPBACK, port) for _ in range(MOST_AT_ONCE)]
        assert (await get(port, "/healthz"))[0] == 0
        for reader, _ in idle:
            assert await reader.read() == b""
        assert (await get(port, "/healthz"))[0] == 200
        for _, writer in idle:
            writer.close()


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("8790", ("127.0.0.1", 8790)),
        ("0.0.0.0:8790", ("0.0.0.0", 8790)),
        ("[::1]:80", ("::1", 80)),
        ("localhost:1", ("localhost", 1)),
    ],
)
def test_a_place_is_this_machines_own_unless_another_is_named(text: str, found: tuple[str, int]) -> None:
    assert place(text) == found


@pytest.mark.parametrize("text", ["", "host", "host:", "host:0", "host:70000", "a b:80", "::1:80", "http://x:80", "٨٠"])
def test_what_is_no_place_is_refused_with_one_that_is(text: str) -> None:
    with pytest.raises(ValueError, match=r"write it as 8790 \(this machine alone\)"):
        place(text)
