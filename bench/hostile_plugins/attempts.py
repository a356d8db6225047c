"""The attempts of hostile plugins, a row or a function each. This file itself runs in the sandbox.

Each gets the targets (`There`) and returns what it obtained; an exception means that it was held.
`endless` ones are held only if something else ends them, or their output is ignored. Standard
library only.
"""

from __future__ import annotations

import ctypes
import fcntl
import itertools
import json
import mmap
import os
import resource
import signal
import socket
import struct
import sys
import threading
import time
from collections.abc import Callable, Container, Iterable
from pathlib import Path
from typing import Any, Literal, NamedTuple

There = dict[str, Any]


Asks = Literal["", "nothing", "everything"]
"""The permissions granted to an attempt that uses the broker; "" if it does not."""


class Attempt(NamedTuple):
    """An attempt; `words` describe it for people."""

    name: str
    group: str
    words: str
    endless: bool
    asks: Asks
    do: Callable[[There], object]


ATTEMPTS: dict[str, Attempt] = {}
_libc = ctypes.CDLL(None, use_errno=True)
_MB = 1 << 20


class Held(Exception):
    """It worked, and got nowhere by it."""


def attempt(
    group: str, words: str, endless: bool = False, asks: Asks = ""
) -> Callable[[Callable[[There], object]], Any]:
    """Register a function as an attempt."""

    def put(do: Callable[[There], object]) -> Callable[[There], object]:
        ATTEMPTS[do.__name__] = Attempt(do.__name__, group, words, endless, asks, do)
        return do

    return put


def _table(
    group: str, *rows: tuple[str, str, Callable[[There], object]], endless: bool = False, asks: Asks = ""
) -> None:
    """Register attempts that are one expression: their names, words and functions."""
    for name, words, do in rows:
        ATTEMPTS[name] = Attempt(name, group, words, endless, asks, do)


def first(do: Callable[[Any], object], ways: Iterable[Any]) -> object:
    """Return the first success. Raises the last OSError or Held if all fail."""
    refused: Exception = Held()
    for way in ways:
        try:
            return do(way)
        except (OSError, Held) as error:
            refused = error
    raise refused


def call(there: There, name: str, *arguments: Any) -> int:
    """Make a system call by its number, bypassing libraries. Raises OSError."""
    number = there["numbers"].get(name)
    if number is None:
        raise Held(f"there is no {name} on this processor")
    given = [ctypes.c_long(one) if isinstance(one, int) else one for one in arguments]
    result = int(_libc.syscall(ctypes.c_long(number), *given))
    if result < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return result


def text(path: str) -> str:
    """Return the beginning of a file."""
    with open(path, "rb") as file:
        return repr(file.read(80))


# -- reading --

_READ = "read"


def _but(folder: Path | str, known: Container[str]) -> object:
    """Return unknown entries of a folder. Raises Held if there are none."""
    found = [name for name in os.listdir(folder) if name not in known]
    if not found:
        raise Held("nothing but what it may see")
    return found


@attempt(_READ, "which other processes run")
def read_processes(_there: There) -> object:
    others = [name for name in os.listdir("/proc") if name.isdigit() and name != str(os.getpid())]
    if not others:
        raise Held("none but itself")
    return others


@attempt(_READ, "the environment of the first process")
def read_first_environment(_there: There) -> object:
    found = text("/proc/1/environ")
    if found == "b''":
        raise Held("an empty one")
    return found


@attempt(_READ, "files by a symbolic link in its storage")
def read_by_symlink(there: There) -> object:
    os.symlink(there["env"], "link")
    return text("link")


@attempt(_READ, "files by a hard link in its storage")
def read_by_hard_link(there: There) -> object:
    os.link(there["env"], "hard")
    return text("hard")


@attempt(_READ, "files by their handle (open_by_handle_at)")
def read_by_handle(there: There) -> object:
    handle = ctypes.create_string_buffer(struct.pack("Ii", 128, 0) + bytes(128))
    mount = ctypes.c_int()
    call(there, "name_to_handle_at", -100, there["env"].encode(), handle, ctypes.byref(mount), 0)
    return call(there, "open_by_handle_at", os.open("/", os.O_RDONLY), handle, 0)


