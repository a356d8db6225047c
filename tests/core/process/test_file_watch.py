"""Who waits for a file to be written hears of it, from whichever process, and of nothing else."""

from __future__ import annotations

import asyncio
import ctypes
import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from furoshiki.core.process import file_watch

HEARD_S = 30.0


async def test_it_rings_when_another_process_writes_and_not_before(tmp_path: Path) -> None:
    file = tmp_path / "some"
    file.touch()
    with file_watch.hung(tmp_path) as rung:
        assert rung is not None
        file.read_bytes()
        (tmp_path / "another").touch()
        await asyncio.sleep(0)
        assert not rung.is_set()
        for _ in range(2):
            subprocess.run([sys.executable, "-c", f"open({os.fspath(file)!r}, 'a').write('x')"], check=True)
            async with asyncio.timeout(HEARD_S):
                await rung.wait()
            rung.clear()


async def test_where_the_kernel_does_not_tell_that_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with file_watch.hung(tmp_path / "not there") as rung:
        assert rung is None
    monkeypatch.setattr(ctypes, "CDLL", lambda _name: SimpleNamespace(inotify_init1=lambda _flags: -1))
    with file_watch.hung(tmp_path) as rung:
        assert rung is None
