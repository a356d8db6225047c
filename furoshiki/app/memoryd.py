"""`python -m furoshiki.retrieval.memoryd`: hold the lock, answer, and end when nobody needs it any more."""

from __future__ import annotations

import contextlib
import logging
import os
import random
import signal
import sys
from datetime import UTC, datetime

from furoshiki.core import logs
from furoshiki.core import settings as settings_module
from furoshiki.core.atomic_files import locked
from furoshiki.core.database.connection import Database
from furoshiki.core.errors import FuroshikiError
from furoshiki.core.process import alive
from furoshiki.core.settings import Settings
from furoshiki.embeddings.models import load
from furoshiki.maintenance import upgrading
from furoshiki.retrieval.client import SOCKET
from furoshiki.retrieval.memoryd.server import Server
from furoshiki.retrieval.memoryd.service import Service

LOCK = "chroma.lock"
CACHE_KB = 1000
"""Kilobytes of the database each of our eight connections keeps; the system's own cache has the rest."""

log = logging.getLogger("memoryd")


def main() -> int:
    """Run until stopped or idle; 0 when another memoryd is there already."""
    os.umask(0o077)
    try:
        settings = settings_module.load()
        run = settings.data / "run"
        run.mkdir(parents=True, exist_ok=True, mode=0o700)
        with locked(run / LOCK, wait=False) as ours:
            if not ours:
                return 0
            _begin_log(settings)
            upgrading.ensure(settings.data, settings.database, _now, settings.backup_recipients)
            return _serve(settings)
    except FuroshikiError as error:
        print(error, file=sys.stderr)  # noqa: T201 - before there is a log
        return error.exit_code


def _serve(settings: Settings) -> int:
    service = Service(
        settings.data,
        Database(settings.database, cache_kb=CACHE_KB),
        lambda: load(settings.furoshiki_embedder, settings.data / "models"),
        settings.furoshiki_chroma_url,
        now=_now,
        rng=random.Random(settings.furoshiki_seed),
    )
    server = Server(
        settings.data / "run" / SOCKET, service.answer, idle_seconds=settings.furoshiki_memoryd_idle_minutes * 60
    )
    service.on_stop = server.stop
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: server.stop())
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    service.keeper.start()
    with alive.shown(settings.data / "run" / "memoryd.alive"):
        log.info("listening, pid %d", os.getpid())
        reason = server.serve(busy=lambda: service.keeper.busy)
        service.close()
    log.info("ended: %s", reason)
    return 0


def _begin_log(settings: Settings) -> None:
    """In its file, and aloud unless stderr is that file, as it is when a process of ours started this one."""
    path = settings.data / "logs" / "memoryd.log"
    with contextlib.suppress(OSError):
        there_already = path.exists() and os.path.samestat(os.fstat(2), path.stat())
        logs.keep(path, settings.furoshiki_log_level, settings.secrets(), loud=not there_already)


def _now() -> datetime:
    return datetime.now(UTC)  # noqa: TID251 - the edge of this process, which has no runtime of its own


if __name__ == "__main__":
    sys.exit(main())