@attempt(_READ, "what changes in a folder (inotify)")
def watch(there: There) -> object:
    fd = int(_libc.inotify_init1(0))
    if fd < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return call(there, "inotify_add_watch", fd, there["home"].encode(), 0xFFF)


@attempt(_READ, "another process's memory (process_vm_readv)")
def read_memory(there: There) -> object:
    taken = ctypes.create_string_buffer(8)
    local = struct.pack("QQ", ctypes.addressof(taken), 8)
    return call(there, "process_vm_readv", there["victim"], local, 1, struct.pack("QQ", 0x400000, 8), 1, 0)


_table(
    _READ,
    ("read_accounts", "/etc/shadow and /etc/passwd", lambda _there: first(text, ("/etc/shadow", "/etc/passwd"))),
    ("list_plugins", "which other plugins there are", lambda there: _but(Path(there["other"]).parent, there["folder"])),
    ("list_home", "what lies in the data directory", lambda there: _but(there["home"], ["plugins"])),
    ("list_real_home", "the home directory", lambda there: _but(there["user_home"], there["on_the_way"])),
    ("read_keys", "the keys in .env", lambda there: text(there["env"])),
    ("read_database", "the database", lambda there: text(there["database"])),
    ("read_backup", "a backup", lambda there: text(there["backup"])),
    ("read_other_script", "another plugin's script", lambda there: text(there["other"] + "/scripts/run.py")),
    ("read_other_data", "another plugin's storage", lambda there: text(there["other"] + "/data/kept")),
    ("read_checkout", "the checkout of the program", lambda there: text(there["checkout"] + "/pyproject.toml")),
    ("read_logs", "logs of the system", lambda _there: os.listdir("/var/log")),
    (
        "read_parent_environment",
        "the environment of its parent",
        lambda there: text(f"/proc/{there['parent']}/environ"),
    ),
    ("read_parent_memory", "the memory of its parent", lambda there: text(f"/proc/{there['parent']}/mem")),
    ("read_parent_files", "the open files of its parent", lambda there: os.listdir(f"/proc/{there['parent']}/fd")),
    ("read_by_proc", "files by way of /proc/self/root", lambda there: text("/proc/self/root" + there["env"])),
    ("read_by_dots", "files by way of ..", lambda there: text(os.path.relpath(there["env"], os.getcwd()))),
    ("read_inherited", "an open file that it might inherit", lambda there: os.pread(there["inherited"], 80, 0)),
    ("trace", "another process by ptrace", lambda there: call(there, "ptrace", 16, there["victim"], 0, 0)),
    (
        "take_file",
        "another process's open files (pidfd_getfd)",
        lambda there: call(there, "pidfd_getfd", call(there, "pidfd_open", there["victim"], 0), 0, 0),
    ),
)


# -- writing --

_WRITE = "write"


def _add(path: str, words: str) -> object:
    with open(path, "a") as file:
        return file.write(words)


@attempt(_WRITE, "a folder with its group's rights (setgid in the mode it is made with)")
def make_setgid_folder(_there: There) -> object:
    os.mkdir("shared", 0o2777)
    if not os.stat("shared").st_mode & 0o6000:
        raise Held
    return "shared"


@attempt(_WRITE, "into the database")
def write_database(there: There) -> object:
    with open(there["database"], "r+b") as file:
        return file.write(bytes(80))


@attempt(_WRITE, "a file out of its storage (rename)")
def move_out(there: There) -> object:
    Path("mine").write_text("x")
    return os.rename("mine", there["home"] + "/mine")


@attempt(_WRITE, "a program with another's rights, past the C library (openat2)")
def make_setuid_newly(there: There) -> object:
    how = struct.pack("QQQ", os.O_CREAT | os.O_WRONLY, 0o4755, 0)
    return call({**there, "numbers": {"openat2": 437}}, "openat2", -100, b"program", how, len(how))


@attempt(_WRITE, "a program with another's rights (setuid bit)")
def make_setuid(_there: There) -> object:
    Path("program").write_text("x")
    return os.chmod("program", 0o4755)


