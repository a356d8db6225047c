"""Opening an export (a file, a folder, a ZIP archive) and detecting its format by the content."""

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

_HEAD_BYTES = 1024 * 1024  # bytes of a JSON line that are read for detection

# maximum compression ratio of an archived file (text has 10), if larger than this many bytes
MOST_SWELLING, SMALL_BYTES = 100, 20_000_000

_HTML = (
    "a Telegram export to be looked at in a browser. Export it again in Telegram Desktop (⋮ > "
    "Export chat history, or Settings > Advanced > Export Telegram data) with the format "
    "“Machine-readable JSON”, and import the result.json"
)
_PAGES = (".html", ".htm")
_PAGE = re.compile(rb"(?:\xef\xbb\xbf)?\s*<(?:!doctype\s+html|html)", re.IGNORECASE)
_PAGE_BYTES = 200

_LINES_TRIED = 20
_LOOKED_AT = 200_000  # JSON values read before a file counts as unknown

_KNOWN = (
    "Telegram's result.json (one chat, or a whole account), ChatGPT's or Claude's conversations.json, or JSON Lines "
    '{"session", "at", "speaker", "text", "id"}'
)

Format = Literal["telegram", "chatgpt", "claude", "jsonl"]


@dataclass(frozen=True)
class Part:
    """One file of an export: name, opener, and size in bytes."""

    name: str
    open: Opener
    size: int


class Counted:
    """A file that tracks how much of it has been read."""

    def __init__(self, file: BinaryIO, size: int) -> None:
        self._file = file
        self._size = size
        self._read = 0

    @property
    def share(self) -> float | None:
        """The share that has been read, from 0 to 1; None for an empty file."""
        return min(1.0, self._read / self._size) if self._size else None

    def read(self, size: int = -1, /) -> bytes:
        data = self._file.read(size)
        self._read += len(data)
        return data

    def readline(self, size: int | None = -1, /) -> bytes:
        """Read the next line."""
        data = self._file.readline(-1 if size is None else size)
        self._read += len(data)
        return data

    def __iter__(self) -> Iterator[bytes]:
        """Yield the lines; of a too long one only the beginning, `LONGEST_LINE` + 1 bytes."""
        while line := self.readline(LONGEST_LINE + 1):
            yield line
            while len(line) > LONGEST_LINE and not line.endswith(b"\n"):
                line = self.readline(LONGEST_LINE + 1)

    def seek(self, offset: int, whence: int = 0, /) -> int:
        """Seek; callers only go back to the beginning."""
        self._read = 0
        return self._file.seek(offset, whence)


def parts_of(path: Path) -> list[Part]:
    """Return the files of an export, in order. Raises OSError; ValueError without any."""
    if path.is_dir():
        found = sorted(one for one in path.iterdir() if _is_export(one.name))
        if not found and any(_is_page(one.name) for one in path.iterdir()):
            raise ValueError(_HTML)
        if not found:
            raise ValueError("the folder holds neither result.json nor conversations.json")
        return list(map(_file, found))
    with path.open("rb") as file:
        packed = file.read(4) == b"PK\x03\x04"
    if _is_page(path.name):
        raise ValueError(_HTML if path.name.startswith("messages") else f"a web page; I can read {_KNOWN}")
    return _list_archive_parts(path) if packed else [_file(path)]


def format_of(part: Part) -> Format:
    """Detect a file's format. Raises ValueError when it is unknown."""
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
    """Return the format given by the user. Raises ValueError when the content is of another one."""
    try:
        found = format_of(part)
    except ValueError:
        return wanted  # not detectable: trust the user
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
    if not inside and any(map(_is_page, names)):
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


# exceptions for archives that are damaged, encrypted, or packed with an unsupported method
_UNREADABLE = (zipfile.BadZipFile, zlib.error, EOFError, OSError, RuntimeError)


def _make_damage_error(error: Exception) -> ValueError:
    return ValueError(f"a ZIP archive that cannot be read ({error}): download it again, or unpack it yourself")


class _Member(io.RawIOBase):
    """A file in an archive; closing it closes the archive. Raises ValueError when unreadable."""

    def __init__(self, path: Path, name: str) -> None:
        self._archive = zipfile.ZipFile(path)
        try:
            self._file = self._archive.open(name)
        except _UNREADABLE as error:
            self._archive.close()
            raise _make_damage_error(error) from error

    def readable(self) -> bool:
        """Return True: the stream is readable."""
        return True

    def seekable(self) -> bool:
        """Return True: the archive seeks by reading again."""
        return True

    def seek(self, offset: int, whence: int = 0, /) -> int:
        """Seek; callers only go back to the beginning."""
        return self._file.seek(offset, whence)

    def readinto(self, buffer: memoryview, /) -> int:  # type: ignore[override]  # its own reader gives no other
        """Read the next bytes into a buffer. Raises ValueError."""
        try:
            data = self._file.read(len(buffer))
        except _UNREADABLE as error:
            raise _make_damage_error(error) from error
        buffer[: len(data)] = data
        return len(data)

    def close(self) -> None:
        """Close the file and the archive."""
        if not self.closed and hasattr(self, "_file"):
            self._file.close()
            self._archive.close()
        super().close()


def _is_lines(file: BinaryIO) -> bool:
    """Return whether one of the first lines is a message, or a record of our own export."""
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
