"""Reading the manifest in the head of a plugin folder's PLUGIN.md."""

import stat
from collections.abc import Callable
from pathlib import Path

from furoshiki.core import no_symlinks
from furoshiki.core.errors import in_words
from furoshiki.core.paths import version
from furoshiki.extensions.plugins.rules.front_matter import LARGEST_BYTES
from furoshiki.extensions.plugins.rules.manifest import judge
from furoshiki.extensions.plugins.values import Manifest

FILE = "PLUGIN.md"


def read(folder: Path) -> tuple[Manifest | None, tuple[str, ...]]:
    """Return a plugin's manifest and its problems in words; None if there is any problem."""
    try:
        content = _content(folder / FILE)
    except FileNotFoundError:
        return None, (f"there is no {FILE} in {folder}; `furoshiki plugins new NAME` makes one to begin with",)
    except OSError as error:
        return None, (in_words(error),)
    manifest, wrong = judge(content, version())
    if manifest is None:
        return None, tuple(f"{FILE} line {line}: {words}" for line, words in wrong)
    missing = list_missing_scripts(manifest, lambda script: _is_file(folder, script))
    return (None if missing else manifest), tuple(missing)


def list_missing_scripts(manifest: Manifest, there: Callable[[str], bool]) -> list[str]:
    """Return a problem for each entry point whose script is missing."""
    return list(
        dict.fromkeys(
            f"{FILE}: there is no file {entry.script}; write it, or correct `script:` of its {entry.hook} hook"
            for entry in manifest.entry_points
            if not there(entry.script)
        )
    )


def _content(path: Path) -> bytes:
    with no_symlinks.open_file(path) as file:
        return file.read(LARGEST_BYTES + 1)


def _is_file(folder: Path, script: str) -> bool:
    """Return whether a script is a regular file without links in its path."""
    path = folder
    for part in script.split("/"):
        path /= part
        if path.is_symlink():
            return False
    try:
        return stat.S_ISREG(path.stat().st_mode)
    except OSError:
        return False