_table(
    _WRITE,
    ("write_keys", "into .env", lambda there: _add(there["env"], "X=1\n")),
    ("write_script", "its own script again", lambda there: _add(there["folder"] + "/scripts/attempts.py", "#")),
    ("write_library", "into the standard library", lambda _there: _add(os.__file__, "#")),
    (
        "write_shared",
        "into /tmp, /var/tmp and /dev/shm of all",
        lambda there: first(
            lambda folder: Path(folder, there["mark"]).write_text("x"), ("/tmp", "/var/tmp", "/dev/shm", "/run")
        ),
    ),
    (
        "write_kernel",
        "settings of the kernel (/proc/sys, /sys)",
        lambda _there: first(
            lambda path: (path, open(path, "r+").write("")),
            ("/proc/sys/kernel/core_pattern", "/sys/power/state", "/proc/self/oom_score_adj"),
        ),
    ),
    (
        "write_disk",
        "to the disk itself",
        lambda _there: first(
            lambda name: os.open(f"/dev/{name}", os.O_RDWR), ("sda", "vda", "mmcblk0", "nvme0n1", "mem", "kmsg")
        ),
    ),
    ("write_outside", "a new file in the data directory", lambda there: Path(there["home"], "new").write_text("x")),
    (
        "write_manifest",
        "its manifest, with more permissions",
        lambda there: Path(there["folder"], "PLUGIN.md").write_text("permissions: {llm: true}"),
    ),
    ("write_packages", "into its packages", lambda there: Path(there["folder"], "packages", "json.py").write_text("x")),
    ("delete_script", "its script away (delete)", lambda there: os.unlink(there["folder"] + "/scripts/attempts.py")),
    (
        "move_script",
        "its script away (rename)",
        lambda there: os.rename(there["folder"] + "/scripts/attempts.py", "moved.py"),
    ),
    (
        "move_storage",
        "its storage away, for a link",
        lambda there: os.rename(there["folder"] + "/data", there["folder"] + "/was"),
    ),
    ("change_mode", "modes of files outside (chmod)", lambda there: os.chmod(there["env"], 0o777)),
    (
        "change_mode_newly",
        "modes past the C library (fchmodat2)",
        lambda there: call(
            {**there, "numbers": {"fchmodat2": 452}}, "fchmodat2", -100, there["env"].encode(), 0o777, 0
        ),
    ),
    ("change_owner", "owners of files outside (chown)", lambda there: os.chown(there["env"], os.getuid(), os.getgid())),
    ("change_times", "times of files outside (utime)", lambda there: os.utime(there["env"], (0, 0))),
    ("cut_short", "lengths of files outside (truncate)", lambda there: os.truncate(there["env"], 0)),
    ("change_attributes", "attributes of files outside", lambda there: os.setxattr(there["env"], "user.x", b"1")),
    (
        "make_setuid_at_once",
        "a program with another's rights (setuid in the mode it is made with)",
        lambda _there: os.open("program", os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o4755),
    ),
    ("make_device", "a device into its storage", lambda _there: os.mknod("disk", 0o600 | 0o060000, os.makedev(8, 0))),
    ("make_pipe", "a pipe into its storage, for a backup to hang on", lambda _there: os.mkfifo("pipe")),
)


# -- network --

_SPEAK = "network"


def _pair() -> socket.socket:
    return socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)[0]


@attempt(_SPEAK, "any of 46 families of sockets")
def speak_any(there: There) -> object:
    made = []
    for family, kind in itertools.product(range(46), (1, 2, 3, 5)):
        try:
            made.append((family, call(there, "socket", family, kind, 0)))
        except OSError as error:
            kept = error
    if not made:
        raise kept
    return made


