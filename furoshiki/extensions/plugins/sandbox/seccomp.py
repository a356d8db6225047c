"""The seccomp filter of every plugin, as a classic BPF program, without a library.

A plugin stays one process, opens no sockets, starts no programs and changes no kernel settings.
File access is controlled by bubblewrap or Landlock; what they ignore (modes, links, watches) is
refused here. Unknown newer calls return ENOSYS, as on an older kernel, so that the C library uses
others. Refusals are errors, not kills, so that authors see "Operation not permitted" at the line.
"""

import errno
import platform
import struct
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Literal, cast

Machine = Literal["x86_64", "aarch64"]

# supported processors, with their AUDIT_ARCH_* values
MACHINES: dict[str, int] = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}

NEWEST = 449  # the newest known system call (futex_waitv, Linux 5.16)

CLONE_THREAD = 0x10000
# allowed ioctls: terminal or not, its size, available bytes, blocking, and inheritance
IOCTLS = {"TCGETS": 0x5401, "TIOCGWINSZ": 0x5413, "FIONREAD": 0x541B, "FIONBIO": 0x5421} | {
    "FIONCLEX": 0x5450,
    "FIOCLEX": 0x5451,
}

# refused fcntls: signal targets (a way to end other processes), leases, change notices
FCNTLS = {"F_SETOWN": 8, "F_SETSIG": 10, "F_SETOWN_EX": 15, "F_SETLEASE": 1024, "F_NOTIFY": 1026}

# refused prctls: surviving the parent, and a second filter
PRCTLS = {"PR_SET_PDEATHSIG": 1, "PR_SET_SECCOMP": 22}

LENDING = 0o6000  # the mode bits setuid and setgid

# flags of open that create a file: O_CREAT and O_TMPFILE, the same on both processors
MAKING = 0o100 | 0o20000000

_SYSTEM_CALLS = Path(__file__).with_name("system_calls.tsv")
_LOAD, _EQUAL, _AT_LEAST, _ANY_BIT, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
_ALLOW, _ERROR, _KILL = 0x7FFF0000, 0x00050000, 0x80000000
_NUMBER, _ARCH, _ARGUMENTS = 0, 4, 16
_X32 = 0x40000000  # marks calls of the x32 interface: the same processor, other numbers

Instruction = tuple[int, int, int, int]  # code, jump if true, jump if false, value


@dataclass(frozen=True)
class Filter:
    """A BPF program (8 bytes an instruction).
    `own_pid` are the indexes of instructions whose value the process sets to its own process id."""

    code: bytes
    own_pid: tuple[int, ...]


def machine() -> Machine | None:
    """Return this machine's processor; None if unsupported or a 32-bit interpreter."""
    found = platform.machine()
    if struct.calcsize("P") != 8 or found not in MACHINES:
        return None
    return cast(Machine, found)


@cache
def numbers(of: Machine) -> dict[str, int]:
    """Return the numbers of the system calls in the filter."""
    column = 1 if of == "x86_64" else 2
    rows = (line.split("\t") for line in _SYSTEM_CALLS.read_text("ascii").splitlines() if line[:1] not in ("", "#"))
    return {row[0]: int(row[column]) for row in rows if row[column] != "-"}


@cache
def program(of: Machine) -> Filter:
    known = numbers(of)
    judged = _build_argument_checks(known)
    code: list[Instruction | None] = [
        *_when(_ARCH, MACHINES[of], otherwise=_KILL),
        (_LOAD, 0, 0, _NUMBER),
        *([(_AT_LEAST, 0, 1, _X32), _refuse(errno.EPERM)] if of == "x86_64" else []),
        (_AT_LEAST, 0, 1, NEWEST + 1),
        _refuse(errno.ENOSYS),
    ]
    for name, number in known.items():
        block = judged.get(name, [_refuse(errno.EPERM)])
        code += [(_EQUAL, 0, len(block), number), *block]
    code.append((_RETURN, 0, 0, _ALLOW))
    packed = b"".join(struct.pack("<HBBI", *(one or _OWN)) for one in code)
    return Filter(packed, tuple(at for at, one in enumerate(code) if one is None))


# compares with the plugin's own process id, which the process fills in
_OWN: Instruction = (_EQUAL, 1, 0, 0)


def _build_argument_checks(known: dict[str, int]) -> dict[str, list[Instruction | None]]:
    """Return the checks for calls whose arguments matter. Every block ends with a verdict."""
    blocks: dict[str, list[Instruction | None]] = {
        "clone": [_argument(0), (_ANY_BIT, 1, 0, CLONE_THREAD), _refuse(errno.EPERM), _allow()],
        "clone3": [_refuse(errno.ENOSYS)],  # its arguments are in memory; libc falls back to clone
        "kill": [_argument(0), None, _refuse(errno.EPERM), _allow()],
        "tgkill": [_argument(0), None, _refuse(errno.EPERM), _allow()],
        "prlimit64": _only(0, [0]),
        "sched_setaffinity": _only(0, [0]),
        "sendto": [
            (_LOAD, 0, 0, _ARGUMENTS + 8 * 4),
            (_EQUAL, 0, 2, 0),
            (_LOAD, 0, 0, _ARGUMENTS + 8 * 4 + 4),
            (_EQUAL, 1, 0, 0),
            _refuse(errno.EPERM),
            _allow(),
        ],
        "open": _build_creation_check(1, 2),
        "openat": _build_creation_check(2, 3),
        "openat2": [_refuse(errno.ENOSYS)],  # like clone3: libc falls back to openat
        "creat": _mode(1),
        "mkdir": _mode(1),
        "mkdirat": _mode(2),
        "ioctl": _only(1, IOCTLS.values(), errno.ENOTTY),
        "fcntl": _none_of(1, FCNTLS.values()),
        "prctl": _none_of(0, PRCTLS.values()),
    }
    return {name: block for name, block in blocks.items() if name in known}


def _when(at: int, value: int, otherwise: int) -> Sequence[Instruction]:
    return ((_LOAD, 0, 0, at), (_EQUAL, 1, 0, value), (_RETURN, 0, 0, otherwise))


def _argument(nth: int) -> Instruction:
    """Load the lower half of an argument, which comes first on both processors."""
    return (_LOAD, 0, 0, _ARGUMENTS + 8 * nth)


def _mode(nth: int) -> list[Instruction | None]:
    """Refuse modes with setuid or setgid."""
    return [_argument(nth), (_ANY_BIT, 0, 1, LENDING), _refuse(errno.EPERM), _allow()]


def _build_creation_check(flags: int, mode: int) -> list[Instruction | None]:
    """Refuse such modes when a file is created; for existing files a mode has no effect."""
    return [_argument(flags), (_ANY_BIT, 0, 3, MAKING), *_mode(mode)]


def _only(nth: int, values: Iterable[int], refusal: int = errno.EPERM) -> list[Instruction | None]:
    tests = list(values)
    jumps: list[Instruction | None] = [(_EQUAL, len(tests) - at, 0, one) for at, one in enumerate(tests)]
    return [_argument(nth), *jumps, _refuse(refusal), _allow()]


def _none_of(nth: int, values: Iterable[int]) -> list[Instruction | None]:
    tests = list(values)
    jumps: list[Instruction | None] = [(_EQUAL, len(tests) - at, 0, one) for at, one in enumerate(tests)]
    return [_argument(nth), *jumps, _allow(), _refuse(errno.EPERM)]


def _refuse(error: int) -> Instruction:
    return (_RETURN, 0, 0, _ERROR | error)


def _allow() -> Instruction:
    return (_RETURN, 0, 0, _ALLOW)
