"""Forgetting in files: every text in the data directory except backups, locks, models and
plugins."""

import contextlib
import gzip
import json
import os
import zlib
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from furoshiki.core import atomic_files, logs
from furoshiki.core.process import trees
from furoshiki.core.process.crash_points import point
from furoshiki.language import redaction
from furoshiki.language.redaction import Holds
from furoshiki.mind.inner_life.self_model import description
from furoshiki.world import World

# folders without conversations: backups expire, the rest is not written by this program
SKIPPED = frozenset({"backups", "run", "models", "plugins"})

# prefixes of names in memory/ to skip: database and index are handled elsewhere
LEFT_TO_OTHERS = ("longmemory.sqlite", "chroma", "heartbeat-state.json", "operator_settings.json", ".")

# pictures of the journal hold figures and names of feelings; "Joy" is no person there
PICTURES = (("memory", "inner-monologue"), ".svg")

RECORDS = frozenset({".jsonl", ".part"})
LOGS, PACKED = "logs", ".gz"

_BLANK = b" "


def survey(data: Path, holds: Holds) -> dict[str, int]:
    """Return how many lines match, by file (relative to the data directory)."""
    found = {}
    for path in _texts(data):
        text = _read(path)
        if text and _holds(path, text, holds):
            count = sum(_line_holds(line, holds) for line in text.splitlines()) or 1
            found[path.relative_to(data).as_posix()] = count
    return found


def texts(data: Path) -> Iterator[str]:
    """Yield the text of every file that may contain a conversation's words."""
    for path in _texts(data):
        text = _read(path)
        if text:
            yield text


def rewrite(world: World, holds: Holds, names: frozenset[str]) -> list[str]:
    """Delete matches from every file; returns the changed files.
    `names` ("turn:12") are records to delete from exports. May be interrupted at any point and
    repeated."""
    data, changed = world.settings.data, []
    if description.forget(world, holds):
        changed.append(description.path(data).relative_to(data).as_posix())
        point("forgetting.file_rewritten")
    for path in _texts(data):
        text = _read(path)
        if text is None or path == description.path(data):  # has a single writer
            continue
        if path.relative_to(data).parts[0] == LOGS:
            done = _holds(path, text, holds) and (_repack_without if path.suffix == PACKED else _blank_lines)(
                path, holds
            )
        else:
            left = _redact_text(path, text, holds, names)
            done = left != text
            if done:
                with _lock(path):
                    atomic_files.write_or_remove(path, left)
        if done:
            changed.append(path.relative_to(data).as_posix())
            point("forgetting.file_rewritten")
    _heartbeat(world, holds)
    return changed


def _redact_text(path: Path, text: str, holds: Holds, names: frozenset[str]) -> str:
    if path.suffix in RECORDS:
        lines = text.splitlines(keepends=True)
        return "".join(line for line in lines if not _record_goes(line, holds, names))
    if not holds(text) and not (path.suffix == ".json" and _json_holds(text, holds)):
        return text
    if path.suffix == ".json":
        try:
            return json.dumps(redaction.prune(json.loads(text), holds), indent=2, ensure_ascii=False) + "\n"
        except ValueError:
            return redaction.without(text, holds)
    return redaction.without(text, holds)


def _json_holds(text: str, holds: Holds) -> bool:
    with contextlib.suppress(ValueError):
        return redaction.holds_anywhere(json.loads(text), holds)
    return False


def _record_goes(line: str, holds: Holds, names: frozenset[str]) -> bool:
    try:
        record: Any = json.loads(line)
    except ValueError:
        return holds(line)
    if not isinstance(record, dict):
        return holds(line)
    return f"{record.get('record')}:{record.get('id')}" in names or redaction.holds_anywhere(record, holds)


def _holds(path: Path, text: str, holds: Holds) -> bool:
    if LOGS not in path.parts:
        return holds(text)
    return any(_line_holds(line, holds) for line in text.splitlines())


def _line_holds(line: str, holds: Holds) -> bool:
    """Return whether a line matches, as it is or with its JSON strings decoded."""
    return holds(line) or (line.startswith("{") and _json_holds(line, holds))


def _blank_lines(path: Path, holds: Holds) -> bool:
    """Overwrite matching lines of a log with blanks in place: it may be appended to meanwhile."""
    done = False
    with path.open("rb+") as file, logs.locked_log(file.fileno()):
        at = 0
        for line in file.read().splitlines(keepends=True):
            if _line_holds(line.decode("utf-8", "replace"), holds):
                body = line.rstrip(b"\r\n")
                file.seek(at)
                file.write(_BLANK * len(body))
                done = True
            at += len(line)
        file.flush()
        os.fsync(file.fileno())
    return done


def _repack_without(path: Path, holds: Holds) -> bool:
    """Replace a compressed log by one without matching lines."""
    lines = (_read(path) or "").splitlines(keepends=True)
    left = "".join(line for line in lines if not _line_holds(line, holds))
    atomic_files.write_bytes(path, gzip.compress(left.encode("utf-8"), 6))
    return True


@contextlib.contextmanager
def _lock(path: Path) -> Iterator[None]:
    """Lock session-context.json, which several processes write; other files need no lock."""
    if path.name == "session-context.json":
        with atomic_files.locked(path.parent / ".context.lock"):
            yield
    else:
        yield


def _heartbeat(world: World, holds: Holds) -> None:
    """Delete matches from the heartbeat's unknown fields (newer releases); others hold no words."""
    if world.state.heartbeat_path.exists() and redaction.holds_anywhere(world.state.heartbeat().extra, holds):
        world.state.change(lambda beat: replace(beat, extra=redaction.prune(beat.extra, holds)))


def _texts(data: Path) -> Iterator[Path]:
    """Yield the path of every file that may contain a conversation's words."""
    for here, folders, names in trees.walk(data):
        if here == data:
            folders[:] = [name for name in folders if name not in SKIPPED]
        inside = here.relative_to(data).parts
        if inside[:1] == ("memory",) and len(inside) == 1:
            folders[:] = [name for name in folders if not name.startswith("chroma")]
        for name in sorted(names):
            path = here / name
            if inside == ("memory",) and name.startswith(LEFT_TO_OTHERS) and ".corrupt-" not in name:
                continue
            if (inside, path.suffix) == PICTURES:
                continue
            if here == data or path.is_symlink() or not path.is_file() or path.suffix == ".toml":
                continue
            yield path


def _read(path: Path) -> str | None:
    """Return the text of a file; None when missing or not text."""
    try:
        if path.parent.name != LOGS:
            return path.read_text(encoding="utf-8")
        opened = gzip.open if path.suffix == PACKED else open
        with opened(path, "rt", encoding="utf-8", errors="replace") as file:
            return file.read()
    except (OSError, UnicodeDecodeError, EOFError, zlib.error):
        return None