_table(
    _SPEAK,
    (
        "send_by_pair",
        "a socket of this machine, by a pair of its own",
        lambda there: _pair().sendto(b"x", there["unix_datagram"]),
    ),
    (
        "send_message_by_pair",
        "the same with sendmsg",
        lambda there: _pair().sendmsg([b"x"], [], 0, there["unix_datagram"]),
    ),
    (
        "connect_4",
        "a connection to this machine (IPv4)",
        lambda there: socket.create_connection(("127.0.0.1", there["tcp"]), 1),
    ),
    (
        "connect_6",
        "a connection to this machine (IPv6)",
        lambda _there: socket.socket(socket.AF_INET6).connect(("::1", 1)),
    ),
    (
        "send_datagram",
        "a datagram (UDP)",
        lambda there: socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b"x", ("127.0.0.1", there["udp"])),
    ),
    (
        "connect_path",
        "a socket of this machine, by its path",
        lambda there: socket.socket(socket.AF_UNIX).connect(there["unix"]),
    ),
    (
        "connect_abstract",
        "a socket of this machine, abstract",
        lambda there: socket.socket(socket.AF_UNIX).connect("\0" + there["mark"]),
    ),
    ("speak_netlink", "the kernel (netlink)", lambda _there: socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 0)),
    ("speak_raw", "raw packets", lambda _there: socket.socket(socket.AF_PACKET, socket.SOCK_RAW)),
    ("look_up", "a name to be looked up", lambda _there: socket.getaddrinfo("furoshiki.invalid", 80)),
    ("listen", "a port to listen on", lambda _there: socket.create_server(("127.0.0.1", 0))),
    ("ring", "sockets by io_uring", lambda there: call(there, "io_uring_setup", 8, ctypes.create_string_buffer(120))),
)


# -- processes --

_PROCESS = "processes"


def _child_or(pid: int) -> object:
    if pid == 0:
        os._exit(0)
    return pid


@attempt(_PROCESS, "a program (subprocess)")
def start_program(_there: There) -> object:
    import subprocess

    return subprocess.run([sys.executable, "-c", ""], check=True)


@attempt(_PROCESS, "a shell (os.system)")
def start_shell(_there: There) -> object:
    status = os.system("true")
    if status:
        raise Held(f"it answered {status}")
    return status


@attempt(_PROCESS, "a program out of memory (memfd, exec)")
def run_from_memory(_there: There) -> object:
    fd = os.memfd_create("program", 0)
    with open(sys.executable, "rb") as program:
        os.write(fd, program.read())
    return os.execve(fd, ["program"], {})


@attempt(_PROCESS, "workers (multiprocessing)")
def start_workers(_there: There) -> object:
    import multiprocessing

    worker = multiprocessing.get_context("fork").Process(target=int)
    worker.start()
    return worker.pid


@attempt(_PROCESS, "a daemon that outlives it")
def daemon(_there: There) -> object:
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            time.sleep(60)
        os._exit(0)
    return "started"


@attempt(_PROCESS, "threads without end", endless=True)
def threads(_there: There) -> object:
    threading.stack_size(64 * 1024)
    for _ in range(5_000):
        threading.Thread(target=time.sleep, args=(60,), daemon=True).start()
    return time.sleep(60)


@attempt(_PROCESS, "another process ended by a file's owner (F_SETOWN)")
def kill_by_file(there: There) -> object:
    read, write = os.pipe()
    fcntl.fcntl(read, fcntl.F_SETOWN, there["victim"])
    fcntl.fcntl(read, 10, int(signal.SIGKILL))  # F_SETSIG
    fcntl.fcntl(read, fcntl.F_SETFL, fcntl.fcntl(read, fcntl.F_GETFL) | os.O_ASYNC)
    return os.write(write, b"x")


