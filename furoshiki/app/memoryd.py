"""`python -m furoshiki.app.memoryd`: takes the lock, answers requests, and ends when idle.

In a data directory it serves that one; in the `.host` of a host all its homes.
"""

from __future__ import annotations

import contextlib
import faulthandler
import logging
import os
import random
import signal
import sys
import threading
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from furoshiki.core import logs
from furoshiki.core import settings as settings_module
from furoshiki.core.atomic_files import hold, locked
from furoshiki.core.database import troubles
from furoshiki.core.database.connection import Database
from furoshiki.core.errors import AlreadyRunning, BadSetting, FuroshikiError
from furoshiki.core.paths import HOST, environ, host_of
from furoshiki.core.process import liveness, trees
from furoshiki.core.settings import Settings
from furoshiki.maintenance import upgrading
from furoshiki.recall.embeddings import models
from furoshiki.recall.embeddings.encoder import Encoder
from furoshiki.recall.retrieval.client import SOCKET
from furoshiki.recall.retrieval.memoryd.chroma_server import ChromaServer, ServerAway, sweep
from furoshiki.recall.retrieval.memoryd.engine import Engine
from furoshiki.recall.retrieval.memoryd.held_index import HeldIndex
from furoshiki.recall.retrieval.memoryd.index import LAST_WORDS, Index
from furoshiki.recall.retrieval.memoryd.served_index import ServedIndex
from furoshiki.recall.retrieval.memoryd.server import Server
from furoshiki.recall.retrieval.memoryd.service import Service
from furoshiki.recall.retrieval.store import vectors

if TYPE_CHECKING:
    from furoshiki.recall.retrieval.memoryd.homes import Opened

LOCK = "chroma.lock"
SHARED_LOCK = "memoryd.lock"  # in `run/` of a host: held by the one memoryd of all its homes

# kilobytes of the database cached by each of our eight connections; the system caches the rest
CACHE_KB = 1000

SHARED_CACHE_KB = 250
# seconds that the database of one home among many may stay locked before a request fails
SHARED_BUSY_SECONDS = 5.0

SWEEP_SECONDS = 60.0

log = logging.getLogger("memoryd")


def main() -> int:
    """Run until stopped or idle; return 0 if another memoryd runs already."""
    os.umask(0o077)
    try:
        settings = settings_module.load()
        run = settings.data / "run"
        run.mkdir(parents=True, exist_ok=True, mode=0o700)
        if host_of(settings.data) is not None:
            raise AlreadyRunning(f"{settings.data} is a home of a host, whose memoryd serves it")
        shared = settings.data.name == HOST
        with locked(run / (SHARED_LOCK if shared else LOCK), wait=False) as ours:
            if not ours:
                return 0
            _begin_log(settings)
            if shared:
                import asyncio

                return asyncio.run(_serve_homes(settings))
            upgrading.ensure(settings.data, settings.database, _now, settings.backup_recipients)
            with open(run / LAST_WORDS, "ab") as last_words:
                faulthandler.enable(last_words)
                try:
                    return _serve(settings)
                finally:
                    faulthandler.disable()
    except FuroshikiError as error:
        print(error, file=sys.stderr)  # noqa: T201 - before there is a log
        return error.exit_code


def _serve(settings: Settings) -> int:
    database, chroma = Database(settings.database, cache_kb=CACHE_KB), ChromaServer.of(settings)
    service = Service(
        settings.data,
        database,
        _encoder_of(settings),
        now=_now,
        rng=random.Random(settings.furoshiki_seed),
        index=_open_index(settings, database, chroma, lambda: service.on_stop()),
    )
    server = Server(
        settings.data / "run" / SOCKET, service.answer, idle_seconds=settings.furoshiki_memoryd_idle_minutes * 60
    )
    service.on_stop = server.stop
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: server.stop())
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    service.keeper.start()
    with liveness.shown(settings.data / "run" / "memoryd.alive"):
        log.info("listening, pid %d", os.getpid())
        reason = server.serve(busy=lambda: service.keeper.busy)
        service.close()
    log.info("ended: %s", reason)
    return 0


