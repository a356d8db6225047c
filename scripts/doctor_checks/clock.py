"""The clock: set, without jumps, synchronized. Nothing is repaired; the owner is told once."""

import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

from doctor_checks.findings import Finding, note, well, wrong
from doctor_checks.look import Look

FIRST_SANE_YEAR = 2026  # a clock before the program's first year was never set

JUMP_SECONDS = 60.0
SLEEP_SECONDS = 120.0  # after a sleep this long (seconds), quiet processes are normal

# seconds between two checks after which the previous one says little about signs of life
LONGEST_GAP = 30 * 60.0

# consecutive unsynchronized checks that count as a condition: after a boot it takes a while
UNSYNCHRONISED_LOOKS = 3

_SYNCHRONISED = Path("/run/systemd/timesync/synchronized")


def check(look: Look) -> Iterator[Finding]:
    """Check the clock; sets `look.steady` to whether ages of files are reliable."""
    kept = look.notebook.part("clock")
    before = dict(kept)
    kept.update(wall=look.now.timestamp(), awake=look.awake, running=look.running, boot=look.boot)
    found = list(_judged(look, before))
    synchronised = None if look.dry else _synchronised(min(1.0, look.left()))
    late = kept["late"] = _whole(before.get("late")) + 1 if synchronised is False else 0
    if late >= UNSYNCHRONISED_LOOKS:
        fix = "let the machine ask a time server: `sudo timedatectl set-ntp true`"
        found.append(wrong("clock.sync", "the clock is not synchronised with anything", fix, "once"))
    yield from found or [well("clock", f"the clock says {look.now:%Y-%m-%d %H:%M} UTC and goes evenly")]


def _judged(look: Look, before: dict[str, object]) -> Iterator[Finding]:
    if look.now.year < FIRST_SANE_YEAR:
        look.steady = False
        fix = "set it (`sudo timedatectl set-ntp true`); nothing is scheduled before that"
        yield wrong("clock.unset", f"the clock says {look.now:%Y-%m-%d}, a time before this program was made", fix)
        return
    wall, awake = _seconds(before.get("wall")), _seconds(before.get("awake"))
    if wall is None or awake is None:
        return
    if before.get("boot") != look.boot:
        look.steady = False
        if look.now.timestamp() < wall - JUMP_SECONDS:
            yield _jumped(wall - look.now.timestamp(), "back since the machine was started")
        return
    jump = (look.now.timestamp() - wall) - (look.awake - awake)
    slept = (look.awake - awake) - (look.running - (_seconds(before.get("running")) or look.running))
    if abs(jump) > JUMP_SECONDS or slept > SLEEP_SECONDS or look.awake - awake > LONGEST_GAP:
        look.steady = False
    if abs(jump) > JUMP_SECONDS:
        yield _jumped(abs(jump), "forward" if jump > 0 else "back")


def _jumped(seconds: float, where: str) -> Finding:
    span = f"{seconds / 3600:.1f} hours" if seconds >= 5400 else f"{seconds / 60:.0f} minutes"
    fix = "nothing to do if you have set it; else look after the machine's battery or time server"
    return note("clock.jump", f"the clock was set {where} by {span} since the last look", fix, "event")


def _synchronised(seconds: float) -> bool | None:
    """Return whether the clock is synchronized; None if unknown."""
    if _SYNCHRONISED.exists():
        return True
    if shutil.which("timedatectl") is None:
        return None
    try:
        done = subprocess.run(
            ["timedatectl", "show", "--property=NTPSynchronized", "--value"],
            capture_output=True,
            text=True,
            timeout=seconds,
            check=False,
        )
    except (OSError, subprocess.SubprocessError):
        return None
    return {"yes": True, "no": False}.get(done.stdout.strip()) if done.returncode == 0 else None


def _seconds(value: object) -> float | None:
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else None


def _whole(value: object) -> int:
    return value if isinstance(value, int) and 0 <= value < 1000 else 0
