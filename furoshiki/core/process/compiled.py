"""Patterns, and the methods of dataclasses, that modules make while they are imported: kept from one start to the next.

Python keeps the bytecode of modules but compiles these again at every start, which was two thirds
of what it cost: 1,050 patterns and 3,200 methods. They are kept beside the bytecode, in
`__pycache__`, each under what it is made from, for the Python that made it. What is compiled later
is not kept: it may hold what somebody said.

Python offers no way to this, so the two places that compile them are replaced:
`re._compiler.compile`, and the `exec` that `dataclasses` calls. What is not found is compiled as
always, and so is everything under a Python that makes patterns in another way (ADR 0065).
"""

from __future__ import annotations

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

LEAST_NEW = 100
"""So many new ones are worth writing the file again."""

MOST_BYTES = 16 * 1024 * 1024
"""A file that has grown beyond this, by many versions of the sources, is started again from empty."""

ANYWHERE = re.ASCII | re.DOTALL | re.IGNORECASE | re.MULTILINE | re.UNICODE | re.VERBOSE
"""Flags of patterns that are kept: those that mean the same wherever the process runs."""

_HEAD = Struct(">16sI")
"""A file begins with who made it, and how many things it holds …"""

_ROW = Struct(">16sII")
"""… and goes on with their keys in order, and where each of them begins and ends."""

_parser: Any = sys.modules.get("re._parser")
_compiler: Any = sys.modules.get("re._compiler")
_sre: Any = sys.modules.get("_sre")
_as_always: Any = getattr(_compiler, "compile", None)
_new: dict[bytes, bytes] = {}


class Kept:
    """What such a file holds, read piece by piece: a script that starts needs little of it, and is to stay small."""

    def __init__(self, file: int | None = None) -> None:
        """`file` is one that is open, and stays open as long as this process lives."""
        self._file, self._count, self._rows = file, 0, b""
        head = b"" if file is None else os.pread(file, _HEAD.size, 0)
        if file is not None and len(head) == _HEAD.size:
            made_by, count = _HEAD.unpack(head)
            self._count = count if made_by == _compute_build_key() else 0
            self._rows = os.pread(file, self._count * _ROW.size, _HEAD.size)

    @classmethod
    def at(cls, path: Path) -> Kept:
        """What is kept at a path; nothing where there is no file, or one of another Python."""
        with contextlib.suppress(OSError):
            return cls(os.open(path, os.O_RDONLY | os.O_CLOEXEC))
        return cls()

    def get(self, key: bytes) -> bytes | None:
        """What is kept under a key."""
        row = bisect_left(range(self._count), key, key=lambda number: self._row(number)[0])
        if row == self._count or self._row(row)[0] != key:
            return None
        return self._read_blob(row)

    def all(self) -> dict[bytes, bytes]:
        """Everything, by its key."""
        found = {self._row(row)[0]: self._read_blob(row) for row in range(self._count)}
        return {key: thing for key, thing in found.items() if thing is not None}

    def _read_blob(self, row: int) -> bytes | None:
        _key, begin, end = self._row(row)
        with contextlib.suppress(OSError):  # closed by a child of this process that lets go of everything
            thing = os.pread(self._file or 0, end - begin, begin)
            return thing if len(thing) == end - begin else None
        return None

    def _row(self, number: int) -> Any:
        return _ROW.unpack_from(self._rows, number * _ROW.size)


def begin() -> None:
    """Take from the file what is compiled from now on, and keep what is not in it when the process ends. Under a Python
    that makes patterns in another way nothing is done."""
    global _kept
    if not _fits():
        return
    import dataclasses  # 12 ms that `--help` need not wait for

    _kept = Kept.at(_path())
    _compiler.compile = _pattern
    vars(dataclasses)["exec"] = _method
    atexit.register(keep)


def _fits() -> bool:
    """Whether a pattern made here is the one that Python makes."""
    pattern = r"(?P<word>[a-z]+|\d{2,3})\b"
    try:
        found, wanted = (
            _load_pattern(_encode_pattern(pattern, re.IGNORECASE), pattern),
            _as_always(pattern, re.IGNORECASE),
        )
    except Exception:  # whatever has changed in it, patterns are compiled as always
        return False
    tried = ("Noor 12", "123x", "-")
    same = [found.findall(text) == wanted.findall(text) for text in tried]
    return all(same) and (found.flags, found.groupindex) == (wanted.flags, wanted.groupindex)


def keep() -> None:
    """Write down what modules have compiled since the start, where that is more than a little. Never raises."""
    if len(_new) < LEAST_NEW or sys.dont_write_bytecode:
        return
    path = _path()
    kept = Kept.at(path)  # another process may have written meanwhile
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
    with contextlib.suppress(OSError):  # what cannot be written to goes on without
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
    """What `re._compiler.compile` answers."""
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
    """The pattern of what is kept of it."""
    all_flags, codes, groups, names, by_group = marshal.loads(zlib.decompress(kept))
    return _sre.compile(pattern, all_flags, array("I", codes).tolist(), groups, names, by_group)


def _encode_pattern(pattern: str, flags: int) -> bytes:
    """What `re._compiler.compile` makes a pattern of, in as few bytes as that takes without delay."""
    parsed = _parser.parse(pattern, flags)
    names, groups = parsed.state.groupdict, parsed.state.groups
    codes = array("I", map(int, _compiler._code(parsed, flags))).tobytes()
    by_group = {group: name for name, group in names.items()}
    ordered = tuple(map(by_group.get, range(groups)))
    parts = (int(flags | parsed.state.flags), codes, groups - 1, dict(names), ordered)
    return zlib.compress(marshal.dumps(parts), 1)


def _method(source: str, names: dict[str, Any], into: dict[str, Any]) -> None:
    """What the `exec` of `dataclasses` does."""
    key = _key(source)
    kept = _kept.get(key)
    code = compile(source, "<string>", "exec") if kept is None else marshal.loads(kept)
    if kept is None and _is_importing():
        _new[key] = marshal.dumps(code)
    builtins.exec(code, names, into)


def _key(text: str) -> bytes:
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()


def _is_importing() -> bool:
    """Whether a module is being imported that is not the program itself."""
    frame: FrameType | None = sys._getframe(2)
    while frame is not None:
        if frame.f_code.co_name == "<module>" and frame.f_globals.get("__name__") != "__main__":
            return True
        frame = frame.f_back
    return False


_kept = Kept()