_table(
    _PROCESS,
    (
        "kill_directly",
        "another process ended (tgkill, pidfd)",
        lambda there: first(
            lambda kill: kill(there["victim"]),
            (
                lambda pid: call(there, "tgkill", pid, pid, int(signal.SIGKILL)),
                lambda pid: call(there, "pidfd_send_signal", call(there, "pidfd_open", pid, 0), 9, 0, 0),
            ),
        ),
    ),
    (
        "slow_down_other",
        "another process slowed down (nice, affinity)",
        lambda there: first(
            lambda slow: slow(there["victim"]),
            (
                lambda pid: os.setpriority(os.PRIO_PROCESS, pid, 19),
                lambda pid: os.sched_setaffinity(pid, {0}),
            ),
        ),
    ),
    (
        "fork_directly",
        "the same past the C library (fork, vfork, clone, clone3)",
        lambda there: first(
            lambda arguments: _child_or(call(there, *arguments)),
            (
                ("fork",),
                ("clone", int(signal.SIGCHLD), 0, 0, 0, 0),
                ("clone3", struct.pack("11Q", 0, 0, 0, 0, int(signal.SIGCHLD), *(0,) * 6), 88),
            ),
        ),
    ),
    ("fork", "another of itself (fork)", lambda _there: _child_or(os.fork())),
    (
        "clone_namespaces",
        "a process in namespaces of its own (clone)",
        lambda there: _child_or(call(there, "clone", 0x10000000 | int(signal.SIGCHLD), 0, 0, 0, 0)),
    ),
    ("spawn", "a program (posix_spawn)", lambda _there: os.posix_spawn(sys.executable, [sys.executable, "-c", ""], {})),
    (
        "replace",
        "another program in its place (exec)",
        lambda _there: os.execv(
            sys.executable, [sys.executable, "-c", 'print(\'{"data": {"got": "another program"}}\')']
        ),
    ),
    (
        "outlive",
        "to outlive the companion",
        lambda there: call({**there, "numbers": {"prctl": there["numbers"]["prctl"]}}, "prctl", 1, 0, 0, 0, 0),
    ),
    ("kill", "another process ended (kill)", lambda there: os.kill(there["victim"], signal.SIGKILL)),
    ("kill_parent", "its parent asked for (kill)", lambda there: os.kill(there["parent"], 0)),
    ("kill_all", "all processes asked for (kill -1)", lambda _there: os.kill(-1, 0)),
    (
        "limit_other",
        "another process's limits (prlimit)",
        lambda there: resource.prlimit(there["victim"], resource.RLIMIT_CPU, (1, 1)),
    ),
)


# -- the kernel --

_KERNEL = "kernel"


@attempt(_KERNEL, "another user (setuid)")
def become(_there: There) -> object:
    os.setgroups([])
    return os.setuid(0 if os.getuid() else 65534)


@attempt(_KERNEL, "a filter of its own over ours")
def filter_again(there: There) -> object:
    allow = ctypes.create_string_buffer(struct.pack("HBBI", 6, 0, 0, 0x7FFF0000))
    program = struct.pack("HxxxxxxQ", 1, ctypes.addressof(allow))
    return call(there, "prctl", 22, 2, program, 0, 0)


@attempt(_KERNEL, "a C library of its own, to do it in there")
def load_library(there: There) -> object:
    source = next(one for one in there["libraries"] if os.path.exists(one))
    Path("own.so").write_bytes(Path(source).read_bytes())
    status = int(ctypes.CDLL(os.path.abspath("own.so")).system(b"true"))
    if status:
        raise Held(f"it was loaded, and refused ({status})")
    return status


_table(
    _KERNEL,
    (
        "mount_newly",
        "a mount, the new way (fsopen, open_tree)",
        lambda there: first(
            lambda arguments: call(there, *arguments), (("fsopen", b"tmpfs", 0), ("open_tree", -100, b"/", 1))
        ),
    ),
    (
        "share",
        "memory that others share (shm, mq)",
        lambda there: first(
            lambda arguments: call(there, *arguments),
            (("shmget", 0x4655, 4096, 0o1600), ("mq_open", there["mark"].encode(), os.O_CREAT, 0o600, 0)),
        ),
    ),
    (
        "empower",
        "its capabilities back",
        lambda there: call(there, "capset", struct.pack("Ii", 0x20080522, 0), struct.pack("6I", *(0xFFFFFFFF,) * 6)),
    ),
    (
        "type_ahead",
        "keystrokes into a terminal (TIOCSTI)",
        lambda _there: first(
            lambda terminal: fcntl.ioctl(terminal(), 0x5412, b"x"),
            (lambda: 0, lambda: 1, lambda: 2, lambda: os.open("/dev/tty", os.O_RDWR)),
        ),
    ),
    (
        "call_otherwise",
        "calls by other numbers (x32, unknown ones)",
        lambda there: first(
            lambda number: call({**there, "numbers": {"it": number}}, "it", 2, 1, 0), (0x40000000 | 41, 458, 9_999)
        ),
    ),
    ("unshare", "namespaces of its own (unshare)", lambda there: call(there, "unshare", 0x10000000)),
    ("enter", "another's namespaces (setns)", lambda there: call(there, "setns", 0, 0)),
    ("mount", "a mount", lambda there: call(there, "mount", b"none", os.getcwd().encode(), b"tmpfs", 0, 0)),
    ("change_root", "another root (chroot)", lambda _there: os.chroot(os.getcwd())),
    (
        "load_bpf",
        "programs in the kernel (bpf)",
        lambda there: call(there, "bpf", 0, struct.pack("4I", 2, 4, 4, 1), 16),
    ),
    (
        "count",
        "counters of the processor (perf)",
        lambda there: call(there, "perf_event_open", struct.pack("II", 1, 112) + bytes(104), 0, -1, -1, 0),
    ),
    ("handle_faults", "page faults of its own (userfaultfd)", lambda there: call(there, "userfaultfd", 1)),
    ("read_keyring", "keys of the kernel", lambda there: call(there, "keyctl", 0, -3, 1)),
    (
        "set_clock",
        "the clock",
        lambda _there: time.clock_settime(time.CLOCK_REALTIME, time.clock_gettime(time.CLOCK_REALTIME)),
    ),
    ("set_name", "the machine's name", lambda _there: socket.sethostname(socket.gethostname())),
)


