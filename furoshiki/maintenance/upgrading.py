"""Bring the database to the newest schema, never without a way back: what was in use is backed up first."""

from collections.abc import Callable, Sequence
from datetime import datetime
from pathlib import Path

from furoshiki.core.database import migrate
from furoshiki.core.paths import PEOPLE


def ensure(data: Path, database: Path, now: Callable[[], datetime], keys: Sequence[str] = ()) -> bool:
    """Migrate when needed, the places of other people too; True when something was done. Raises StorageUnavailable.

    The backup lies with the others, so that it ages out with them, and is encrypted for `keys` as they are; where
    there is no room for it there is no upgrade.
    """

    def save() -> None:
        from furoshiki.maintenance import backup  # what it needs is needed once a release

        backup.make(data, database, data / "backups", now(), keys)

    done = migrate.ensure(database, save)
    if not (data / PEOPLE).is_dir():
        return done
    from furoshiki.owner.people import places  # 3 MB of memoryd, which most homes do without

    for folder in places.folders(data):
        done |= migrate.ensure(folder / places.DATABASE)
    return done
