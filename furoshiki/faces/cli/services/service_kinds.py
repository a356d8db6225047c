"""Whose services `furoshiki service` manages: a companion's, or a host's."""

import argparse
import re
from dataclasses import dataclass
from pathlib import Path

from furoshiki.app import supervisor
from furoshiki.core import paths, settings
from furoshiki.core.errors import AlreadyRunning
from furoshiki.core.process.locks import lock_held
from furoshiki.core.settings import Settings
from furoshiki.faces.cli.context import Misused
from furoshiki.maintenance import unit_files

# a folder of the data directory: systemd hands each file, named as a setting, to the services
CREDENTIALS = "credentials"

_TOKEN = "telegram_bot_token"


@dataclass(frozen=True)
class Kind:
    """The services of a companion, or of the host of all homes.

    `every` are all its possible unit files, `running` those that run all the time.
    """

    every: tuple[str, ...]
    running: tuple[str, ...]
    held: Settings
    homes: Path | None = None

    def can_run(self, unit: str) -> bool:
        """Return whether a unit has what it needs: a listener for one companion needs a token, in
        the settings or from systemd."""
        if unit not in (unit_files.LISTENER, unit_files.SINGLE) or self.held.telegram_bot_token is not None:
            return True
        return _TOKEN in credential_files(self.held.data) or _has_drop_in(unit)


def credential_files(data: Path) -> dict[str, Path]:
    """Return the credential files for systemd by the setting they are named after."""
    folder = data / CREDENTIALS
    return {path.name.lower(): path for path in sorted(folder.iterdir()) if path.is_file()} if folder.is_dir() else {}


def _has_drop_in(unit: str) -> bool:
    """Return whether a drop-in hands a token to this unit."""
    texts = [path.read_text("utf-8", "replace") for path in (paths.user_units() / f"{unit}.d").glob("*.conf")]
    lines = [line.strip().lower() for text in texts for line in text.splitlines()]
    return any(re.match(rf"(?:load|set)credential(?:encrypted)?\s*=\s*{_TOKEN}\b", line) for line in lines)


def choose_kind(args: argparse.Namespace) -> Kind:
    """Return whose services the command line means. Raises BadSetting, Misused."""
    if args.host:
        root = paths.homes_dir()
        held = settings.load({**paths.environ(), "FUROSHIKI_DATA": str(root / paths.HOST)})
        return Kind(unit_files.UNITS_OF_HOST, (unit_files.HOST_LISTENER, unit_files.HOST_BRAIN), held, root)
    held = settings.load()
    if paths.host_of(held.data) is not None:
        raise Misused("a home runs by the services of its host: `furoshiki service install --host`")
    return Kind(unit_files.EVERY, unit_files.LONG_RUNNING, held)


def refuse_while_up(kind: Kind) -> None:
    """Raise AlreadyRunning if `up` or `host` runs."""
    if lock_held(kind.held.data / "run" / supervisor.LOCK):
        raise AlreadyRunning(supervisor.ALREADY)


def limits(held: Settings) -> tuple[str, ...]:
    """Return the common resource limits of a host's services as lines of a unit."""
    most, percent = held.furoshiki_host_memory_mb, held.furoshiki_host_cpu_percent
    return (
        f"MemoryHigh={most * 9 // 10}M",
        f"MemoryMax={most}M",
        f"TasksMax={held.furoshiki_host_tasks}",
        *(() if percent is None else (f"CPUQuota={percent}%",)),
    )
