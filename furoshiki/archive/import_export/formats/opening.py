"""Find the export in what a person points at (a file, a folder, a ZIP archive), and tell by its content what it is."""

from __future__ import annotations

import io
import re
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, Literal

from furoshiki.archive.import_export.formats import lines
from furoshiki.archive.import_export.formats.lines import LONGEST_LINE
from furoshiki.archive.import_export.formats.streams import events
from furoshiki.archive.import_export.formats.values import Opener

_HEAD_BYTES = 1024 * 1024
"""How much of a file may be one line of JSON Lines."""

MOST_SWELLING, SMALL_BYTES = 100, 20_000_000
"""How many times its packed size a file may unpack to; text shrinks to a tenth. Small ones are not looked at."""

_HTML = (
    "a Telegram export to be looked at in a browser. Export it again in Telegram Desktop (⋮ > Export chat history, or "
    "Settings > Advanced > Export Telegram data) with the format “Machine-readable JSON”, and import the result.json"
)
_PAGES = (".html", ".htm")
_PAGE = re.compile(rb"(?:\xef\xbb\xbf)?\s*<(?:!doctype\s+html|html)", re.IGNORECASE)
_PAGE_BYTES = 200

_LINES_TRIED = 20
_LOOKED_AT = 200_000
"""How many values are read before a file is called unknown."""

_KNOWN = (
    "Telegram's result.json (one chat, or a whole account), ChatGPT's or Claude's conversations.json, or JSON Lines "
    '{"session", "at", "speaker", "text", "id"}'
)

Format = Literal["telegram", "chatgpt", "claude", "jsonl"]


@dataclass(frozen=True)
class Part:
    """One file of an export: its name, how to open it, and its size in bytes."""

    name: str
    open: Opener
    size: int


class Counted:
    """A file that knows how far it has been read."""

    def __init__(self, file: BinaryIO, size: int) -> None:
        self._file = file
        self._size = size
        self._read = 0

    @property
    def share(self) -> float | None:
        """How much has been read, from 0 to 1; None of an empty file."""
        return min(1.0, self._read / self._size) if self._size else None

    def read(self, size: int = -1, /) -> bytes:
        """The next bytes."""
        data = self._file.read(size)
        self._read += len(data)
        return data

    def readline(self, size: int | None = -1, /) -> bytes:
        """The next line."""
        data = self._file.readline(-1 if size is None else size)
        self._read += len(data)
        return data

    def __iter__(self) -> Iterator[bytes]:
        """The lines; of one that is too long its beginning, a byte longer than `LONGEST_LINE`."""
        while line := self.readline(LONGEST_LINE + 1):
            yield line
            while len(line) > LONGEST_LINE and not line.endswith(b"\n"):
                line = self.readline(LONGEST_LINE + 1)

    def seek(self, offset: int, whence: int = 0, /) -> int:
        """Go elsewhere; only the beginning is asked for."""
        self._read = 0
        return self._file.seek(offset, whence)


def parts_of(path: Path) -> list[Part]:
    """The files of an export, in their order. Raises OSError, and ValueError when there is none."""
    if path.is_dir():
        found = sorted(one for one in path.iterdir() if _is_export(one.name))
        if not found and any(_is_page(one.name) for one in path.iterdir()):
            raise ValueError(_HTML)
        if not found:
            raise ValueError("the folder holds neither result.json nor conversations.json")
        return [_file(one) for one in found]
    with path.open("rb") as file:
        packed = file.read(4) == b"PK\x03\x04"
    if _is_page(path.name):
        raise ValueError(_HTML if path.name.startswith("messages") else f"a web page; I can read {_KNOWN}")
    return _list_archive_parts(path) if packed else [_file(path)]


def format_of(part: Part) -> Format:
    """What kind of export a file is. Raises ValueError when it is none that is known."""
    if part.name.endswith((".jsonl", ".ndjson")):
        return "jsonl"
    with part.open() as file:
        if _PAGE.match(file.read(_PAGE_BYTES)):
            raise ValueError(_HTML)
    with part.open() as file:
        if _is_lines(file):
            return "jsonl"
    with part.open() as file:
        found = _by_its_fields(file)
    if found is None:
        raise ValueError(f"not an export I know; I can read {_KNOWN}. --format names one that is not recognised")
    return found


