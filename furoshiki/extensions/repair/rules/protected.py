"""Where automation may write: inside a plugin or a draft, and nowhere else.

One function decides, by the resolved target. As a path alone does not show where it leads, this
rule alone reads the file system (without changing it). Protected places are refused in any
spelling, and even with approval.
"""

import os
import stat
import unicodedata
from dataclasses import dataclass
from pathlib import Path

from furoshiki.core.paths import ROOT

# folders of the data directory whose subfolders are plugins or drafts
WRITABLE = (("plugins",), ("drafts",), ("proposals", "drafts"))

# protected parts of the data directory: the owner's, or the companion's self
PROTECTED = (("config",), ("memory",), (".env",), ("operator_settings.json",))

# protected parts of the checkout: the program
SHIPPED = (
    *("furoshiki", "scripts", "schedules.json", "prompts", "config", "memory", "plugins", "tests"),
    *(".env", ".git", ".venv"),
)


IS_PROTECTED = "it is protected"
UNDER_ANOTHER_NAME = "it is protected, under another name"


@dataclass(frozen=True)
class Judged:
    """The resolved target of a path, and why it may not be written, or None."""

    real: Path
    refused: str | None

    @property
    def protected(self) -> bool:
        """Whether the file is protected, not merely outside the writable folders."""
        return self.refused in (IS_PROTECTED, UNDER_ANOTHER_NAME)


def judge(path: Path, data: Path, checkout: Path = ROOT) -> Judged:
    """Judge whether automation may write a file, with data directory `data`. Never raises."""
    try:
        home, real = Path(os.path.realpath(data)), Path(os.path.realpath(path))
        return Judged(real, _find_refusal(path, real, home, Path(os.path.realpath(checkout))))
    except (OSError, ValueError) as error:  # too long, with a NUL, or in an unreadable folder
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
    """Return why the file is not a plain file; no links are followed on the way to it."""
    kept = {_identity(place) for place in places} - {None}
    step = home
    for part in real.relative_to(home).parts:
        step /= part
        found = _look(step)
        if found is None:
            return None  # does not exist yet: it cannot lead anywhere
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
    """Return the path's parts below a place, spelled exactly; empty if it is not below."""
    return real.relative_to(place).parts if real.is_relative_to(place) else ()


def _within(real: Path, place: Path) -> bool:
    """Return whether a path is a place or below it, in any spelling."""
    at, parts = _normalize(place), _normalize(real)
    return parts[: len(at)] == at


def _normalize(path: Path) -> tuple[str, ...]:
    return tuple(unicodedata.normalize("NFKC", part).casefold().rstrip(" .") or part for part in path.parts)


def _identity(path: Path) -> tuple[int, int] | None:
    found = _look(path)
    return None if found is None else (found.st_dev, found.st_ino)


def _look(path: Path) -> os.stat_result | None:
    """Return the status of a path itself (not a link's target), or None."""
    try:
        return path.lstat()
    except FileNotFoundError:
        return None
