"""Draft files, `drafts/<name>/`: the only files that a model may write for a plugin.

Names must be on the allow-list for plugins, folders are opened without following links, and sizes
are limited. Any file that is no plain text file of a plugin makes the whole draft unusable.
"""

import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from furoshiki.core import no_symlinks
from furoshiki.core.process import trees
from furoshiki.extensions.plugins.rules import names

FOLDER = "drafts"
MOST_FILES = 20
LARGEST_FILE = 24_000
LARGEST_DRAFT = 80_000  # maximum characters of one file, and of all: a person has to read them

_DEEPEST = 6


class NotTaken(Exception):
    """A file cannot be read or written in a draft; the message is for the caller."""


@dataclass(frozen=True)
class Draft:
    """The draft with a name in a data directory."""

    data: Path
    name: str

    @property
    def folder(self) -> Path:
        return self.data / FOLDER / self.name

    def begin(self) -> None:
        """Create an empty draft, replacing any earlier one. Raises OSError."""
        self.remove()
        with no_symlinks.opened(self.data, (FOLDER, self.name), make=True):
            pass

    def remove(self) -> None:
        """Delete the draft's folder if it exists. Raises OSError."""
        if self.folder.is_symlink():
            self.folder.unlink()
        elif self.folder.exists():
            trees.remove(self.folder)

    def files(self) -> dict[str, str]:
        """Return all files by path, PLUGIN.md first. Raises NotTaken for an unacceptable file."""
        try:
            with no_symlinks.opened(self.data, (FOLDER, self.name)) as folder:
                found = dict(_read(folder, ""))
        except OSError as error:
            raise NotTaken(f"the draft cannot be read: {error.strerror}") from None
        if sum(map(len, found.values())) > LARGEST_DRAFT:
            raise NotTaken(f"the draft is larger than {LARGEST_DRAFT} characters")
        return dict(sorted(found.items(), key=lambda item: (item[0] != "PLUGIN.md", item[0])))

    def write(self, file: str, text: str) -> None:
        """Write one file, replacing an earlier one. Raises NotTaken and OSError."""
        if names.FILE.fullmatch(file) is None:
            raise NotTaken(
                f"{file[:80]!r} is no file a plugin may bring; there are PLUGIN.md, and .py, .md, .txt, .json, .csv "
                "and the like in scripts/, tests/ and docs/"
            )
        text = text.replace("\r\n", "\n").rstrip() + "\n"
        if not text.strip() or len(text) > LARGEST_FILE:
            raise NotTaken(f"a file holds 1 to {LARGEST_FILE} characters")
        there = self.files()
        if len({*there, file}) > MOST_FILES:
            raise NotTaken(f"a draft has {MOST_FILES} files at most")
        if sum(map(len, {**there, file: text}.values())) > LARGEST_DRAFT:
            raise NotTaken(f"a draft has {LARGEST_DRAFT} characters at most")
        try:
            text.encode("utf-8")
        except UnicodeEncodeError:
            raise NotTaken("this is not text") from None
        *above, name = file.split("/")
        with no_symlinks.opened(self.data, (FOLDER, self.name, *above), make=True) as folder:
            no_symlinks.replace(folder, name, text)


def _read(folder: int, prefix: str) -> Iterator[tuple[str, str]]:
    """Yield the files of an opened folder and of those below it."""
    if prefix.count("/") > _DEEPEST:
        raise NotTaken("its folders are nested too deeply")
    for entry in sorted(os.listdir(folder)):
        path = f"{prefix}{entry}"
        mode = os.stat(entry, dir_fd=folder, follow_symlinks=False).st_mode
        if stat.S_ISDIR(mode):
            below = os.open(entry, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=folder)
            try:
                yield from _read(below, f"{path}/")
            finally:
                os.close(below)
        elif entry.startswith(".") and entry.endswith(".new"):
            continue  # left by a killed run
        else:
            if not stat.S_ISREG(mode) or names.FILE.fullmatch(path) is None:
                raise NotTaken(f"{path[:80]!r} is no file a plugin may bring")
            yield path, _text(folder, entry, path)


def _text(folder: int, entry: str, path: str) -> str:
    with no_symlinks.open_file(entry, folder) as file:
        held = file.read(4 * LARGEST_FILE + 1)
    try:
        text = held.decode("utf-8")
    except UnicodeDecodeError:
        raise NotTaken(f"{path} is not UTF-8 text") from None
    if len(text) > LARGEST_FILE or text != text.rstrip() + "\n" or "\r" in text:
        raise NotTaken(f"{path} is too large, or its lines do not end as they should")
    return text
