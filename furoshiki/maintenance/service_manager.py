"""systemd's user services, through `systemctl --user`, `loginctl` and `journalctl`."""

import getpass
import os
import re
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

from furoshiki.core.errors import FuroshikiError
from furoshiki.maintenance.unit_files import FILESYSTEM

# timeout of one call in seconds: a start with a schema upgrade may take five minutes
PATIENCE_S = 330.0

_SHOWN = (
    *("Id", "LoadState", "UnitFileState", "ActiveState", "SubState", "Result", "NRestarts", "MainPID"),
    *("MemoryCurrent", "ActiveEnterTimestamp", "NextElapseUSecRealtime"),
)


class ServiceManager:
    """The systemd of one user. `environ` is the environment of its tools."""

    def __init__(self, environ: Mapping[str, str]) -> None:
        runtime = Path(f"/run/user/{os.getuid()}")
        found = {} if "XDG_RUNTIME_DIR" in environ or not runtime.is_dir() else {"XDG_RUNTIME_DIR": str(runtime)}
        self._environ = {**environ, **found}

    def version(self) -> int | None:
        """Return systemd's version; None without systemd, or without one for this user."""
        done = self._run("systemctl", "--user", "show", "--property=Version", "--value")
        number = re.search(r"\d+", done.stdout) if done.returncode == 0 else None
        return int(number.group()) if number else None

    def can_confine(self) -> bool:
        """Return whether user units can have a separate file system here, by trying one."""
        properties = [f"--property={name}={value}" for name, value in FILESYSTEM.items()]
        return self._run("systemd-run", "--user", "--wait", "--quiet", "--collect", *properties, "true").returncode == 0

    def tell(self, *words: str) -> None:
        """Run `systemctl --user WORDS`. Raises FuroshikiError."""
        done = self._run("systemctl", "--user", *words)
        if done.returncode:
            said = done.stderr.strip() or done.stdout.strip() or f"status {done.returncode}"
            raise FuroshikiError(f"`systemctl --user {' '.join(words)}` failed: {said}")

    def forget_failures(self, units: Sequence[str]) -> None:
        """Reset the failed state of removed units; unknown ones are ignored."""
        for unit in units:
            self._run("systemctl", "--user", "reset-failed", unit)

    def states(self, units: Sequence[str]) -> dict[str, dict[str, str]]:
        """Return the properties of each unit by name. Raises FuroshikiError."""
        done = self._run("systemctl", "--user", "show", f"--property={','.join(_SHOWN)}", *units)
        if done.returncode:
            raise FuroshikiError(f"`systemctl --user show` failed: {done.stderr.strip()}")
        blocks = [dict(re.findall(r"^(\w+)=(.*)$", block, re.MULTILINE)) for block in done.stdout.split("\n\n")]
        return {block["Id"]: block for block in blocks if "Id" in block}

    def lingers(self) -> bool:
        """Return whether services start with the machine and run without a login."""
        return self._run("loginctl", "show-user", getpass.getuser(), "--property=Linger").stdout.strip() == "Linger=yes"

    def linger(self) -> bool:
        """Have services start with the machine; False when that needs an administrator."""
        return self._run("loginctl", "enable-linger", getpass.getuser()).returncode == 0

    def journal(self, units: Sequence[str], lines: int, follow: bool, json: bool) -> list[str]:
        """Return the command that shows units' stderr. Raises FuroshikiError without journalctl."""
        if shutil.which("journalctl", path=self._environ.get("PATH")) is None:
            raise FuroshikiError("there is no journalctl here; `furoshiki logs` shows what the processes wrote down")
        more = [*(["--follow"] if follow else []), *(["--output=json"] if json else ["--output=short-iso"])]
        return ["journalctl", "--user", f"--lines={lines}", *more, *(f"--unit={unit}" for unit in units)]

    def _run(self, *command: str) -> subprocess.CompletedProcess[str]:
        try:
            return subprocess.run(
                command, capture_output=True, text=True, timeout=PATIENCE_S, env=self._environ, stdin=subprocess.DEVNULL
            )
        except FileNotFoundError:
            return subprocess.CompletedProcess(command, 127, "", f"there is no {command[0]} here")
        except subprocess.TimeoutExpired:
            return subprocess.CompletedProcess(command, 124, "", f"no answer within {PATIENCE_S:g} s")


def linger_command() -> str:
    """Return the administrator's command for starting this user's services with the machine."""
    return f"sudo loginctl enable-linger {getpass.getuser()}"
