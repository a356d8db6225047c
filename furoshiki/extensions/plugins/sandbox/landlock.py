"""Landlock, the kernel's file access control: a plugin's rules, applied in boot.py.

It does not hide the existence and size of files, and ignores modes, links and watches, which the
seccomp filter refuses. Before version 3 it did not control truncation: such kernels are not used.
"""

import ctypes
from collections.abc import Iterable
from pathlib import Path
from typing import Any

ENOUGH = 3
"""The version that controls every way of changing a file (Linux 6.2)."""

CREATE_RULESET = 444
"""The system call's number, the same on all supported processors."""

_ASK_VERSION = 1
_WRITE, _READ, _LIST, _REMOVE_DIR, _REMOVE_FILE = (1 << bit for bit in range(1, 6))
_MAKE_DIR, _MAKE_FILE = 1 << 7, 1 << 8
_REFER, _TRUNCATE, _DEVICES = 1 << 13, 1 << 14, 1 << 15
_ALL_SINCE_3 = (1 << 15) - 1
_TCP = 3
_SCOPES = 3

_TREE_READ = _READ | _LIST
_TREE_WRITTEN = _WRITE | _READ | _LIST | _REMOVE_DIR | _REMOVE_FILE | _MAKE_DIR | _MAKE_FILE | _REFER | _TRUNCATE


def version() -> int:
    """Return the kernel's Landlock version; 0 if missing or disabled."""
    call = ctypes.CDLL(None, use_errno=True).syscall
    return max(0, int(call(CREATE_RULESET, None, ctypes.c_size_t(0), ctypes.c_uint32(_ASK_VERSION))))


def rules(of: int, read: Iterable[Path], devices: Iterable[Path], written: Path) -> dict[str, Any]:
    """Return boot.py's rules: controlled access at this version, and allowed access by path."""
    return {
        "files": _ALL_SINCE_3 | (_DEVICES if of >= 5 else 0),
        "network": _TCP if of >= 4 else 0,
        "scopes": _SCOPES if of >= 6 else 0,
        "paths": [
            *([str(path), _TREE_READ if path.is_dir() else _READ] for path in read),
            *([str(path), _READ | _WRITE] for path in devices),
            [str(written), _TREE_WRITTEN],
        ],
    }
