"""Plain JSON Lines: `{"session", "at", "speaker", "text", "id"}`, one message a line."""

import json
from collections.abc import Iterable, Iterator
from typing import Any

from furoshiki.archive.import_export.formats.values import Bad, ImportedMessage, Owner
from furoshiki.core.timestamps import parse_foreign
from furoshiki.language.testimony import build_typed
from furoshiki.messages.values import USER

LONGEST_LINE = 4 * 1024 * 1024  # maximum bytes of a line

FIELDS = ("session", "at", "speaker", "text", "id")


def records(lines: Iterable[bytes]) -> Iterator[tuple[str, dict[str, Any]] | Bad]:
    """Yield the object of each line with its place; blank lines are skipped."""
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        place = f"line {number}"
        if len(line) > LONGEST_LINE:
            yield Bad(place, f"longer than {LONGEST_LINE // 1024**2} MB")
            continue
        try:
            yield place, record(line)
        except ValueError as error:
            yield Bad(place, str(error))


def record(line: bytes) -> dict[str, Any]:
    """Return the object on a line. Raises ValueError with the reason."""
    try:
        found = json.loads(line.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise ValueError("not UTF-8 text") from error
    except (ValueError, RecursionError) as error:
        raise ValueError(f"not JSON ({error})") from error
    if not isinstance(found, dict):
        raise ValueError("not a JSON object")
    return found


def parse_message(found: dict[str, Any], chat: str, owner: Owner | None = None) -> ImportedMessage:
    """Return the message described by an object. Raises ValueError with the reason."""
    missing = [field for field in FIELDS if found.get(field) in (None, "")]
    if missing:
        raise ValueError(f"{', '.join(missing)} missing")
    fields = {field: found[field] for field in FIELDS}
    if isinstance(fields["id"], int):
        fields["id"] = str(fields["id"])
    wrong = [field for field, value in fields.items() if not isinstance(value, str)]
    if wrong:
        raise ValueError(f"{', '.join(wrong)} must be text")
    if not fields["text"].strip():
        raise ValueError("text is blank")
    told = build_typed(fields["text"])
    mine = owner is not None and fields["speaker"] == owner.id
    return ImportedMessage(
        id=fields["id"],
        session=fields["session"],
        chat=chat,
        speaker=USER if mine else fields["speaker"],
        text=told.text,
        foreign=told.foreign,
        at=_moment(fields["at"]),
    )


def _moment(text: str) -> Any:
    try:
        return parse_foreign(text)
    except ValueError as error:
        raise ValueError(f"at is not a possible ISO-8601 time: {text[:40]!r}") from error