# -- resource limits --

_LIMIT = "limits"


@attempt(_LIMIT, "the processor, for ever", endless=True)
def spin(_there: There) -> object:
    while True:
        pass


@attempt(_LIMIT, "time, deaf to every signal", endless=True)
def ignore_signals(_there: There) -> object:
    for one in set(signal.Signals) - {signal.SIGKILL, signal.SIGSTOP}:
        signal.signal(one, signal.SIG_IGN)
    return time.sleep(3_600)


@attempt(_LIMIT, "time, with everything closed", endless=True)
def close_and_stay(_there: There) -> object:
    os.closerange(0, 64)
    return time.sleep(3_600)


@attempt(_LIMIT, "time, stopped (SIGSTOP)", endless=True)
def stop_itself(_there: There) -> object:
    os.kill(os.getpid(), signal.SIGSTOP)
    return time.sleep(3_600)


@attempt(_LIMIT, "the disk, by one file")
def fill_by_one(_there: There) -> object:
    with open("big", "wb") as file:
        for _ in range(512):
            file.write(bytes(_MB))
    return "512 MB"


@attempt(_LIMIT, "the disk, by many files", endless=True)
def fill_by_many(_there: There) -> object:
    for number in range(512):
        Path(f"big{number}").write_bytes(bytes(_MB))
    return "512 MB"


@attempt(_LIMIT, "the disk, by a hundred thousand empty files", endless=True)
def fill_by_names(_there: There) -> object:
    for number in range(100_000):
        os.close(os.open(f"empty{number}", os.O_CREAT))
    return "100,000 files"


@attempt(_LIMIT, "the disk, by files that nobody sees (deleted)", endless=True)
def fill_unseen(_there: There) -> object:
    held = []
    for number in range(40):
        held.append(open(f"unseen{number}", "wb", buffering=0))
        os.unlink(f"unseen{number}")
        held[-1].write(bytes(_MB))
    return time.sleep(3_600)


_table(
    _LIMIT,
    ("take_memory_slowly", "memory bit by bit", lambda _there: len([b"x" * _MB for _ in range(1_024)])),
    ("take_memory", "1 GB of memory at once", lambda _there: len(bytearray(1 << 30))),
    ("map_memory", "memory by mapping it", lambda _there: len([mmap.mmap(-1, 64 * _MB) for _ in range(16)])),
    (
        "raise_limits",
        "higher limits",
        lambda _there: resource.setrlimit(resource.RLIMIT_AS, (resource.RLIM_INFINITY,) * 2),
    ),
    ("allow_cores", "core dumps", lambda _there: resource.setrlimit(resource.RLIMIT_CORE, (_MB, _MB))),
    ("open_many", "5,000 open files", lambda _there: len([os.open("/dev/null", os.O_RDONLY) for _ in range(5_000)])),
)
_table(
    _LIMIT,
    ("hang", "time, for ever", lambda _there: time.sleep(3_600)),
    endless=True,
)


# -- output --

_SAY = "output"


def _write_and_exit(words: bytes) -> None:
    os.write(1, words)
    os._exit(0)


