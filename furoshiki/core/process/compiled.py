"""Cache of compiled regular expressions and dataclass methods from one start to the next.

Python caches the bytecode of modules but compiles these again at every start, which took two thirds
of it: 1,050 patterns and 3,200 methods. They are stored next to the bytecode, in `__pycache__`,
keyed by their source, for the Python build that compiled them. Patterns compiled after the imports
are not stored: they may contain a user's words.

Python has no hook for this, so two functions are replaced: `re._compiler.compile`, and the `exec`
that `dataclasses` calls. Anything missing is compiled as usual, and everything is under a Python
that compiles patterns in another way (ADR 0065).
"""

import atexit
import builtins
import contextlib
import marshal
import os
import re
import sys
import zlib
from _blake2 import blake2b  # hashlib loads OpenSSL
from array import array
from bisect import bisect_left
from pathlib import Path
from struct import Struct
from types import FrameType
from typing import Any

LEAST_NEW = 100  # the number of new entries that is worth rewriting the file

# a larger file, grown over many versions of the sources, is restarted empty
MOST_BYTES = 16 * 1024 * 1024

# flags of cached patterns: those that do not depend on the locale
ANYWHERE = re.ASCII | re.DOTALL | re.IGNORECASE | re.MULTILINE | re.UNICODE | re.VERBOSE

_HEAD = Struct(">16sI")  # header of the file: key of the Python build, and number of entries
_ROW = Struct(">16sII")  # index row, sorted by key: key, start and end of the entry, in bytes

_parser: Any = sys.modules.get("re._parser")
_compiler: Any = sys.modules.get("re._compiler")
_sre: Any = sys.modules.get("_sre")
_as_always: Any = getattr(_compiler, "compile", None)
_new: dict[bytes, bytes] = {}


class Kept:
    """The cache file, read piece by piece to save memory: a starting script needs little of it."""

    def __init__(self, file: int | None = None) -> None:
        """`file` is an open descriptor that stays open for the life of the process, or None."""
        self._file, self._count, self._rows = file, 0, b""
        head = b"" if file is None else os.pread(file, _HEAD.size, 0)
        if file is not None and len(head) == _HEAD.size:
            made_by, count = _HEAD.unpack(head)
            self._count = count if made_by == _compute_build_key() else 0
            self._rows = os.pread(file, self._count * _ROW.size, _HEAD.size)

    @classmethod
    def at(cls, path: Path) -> "Kept":
        """Open the cache file; an empty cache when it is missing or of another Python build."""
        with contextlib.suppress(OSError):
            return cls(os.open(path, os.O_RDONLY | os.O_CLOEXEC))
        return cls()

    def get(self, key: bytes) -> bytes | None:
        """Return the entry with this key, or None."""
        row = bisect_left(range(self._count), key, key=lambda number: self._row(number)[0])
        if row == self._count or self._row(row)[0] != key:
            return None
        return self._read_blob(row)

    def all(self) -> dict[bytes, bytes]:
        """Return all entries by key."""
        found = {self._row(row)[0]: self._read_blob(row) for row in range(self._count)}
        return {key: thing for key, thing in found.items() if thing is not None}

    def _read_blob(self, row: int) -> bytes | None:
        _key, begin, end = self._row(row)
        with contextlib.suppress(OSError):  # the descriptor was closed in a child process
            thing = os.pread(self._file or 0, end - begin, begin)
            return thing if len(thing) == end - begin else None
        return None

    def _row(self, number: int) -> Any:
        return _ROW.unpack_from(self._rows, number * _ROW.size)


def begin() -> None:
    """Use the cache from now on and store new entries at exit.
    Does nothing under a Python that compiles patterns in another way."""
    global _kept
    if not _fits():
        return
    import dataclasses  # takes 12 ms, which `--help` avoids

    _kept = Kept.at(_path())
    _compiler.compile = _pattern
    vars(dataclasses)["exec"] = _method
    atexit.register(keep)


