"""Whose services `furoshiki service` manages: a companion's, a host's, or one home's."""

import argparse
import re
from dataclasses import dataclass
from pathlib import Path

from furoshiki.app import supervisor
from furoshiki.core import paths, settings
from furoshiki.core.errors import AlreadyRunning, FuroshikiError
from furoshiki.core.process.locks import lock_held
from furoshiki.core.settings import Settings
from furoshiki.maintenance.unit_files import (
    EVERY,
    HOME,
    HOST_BRAIN,
    HOST_LISTENER,
    LISTENER,
    LONG_RUNNING,
    SINGLE,
    UNITS_OF_HOME,
    UNITS_OF_HOST,
)

CREDENTIALS = "credentials"
"""A folder of the data directory: systemd hands each file, named as a setting, to the services."""

_TOKEN = "telegram_bot_token"


@dataclass(frozen=True)
class Kind:
    """The services of a companion, of the host of all homes, or of one home that runs alone.

    `every` are all its possible unit files, `running` those that run all the time.
    """

    every: tuple[str, ...]
    running: tuple[str, ...]
    held: Settings
    homes: Path | None = None
    home: str | None = None

    def named(self, unit: str) -> str:
        """Return the unit's name for systemd; of a template, the instance."""
        return unit if self.home is None else unit.replace("@.", f"@{self.home}.")

    def can_run(self, unit: str) -> bool:
        """Return whether a unit has what it needs: a listener for one companion needs a token, in
        the settings or from systemd."""
        if unit not in (LISTENER, SINGLE, HOME) or self.held.telegram_bot_token is not None:
            return True
        return self.home is None and (_TOKEN in credential_files(self.held.data) or _has_drop_in(unit))


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
    """Return whose services the command line means. Raises BadSetting."""
    if args.host:
        root = paths.homes_dir()
        held = settings.load({**paths.environ(), "FUROSHIKI_DATA": str(root / paths.HOST)})
        return Kind(UNITS_OF_HOST, (HOST_LISTENER, HOST_BRAIN), held, root)
    held = settings.load()
    if paths.host_of(held.data) is not None:
        return Kind(UNITS_OF_HOME, (HOME,), held, held.data.parent, held.data.name)
    return Kind(EVERY, LONG_RUNNING, held)


def refuse_two(kind: Kind) -> None:
    """Raise FuroshikiError if a home would be served twice, AlreadyRunning if `up` or `host` runs."""
    for data in (kind.held.data, *(() if kind.homes is None else (kind.homes / paths.HOST,))):
        if lock_held(data / "run" / supervisor.LOCK):
            raise AlreadyRunning(supervisor.ALREADY)
    if kind.home is not None and (paths.user_units() / HOST_LISTENER).is_file():
        raise FuroshikiError("the host's services look after every home: `furoshiki service uninstall --host` first")
    others = instances() if kind.homes is not None and kind.home is None else []
    if others:
        first = f"`furoshiki service uninstall --home {others[0]}`"
        raise FuroshikiError(f"{', '.join(others)} run as services of their own, and the host looks after all: {first}")


def instances() -> list[str]:
    """Return the homes whose services start with this account."""
    found = paths.user_units().glob(f"*.wants/{HOME.replace('@.', '@*.')}")
    return sorted(path.name.partition("@")[2].removesuffix(".service") for path in found)


def limits(held: Settings) -> tuple[str, ...]:
    """Return the common resource limits of a host's services as lines of a unit."""
    most, percent = held.furoshiki_host_memory_mb, held.furoshiki_host_cpu_percent
    return (
        f"MemoryHigh={most * 9 // 10}M",
        f"MemoryMax={most}M",
        f"TasksMax={held.furoshiki_host_tasks}",
        *(() if percent is None else (f"CPUQuota={percent}%",)),
    )
