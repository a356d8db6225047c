"""The command that runs a plugin's script in a sandbox: visible files, and boot.py's input."""

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
"""System paths that an interpreter needs, if present: libraries and time zones."""

DEVICES = ("/dev/null", "/dev/zero", "/dev/urandom")


class CannotHold(Exception):
    """A backend does not work here. The message gives the reason and a remedy."""


def command(
    backend: Backend, layout: Layout, limits: Limits, kept: Sequence[int] = (), hidden: Sequence[Path] = ()
) -> list[str]:
    """Return the command. `kept` are additional inherited descriptors; `hidden` files must not be
    in a visible folder. Raises CannotHold."""
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
        "imports": list(map(str, layout.imports)),
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
    """Return the base Python: the virtual environment's would expose its folder."""
    return Path(os.path.realpath(getattr(sys, "_base_executable", None) or sys.executable))


def visible() -> list[Path]:
    """Return the paths that every plugin can read: interpreter, its libraries, and system
    libraries. Below a home directory only the interpreter's program and library folder are
    visible."""
    libraries = [Path(sys.base_prefix) / name for name in ("lib", sys.platlibdir)]
    wanted = dict.fromkeys([*map(Path, SYSTEM), *libraries, interpreter()])
    there = [path for path in wanted if path.exists()]
    return [path for path in there if not any(path != one and path.is_relative_to(one) for one in there)]
