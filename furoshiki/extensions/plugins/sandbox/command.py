"""The command that starts a plugin's script, held by one backend: what it may see, and what boot.py is told."""

import json
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from furoshiki.extensions.plugins.sandbox import bubblewrap, landlock, seccomp
from furoshiki.extensions.plugins.sandbox.values import Backend, Layout, Limits

BOOT = Path(__file__).with_name("boot.py")

SYSTEM = (
    *("/usr/lib", "/usr/lib32", "/usr/lib64", "/lib", "/lib32", "/lib64", "/nix/store"),
    *("/etc/ld.so.cache", "/etc/localtime", "/usr/share/zoneinfo"),
)
"""What an interpreter needs of the system, as far as it is there: libraries, and the rules of time zones."""

DEVICES = ("/dev/null", "/dev/zero", "/dev/urandom")


class CannotHold(Exception):
    """A backend cannot hold a plugin here. The message says why, and names what would help."""


def command(
    backend: Backend, layout: Layout, limits: Limits, kept: Sequence[int] = (), hidden: Sequence[Path] = ()
) -> list[str]:
    """What to start. `kept` are the files it inherits besides the three usual ones; what is `hidden` must not lie in
    anything it can see. Raises CannotHold."""
    machine = seccomp.machine()
    if machine is None:
        raise CannotHold(
            f"there is no filter of system calls for this processor ({os.uname().machine}, 64 bits needed)"
        )
    read = [*visible(), BOOT, *(path for path in layout.code if path.exists())]
    for path in hidden:
        if (inside := next((one for one in visible() if path.is_relative_to(one)), None)) is not None:
            raise CannotHold(f"{path} lies in {inside}, which every plugin can read: move it to another folder")
    devices = [path for path in map(Path, DEVICES) if path.exists()]
    if backend == "bubblewrap":
        bwrap = bubblewrap.program()
        if bwrap is None:
            raise CannotHold(
                "bubblewrap is not installed (Debian, Raspberry Pi OS, Ubuntu: `sudo apt install bubblewrap`)"
            )
        before, fence = bubblewrap.command(bwrap, read, devices, layout.data), None
    else:
        version = landlock.version()
        if version < landlock.ENOUGH:
            found = f"version {version} of Landlock" if version else "no Landlock"
            raise CannotHold(f"this kernel has {found}; version {landlock.ENOUGH} (Linux 6.2) is needed")
        before, fence = [], landlock.rules(version, read, devices, layout.data)
    program = seccomp.program(machine)
    spec = {
        "script": str(layout.script),
        "imports": [str(path) for path in layout.imports],
        "kept": list(kept),
        "parent": os.getpid() if backend == "landlock" else None,
        "machine": machine,
        "landlock": fence,
        "filter": program.code.hex(),
        "own_pid": program.own_pid,
        "cpu_s": limits.cpu_s,
        "memory_mb": limits.memory_mb,
        "file_mb": limits.data_mb,
        "open_files": limits.open_files,
    }
    return [*before, str(interpreter()), "-I", "-S", "-B", "-X", "utf8", str(BOOT), json.dumps(spec)]


def interpreter() -> Path:
    """The Python below our environment: that of the environment would drag its folder, and the checkout, in."""
    return Path(os.path.realpath(getattr(sys, "_base_executable", None) or sys.executable))


def visible() -> list[Path]:
    """What every plugin can read: the interpreter with its libraries, wherever it is installed, and the system's.

    Of an interpreter below a home directory only its program and its library folder can be seen.
    """
    libraries = [Path(sys.base_prefix) / name for name in ("lib", sys.platlibdir)]
    wanted = dict.fromkeys([*map(Path, SYSTEM), *libraries, interpreter()])
    there = [path for path in wanted if path.exists()]
    return [path for path in there if not any(path != one and path.is_relative_to(one) for one in there)]
