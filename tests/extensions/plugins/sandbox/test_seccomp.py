"""The filter of system calls, asked as the kernel asks it, for both processors."""

from __future__ import annotations

import errno
import struct

import pytest

from furoshiki.extensions.plugins.sandbox import seccomp
from furoshiki.extensions.plugins.sandbox.seccomp import MACHINES, Machine, numbers, program

OWN, ALLOWED = 4711, "allowed"
BOTH: tuple[Machine, ...] = ("x86_64", "aarch64")


def answer(machine: Machine, number: int, *arguments: int, arch: int | None = None) -> str | int:
    """What the kernel would be told: "allowed", "killed", or the number of an error."""
    made = program(machine)
    call = struct.pack("<IIQ", number, MACHINES[machine] if arch is None else arch, 0)
    call += struct.pack("<6Q", *arguments, *(0,) * (6 - len(arguments)))
    code = list(struct.iter_unpack("<HBBI", made.code))
    at, held = 0, 0
    while True:
        what, yes, no, value = code[at]
        value = OWN if at in made.own_pid else value
        if what == 0x06:
            return ALLOWED if value == 0x7FFF0000 else "killed" if value == 0x80000000 else value & 0xFFFF
        if what == 0x20:
            held = struct.unpack_from("<I", call, value)[0]
            at += 1
            continue
        true = {0x15: held == value, 0x35: held >= value, 0x45: bool(held & value)}[what]
        at += 1 + (yes if true else no)


@pytest.mark.parametrize("machine", BOTH)
def test_what_is_refused_whatever_it_is_asked_with(machine: Machine) -> None:
    judged = {
        "clone",
        "clone3",
        "kill",
        "tgkill",
        "prlimit64",
        "sched_setaffinity",
        "sendto",
        "ioctl",
        "fcntl",
        "prctl",
        "open",
        "openat",
        "openat2",
        "creat",
        "mkdir",
        "mkdirat",
    }
    refused = {name: answer(machine, number) for name, number in numbers(machine).items() if name not in judged}
    assert set(refused.values()) == {errno.EPERM}
    assert {"socket", "execve", "ptrace", "unshare", "mount", "io_uring_setup", "bpf", "memfd_create"} <= set(refused)


@pytest.mark.parametrize("machine", BOTH)
@pytest.mark.parametrize(
    ("name", "arguments", "expected"),
    [
        ("clone", (0x10000 | 0xF00,), ALLOWED),
        ("clone", (17,), errno.EPERM),
        ("clone3", (1, 88), errno.ENOSYS),
        ("kill", (OWN, 9), ALLOWED),
        ("kill", (1, 9), errno.EPERM),
        ("kill", (2**32 - 1, 9), errno.EPERM),
        ("tgkill", (OWN, OWN, 6), ALLOWED),
        ("tgkill", (1, 1, 6), errno.EPERM),
        ("prlimit64", (0, 7), ALLOWED),
        ("prlimit64", (OWN + 1, 7), errno.EPERM),
        ("sched_setaffinity", (0, 8), ALLOWED),
        ("sched_setaffinity", (1, 8), errno.EPERM),
        ("sendto", (3, 1, 1, 0, 0, 0), ALLOWED),
        ("sendto", (3, 1, 1, 0, 1 << 33, 16), errno.EPERM),
        ("sendto", (3, 1, 1, 0, 4096, 16), errno.EPERM),
        ("ioctl", (0, 0x5401), ALLOWED),
        ("ioctl", (0, 0x5412), errno.ENOTTY),
        ("ioctl", (0, 0x5412 | 1 << 32), errno.ENOTTY),
        ("fcntl", (0, 3), ALLOWED),
        ("fcntl", (0, 8, 1), errno.EPERM),
        ("prctl", (4, 1), ALLOWED),
        ("prctl", (1, 0), errno.EPERM),
        ("openat", (0, 1, 0o101, 0o600), ALLOWED),
        ("openat", (0, 1, 0o101, 0o4755), errno.EPERM),
        ("openat", (0, 1, 0, 0o4755), ALLOWED),
        ("openat2", (0, 1, 1, 24), errno.ENOSYS),
        ("mkdirat", (0, 1, 0o755), ALLOWED),
        ("mkdirat", (0, 1, 0o2755), errno.EPERM),
    ],
)
def test_what_depends_on_the_arguments(
    machine: Machine, name: str, arguments: tuple[int, ...], expected: object
) -> None:
    assert answer(machine, numbers(machine)[name], *arguments) == expected


@pytest.mark.parametrize("machine", BOTH)
def test_calls_nobody_looked_at_do_not_exist_and_other_processors_end_it(machine: Machine) -> None:
    assert answer(machine, seccomp.NEWEST + 1) == errno.ENOSYS
    assert answer(machine, 0, arch=0x40000003) == "killed"
    assert answer(machine, 202 if machine == "x86_64" else 98) == ALLOWED  # futex
    assert answer("x86_64", 0x40000000 | 41) == errno.EPERM
