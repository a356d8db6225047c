"""Atomic changes of settings in a `.env` file; all other lines stay as they are."""

import re
from collections.abc import Mapping
from pathlib import Path

from furoshiki.core.atomic_files import locked, write_text
from furoshiki.core.errors import BadSetting
from furoshiki.core.paths import read_env_file

NOBODY_ELSE, NOBODY_ENTERS, OTHERS = 0o600, 0o700, 0o077

_COMMENT = re.compile(r"\s#")


def save(data: Path, values: Mapping[str, str | None]) -> None:
    """Set names in the `.env` of a data directory (None removes one). Only its user can read the
    file. Raises OSError, and BadSetting when the file cannot be parsed."""
    data.mkdir(parents=True, exist_ok=True, mode=NOBODY_ENTERS)
    data.chmod(NOBODY_ENTERS)
    with locked(data / "run" / "env.lock"):
        _write((data / ".env").resolve(), values)


def put(path: Path, name: str, value: str | None) -> None:
    """Set one name in this file (None removes it).
    Raises OSError and BadSetting, as `save` does."""
    _write(path, {name: value})


def write(path: Path, text: str) -> None:
    """Replace the file with a text that only its user can read. Raises OSError."""
    write_text(path, text, NOBODY_ELSE)


def render_changes(text: str, values: Mapping[str, str | None]) -> str:
    """Return `text` with these names set (None removes one).
    A name keeps its line or uses its commented-out line of the template; a new name is appended.
    Raises BadSetting for a value that no line can hold."""
    lines = text.splitlines()
    for name, value in values.items():
        held = [number for number, line in enumerate(lines) if _names(line) == name]
        if value is None:
            lines = [line for number, line in enumerate(lines) if number not in held]
            continue
        wanted = f"{name}={_render_value(name, value)}"
        if held:
            first, *others = held
            lines[first] = wanted + _remark(lines[first])
            lines = [line for number, line in enumerate(lines) if number not in others]
            continue
        template = [number for number, line in enumerate(lines) if line.startswith(f"#{name}=")]
        if template:
            lines[template[0]] = wanted
        else:
            lines.append(wanted)
    return "".join(f"{line}\n" for line in lines)


def _write(path: Path, values: Mapping[str, str | None]) -> None:
    read_env_file(path)  # raises BadSetting: do not overwrite an unreadable file
    before = path.read_text(encoding="utf-8-sig") if path.is_file() else ""
    after = render_changes(before, values)
    if after != before or (path.is_file() and path.stat().st_mode & OTHERS):
        write(path, after)


def _names(line: str) -> str | None:
    """Return the setting that a line sets; None for a comment or a blank line."""
    bare = line.strip().removeprefix("export ").strip()
    return None if not bare or bare.startswith("#") else bare.partition("=")[0].strip()


def _remark(line: str) -> str:
    """Return the comment after a value, with the blanks before it."""
    value = line.partition("=")[2].strip()
    if value[:1] in ("'", '"') and (end := value.find(value[0], 1)) > 0:
        value = value[end + 1 :]
    match = _COMMENT.search(value)
    return "" if match is None else f"  {value[match.start() :].strip()}"


def _render_value(name: str, value: str) -> str:
    """Quote a value so that `read_env_file` reads it back."""
    if not value.isprintable():
        raise BadSetting(f"{name}: a line of .env cannot hold control characters: type it without them")
    if value == value.strip() and " #" not in value and value[:1] not in ("'", '"'):
        return value
    for quote in ('"', "'"):
        if quote not in value:
            return f"{quote}{value}{quote}"
    raise BadSetting(f"{name}: a value with both kinds of quotes cannot be written into .env: leave one kind out")