@attempt(_SAY, "words without end", endless=True)
def speak_for_ever(_there: There) -> object:
    while True:
        os.write(1, b"x" * 65_536)


@attempt(_SAY, "errors without end", endless=True)
def complain_for_ever(_there: There) -> object:
    while True:
        os.write(2, b"x" * 65_536)


@attempt(_SAY, "half a line, and then nothing", endless=True)
def stop_halfway(_there: There) -> object:
    os.write(1, b'{"context": "')
    return time.sleep(3_600)


_table(
    _SAY,
    ("say_nonsense", "no JSON", lambda _there: _write_and_exit(b"not json {")),
    ("say_deep", "JSON nested 100,000 deep", lambda _there: _write_and_exit(b"[" * 100_000)),
    (
        "say_no_numbers",
        "numbers that are none (NaN, Infinity, 1e999)",
        lambda _there: _write_and_exit(b'{"data": [NaN, Infinity, 1e999]}'),
    ),
    (
        "say_long_number",
        "a number of a hundred thousand digits",
        lambda _there: _write_and_exit(b'{"data": ' + b"9" * 100_000 + b"}"),
    ),
    ("say_bytes", "bytes that are no text", lambda _there: _write_and_exit(bytes(range(256)))),
    ("crash", "a crash (a fault of memory)", lambda _there: ctypes.string_at(0)),
    endless=True,
)


# -- the broker --

_BROKER = "broker"


def _lines(there: There) -> Any:
    return socket.socket(fileno=there["broker"]).makefile("rwb")


def _try_requests(there: There, *requests: tuple[str, dict[str, Any]]) -> object:
    """Return the accepted requests; raises Held with the last reason if there are none."""
    lines, done, reason = _lines(there), [], ""
    for number, (name, args) in enumerate(requests):
        lines.write(json.dumps({"id": number, "call": name, "args": args}).encode() + b"\n")
        lines.flush()
        reply = json.loads(lines.readline())
        if reply["ok"]:
            done.append((name, args, reply["value"]))
        else:
            reason = reply["error"]
    if not done:
        raise Held(reason)
    return done


def _queries(there: There, *statements: str) -> object:
    return _try_requests(there, *(("read_db", {"sql": one}) for one in statements))


def _pages(there: There, *urls: str) -> object:
    return _try_requests(there, *(("fetch", {"url": one, "timeout": 0.5}) for one in urls))


@attempt(_BROKER, "secrets, by SQL", asks="everything")
def read_secrets_by_sql(there: There) -> object:
    tables = ("kv", "accounts", "plugins", "forgotten", "inbox", "outbox", "sqlite_dbpage", "llm_calls")
    return _queries(there, *(f"SELECT * FROM {one}" for one in tables), "SELECT (SELECT max(value) FROM kv) FROM turns")


@attempt(_BROKER, "this machine, by a request", asks="everything")
def fetch_own(there: There) -> object:
    port = there["tcp"]
    hosts = ("127.0.0.1", "localhost", "0.0.0.0", "[::1]", "[::ffff:127.0.0.1]", "2130706433", "0x7f.1", "127.1")
    return _pages(there, *(f"http://{host}:{port}/" for host in hosts), f"http://furoshiki.invalid@127.0.0.1:{port}/")


@attempt(_BROKER, "the network around it, by a request", asks="everything")
def fetch_inside(there: There) -> object:
    hosts = ("169.254.169.254", "192.168.0.1", "10.0.0.1", "172.16.0.1", "100.64.0.1", "[fe80::1]", "[fd00::1]")
    return _pages(there, *(f"http://{host}/latest/meta-data/" for host in hosts))


@attempt(_BROKER, "operations there are none of", asks="everything")
def change_otherwise(there: There) -> object:
    operations = ("execute", "sql", "__class__", "forget", "set_kv", "grant")
    return _try_requests(
        there, *(("write_db", {"operation": one, "args": {"sql": "DELETE FROM turns"}}) for one in operations)
    )


@attempt(_BROKER, "more thoughts than it may have", asks="everything")
def crowd(there: There) -> object:
    done = _try_requests(there, *(("write_mind_queue", {"summary": f"the rain is wet, {n}"}) for n in range(40)))
    if isinstance(done, list) and len(done) <= 5:
        raise Held(f"{len(done)} of 40 were taken")
    return done


