"""The unit files of systemd, as text: from the templates in units/, with the paths of this installation.

What user units really allow was tried on systemd 252 (Debian 12) and 257 (Debian 13). Left out is what makes a unit
fail there (capability sets, PrivateDevices) or is silently ignored (negative niceness, IPAddressDeny); memory limits
are there, although a kernel without the memory controller ignores them. Left out is also what the sandbox of plugins
(bubblewrap) cannot live in: a forbidden mount, RestrictNamespaces=yes, RestrictSUIDSGID, a /proc of which parts are
hidden; and MemoryDenyWriteExecute, which onnxruntime cannot. Commands go through `env`, because systemd takes no quote
or backslash in the path of a program.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from string import Template

from furoshiki.core.errors import FuroshikiError
from furoshiki.core.paths import ROOT

TEMPLATES = Path(__file__).parent / "units"
LISTENER, BRAIN = "furoshiki-listener.service", "furoshiki-brain.service"
SINGLE = "furoshiki-single.service"
"""Listener and brain in one process, in place of the two."""

DASHBOARD = "furoshiki-dashboard.service"
"""Beside the two, where it is switched on; with the one it runs in that process."""

DOCTOR, TIMER = "furoshiki-doctor.service", "furoshiki-doctor.timer"
UNITS = (LISTENER, BRAIN, DOCTOR, TIMER)
UNITS_OF_SINGLE = (SINGLE, DOCTOR, TIMER)
HOST_LISTENER, HOST_BRAIN = "furoshiki-host-listener.service", "furoshiki-host-brain.service"
HOST_SLICE = "furoshiki-host.slice"
UNITS_OF_HOST = (HOST_LISTENER, HOST_BRAIN, HOST_SLICE)
"""What looks after all homes of a machine."""

HOME = "furoshiki-home@.service"
HOME_DOCTOR, HOME_TIMER = "furoshiki-home-doctor@.service", "furoshiki-home-doctor@.timer"
UNITS_OF_HOME = (HOME, HOME_DOCTOR, HOME_TIMER)
"""Templates, for machines where each home runs alone: `furoshiki-home@anna.service`."""

LONG_RUNNING = (LISTENER, BRAIN, SINGLE, DASHBOARD)
EVERY = (*LONG_RUNNING, DOCTOR, TIMER)
"""All there can be of a companion; `UNITS` (perhaps with `DASHBOARD`) or `UNITS_OF_SINGLE` are there at a time."""

RESTART_STEPS_SINCE = 254
"""The version of systemd that knows RestartSteps; older ones restart every five seconds."""

_MARK = "# furoshiki-unit sha256="
_HEAD = (
    "# Written by `furoshiki service install`, which writes it again. What you want otherwise belongs into a drop-in:\n"
    "# `systemctl --user edit {name}`.\n"
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

FILESYSTEM = {"PrivateUsers": "yes", "ProtectSystem": "strict", "ProtectHome": "read-only", "PrivateTmp": "yes"}
"""Everything can be read and nothing but ReadWritePaths written. Before systemd 254 this is silently ignored without
PrivateUsers, which some systems (Ubuntu since 23.10) do not let a user have."""


class UnusablePath(FuroshikiError):
    """A path cannot stand in a unit file: move the folder to one whose name is a single line."""


@dataclass(frozen=True)
class Installation:
    """What the units say of this machine. `systemd` is its version, None when there is none to be asked."""

    python: Path
    system_python: Path
    data: Path
    systemd: int | None
    confined: bool = True
    """Whether a user's unit may have a file system of its own here."""
    writable: tuple[Path, ...] = ()
    """Folders besides the data directory that are written to."""
    credentials: Mapping[str, Path] = field(default_factory=dict)
    """Files that systemd hands over as credentials, by the name of their setting."""
    checkout: Path = ROOT
    homes: Path | None = None
    """Where the homes lie, of a host or of one of its homes."""
    limits: tuple[str, ...] = ()
    """What all services of a host together may use, as lines of a unit."""


def render_units(here: Installation, units: Sequence[str] = UNITS) -> dict[str, str]:
    """The text of these units, by their names."""
    words = {
        "python": quote(here.python, command=True),
        "system_python": quote(here.system_python, command=True),
        "doctor": quote(here.checkout / "scripts" / "doctor.py", command=True),
        "surroundings": _surroundings(here, quote(f"FUROSHIKI_DATA={here.data}")),
        "surroundings_of_home": _surroundings(here, quote(f"FUROSHIKI_DATA={here.homes}/")[:-1] + '%i"'),
        "limits": _lines(*here.limits),
        "restarting": _render_restart(here),
        "confinement": _CONFINEMENT,
        "filesystem": _filesystem(here),
    }
    return {name: _add_mark(name, Template((TEMPLATES / name).read_text("utf-8")).substitute(words)) for name in units}


def is_ours(text: str) -> bool:
    """Whether a unit file is as `render_units` made it; False once somebody edited it."""
    mark, _, rest = text.partition("\n")
    return mark == _MARK + _hash(rest)


def quote(value: object, *, command: bool = False) -> str:
    """A value as one word of a unit file: quotes, backslashes and specifiers escaped, in a command `$` as well."""
    text = _percent(value).replace("\\", "\\\\").replace('"', '\\"')
    return f'"{text.replace("$", "$$") if command else text}"'


def _surroundings(here: Installation, data: str) -> str:
    homes = "" if here.homes is None else f" {quote(f'FUROSHIKI_HOMES={here.homes}')}"
    return _lines(
        f"WorkingDirectory={_percent(here.checkout)}",
        f"Environment={data}{homes} PYTHONUNBUFFERED=1",
        "UMask=0077",
    )


def _render_restart(here: Installation) -> str:
    """Always, after five seconds; after 2 (used wrongly) and 3 (not configured) it would end the same way."""
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
        raise UnusablePath(f"{text!r} cannot stand in a unit file: move it to a path without control characters")
    return text.replace("%", "%%")


def _lines(*lines: str) -> str:
    return "\n".join(lines)


def _add_mark(name: str, text: str) -> str:
    whole = _HEAD.format(name=name) + text
    return f"{_MARK}{_hash(whole)}\n{whole}"


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8")).hexdigest()