def _fits() -> bool:
    """Return whether a pattern restored by this module equals one compiled by Python."""
    pattern = r"(?P<word>[a-z]+|\d{2,3})\b"
    try:
        found, wanted = (
            _load_pattern(_encode_pattern(pattern, re.IGNORECASE), pattern),
            _as_always(pattern, re.IGNORECASE),
        )
    except Exception:  # an unknown Python: compile patterns as usual
        return False
    tried = ("Noor 12", "123x", "-")
    same = [found.findall(text) == wanted.findall(text) for text in tried]
    return all(same) and (found.flags, found.groupindex) == (wanted.flags, wanted.groupindex)


def keep() -> None:
    """Store the newly compiled entries if there are at least LEAST_NEW. Never raises."""
    if len(_new) < LEAST_NEW or sys.dont_write_bytecode:
        return
    path = _path()
    kept = Kept.at(path)  # another process may have written it meanwhile
    before = kept.all()
    if sum(map(len, before.values())) > MOST_BYTES:
        before = {}
    things = sorted((before | _new).items())
    end = _HEAD.size + len(things) * _ROW.size
    rows = []
    for key, thing in things:
        rows.append(_ROW.pack(key, end, end + len(thing)))
        end += len(thing)
    draft = path.with_name(f".{path.name}.{os.getpid()}")
    with contextlib.suppress(OSError):  # go on without a cache where the folder is read-only
        draft.write_bytes(
            b"".join((_HEAD.pack(_compute_build_key(), len(things)), *rows, *(thing for _key, thing in things)))
        )
        draft.rename(path)
    _new.clear()


def _path() -> Path:
    assert __spec__ is not None and __spec__.cached is not None
    return Path(__spec__.cached).with_suffix(".kept")


def _compute_build_key() -> bytes:
    return _key(f"{sys.version} {_sre.MAGIC} {_sre.CODESIZE}")


def _pattern(pattern: Any, flags: int = 0) -> Any:
    """Replacement for `re._compiler.compile`."""
    if type(pattern) is not str or flags & ~ANYWHERE:
        return _as_always(pattern, flags)
    key = _key(f"{int(flags)} {pattern}")
    kept = _kept.get(key)
    if kept is None:
        if not _is_importing():
            return _as_always(pattern, flags)
        kept = _new[key] = _encode_pattern(pattern, flags)
    return _load_pattern(kept, pattern)


def _load_pattern(kept: bytes, pattern: str) -> Any:
    """Restore a pattern from its stored form."""
    all_flags, codes, groups, names, by_group = marshal.loads(zlib.decompress(kept))
    return _sre.compile(pattern, all_flags, array("I", codes).tolist(), groups, names, by_group)


def _encode_pattern(pattern: str, flags: int) -> bytes:
    """Return the stored form of a pattern: the arguments of `_sre.compile`, compressed."""
    parsed = _parser.parse(pattern, flags)
    names, groups = parsed.state.groupdict, parsed.state.groups
    codes = array("I", map(int, _compiler._code(parsed, flags))).tobytes()
    by_group = {group: name for name, group in names.items()}
    ordered = tuple(map(by_group.get, range(groups)))
    parts = (int(flags | parsed.state.flags), codes, groups - 1, dict(names), ordered)
    return zlib.compress(marshal.dumps(parts), 1)


def _method(source: str, names: dict[str, Any], into: dict[str, Any]) -> None:
    """Replacement for the `exec` of `dataclasses`."""
    key = _key(source)
    kept = _kept.get(key)
    code = compile(source, "<string>", "exec") if kept is None else marshal.loads(kept)
    if kept is None and _is_importing():
        _new[key] = marshal.dumps(code)
    builtins.exec(code, names, into)


def _key(text: str) -> bytes:
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()


def _is_importing() -> bool:
    """Return whether a module other than `__main__` is being imported."""
    frame: FrameType | None = sys._getframe(2)
    while frame is not None:
        if frame.f_code.co_name == "<module>" and frame.f_globals.get("__name__") != "__main__":
            return True
        frame = frame.f_back
    return False


_kept = Kept()
