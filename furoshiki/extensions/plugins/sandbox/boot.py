"""The first code in a plugin's process: sets limits, applies the sandbox, and runs the script.

Started as `python -I -S -B boot.py SPEC`; SPEC is JSON from command.py. Standard library only,
nothing of the project; after the sandbox is applied only the plugin imports modules. On any failure
the process ends with EXIT, before the plugin's code is run.
"""

import ctypes
import json
import os
import resource
import signal
import struct
import sys
from types import ModuleType
from typing import Any

EXIT = 126  # the exit code when the sandbox failed and the plugin was not started

NOT_STARTED = "the plugin was not started"

NICENESS = 10  # added to the companion's niceness: conversations have priority
MOST_FILES = 1 << 16  # descriptors above this number are not closed

MB = 1 << 20

_NO_NEW_PRIVILEGES, _DEATH_SIGNAL, _SECCOMP, _FILTER = 38, 1, 22, 2
_CREATE, _ADD, _RESTRICT = 444, 445, 446
_BELOW_A_PATH = 1
_CAPABILITIES = 0x20080522  # the version of the kernel's capability interface

_CAPSET = {"x86_64": 126, "aarch64": 91}

_libc = ctypes.CDLL(None, use_errno=True)


class _Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("instructions", ctypes.c_void_p))


def main() -> None:
    """Confine this process permanently, and run the script."""
    spec = json.loads(sys.argv[1])
    try:
        with open(spec["script"], "rb") as file:
            source = file.read()
        _alone(spec)
        _set_limits(spec)
        if spec["landlock"]:
            _apply_landlock(spec["landlock"])
        _powerless(spec)
        _apply_seccomp(bytes.fromhex(spec["filter"]), spec["own_pid"])
    except Exception as error:  # without a sandbox the plugin is not started, whatever failed
        sys.stderr.write(f"{NOT_STARTED}: {type(error).__name__}: {error}\n")
        sys.stderr.flush()
        os._exit(EXIT)
    _run(spec, source)


def _alone(spec: dict[str, Any]) -> None:
    """Close inherited descriptors, and die with the parent process."""
    kept = sorted([2, *spec["kept"]])
    for low, high in zip(kept, [*kept[1:], MOST_FILES], strict=True):
        os.closerange(low + 1, high)
    _check_result(_libc.prctl(_DEATH_SIGNAL, signal.SIGKILL, 0, 0, 0))
    if spec["parent"] and os.getppid() != spec["parent"]:
        raise OSError("who started it is gone")
    os.nice(NICENESS)


def _set_limits(spec: dict[str, Any]) -> None:
    limits = {
        resource.RLIMIT_CPU: spec["cpu_s"],
        resource.RLIMIT_AS: spec["memory_mb"] * MB,
        resource.RLIMIT_FSIZE: spec["file_mb"] * MB,
        resource.RLIMIT_NOFILE: spec["open_files"],
        resource.RLIMIT_CORE: 0,
        resource.RLIMIT_MEMLOCK: 0,
        resource.RLIMIT_MSGQUEUE: 0,
    }
    for what, wanted in limits.items():
        most = resource.getrlimit(what)[1]
        value = wanted if most == resource.RLIM_INFINITY else min(wanted, most)
        resource.setrlimit(what, (value, value))


def _apply_landlock(rules: dict[str, Any]) -> None:
    """Apply Landlock: access without a rule is refused from now on."""
    watched = struct.pack("QQQ", rules["files"], rules["network"], rules["scopes"])
    size = 8
    if rules["scopes"]:
        size = 24
    elif rules["network"]:
        size = 16
    ruleset = _check_result(_libc.syscall(_CREATE, watched, ctypes.c_size_t(size), ctypes.c_uint32(0)))
    for path, allowed in rules["paths"]:
        fd = os.open(path, os.O_PATH | os.O_CLOEXEC)
        rule = struct.pack("=Qi", allowed & rules["files"], fd)
        _check_result(_libc.syscall(_ADD, ruleset, _BELOW_A_PATH, rule, ctypes.c_uint32(0)))
        os.close(fd)
    _check_result(_libc.prctl(_NO_NEW_PRIVILEGES, 1, 0, 0, 0))
    _check_result(_libc.syscall(_RESTRICT, ruleset, ctypes.c_uint32(0)))
    os.close(ruleset)


def _powerless(spec: dict[str, Any]) -> None:
    """Drop all capabilities permanently, even as root."""
    _check_result(_libc.prctl(_NO_NEW_PRIVILEGES, 1, 0, 0, 0))
    _check_result(_libc.syscall(_CAPSET[spec["machine"]], struct.pack("=Ii", _CAPABILITIES, 0), bytes(24)))


def _apply_seccomp(code: bytes, own_pid: list[int]) -> None:
    filled = bytearray(code)
    for at in own_pid:
        struct.pack_into("<I", filled, 8 * at + 4, os.getpid())
    held = ctypes.create_string_buffer(bytes(filled), len(filled))
    program = _Program(len(filled) // 8, ctypes.addressof(held))
    _check_result(_libc.prctl(_SECCOMP, _FILTER, ctypes.byref(program), 0, 0))


def _check_result(result: int) -> int:
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))
    return result


def _run(spec: dict[str, Any], source: bytes) -> None:
    """Run the script as `__main__`."""
    sys.path[:0] = spec["imports"]
    sys.argv = [spec["script"]]
    module = ModuleType("__main__")
    module.__dict__.update(__file__=spec["script"], __builtins__=__builtins__)
    sys.modules["__main__"] = module
    exec(compile(source, spec["script"], "exec"), module.__dict__)


if __name__ == "__main__":
    main()
