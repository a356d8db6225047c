"""A backup's effects on whom to obey: owners, settings, and code inside its database.

A backup may come from another machine or person, so these are shown before it is restored.
"""

import contextlib
import json
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from furoshiki.core.database import migrate
from furoshiki.core.json_values import dict_of
from furoshiki.core.paths import DATABASE, read_env_file
from furoshiki.maintenance import store
from furoshiki.maintenance.archive import SECRETS, BackupUnusable
from furoshiki.owner.people import places

OPERATOR_SETTINGS = Path("memory") / "operator_settings.json"


@dataclass(frozen=True)
class BackupChanges:
    """Changes by a backup other than memories: `owners` as "Noor (telegram 42)", `settings` as
    (name, value) if different; `new_owners` are owners unknown here; `secrets` are the names set in
    its `.env`."""

    owners: tuple[str, ...]
    new_owners: tuple[str, ...]
    settings: tuple[tuple[str, str], ...]
    secrets: tuple[str, ...] = ()


def brings(staged: Path, data: Path, database: Path) -> BackupChanges:
    """Examine an unpacked backup. `database` is the current one, which may be missing."""
    there = store.owners(staged / DATABASE)
    here = store.owners(database) if database.exists() else []
    before, after = _settings(data / OPERATOR_SETTINGS), _settings(staged / OPERATOR_SETTINGS)
    changed = [name for name in sorted(before.keys() | after.keys()) if before.get(name) != after.get(name)]
    return BackupChanges(
        owners=tuple(map(_describe_owner, there)),
        new_owners=tuple(
            _describe_owner(owner) for owner in there if here and owner[:2] not in [known[:2] for known in here]
        ),
        settings=tuple((name, json.dumps(after[name]) if name in after else "as by default") for name in changed),
        secrets=tuple(read_env_file(staged / SECRETS)),
    )


def check_databases(backup: Path, unpacked: Path) -> None:
    """Raise BackupUnusable, naming the backup, if a database in its unpacked copy is damaged."""
    if faults := store.faults(unpacked / DATABASE):
        raise BackupUnusable(f"{backup} holds a damaged database: {faults[0]}")
    for place in places.folders(unpacked):
        if faults := store.faults(place / DATABASE):
            raise BackupUnusable(f"{backup} holds a damaged database of {place.name}: {faults[0]}")


def check_code(copy: Path) -> None:
    """Raise BackupUnusable if a database has triggers, views or virtual tables outside its schema.

    They would run with the first row that is written, even by the upgrade.
    """
    found = store.code(copy)
    with tempfile.TemporaryDirectory(dir=copy.parent) as folder:
        own = Path(folder) / "own.sqlite"
        migrate.upgrade(own)
        strange = sorted(found - store.code(own))
    if strange:
        kind, name, _sql = strange[0]
        raise BackupUnusable(
            f"its database holds the {kind} {name!r}, which Furoshiki never makes: somebody has changed this backup. "
            "Take another one"
        )


def _settings(path: Path) -> dict[str, Any]:
    with contextlib.suppress(OSError, ValueError):
        found = json.loads(path.read_text(encoding="utf-8"))
        return dict_of(found)
    return {}


def _describe_owner(owner: tuple[str, str, str | None]) -> str:
    channel, external_id, name = owner
    return f"{name or 'somebody'} ({channel} {external_id})"
