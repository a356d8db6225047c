"""systemd unit files, from the templates in units/ with the paths of this installation.

The options for user units were tested on systemd 252 (Debian 12) and 257 (Debian 13). Left out are
those that make a unit fail (capability sets, PrivateDevices) or are silently ignored (negative
niceness, IPAddressDeny); memory limits are kept, although kernels without the memory controller
ignore them. Also left out are those that break the plugins' sandbox (bubblewrap): a forbidden
mount, RestrictNamespaces=yes, RestrictSUIDSGID, a partly hidden /proc; and MemoryDenyWriteExecute,
which breaks onnxruntime. Commands use `env`, as systemd allows no quote or backslash in a program's
path.
"""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from string import Template

from furoshiki.core.errors import FuroshikiError
from furoshiki.core.paths import ROOT

TEMPLATES = Path(__file__).parent / "units"
LISTENER, BRAIN = "furoshiki-listener.service", "furoshiki-brain.service"
SINGLE = "furoshiki-single.service"  # listener and brain in one process, instead of two

# added to the two if enabled; in the single process it is included
DASHBOARD = "furoshiki-dashboard.service"

DOCTOR, TIMER = "furoshiki-doctor.service", "furoshiki-doctor.timer"
UNITS = (LISTENER, BRAIN, DOCTOR, TIMER)
UNITS_OF_SINGLE = (SINGLE, DOCTOR, TIMER)
HOST_LISTENER, HOST_BRAIN = "furoshiki-host-listener.service", "furoshiki-host-brain.service"
HOST_SLICE = "furoshiki-host.slice"
# units of a host, which manages all homes of a machine
UNITS_OF_HOST = (HOST_LISTENER, HOST_BRAIN, HOST_SLICE)

LONG_RUNNING = (LISTENER, BRAIN, SINGLE, DASHBOARD)
# all possible units; only `UNITS` (with or without `DASHBOARD`) or `UNITS_OF_SINGLE` are used
EVERY = (*LONG_RUNNING, DOCTOR, TIMER)

# the first systemd version with RestartSteps; older ones restart every five seconds
RESTART_STEPS_SINCE = 254

_MARK = "# furoshiki-unit sha256="
_HEAD = (
    "# Written by `furoshiki service install`, which writes it again. What you want otherwise "
    "belongs into a drop-in:\n# `systemctl --user edit {name}`.\n"
)

_CONFINEMENT = """\
NoNewPrivileges=yes
LockPersonality=yes
RestrictRealtime=yes
RestrictNamespaces=user mnt pid net ipc uts cgroup
RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6 AF_NETLINK
SystemCallArchitectures=native
SystemCallFilter=~@clock @cpu-emulation @debug @module @obsolete @raw-io @reboot @swap
SystemCallErrorNumber=EPERM"""

# Read-only file system except for ReadWritePaths. Before systemd 254 this has no effect without
# PrivateUsers, which some systems (Ubuntu since 23.10) deny to users.
FILESYSTEM = {"PrivateUsers": "yes", "ProtectSystem": "strict", "ProtectHome": "read-only", "PrivateTmp": "yes"}


@dataclass(frozen=True)
class Installation:
    """The values for the units of this machine. `systemd` is its version, or None."""

    python: Path
    system_python: Path
    data: Path
    systemd: int | None
    confined: bool = True  # whether a user's unit can have a separate file system here
    writable: tuple[Path, ...] = ()  # writable folders besides the data directory
    # files that systemd passes as credentials, by the name of their setting
    credentials: Mapping[str, Path] = field(default_factory=dict)
    checkout: Path = ROOT
    homes: Path | None = None  # the folder of the homes, for a host
    limits: tuple[str, ...] = ()  # limits of all services of a host together, as lines of a unit


def render_units(here: Installation, units: Sequence[str] = UNITS) -> dict[str, str]:
    """Return the text of these units by name."""
    words = {
        "python": quote(here.python, command=True),
        "system_python": quote(here.system_python, command=True),
        "doctor": quote(here.checkout / "scripts" / "doctor.py", command=True),
        "surroundings": _surroundings(here),
        "limits": _lines(*here.limits),
        "restarting": _render_restart(here),
        "confinement": _CONFINEMENT,
        "filesystem": _filesystem(here),
    }
    return {name: _add_mark(name, Template((TEMPLATES / name).read_text("utf-8")).substitute(words)) for name in units}


def is_ours(text: str) -> bool:
    """Return whether a unit file is unchanged since `render_units`."""
    mark, _, rest = text.partition("\n")
    return mark == _MARK + _hash(rest)


def quote(value: object, *, command: bool = False) -> str:
    """Quote a value for a unit file: quotes, backslashes, specifiers, and `$` in commands."""
    text = _percent(value).replace("\\", "\\\\").replace('"', '\\"')
    return f'"{text.replace("$", "$$") if command else text}"'


def _surroundings(here: Installation) -> str:
    homes = "" if here.homes is None else f" {quote(f'FUROSHIKI_HOMES={here.homes}')}"
    return _lines(
        f"WorkingDirectory={_percent(here.checkout)}",
        f"Environment={quote(f'FUROSHIKI_DATA={here.data}')}{homes} PYTHONUNBUFFERED=1",
        "UMask=0077",
    )


def _render_restart(here: Installation) -> str:
    """Restart after five seconds, except on status 2 (wrong usage) and 3 (not configured)."""
    steps = here.systemd is not None and here.systemd >= RESTART_STEPS_SINCE
    return _lines(
        "Restart=always",
        "RestartSec=5",
        *(("RestartSteps=6", "RestartMaxDelaySec=120") if steps else ()),
        "RestartPreventExitStatus=2 3",
    )


def _filesystem(here: Installation) -> str:
    credentials = [f"LoadCredential={name}:{_percent(path)}" for name, path in sorted(here.credentials.items())]
    if not here.confined:
        return _lines("# This machine lets no user's unit have a file system of its own.", *credentials)
    paths = " ".join(quote(path) for path in (here.data, *here.writable))
    return _lines(*(f"{name}={value}" for name, value in FILESYSTEM.items()), f"ReadWritePaths={paths}", *credentials)


def _percent(value: object) -> str:
    text = str(value)
    if any(ord(char) < 32 or ord(char) == 127 for char in text):
        raise FuroshikiError(f"{text!r} cannot stand in a unit file: move it to a path without control characters")
    return text.replace("%", "%%")


def _lines(*lines: str) -> str:
    return "\n".join(lines)


def _add_mark(name: str, text: str) -> str:
    whole = _HEAD.format(name=name) + text
    return f"{_MARK}{_hash(whole)}\n{whole}"


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8")).hexdigest()
