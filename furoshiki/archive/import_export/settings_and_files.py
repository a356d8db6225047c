"""Parts of an export outside the tables: settings without secrets, and text files."""

import base64
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from furoshiki.core import settings
from furoshiki.core.settings import Settings
from furoshiki.messages import picture_files

_WHERE = "FUROSHIKI_DATA"  # the local path, which is meaningless elsewhere

# patterns in the data directory: persona, user profile, and files written by hand
_FILES = ("config/*.md", "config/*.toml", "memory/user_profile*", "memory/schedules.json", "proposals/*.md")


def records(held: Settings, *, own: bool) -> Iterator[dict[str, Any]]:
    """Yield changed settings, if it is the owner's `own` export (other places have none), and the
    files. Raises OSError."""
    for one in settings.show_all(held) if own else ():
        if one["source"] != "default" and one["name"] != _WHERE:
            yield {"record": "setting", **one}
    for path in sorted(_texts(held.data)):
        name = path.relative_to(held.data).as_posix()
        yield {"record": "file", "path": name, "text": path.read_text(encoding="utf-8", errors="replace")}
    for path in sorted((held.data / picture_files.FOLDER).glob("*.picture")):
        name = path.relative_to(held.data).as_posix()
        yield {"record": "picture_file", "path": name, "base64": base64.b64encode(path.read_bytes()).decode()}


def _texts(data: Path) -> Iterator[Path]:
    for pattern in _FILES:
        for path in data.glob(pattern):
            if path.is_file() and not path.is_symlink() and not path.name.startswith("."):  # not a lock or draft
                yield path