@attempt(_BROKER, "requests that are none", asks="everything")
def garble(there: There) -> object:
    lines = _lines(there)
    for line in (b"\xff\x00", b"[" * 100_000, b'{"call": 3}', b"[]", b'{"id": {}, "call": "llm", "args": []}', b"null"):
        lines.write(line + b"\n")
        lines.flush()
        reply = lines.readline()
        if not reply:
            raise Held("it hung up")
        if json.loads(reply)["ok"]:
            return line
    raise Held("it asked what that was to be")


@attempt(_BROKER, "a request of 50 MB", asks="everything")
def ask_at_length(there: There) -> object:
    lines = _lines(there)
    for _ in range(50):
        lines.write(b"x" * _MB)
        lines.flush()
    return "it was taken"


@attempt(_BROKER, "ten thousand requests, no answer read", endless=True, asks="everything")
def ask_for_ever(there: There) -> object:
    lines = _lines(there)
    for number in range(10_000):
        lines.write(json.dumps({"id": number, "call": "read_db", "args": {"sql": "SELECT 1"}}).encode() + b"\n")
        lines.flush()
    return "all were taken"


_table(
    _BROKER,
    (
        "ask_unallowed",
        "everything, with nothing allowed",
        lambda there: _try_requests(
            there,
            ("read_db", {"sql": "SELECT 1"}),
            ("write_mind_queue", {"summary": "x"}),
            ("write_db", {"operation": "add_task", "args": {"title": "x"}}),
            ("llm", {"prompt": "x"}),
            ("fetch", {"url": f"http://127.0.0.1:{there['tcp']}/"}),
            ("__init__", {}),
        ),
    ),
    asks="nothing",
)
_table(
    _BROKER,
    (
        "change_by_sql",
        "a change, by SQL",
        lambda there: _queries(
            there,
            *(
                "DELETE FROM turns",
                "INSERT INTO memories (content) VALUES ('x')",
                "UPDATE plugins SET permissions = '{}'",
            ),
            *("DROP TABLE turns", "CREATE TABLE x (y)", "PRAGMA writable_schema = 1", "PRAGMA journal_mode = DELETE"),
            *("BEGIN IMMEDIATE", "SELECT 1; DELETE FROM turns", "WITH a AS (SELECT 1) DELETE FROM turns RETURNING *"),
        ),
    ),
    (
        "reach_by_sql",
        "other files, by SQL",
        lambda there: _queries(
            there,
            *(
                f"ATTACH '{there['database']}' AS other",
                f"VACUUM INTO '{there['home']}/copy'",
                "SELECT readfile('/etc/passwd')",
            ),
            *("SELECT load_extension('x')", "SELECT writefile('x', 'y')", "SELECT * FROM pragma_database_list"),
        ),
    ),
    (
        "query_for_ever",
        "a query that never ends",
        lambda there: _queries(
            there, "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT count(*) FROM n"
        ),
    ),
    (
        "fill_by_sql",
        "memory, by SQL",
        lambda there: _queries(
            there,
            "SELECT hex(zeroblob(500000000))",
            "SELECT printf('%.*c', 500000000, 'x')",
            "SELECT randomblob(900000000)",
        ),
    ),
    (
        "fetch_unallowed",
        "a host that nobody agreed to, or no host",
        lambda there: _pages(
            there,
            *("https://other.invalid/", "https://furoshiki.invalid.other.invalid/", "https://xfuroshiki.invalid/"),
            *("file:///etc/passwd", "ftp://furoshiki.invalid/", "gopher://furoshiki.invalid/", "//furoshiki.invalid/"),
            f"unix://{there['unix']}",
            "http://furoshiki.invalid\r\nHost: other.invalid/",
        ),
    ),
    asks="everything",
)


def main() -> None:
    """Run the attempt named on standard input, and print the result."""
    there = json.load(sys.stdin)
    one = ATTEMPTS[there["attempt"]]
    try:
        found = {"got": repr(one.do(there))[:200]}
    except BaseException as error:  # stopped, by any means
        found = {"held": f"{type(error).__name__}: {error}"[:200]}
    print(json.dumps({"data": found}))


if __name__ == "__main__":
    main()
