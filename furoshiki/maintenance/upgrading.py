"""Upgrade of the database to the newest schema, after a backup."""

from collections.abc import Callable, Sequence
from datetime import datetime
from pathlib import Path

from furoshiki.core.database import migrate
from furoshiki.core.paths import DATABASE, PEOPLE


def ensure(data: Path, database: Path, now: Callable[[], datetime], keys: Sequence[str] = ()) -> bool:
    """Migrate if needed, also other people's places; True when something changed.

    Raises StorageUnavailable. The backup is stored and deleted with the others, and encrypted for
    `keys` like them; without space for it there is no upgrade.
    """

    def save() -> None:
        from furoshiki.maintenance import backup  # only needed once in a release

        backup.make(data, database, data / "backups", now(), keys)

    done = migrate.ensure(database, save)
    if not (data / PEOPLE).is_dir():
        return done
    from furoshiki.owner.people import places  # 3 MB of memoryd, which most homes save

    for folder in places.folders(data):
        done |= migrate.ensure(folder / DATABASE)
    return done
