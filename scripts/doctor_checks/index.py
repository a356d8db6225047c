"""The vector index: it must exist and be complete. A small one is only in memoryd's memory.

Only memoryd may open it with Chroma. The entries are counted in Chroma's SQLite file, read only.
memoryd counts and refills whenever it opens the index; only a running one must be asked to.
"""

import contextlib
import json
import os
import socket
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from doctor_checks import database, processes
from doctor_checks.findings import Finding, mended, note, well
from doctor_checks.look import Look

# tables with vectors; Chroma's collections have the same names
TABLES = ("turns", "memories", "sessions", "design_docs")

# rows up to which memoryd holds the vectors in memory, unless `FUROSHIKI_CHROMA_FROM` is set
DEFAULT_LIMIT = "20000"

SECONDS = 0.7
LONGEST_PATH = 100  # bytes of a socket's path; a longer one is reached through its open folder

Ask = Callable[[Look, str], dict[str, Any]]


def check(look: Look, ask: Ask | None = None) -> Iterator[Finding]:
    """Check that the index is complete."""
    path = look.place.database
    if not path.exists() or look.place.settings.get("FUROSHIKI_CHROMA_URL") or look.place.in_host:
        return
    with database.reading(path) as db, database.limited(db, min(SECONDS, look.left())):
        wanted = {name: _count(db, name, "index_state='indexed'") for name in TABLES}
        small = sum(_count(db, name) for name in TABLES) <= _limit(look)
    if small:
        held = sum(wanted.values())
        yield well(
            "index", f"a small index: its {held} vectors lie in memory" if held else "nothing is in the index yet"
        )
        return
    missing = _missing(wanted, look.place.database.parent / "chroma" / "chroma.sqlite3", look)
    if missing is None:
        held = sum(wanted.values())
        yield well("index", f"the index holds the {held} vectors it should" if held else "nothing is in the index yet")
        return
    if processes.holder(look.place.run / "chroma.lock") is None:
        yield note("index", f"the index {missing}; memoryd fills it when it is next needed")
        return
    asked = ask or _ask
    state = asked(look, "status").get("index")
    if state != "ready":
        yield note("index", f"the index {missing}; memoryd is at it ({state or 'it does not answer now'})")
        return
    if not look.dry and not asked(look, "rebuild").get("ok"):
        yield note("index", f"the index {missing}; memoryd does not answer now")
        return
    words = f"the index {missing}: {look.did('asked memoryd to rebuild it', 'ask memoryd to rebuild it')}"
    yield mended("index", words, comes_back=True, fix="`furoshiki logs memoryd`; recall works without it, more slowly")


def _count(db: sqlite3.Connection, table: str, which: str = "1") -> int:
    if not database.has_table(db, table):
        return 0
    return int(db.execute(f"SELECT count(*) FROM {table} WHERE {which}").fetchone()[0])  # noqa: S608


def _limit(look: Look) -> int:
    """Return the rows up to which memoryd has no files (0: never)."""
    with contextlib.suppress(ValueError):
        return int(look.place.settings.get("FUROSHIKI_CHROMA_FROM", DEFAULT_LIMIT))
    return int(DEFAULT_LIMIT)


def _missing(wanted: dict[str, int], path: Path, look: Look) -> str | None:
    """Say what is missing; None if nothing is, or it is unknown."""
    if not any(wanted.values()):
        return None
    if not path.is_file():
        return "is gone"
    try:
        with database.reading(path) as db, database.limited(db, min(SECONDS, look.left())):
            rows = db.execute(
                "SELECT c.name, count(*) FROM embeddings AS e JOIN segments AS s ON s.id=e.segment_id "
                "JOIN collections AS c ON c.id=s.collection GROUP BY c.name"
            ).fetchall()
    except database.Damaged:
        return "is damaged"
    except (database.Unreadable, sqlite3.Error):
        return None
    held = {str(row[0]): int(row[1]) for row in rows}
    lacks = sum(max(0, number - held.get(name, 0)) for name, number in wanted.items())
    return f"lacks {lacks} of {sum(wanted.values())} vectors" if lacks else None


def _ask(look: Look, operation: str) -> dict[str, Any]:
    """Return memoryd's answer; empty without one."""
    path = look.place.run / "memoryd.sock"
    with contextlib.suppress(OSError, ValueError), contextlib.ExitStack() as stack:
        address = str(path)
        if len(os.fsencode(path)) > LONGEST_PATH:
            folder = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
            stack.callback(os.close, folder)
            address = f"/proc/self/fd/{folder}/{path.name}"
        line = stack.enter_context(socket.socket(socket.AF_UNIX, socket.SOCK_STREAM))
        line.settimeout(min(SECONDS, look.left()))
        line.connect(address)
        line.sendall(json.dumps({"op": operation}).encode() + b"\n")
        answer = b""
        while not answer.endswith(b"\n") and len(answer) < 1_000_000:
            part = line.recv(65536)
            if not part:
                break
            answer += part
        found = json.loads(answer)
        return found if isinstance(found, dict) else {}
    return {}
