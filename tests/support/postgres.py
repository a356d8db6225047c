"""A real PostgreSQL server on loopback, started once for a test run, with a user whose password must not be seen."""

from __future__ import annotations

import contextlib
import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest

from tests.support.ports import LOOPBACK, free_port

PASSWORD = "canary-9d2b7f41"
MISSING = "PostgreSQL's server is not on this machine: install it (Debian: postgresql) and put initdb on the PATH"
_PLACES = "/usr/local/bin:/usr/lib/postgresql/15/bin:/usr/lib/postgresql/16/bin:/usr/lib/postgresql/17/bin"


class Postgres:
    """The server. It can be stopped and started, and made to hang."""

    def __init__(self, tools: Path, folder: Path, user: str | None) -> None:
        self._tools, self._folder, self._user = tools, folder, user
        self._port = free_port()
        self._process: subprocess.Popen[bytes] | None = None
        secret = folder / "password"
        secret.write_text(PASSWORD)
        if user is not None:
            found = pwd.getpwnam(user)
            for path in (folder, secret):
                os.chown(path, found.pw_uid, found.pw_gid)
        self._run("initdb", "-D", str(folder / "data"), "-U", "furo", "--pwfile", str(secret), "-A", "scram-sha-256",
                  "--no-sync", "--no-locale", "-E", "UTF8")  # fmt: skip
        self.start()

    @property
    def url(self) -> str:
        return f"postgresql://furo:{PASSWORD}@{LOOPBACK}:{self._port}/postgres"

    def start(self) -> None:
        """Start it, and wait until it answers."""
        options = ("-c", "fsync=off", "-c", f"listen_addresses={LOOPBACK}", "-c", "unix_socket_directories=",
                   "-c", "max_connections=40", "-c", "shared_buffers=8MB", "-c", "autovacuum=off")  # fmt: skip
        self._process = subprocess.Popen(
            [self._tools / "postgres", "-D", self._folder / "data", "-p", str(self._port), *options],
            user=self._user,
            cwd=self._folder,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        until = time.monotonic() + 30.0
        while True:
            with contextlib.suppress(psycopg.OperationalError), psycopg.connect(self.url, connect_timeout=2):
                return
            assert time.monotonic() < until and self._process.poll() is None, "PostgreSQL does not start"
            time.sleep(0.05)

    def stop(self) -> None:
        """End it and every connection, at once."""
        if self._process is not None:
            self._process.send_signal(signal.SIGQUIT)
            self._process.wait()
            self._process = None

    def value(self, sql: str) -> Any:
        """The first column of the first row."""
        with psycopg.connect(self.url) as db:
            found = db.execute(sql.encode()).fetchone()
        assert found is not None
        return found[0]

    def execute(self, sql: str) -> None:
        with psycopg.connect(self.url, autocommit=True) as db:
            db.execute(sql.encode())

    def _run(self, tool: str, *args: str) -> None:
        done = subprocess.run(
            [self._tools / tool, *args], user=self._user, cwd=self._folder, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr


@pytest.fixture(scope="session")
def _server() -> Iterator[Postgres]:
    found = shutil.which("initdb", path=f"{os.environ.get('PATH', '')}:{_PLACES}")
    if found is None:
        pytest.skip(MISSING)
    folder = Path(tempfile.mkdtemp(prefix="furoshiki-postgres-"))
    try:
        server = Postgres(Path(found).resolve().parent, folder, "nobody" if os.geteuid() == 0 else None)
        yield server
        server.stop()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture
def postgres(_server: Postgres) -> Iterator[Postgres]:
    """The server, running, and without leases."""
    _server.execute("DROP TABLE IF EXISTS furoshiki_leases")
    yield _server
    if _server._process is None:
        _server.start()
