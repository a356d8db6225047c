"""The numbers of writing first as they stand now, read again whenever their file changes: no restart is needed."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from furoshiki.core.errors import BadSetting
from furoshiki.core.paths import read_toml_file
from furoshiki.outreach.rules.laws import OutreachLaws
from furoshiki.world import World

FILE = "outreach.toml"


def current(world: World) -> OutreachLaws:
    """The shipped file, the owner's laid over it. Raises BadSetting for a file that is wrong."""
    own = world.home / "config" / FILE
    return _read(world.config / FILE, own, own.stat().st_mtime_ns if own.is_file() else 0)


@lru_cache(maxsize=8)
def _read(shipped: Path, own: Path, changed_at: int) -> OutreachLaws:
    try:
        return OutreachLaws.from_mapping(read_toml_file(shipped), read_toml_file(own) if changed_at else None)
    except ValueError as error:
        raise BadSetting(f"{own if changed_at else shipped}: {error}") from error
