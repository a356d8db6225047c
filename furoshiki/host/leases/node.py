"""The identity of a node: a random number stored with its homes, mixed with the machine, its boot
and the folder's place. A copy of the folder, or another machine that mounts it, is another node."""

import hashlib
import os
import secrets
import socket
from pathlib import Path

from furoshiki.core.atomic_files import locked, write_text
from furoshiki.core.paths import HOST
from furoshiki.host.leases.values import Node

_OF_THE_MACHINE = (Path("/etc/machine-id"), Path("/proc/sys/kernel/random/boot_id"))
"""After a reboot this is another node: the leases it had are free when they end, not at once."""


def here(root: Path) -> Node:
    """Return the node of this machine's homes in `root`. Raises OSError."""
    path = root / HOST / "run" / "node"
    with locked(path.with_name(".node.lock")):
        if not path.is_file():
            write_text(path, secrets.token_hex(16) + "\n")
        drawn, about = path.read_text(encoding="ascii"), path.stat()
    machine = [_text(one) for one in _OF_THE_MACHINE]
    parts = (drawn, str(path.resolve()), f"{about.st_ino}", socket.gethostname(), *machine)
    return Node(hashlib.sha256("\0".join(parts).encode()).hexdigest()[:16], socket.gethostname() or os.uname().sysname)


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="ascii")
    except OSError:
        return ""