async def _serve_homes(settings: Settings) -> int:
    import asyncio

    from furoshiki.recall.retrieval.memoryd import homes as shared

    log.addFilter(shared.HomeInLog())
    run, stop = settings.data / "run", asyncio.Event()
    load = _encoder_of(settings)
    chroma = ChromaServer.of(settings)
    if chroma is not None:
        threading.Thread(target=_sweep, args=(chroma, settings.data), name="sweep", daemon=True).start()
    homes = shared.Homes(settings.data.parent, lambda name: open_home(settings.data.parent, name, load, chroma))
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    with liveness.shown(run / "memoryd.alive"):
        log.info("listening for the homes in %s, pid %d", settings.data.parent, os.getpid())
        reason = await shared.serve(homes, run / SOCKET, stop, settings.furoshiki_memoryd_idle_minutes * 60)
        closed = await homes.close()
    log.info("ended: %s", reason)
    if not closed:  # do not wait for its threads; the kernel frees what they hold
        log.warning("a home did not come to an end in time and was left")
        os._exit(1)
    return 0


def _sweep(server: ChromaServer, host: Path) -> None:
    """Delete the data of removed homes on the server, retrying until done."""
    while True:
        with contextlib.suppress(ServerAway):
            sweep(server, host)
        time.sleep(SWEEP_SECONDS)


def _open_index(
    settings: Settings, database: Database, server: ChromaServer | None, outgrown: Callable[[], None]
) -> Engine:
    """Open the index of one home: on the configured Chroma server, else in memory while it is
    small, else in Chroma's files. `outgrown` is called when it is too large; then memoryd
    restarts."""
    served = _open_served_index(database, settings.data, server)
    if served is not None:
        return served
    folder, most = settings.data / "memory" / "chroma", settings.furoshiki_chroma_from
    with database.read() as db:
        rows = vectors.count_rows(db)
    if rows > most or not most:
        return Index(database, folder, settings.data / "run", _now)

    trees.remove(folder, ignore_errors=True)
    return HeldIndex(database, most, outgrown)


def _open_served_index(database: Database, data: Path, server: ChromaServer | None) -> ServedIndex | None:
    """Open the index on a Chroma server; None without one, which clears its recorded trouble."""
    if server is None:
        troubles.record_end(database, troubles.INDEX, _now())
        return None

    return ServedIndex(database, data, server, _now)


def _encoder_of(settings: Settings) -> Callable[[], Encoder]:
    """Return a function that loads the encoder on its first call and then returns it to all callers."""
    loading = threading.Lock()
    loaded: list[Encoder] = []

    def get() -> Encoder:
        with loading:
            if not loaded:
                loaded.append(models.load(settings.furoshiki_embedder, settings.data / "models"))
            return loaded[0]

    return get


def open_home(root: Path, name: str, load: Callable[[], Encoder], chroma: ChromaServer | None = None) -> Opened:
    """Open a home for the shared memoryd. Raises BadSetting, AlreadyRunning, StorageUnavailable."""
    from furoshiki.recall.retrieval.memoryd.homes import Opened

    data = root / name
    settings = settings_module.load({**environ(), "FUROSHIKI_DATA": str(data)})
    # raise BadSetting if a home's database is, by name or link, a file of another home
    real, own = settings.database.resolve(), data.resolve()
    if real.is_relative_to(root.resolve()) and not real.is_relative_to(own):
        raise BadSetting(f"the database of {data.name} lies in another home ({settings.database}): it must be its own")
    lease = hold(data / "run" / LOCK)
    if lease is None:
        raise AlreadyRunning(f"{name} has a memoryd of its own, which ends when nobody asks it for a while")
    try:
        upgrading.ensure(data, settings.database, _now, settings.backup_recipients)
        trees.remove(data / "memory" / "chroma", ignore_errors=True)  # it would get outdated
        database = Database(settings.database, SHARED_BUSY_SECONDS, SHARED_CACHE_KB)
        index = _open_served_index(database, data, chroma) or HeldIndex(database)
        rng = random.Random(settings.furoshiki_seed)
        service = Service(data, database, load, _now, rng, index)
        return Opened(service, index, lease)
    except BaseException:
        os.close(lease)
        raise


def _begin_log(settings: Settings) -> None:
    """Log to the file, and to stderr unless that is the same file."""
    path = settings.data / "logs" / "memoryd.log"
    with contextlib.suppress(OSError):
        there_already = path.exists() and os.path.samestat(os.fstat(2), path.stat())
        logs.keep(path, settings.furoshiki_log_level, settings.secrets(), loud=not there_already)


def _now() -> datetime:
    return datetime.now(UTC)  # noqa: TID251 - the edge of this process, which has no runtime of its own


if __name__ == "__main__":
    sys.exit(main())
