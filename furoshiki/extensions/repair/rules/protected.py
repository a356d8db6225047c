"""Where automation may write: inside a plugin or a draft, and nowhere else.

One function decides, by the file that would really be written. A path alone does not say where it leads, so that, of
all rules, this one looks at the file system (and changes nothing in it). What is not allowed is refused; the protected
places are refused besides, in whatever spelling, and whether anybody approved or not.
"""

from __future__ import annotations

import os
import stat
import unicodedata
from dataclasses import dataclass
from pathlib import Path

from furoshiki.core.paths import ROOT

WRITABLE = (("plugins",), ("drafts",), ("proposals", "drafts"))
"""Folders of the data directory in which each folder is a plugin, or a draft of one."""

PROTECTED = (("config",), ("memory",), (".env",), ("operator_settings.json",))
"""What of the data directory is the owner's, or the companion's self, alone."""

SHIPPED = (
    *("furoshiki", "scripts", "schedules.json", "prompts", "config", "memory", "plugins", "tests"),
    *(".env", ".git", ".venv"),
)
"""What of the checkout is the program's."""


IS_PROTECTED = "it is protected"
UNDER_ANOTHER_NAME = "it is protected, under another name"


@dataclass(frozen=True)
class Judged:
    """The file that would really be written, and why it may not be; None when it may."""

    real: Path
    refused: str | None

    @property
    def protected(self) -> bool:
        """Whether it is one of the protected places, not merely outside of those that may be written."""
        return self.refused in (IS_PROTECTED, UNDER_ANOTHER_NAME)


def judge(path: Path, data: Path, checkout: Path = ROOT) -> Judged:
    """Whether automation may write a file of the instance that lives in `data`. Never raises."""
    try:
        home, real = Path(os.path.realpath(data)), Path(os.path.realpath(path))
        return Judged(real, _find_refusal(path, real, home, Path(os.path.realpath(checkout))))
    except (OSError, ValueError) as error:  # too long, a NUL in it, a folder that may not be looked into
        return Judged(path, f"it cannot be looked at ({error})")


def _find_refusal(path: Path, real: Path, home: Path, checkout: Path) -> str | None:
    if not path.is_absolute():
        return "it does not say from where"
    if any(unicodedata.category(char)[0] == "C" for char in str(real)):
        return "its name cannot be read"
    own = [home.joinpath(*one) for one in PROTECTED]
    led_to = [Path(os.path.realpath(one)) for one in own if one.is_symlink()]
    places = [*own, *led_to, *(checkout / one for one in SHIPPED)]
    if any(_within(real, place) for place in places):
        return IS_PROTECTED
    inside = next((parts for one in WRITABLE if (parts := _below(real, home.joinpath(*one)))), ())
    if len(inside) < 2:
        return "it lies in no plugin and no draft"
    return _not_plain(real, home, places)


def _not_plain(real: Path, home: Path, places: list[Path]) -> str | None:
    """Why the file is something else than its path says: walked down from the data directory, nothing followed."""
    kept = {_identity(place) for place in places} - {None}
    step = home
    for part in real.relative_to(home).parts:
        step /= part
        found = _look(step)
        if found is None:
            return None  # not there yet: from here on there is nothing it could lead to
        if (found.st_dev, found.st_ino) in kept:
            return UNDER_ANOTHER_NAME
        if step != real and not stat.S_ISDIR(found.st_mode):
            return "its way leads through something that is no folder"
        if step == real and not stat.S_ISREG(found.st_mode):
            return "it is no file"
        if step == real and found.st_nlink > 1:
            return "it is the same file as another one"
    return None


def _below(real: Path, place: Path) -> tuple[str, ...]:
    """The parts of a path below a place, exactly as both are spelled; none when it is not there."""
    return real.relative_to(place).parts if real.is_relative_to(place) else ()


def _within(real: Path, place: Path) -> bool:
    """Whether a path is a place or below it, in whatever spelling."""
    at, parts = _normalize(place), _normalize(real)
    return parts[: len(at)] == at


def _normalize(path: Path) -> tuple[str, ...]:
    return tuple(unicodedata.normalize("NFKC", part).casefold().rstrip(" .") or part for part in path.parts)


def _identity(path: Path) -> tuple[int, int] | None:
    found = _look(path)
    return None if found is None else (found.st_dev, found.st_ino)


def _look(path: Path) -> os.stat_result | None:
    """What lies at a path itself; None when nothing does."""
    try:
        return path.lstat()
    except FileNotFoundError:
        return None
