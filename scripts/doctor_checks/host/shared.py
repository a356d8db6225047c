"""What homes of a host share: two processes, memoryd, memory, files, bots, set-aside messages."""

import contextlib
import json
import socket
from collections.abc import Iterator
from pathlib import Path

from doctor_checks import files, processes, services
from doctor_checks.findings import Finding, note, well, wrong
from doctor_checks.host import homes
from doctor_checks.look import Look

OF_HOST = ("listener", "brain")
# in `run/` of a host: held by the shared memoryd (a single companion's one holds chroma.lock)
MEMORYD_LOCK = "memoryd.lock"

SETTLED_S = 60.0  # seconds after the start of one process from which the other must run
LEAST_MEMORY = 0.04  # the share of the machine's memory that must be free
WAITS_SECONDS = 900.0  # seconds: set-aside messages reach the inbox within 30 s once the home opens

# the listener's notes about bots, in words, with the fix
REFUSED = {
    "unauthorized": ("is refused by Telegram (401)", "copy its token again from @BotFather"),
    "telegram.conflict": ("is polled by another program as well (409)", "stop that one: one program to a bot"),
    "telegram.away": ("does not reach Telegram", "see whether this machine reaches the internet"),
}


def files_of_host(look: Look) -> Iterator[Finding]:
    """Check the files of paused homes, limits and members."""
    faults = 0
    for name, fix in (
        ("homes.json", "mend it, or remove it and pause again who is to rest"),
        ("limits.json", "repair it, or remove it and set limits again with `furoshiki host limit`"),
        ("members.json", "put back a copy of it, or remove it and invite everybody again"),
    ):
        path = look.place.data / name
        try:
            if path.exists() and not isinstance(json.loads(path.read_text(encoding="utf-8")), dict):
                raise ValueError
        except (OSError, ValueError):
            faults += 1
            yield wrong(f"files.{name}", f"{path} cannot be read", fix)
    if not faults:
        yield well("files", "who is at home where can be read")


def running(look: Look) -> Iterator[Finding]:
    """Check that listener and brain run."""
    found = {name: services.running(look, name) for name in OF_HOST}
    if not any(found.values()):
        yield note("processes", "nobody has started the host", "`furoshiki host`")
        return
    oldest = min(one.started for one in found.values() if one is not None)
    for name, process in found.items():
        key, sign = f"processes.{name}", services.sign_of(look, name)
        if process is None:
            if look.awake - oldest > SETTLED_S:
                yield wrong(key, f"the {name} of all homes does not run", f"`furoshiki host {_verb(name)}` says why")
        elif sign is not None and sign.age > services.STALE_SECONDS and look.steady:
            fix = f"`kill {process.pid}`: whatever started it starts it again"
            yield wrong(key, f"the {name} of all homes hangs: no sign of life for {sign.age:.0f} s", fix)
        else:
            yield well(key, f"the {name} of all homes lives")


def memoryd(look: Look) -> Iterator[Finding]:
    """Check that memoryd answers, if it runs: it starts on demand."""
    where = look.place.run / "memoryd.sock"
    if processes.holder(look.place.run / MEMORYD_LOCK) is None:
        yield well("memoryd", "memoryd sleeps until somebody asks")
        return
    with contextlib.closing(socket.socket(socket.AF_UNIX)) as line:
        line.settimeout(min(2.0, look.left()))
        try:
            line.connect(str(where))
        except OSError as error:
            words = f"memoryd runs and does not answer ({error.strerror or 'no answer in time'})"
            yield wrong("memoryd", words, f"see {look.place.logs / 'memoryd.log'}; recall goes by words meanwhile")
            return
    yield well("memoryd", "memoryd answers")


def memory(look: Look) -> Iterator[Finding]:
    """Check the machine's free memory, and report the memory of our processes."""
    ours = {name: one.resident for name in OF_HOST if (one := services.running(look, name)) is not None}
    pid = processes.holder(look.place.run / MEMORYD_LOCK)
    if pid and (held := processes.process(pid)) is not None:
        ours["memoryd"] = held.resident
    used = ", ".join(f"{name} {files.megabytes(size)}" for name, size in ours.items()) or "no process of ours"
    lines = (_meminfo()).splitlines()
    figures = {name: int(rest.split()[0]) for name, _, rest in (line.partition(":") for line in lines) if rest.split()}
    total, free = figures.get("MemTotal", 0), figures.get("MemAvailable", 0)
    if total and free < total * LEAST_MEMORY:
        words = f"only {files.megabytes(free * 1024)} of this machine's memory are free ({used})"
        yield wrong("memory", words, "end what else runs here, or have fewer homes on this machine")
    else:
        yield well("memory", f"{files.megabytes(free * 1024)} of memory are free ({used})")


def bots(look: Look) -> Iterator[Finding]:
    """Check that Telegram accepts every bot, by the listener's notes."""
    known = files.object_of(look.place.run / "bots.json")
    faults = 0
    for home, kind in sorted(known.items()):
        if kind in REFUSED and services.running(look, "listener") is not None:
            words, fix = REFUSED[kind]
            faults += 1
            yield wrong(f"bots.{home or 'all'}", f"the bot of {home or 'all homes'} {words}", fix)
    if not faults:
        yield well("bots", "no bot is refused")


def set_aside(look: Look) -> Iterator[Finding]:
    """Check for messages set aside for a home that cannot take them."""
    folder, faults = look.place.data / "set_aside", 0
    for home in homes.every(look.place.data.parent):
        with contextlib.suppress(OSError):
            waiting = sorted((folder / home.name).glob("*.json")) if (folder / home.name).is_dir() else []
            damaged = sorted((folder / home.name).glob("*.damaged"))
            if waiting and not home.rests and look.now.timestamp() - waiting[0].stat().st_mtime > WAITS_SECONDS:
                faults += 1
                fix = f"`furoshiki doctor --home {home.name}` says why it cannot be opened"
                yield wrong(
                    f"set_aside.{home.name}", f"{home.name}: {len(waiting)} of what it was sent wait outside", fix
                )
            if damaged:
                faults += 1
                words = f"{home.name}: {len(damaged)} of what it was sent cannot be read any more"
                yield wrong(f"damaged.{home.name}", words, f"see {damaged[0].parent}; remove what is of no use", "once")
    if not faults:
        yield well("set_aside", "nothing waits outside of a home for long")


def _meminfo() -> str:
    """Return /proc/meminfo; its size is 0 in `stat`, so it is read directly."""
    try:
        return Path("/proc/meminfo").read_text(encoding="ascii")
    except OSError:
        return ""


def _verb(name: str) -> str:
    return "listen" if name == "listener" else name
