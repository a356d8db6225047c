"""The command that runs a plugin's script in a sandbox: visible files, and boot.py's input."""

import ctypes
import json
import os
import shutil
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from furoshiki.extensions.plugins.sandbox import seccomp
from furoshiki.extensions.plugins.sandbox.values import Backend, Layout, Limits

BOOT = Path(__file__).with_name("boot.py")

# system paths that an interpreter needs, if present: libraries and time zones
SYSTEM = (
    *("/usr/lib", "/usr/lib32", "/usr/lib64", "/lib", "/lib32", "/lib64", "/nix/store"),
    *("/etc/ld.so.cache", "/etc/localtime", "/usr/share/zoneinfo"),
)

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
        bwrap = bubblewrap_program()
        if bwrap is None:
            raise CannotHold(
                "bubblewrap is not installed (Debian, Raspberry Pi OS, Ubuntu: `sudo apt install bubblewrap`)"
            )
        before, fence = bubblewrap_command(bwrap, read, devices, layout.data), None
    else:
        version = landlock_version()
        if version < ENOUGH:
            found = f"version {version} of Landlock" if version else "no Landlock"
            raise CannotHold(f"this kernel has {found}; version {ENOUGH} (Linux 6.2) is needed")
        before, fence = [], landlock_rules(version, read, devices, layout.data)
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


# -- bubblewrap: a process in separate namespaces that sees only the named files --
#
# Measured on 0.8: the environment in which bubblewrap starts is readable inside despite `--clearenv`,
# so it is empty. There is no /proc and no /tmp: scripts do not need them (`tempfile` uses the working
# folder, which is counted), and Landlock has none either. The plugin is the first process inside
# (`--as-pid-1`): otherwise its CPU time would not be reported. As PID 1 it ignores signals without a
# handler, except SIGKILL and faults, which enforce the limits.


_ASIDE = (
    *("--unshare-all", "--die-with-parent", "--new-session", "--cap-drop", "ALL"),
    *("--as-pid-1", "--hostname", "plugin", "--dir", "/dev"),
)


def bubblewrap_program() -> str | None:
    """Return bubblewrap's path, or None. Also searched outside a service's short PATH."""
    return shutil.which("bwrap") or shutil.which("bwrap", path="/usr/bin:/usr/local/bin")


def bubblewrap_command(bwrap: str, read: Iterable[Path], devices: Iterable[Path], written: Path) -> list[str]:
    """Return the command line before the program to run. System links such as /lib stay links."""
    line = [bwrap, *_ASIDE]
    for path in read:
        if path.is_symlink() and path.parent == Path("/"):
            line += ["--symlink", str(path.readlink()), str(path)]
        else:
            line += ["--ro-bind", str(path), str(path)]
    for path in devices:
        line += ["--dev-bind", str(path), str(path)]
    return [*line, "--bind", str(written), str(written), "--chdir", str(written), "--remount-ro", "/", "--"]


# -- Landlock, the kernel's file access control: a plugin's rules, applied in boot.py --
#
# It does not hide the existence and size of files, and ignores modes, links and watches, which the
# seccomp filter refuses. Before version 3 it did not control truncation: such kernels are not used.


ENOUGH = 3  # the version that controls every way of changing a file (Linux 6.2)
CREATE_RULESET = 444  # the system call's number, the same on all supported processors

_ASK_VERSION = 1
_WRITE, _READ, _LIST, _REMOVE_DIR, _REMOVE_FILE = (1 << bit for bit in range(1, 6))
_MAKE_DIR, _MAKE_FILE = 1 << 7, 1 << 8
_REFER, _TRUNCATE, _DEVICES = 1 << 13, 1 << 14, 1 << 15
_ALL_SINCE_3 = (1 << 15) - 1
_TCP = 3
_SCOPES = 3

_TREE_READ = _READ | _LIST
_TREE_WRITTEN = _WRITE | _READ | _LIST | _REMOVE_DIR | _REMOVE_FILE | _MAKE_DIR | _MAKE_FILE | _REFER | _TRUNCATE


def landlock_version() -> int:
    """Return the kernel's Landlock version; 0 if missing or disabled."""
    call = ctypes.CDLL(None, use_errno=True).syscall
    return max(0, int(call(CREATE_RULESET, None, ctypes.c_size_t(0), ctypes.c_uint32(_ASK_VERSION))))


def landlock_rules(of: int, read: Iterable[Path], devices: Iterable[Path], written: Path) -> dict[str, Any]:
    """Return boot.py's rules: controlled access at this version, and allowed access by path."""
    files, network, scopes = _ALL_SINCE_3, 0, 0
    if of >= 4:
        network = _TCP
    if of >= 5:
        files |= _DEVICES
    if of >= 6:
        scopes = _SCOPES
    paths: list[list[Any]] = [[str(path), _READ | _WRITE] for path in devices]
    for path in read:
        access = _TREE_READ if path.is_dir() else _READ
        paths.append([str(path), access])
    paths.append([str(written), _TREE_WRITTEN])
    return {"files": files, "network": network, "scopes": scopes, "paths": paths}