def _is_page(name: str) -> bool:
    return name.lower().endswith(_PAGES)


def check_format(part: Part, wanted: Format) -> Format:
    """The format somebody named. Raises ValueError when the content plainly is another one's."""
    try:
        found = format_of(part)
    except ValueError:
        return wanted  # nobody can tell: the caller who named it may know
    if found != wanted:
        raise ValueError(f"this is a {found} export, not a {wanted} one: give --format {found}, or leave --format out")
    return wanted


def _is_export(name: str) -> bool:
    return name == "result.json" or (name.startswith("conversations") and name.endswith(".json"))


def _file(path: Path) -> Part:
    return Part(path.name, lambda: path.open("rb"), path.stat().st_size)


def _list_archive_parts(path: Path) -> list[Part]:
    try:
        with zipfile.ZipFile(path) as archive:
            names = archive.namelist()
            inside = sorted(
                (one for one in archive.infolist() if _is_export(Path(one.filename).name)), key=lambda one: one.filename
            )
    except _UNREADABLE as error:
        raise _make_damage_error(error) from error
    if not inside and any(_is_page(name) for name in names):
        raise ValueError(_HTML)
    if not inside:
        raise ValueError("the archive holds neither result.json nor conversations.json")
    for one in inside:
        if one.file_size > MOST_SWELLING * max(1, one.compress_size) and one.file_size > SMALL_BYTES:
            raise ValueError(
                f"{one.filename} would unpack to {one.file_size // 10**6} MB, {MOST_SWELLING} times what it takes "
                "here: no export does. Unpack it yourself and import the file if you trust it"
            )

    def opener(name: str) -> Opener:
        return lambda: io.BufferedReader(_Member(path, name))

    return [Part(Path(one.filename).name, opener(one.filename), one.file_size) for one in inside]


_UNREADABLE = (zipfile.BadZipFile, zlib.error, EOFError, OSError, RuntimeError)
"""What becomes of an archive that is damaged, locked with a password, or packed in a way that is not read here."""


def _make_damage_error(error: Exception) -> ValueError:
    return ValueError(f"a ZIP archive that cannot be read ({error}): download it again, or unpack it yourself")


class _Member(io.RawIOBase):
    """A file inside an archive; closes the archive with itself. Raises ValueError where that cannot be read."""

    def __init__(self, path: Path, name: str) -> None:
        self._archive = zipfile.ZipFile(path)
        try:
            self._file = self._archive.open(name)
        except _UNREADABLE as error:
            self._archive.close()
            raise _make_damage_error(error) from error

    def readable(self) -> bool:
        """Say that the stream can be read."""
        return True

    def seekable(self) -> bool:
        """Going back is reading it again, which the archive does."""
        return True

    def seek(self, offset: int, whence: int = 0, /) -> int:
        """Go elsewhere; only the beginning is asked for."""
        return self._file.seek(offset, whence)

    def readinto(self, buffer: memoryview, /) -> int:  # type: ignore[override]  # its own reader gives no other
        """The next bytes."""
        try:
            data = self._file.read(len(buffer))
        except _UNREADABLE as error:
            raise _make_damage_error(error) from error
        buffer[: len(data)] = data
        return len(data)

    def close(self) -> None:
        """Close the archive too."""
        if not self.closed and hasattr(self, "_file"):
            self._file.close()
            self._archive.close()
        super().close()


def _is_lines(file: BinaryIO) -> bool:
    """Whether one of the first lines is an object that says something, or a record of our own export."""
    for _ in range(_LINES_TRIED):
        line = file.readline(_HEAD_BYTES)
        if not line:
            return False
        try:
            found = lines.record(line)
        except ValueError:
            continue
        if "record" in found or {"speaker", "text", "session"} & found.keys():
            return True
    return False


def _by_its_fields(file: BinaryIO) -> Format | None:
    """Guess the format by the first field only one format has; None when none is found."""
    try:
        for number, (prefix, event, value) in enumerate(events(file)):
            if event == "map_key":
                if prefix == "" and value in {"messages", "chats", "left_chats", "personal_information"}:
                    return "telegram"
                if prefix == "item" and value in {"mapping", "current_node"}:
                    return "chatgpt"
                if prefix == "item" and value in {"chat_messages", "sender"}:
                    return "claude"
            if number > _LOOKED_AT:
                return None
    except ValueError:
        return None
    return None
